"""The teacher of a marked course: a kit, nbgrader as the kit's page says, two students, grades."""

import csv
import html
import re

import nbformat
import pytest
from fresh import typed
from written import blocks, commands, read_page, walk

LESSON = "07_pruning"
COPY = f"{LESSON}/{LESSON}.ipynb"
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*)\n### END SOLUTION", re.DOTALL)
BROKEN = [
    'gone = ["savings"]',
    "def whole(node, cost)\n    return 1",
    None,
    "while True:\n    pass",
]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def kit(place):
    """A place whose folder is a kit, built in the clone."""
    line = ".venv/bin/python -m tools.kit --slides none --seed 7"
    said = typed(line, place.clone, place.shell)
    assert "see README.md there\n" in said
    assert said.endswith("tasks for marks, seed 7\n")
    return place._replace(folder=place.clone / "build" / "kit")


def marked(notebook, kind):
    """The cells of a notebook that nbgrader knows as "solution" or as "grade"."""
    return [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get(kind)]


def texts(notebook):
    return [cell.source.rstrip() for cell in notebook.cells]


def hand_in(folder, name, answers):
    """Put a student's copy of what was released, with these answers, where nbgrader looks for it.

    None leaves an answer as it was found in the lesson's solution.
    """
    notebook = nbformat.read(folder / "release" / COPY, 4)
    solved = marked(nbformat.read(folder / "source" / COPY, 4), "solution")
    for cell, solution, answer in zip(marked(notebook, "solution"), solved, answers, strict=True):
        right = SOLUTION.search(solution.source)[1]
        cell.source = right if answer is None else answer
    if name == "ben":  # who also gives himself a point
        marked(notebook, "grade")[0].source = "assert True"
    path = folder / "submitted" / name / COPY
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def feedback(folder, name):
    """The text of the page that a student gets back."""
    page = (folder / "feedback" / name / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    bare = re.sub(r"<(style|script)\b.*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(bare).split())


def test_a_course_is_marked_as_the_page_of_the_kit_says(kit):
    page = (kit.folder / "README.md").read_text(encoding="utf-8")
    (wheel,) = kit.folder.glob("*.whl")
    opening, assigning, marking = blocks(read_page("kit", f"./{wheel.name}"))
    assert all(block.text in page for block in (opening, assigning, marking))
    walk(opening, kit)
    course = kit.folder / "nbgrader"
    delivered = nbformat.read(course / "release" / COPY, 4)
    walk(assigning, kit)
    released = nbformat.read(course / "release" / COPY, 4)
    assert marked(released, "solution")[0].metadata.nbgrader.checksum  # nbgrader's own
    assert texts(released) == texts(delivered)
    assert f"submitted/NAME/{COPY}" in commands(page)
    hand_in(course, "ann", [None] * 4)
    hand_in(course, "ben", BROKEN)
    walk(marking, kit)
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        grades = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {name: float(row["score"]) for name, row in grades.items()} == {"ann": 4, "ben": 1}
    assert {float(row["max_score"]) for row in grades.values()} == {4}
    assert "Error" not in feedback(course, "ann")
    said = feedback(course, "ben")
    assert "assert True" not in said
    assert "Not yet. owner makes 3 + 1 errors with two leaves" in said
    assert "next try" not in said, "there is none"
    for error in ("SyntaxError", "KeyboardInterrupt"):
        assert error in said


def test_tasks_for_marks_are_graded_as_their_page_says(kit):
    course = kit.folder.with_name("kit-marks")
    page = (course / "README.md").read_text(encoding="utf-8")
    generating, *marking = blocks(page)
    name = generating.text.split()[-1]
    walk(generating, kit._replace(folder=course))
    assert f"submitted/NAME/{name}/{name}.ipynb" in commands(page)
    for student in ("ann", "ben"):
        notebook = nbformat.read(course / "release" / name / f"{name}.ipynb", 4)
        solved = nbformat.read(course / "source" / name / f"{name}.ipynb", 4)
        for cell, solution in zip(notebook.cells, solved.cells, strict=True):
            found = SOLUTION.search(solution.source)
            cell.source = found[1] if found and student == "ann" else cell.source
        path = course / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    for block in marking:
        walk(block, kit._replace(folder=course))
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["username"]: float(row["total"]) for row in csv.DictReader(file)}
    points = re.findall(rf"^\| {name} \| `\w+` \| (\d) \|", page, re.MULTILINE)
    assert rows == {"ann": sum(map(int, points)), "ben": 0}
    again = "! .venv/bin/python -m tools.kit --slides none 2>&1"
    said = typed(again, kit.clone, kit.shell)
    assert "kit-marks holds grades: move it to another place first" in said
