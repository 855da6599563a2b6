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


def cell_of(number, name):
    """The source of one cell, by its id."""
    (found,) = ["".join(cell["source"]) for cell in cells_of(number) if cell["id"] == name]
    return found


def developed(number, *ids):
    """What the first code cell of lesson `number` and these leave, else set-up and by hand."""
    first, *code = (cell for cell in cells_of(number) if cell["cell_type"] == "code")
    return run([first, *(c for c in code if c["id"] in ids or (not ids and shown(c)))], {})


def shown(cell):
    return {"by-hand", "setup"} & tags(cell)


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
