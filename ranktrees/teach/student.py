"""The lessons for a course (`ranktrees lessons FOLDER`), and copies of one's own (`student`).

An exercise is three cells in a row: the answer (tag "answer", with `...` where the reader writes),
its check (`rt.check...`) and the solution (tag "solution"). A notebook is read as the JSON it is.
"""

import json
from functools import partial
from pathlib import Path

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}

INSTALL = {  # the first cell of a copy for a hosted notebook, folded
    "cell_type": "code",
    "id": "hosted",
    "metadata": {"tags": ["hosted"], "jupyter": {"source_hidden": True}},
    "source": '%pip install --quiet "ranktrees[lab]"',
    "outputs": [],
    "execution_count": None,
}


def student_copy(notebook: dict, hosted: bool = False) -> dict:
    """A notebook (nbformat 4) without solutions and outputs; the answers keep their `...`.

    A `hosted` one, for a machine that has no ranktrees yet, begins with a cell that installs it.
    """
    cells = [_without_outputs(cell) for cell in notebook["cells"] if "solution" not in tags(cell)]
    return {**notebook, "cells": [INSTALL] * hosted + cells, "metadata": METADATA}


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


def student_text(path: Path, hosted: bool = False) -> str:
    """The student's copy of a notebook as a file's text; ValueError, naming it, if it is none."""
    try:
        copy = student_copy(json.loads(path.read_text(encoding="utf-8")), hosted)
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not readable as a notebook: {error!r}") from error
    return json.dumps(copy, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write_copies(names=()) -> tuple[list[Path], list[Path]]:
    """Write a student's copy of each notebook into the folder student/ beside it.

    A copy whose cells are others than would be written stays as it is: somebody has worked in it,
    or its lesson is a newer one. Returns the copies that are up to date, and those that stay.
    """
    paths = find_lessons(names)
    texts = {path.parent / "student" / path.name: student_text(path) for path in paths}
    kept = [path for path, text in texts.items() if path.exists() and sources(path) != _cells(text)]
    _write({path: text for path, text in texts.items() if not path.exists()})
    return [path for path in texts if path not in kept], kept


def sources(path: Path) -> list | None:
    """Kind and text of each cell of a notebook that lies here; None if it cannot be read."""
    try:
        return _cells(path.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError):
        return None


def _cells(text):
    cells = json.loads(text)["cells"]
    return [(cell["cell_type"], "".join(cell["source"]).rstrip()) for cell in cells]


def write_course(folder: Path, solutions: bool = False, hosted: bool = False) -> list[Path]:
    """Write the student's lessons, or those with `solutions`, into a folder that is made.

    `hosted` ones (see `student_copy`) have no solutions. With them goes constraints.txt, the
    versions of the packages with which they were tested. All are inside an installed package, else
    in the checkout. Raises FileExistsError, which names the files that are there already, before
    anything is written.
    """
    here = Path(__file__).resolve().parent
    lessons = here / "lessons" if (here / "lessons").is_dir() else here.parents[1] / "notebooks"
    whole = partial(Path.read_text, encoding="utf-8")
    read = whole if solutions else partial(student_text, hosted=hosted)
    texts = {folder / path.name: read(path) for path in sorted(lessons.glob("*.ipynb"))}
    pins = lessons.parent / "constraints.txt"
    texts[folder / pins.name] = pins.read_text(encoding="utf-8")
    there = ", ".join(path.name for path in texts if path.exists())
    if folder.is_file() or there:
        already = f"has {there} already, and nothing was written" if there else "is a file"
        raise FileExistsError(f"{folder} {already}: name a new folder")
    return _write(texts)


def _write(texts):
    """Write files {path: text}, and the folders that they need."""
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return list(texts)
