"""The lessons for a course (`ranktrees lessons FOLDER`), and copies of one's own (`student`).

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


def student_text(path: Path) -> str:
    """The student's copy of a notebook as a file's text; ValueError, naming it, if it is none."""
    try:
        copy = student_copy(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not readable as a notebook: {error!r}") from error
    return json.dumps(copy, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write_copies(names=()) -> list[Path]:
    """Write a student's copy of each notebook into the folder student/ beside it."""
    copies = []
    for path in find_lessons(names):
        text = student_text(path)
        copies.append(path.parent / "student" / path.name)
        copies[-1].parent.mkdir(exist_ok=True)
        copies[-1].write_text(text, encoding="utf-8", newline="\n")
    return copies


def course_files() -> list[Path]:
    """The lessons and constraints.txt: inside an installed package, else those of the checkout."""
    here = Path(__file__).resolve().parent
    lessons = here / "lessons" if (here / "lessons").is_dir() else here.parents[1] / "notebooks"
    return [*sorted(lessons.glob("*.ipynb")), lessons.parent / "constraints.txt"]


def write_course(folder: Path, solutions: bool = False) -> list[Path]:
    """Write the student's lessons, or those with `solutions`, into a folder that is made.

    With them goes constraints.txt, the versions of the packages with which they were tested. Raises
    FileExistsError, which names the files that are there already, before anything is written.
    """
    if folder.is_file():
        raise FileExistsError(f"{folder} is a file: name a new folder")
    texts = {
        folder / path.name: student_text(path)
        if path.suffix == ".ipynb" and not solutions
        else path.read_text(encoding="utf-8")
        for path in course_files()
    }
    there = [path.name for path in texts if path.exists()]
    if there:
        raise FileExistsError(
            f"{folder} has {', '.join(there)} already, and nothing was written: name a new folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return list(texts)
