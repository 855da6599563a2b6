"""The cells of a lesson, as the tests of its prose and of its code by hand read and run them."""

import json
from pathlib import Path

from ranktrees_lab.ask.guess import REVEALED
from ranktrees_lab.student import tags

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def cells_of(number):
    """All cells of lesson `number`, such as "07", as the JSON they are."""
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def developed(number, **known):
    """What lesson `number` develops in view: its first code cell, set-up and cells by hand, run."""
    code = [cell for cell in cells_of(number) if cell["cell_type"] == "code"]
    return run([c for c in code if c is code[0] or {"by-hand", "setup"} & tags(c)], known)


def worked_through(number):
    """The names that all code of lesson `number` leaves, but for the cells to be filled in."""
    code = [cell for cell in cells_of(number) if cell["cell_type"] == "code"]
    return run([cell for cell in code if not {"answer", "check"} & tags(cell)], {})


def put_out_in_words(cell):
    """The text of a cell's outputs, that which a guess reveals included."""
    words = []
    for output in cell["outputs"]:
        data = output.get("data", {})
        words += ["".join(output.get("text", data.get("text/plain", "")))]
        words += data.get(REVEALED, {"texts": []})["texts"]
    return "\n".join(words)


def run(cells, names):
    """Execute cells one after the other in these names."""
    exec("\n\n".join("".join(cell["source"]) for cell in cells), names)
    return names
