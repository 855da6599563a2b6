"""The comparison of strict nbval, to which a lesson in Pyodide is held as well."""

import configparser
import json
import re
from collections import defaultdict

from fresh import ROOT

SKIPPED = re.compile(r"text/html|image/|application/vnd\.jupyter\.widget-view")


def replacements():
    """The patterns whose hits are replaced before two texts are compared: [(regex, text)]."""
    config = configparser.RawConfigParser()
    config.read(ROOT / "tests" / "nbval.cfg", encoding="utf-8")
    return [(re.compile(part["regex"]), part["replace"]) for _, part in config.items() if part]


def texts(outputs):
    """All texts of a cell's outputs: {kind: [text]}; a stream is one text, errors are kept."""
    found, replaced = defaultdict(list), replacements()
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            parts = {output["name"]: output["text"]}
        elif kind == "error":
            parts = {"error": f"{output['ename']}: {output['evalue']}"}
        else:
            parts = {k: v for k, v in output["data"].items() if not SKIPPED.match(k)}
        for name, text in parts.items():
            text = "".join(text) if isinstance(text, list) else text
            text = text if isinstance(text, str) else json.dumps(text, sort_keys=True)
            for regex, new in replaced:
                text = regex.sub(new, text)
            found[name].append(text)
    streams = {name: ["".join(found[name])] for name in ("stdout", "stderr") if name in found}
    return {**found, **streams}


def differences(lesson, ran):
    """Where the outputs of code cells differ from the stored ones: [(cell, stored, found)]."""
    cells = [cell for cell in lesson["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == len(ran)
    pairs = [(texts(cell["outputs"]), texts(new)) for cell, new in zip(cells, ran, strict=True)]
    return [(i, *pair) for i, pair in enumerate(pairs, start=1) if pair[0] != pair[1]]
