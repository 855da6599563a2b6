"""The cells of a lesson, as the tests of its prose and of its code by hand read and run them."""

import json
from pathlib import Path

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
    """The names that the first code cell of a lesson and these leave, else set-up and by hand."""
    names, code = {}, [cell for cell in cells_of(number) if cell["cell_type"] == "code"]
    for cell in code:
        in_view = {"by-hand", "setup"} & tags(cell) if not ids else cell["id"] in ids
        if cell is code[0] or in_view:
            exec("".join(cell["source"]), names)
    return names
