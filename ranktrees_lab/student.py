"""The lessons for a course (`lessons FOLDER`), and copies for oneself (`student`, `lecture`).

An exercise is three cells in a row: the answer (tag "answer", with `...` where the reader writes),
its check (`rt.check...`) and the solution (tag "solution"). A notebook is read as JSON.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import partial
from itertools import chain, count, pairwise, product
from pathlib import Path

from ranktrees_lab.hosted import install_cell
from ranktrees_lab.show import FOLDER, sources_folder

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}

CHECK = re.compile(r'rt\.check\.(?:challenge\(")?([\w.]+)["(]')  # its name, or a challenge's
NOT_FOR_STUDENTS = {"solution", "verify"}  # what verifies is for those who write the lessons
WRITTEN = "ranktrees_written"  # in a lecture copy's metadata: a digest of the cells as written


def student_copy(notebook: dict, first: dict | None = None) -> dict:
    """Return a notebook (nbformat 4) without outputs, solutions and cells that verify.

    The answers keep their `...`; `first` is a cell to put first, such as one that installs the
    package.
    """
    kept = [cell for cell in notebook["cells"] if not NOT_FOR_STUDENTS & tags(cell)]
    cells = [_without_outputs(cell) for cell in kept]
    return {**notebook, "cells": [first] * bool(first) + cells, "metadata": METADATA}


def _without_outputs(cell):
    if cell["cell_type"] != "code":
        return cell
    metadata = {name: value for name, value in cell["metadata"].items() if name != "execution"}
    return {**cell, "metadata": metadata, "outputs": [], "execution_count": None}


def tags(cell: dict) -> set[str]:
    """Return the tags of a cell."""
    return set(cell["metadata"].get("tags", ()))


def find_lessons(names=()) -> list[Path]:
    """Return the named notebooks, by default notebooks/*.ipynb; ValueError if there are none."""
    paths = [Path(name) for name in names] or sorted(Path("notebooks").glob("*.ipynb"))
    if not paths:
        raise ValueError("no notebooks/*.ipynb here: go to the folder that holds notebooks/")
    return paths


def lessons_folder() -> Path:
    """Return the folder of lessons with solutions: the installed package's, or the checkout's."""
    here = Path(__file__).resolve().parent
    return here / "lessons" if (here / "lessons").is_dir() else here.parent / "notebooks"


def copy_text(path: Path, change=student_copy) -> str:
    """Return a changed notebook's text, the student's copy; ValueError, naming it, if invalid."""
    try:
        copy = change(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not readable as a notebook: {error!r}") from error
    return json.dumps(copy, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write_copies(names=()) -> tuple[list[Path], list[Path]]:
    """Write a student's copy of each notebook into the folder student/ beside it.

    A copy whose cells differ from what would be written stays as it is: somebody has worked in it,
    or its lesson is newer. Returns the copies that are up to date, and those that stay.
    """
    paths = find_lessons(names)
    texts = {path.parent / "student" / path.name: copy_text(path) for path in paths}
    kept = [path for path, text in texts.items() if path.exists() and sources(path) != _cells(text)]
    write_texts({path: text for path, text in texts.items() if not path.exists()})
    write_sources({path.parent for path in texts})
    return [path for path in texts if path not in kept], kept


def lecture_copy(notebook: dict) -> dict:
    """Return a notebook (nbformat 4) without outputs, with a button in place of each solution.

    Its metadata has a digest of its content, so that changes are recognised.
    """
    cells = [_without_outputs(cell) for cell in notebook["cells"]]
    for check, cell in pairwise(cells):
        names = CHECK.findall("".join(check["source"]))
        if names and "solution" in tags(cell):
            cell["source"] = f'rt.solution("{names[0]}")'
    copy = {**notebook, "cells": cells}
    return {**copy, "metadata": {**METADATA, WRITTEN: _digest(json.dumps(copy))}}


def write_lecture(names=()) -> tuple[list[Path], dict[Path, Path]]:
    """Write a fresh `lecture_copy` of each notebook into lecture/ beside it.

    A copy whose text or code was changed is first moved to lecture/changed/. Returns the copies,
    and {copy: where its changed version is now}.
    """
    paths, moved = find_lessons(names), {}
    texts = {path.parent / "lecture" / path.name: copy_text(path, lecture_copy) for path in paths}
    for path in texts:
        if path.exists() and not _is_as_written(path):
            moved[path] = _free(path.parent / "changed" / path.name)
            moved[path].parent.mkdir(exist_ok=True)
            path.rename(moved[path])
    write_sources({path.parent for path in texts})
    return write_texts(texts), moved


def _is_as_written(path):
    """Return whether nobody has changed a copy: running it changes only its outputs."""
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text)["metadata"][WRITTEN] == _digest(text)
    except (ValueError, KeyError, TypeError):
        return False


def _digest(text):
    return hashlib.sha256(json.dumps(_cells(text)).encode()).hexdigest()[:16]


def _free(path):
    """Return the path, or the first of NAME-2, NAME-3, ... if it is taken."""
    names = chain([path.stem], (f"{path.stem}-{number}" for number in count(2)))
    return next(free for free in map(path.with_stem, names) if not free.exists())


def sources(path: Path) -> list | None:
    """Return kind and text of each cell of a notebook; None if it cannot be read."""
    try:
        return _cells(path.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError):
        return None


def _cells(text):
    cells = json.loads(text)["cells"]
    return [(cell["cell_type"], "".join(cell["source"]).rstrip()) for cell in cells]


def write_course(
    folder: Path, solutions: bool = False, hosted: bool = False, address: str | None = None
) -> list[Path]:
    """Write the student's lessons, or those with `solutions`, into a folder, which is created.

    With `hosted` they have no solutions, and a first cell that installs ranktrees, from the wheel
    at `address` or from an index (see `hosted.requirement`). constraints.txt, with the versions of
    the packages that they were tested with, is written, too. Raises FileExistsError, naming files
    that exist already, before anything is written.
    """
    lessons = lessons_folder()
    whole = partial(Path.read_text, encoding="utf-8")
    pins = whole(lessons.parent / "constraints.txt")
    first = install_cell(pins, address) if hosted else None
    read = whole if solutions else partial(copy_text, change=partial(student_copy, first=first))
    texts = {folder / path.name: read(path) for path in sorted(lessons.glob("*.ipynb"))}
    texts[folder / "constraints.txt"] = pins
    there = ", ".join(path.name for path in [*texts, folder / FOLDER] if path.exists())
    if folder.is_file() or there:
        already = f"has {there} already, and nothing was written" if there else "is a file"
        raise FileExistsError(f"{folder} {already}: name a new folder")
    write_sources([folder])
    return write_texts(texts)


def write_sources(folders: Iterable[Path]) -> None:
    """Write into each folder copies of the files of `ranktrees.plain`, which `rt.show` links to.

    They can only be read: whoever changed one would wonder why the package does as before.
    """
    for path, target in product(sorted(sources_folder().glob("*.py")), folders):
        copy = target / FOLDER / path.name
        if copy.exists():
            copy.chmod(0o644)
        write_texts({copy: path.read_text(encoding="utf-8")})
        copy.chmod(0o444)


def write_texts(texts: dict[Path, str]) -> list[Path]:
    """Write files {path: text}, and the folders that they need."""
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return list(texts)
