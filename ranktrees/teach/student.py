"""Copies of the lessons for students: `python -m ranktrees student [notebooks]`.

An exercise is three cells in a row: the answer (tag "answer", with `...` where the reader writes),
its check (`rt.check...`) and the solution (tag "solution"). A notebook is read as the JSON it is.
"""

import json
from pathlib import Path

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}


def student_copy(notebook: dict) -> dict:
    """A notebook (nbformat 4) without solutions and outputs; the answers keep their `...`."""
    cells = [_without_outputs(cell) for cell in notebook["cells"] if "solution" not in tags(cell)]
    return {**notebook, "cells": cells, "metadata": METADATA}


def _without_outputs(cell):
    if cell["cell_type"] != "code":
        return cell
    metadata = {name: value for name, value in cell["metadata"].items() if name != "execution"}
    return {**cell, "metadata": metadata, "outputs": [], "execution_count": None}


def tags(cell: dict) -> set[str]:
    """The tags of a cell."""
    return set(cell["metadata"].get("tags", ()))


def find_lessons(names=()) -> list[Path]:
    """The named notebooks, by default notebooks/*.ipynb; ValueError if there are none."""
    paths = [Path(name) for name in names] or sorted(Path("notebooks").glob("*.ipynb"))
    if not paths:
        raise ValueError("no notebooks/*.ipynb here: go to the folder that holds notebooks/")
    return paths


def write_copies(names=()) -> list[Path]:
    """Write a student's copy of each notebook into the folder student/ beside it.

    Raises ValueError, naming the file, for one that is no notebook.
    """
    copies = []
    for path in find_lessons(names):
        try:
            copy = student_copy(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}: not readable as a notebook: {error!r}") from error
        copies.append(path.parent / "student" / path.name)
        copies[-1].parent.mkdir(exist_ok=True)
        text = json.dumps(copy, indent=1, ensure_ascii=False, sort_keys=True)
        copies[-1].write_text(text + "\n", encoding="utf-8", newline="\n")
    return copies
