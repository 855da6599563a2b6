"""Record the probabilities of Weka's NaiveBayes, AODE and J48, as JSON for the tests.

    python tests/golden/record_probabilities.py [--weka weka.jar] [--data folder] [name ...]

Needs what `record.py` needs; the tests need neither Java nor Weka.
"""

import json
from functools import partial

from record import FROM_CODE, FROM_FILES, NUMERIC, command_line, lines_of, recorded, write

LEFT_OUT = ("weather.numeric", "monks-1", "monks-2", "monks-3")
NAMES = [name for name in [*FROM_FILES, *FROM_CODE] if name not in LEFT_OUT]
RAW = [*NUMERIC, "balance-scale"]
AODE = ["breast-cancer", "contact-lenses", "glass", "iris", "labor", "vote", "weather.nominal"]


def sections(text):
    """The recorder's output as lines by section, which `# ` opens."""
    found = {}
    for line in text.splitlines():
        if line.startswith("# "):
            here = found.setdefault(line[2:], [])
        else:
            here.append(line)
    return found


def compact(lines):
    """Rows of numbers in nine significant digits: the distinct ones, and each line's index."""
    rows = [tuple(float(f"{float(p):.9g}") for p in line.split()) for line in lines]
    distinct = {row: i for i, row in enumerate(dict.fromkeys(rows))}
    return {"rows": [list(row) for row in distinct], "index": [distinct[row] for row in rows]}


def record_of(name, found):
    """A data set's record: what the recorder printed, by form, learner and scheme."""
    record = {
        "name": name,
        "weka": found.pop("weka")[0],
        "classes": found.pop("classes"),
        "fold": [int(f) for f in found.pop("fold")],
    }
    for section, lines in found.items():
        form, learner, what = section.split("/")
        if form == "raw" and name not in RAW:
            continue
        if learner == "AODE" and name not in AODE:
            continue
        of_learner = record.setdefault(form, {}).setdefault(learner, {})
        if what == "size":
            of_learner["leaves"], of_learner["nodes"] = map(int, lines[0].split())
        else:
            of_learner[what] = compact(lines)
    return record


if __name__ == "__main__":
    given = command_line(__doc__, NAMES)
    for name, out in recorded("ProbabilityRecorder.java", *given, named=False):
        found = record_of(name, sections(out))
        text = lines_of(found, partial(json.dumps, separators=(",", ":")))
        write("probabilities", name, text + "\n", found)
