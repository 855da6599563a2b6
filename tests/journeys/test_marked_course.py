"""The teacher of a marked course: a kit, nbgrader as the kit's page says, two students, grades."""

import csv
import re

import nbformat
import pytest
from fresh import typed
from written import blocks, commands, read_page, walk

import ranktrees as rt
from tools import site

LESSON = "07_pruning"
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*)\n### END SOLUTION", re.DOTALL)
BROKEN = 'gone = ["savings"]', "while True:\n    pass"
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def kit(place):
    """A place whose folder is a kit, built in the clone."""
    line = ".venv/bin/python -m tools.kit --slides none --seed 7"
    assert typed(line, place.clone, place.shell).endswith("tasks for marks, seed 7\n")
    return place._replace(folder=place.clone / "build" / "kit")


def copy_of(folder, name):
    return nbformat.read(folder / name / f"{name}.ipynb", 4)


def hand_in(course, name, student, answers):
    """Put a student's copy of what was released, with these answers, where nbgrader looks for it.

    None leaves an answer as it was found in the solution. Ben gives himself a point as well.
    """
    notebook, solved = copy_of(course / "release", name), copy_of(course / "source", name)
    pairs = zip(notebook.cells, solved.cells, strict=True)
    pairs = [(cell, found[1]) for cell, s in pairs if (found := SOLUTION.search(s.source))]
    for (cell, right), answer in zip(pairs, answers, strict=False):
        cell.source = right if answer is None else answer
    graded = (c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade"))
    if student == "ben":
        next(graded).source = "assert True"
    path = course / "submitted" / student / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def grades_of(course, student, score):
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row[student]: float(row[score]) for row in csv.DictReader(file)}


def test_a_course_is_marked_as_the_page_of_the_kit_says(kit):
    page = (kit.folder / "README.md").read_text(encoding="utf-8")
    (wheel,) = kit.folder.glob("*.whl")
    opening, assigning, marking = blocks(read_page("kit", f"./{wheel.name}"))
    assert all(block.text in page for block in (opening, assigning, marking))
    walk(opening, kit)
    course = kit.folder / "nbgrader"
    delivered = copy_of(course / "release", LESSON)
    walk(assigning, kit)
    pairs = zip(copy_of(course / "release", LESSON).cells, delivered.cells, strict=True)
    assert all(new.source.rstrip() == old.source.rstrip() for new, old in pairs)
    assert f"submitted/NAME/{LESSON}/{LESSON}.ipynb" in commands(page)
    hand_in(course, LESSON, "ann", [None, None])
    hand_in(course, LESSON, "ben", BROKEN)
    walk(marking, kit)
    assert grades_of(course, "student_id", "score") == {"ann": 2, "ben": 0}
    places = (course / "feedback" / name / LESSON / f"{LESSON}.html" for name in ("ann", "ben"))
    ann, ben = (site.plain(path.read_text(encoding="utf-8")) for path in places)
    assert "Error" not in ann
    assert "Not yet. owner makes 3 + 1 errors with two leaves" in ben
    assert "KeyboardInterrupt" in ben
    assert "assert True" not in ben
    assert "next try" not in ben, "there is none"


def test_tasks_for_marks_are_graded_as_their_page_says(kit, monkeypatch):
    course = kit.folder.with_name("kit-marks")
    page = (course / "README.md").read_text(encoding="utf-8")
    generating, *marking = blocks(page)
    name = generating.text.split()[-1]
    walk(generating, kit._replace(folder=course))
    assert f"submitted/NAME/{name}/{name}.ipynb" in commands(page)
    hand_in(course, name, "ann", [None] * 99)
    hand_in(course, name, "ben", [])
    monkeypatch.chdir(kit.folder / "students")
    rt.sealed.data(seed="7")
    rt.sealed.submit(range(800), "as they come")
    (kit.folder / "students" / "sealed.json").rename(course / "submitted" / "ann" / "sealed.json")
    for block in marking:
        walk(block, kit._replace(folder=course))
    points = re.findall(rf"^\| {name} \| `\w+` \| (\d) \|", page, re.MULTILINE)
    assert grades_of(course, "username", "total") == {"ann": sum(map(int, points)), "ben": 0}
    assert "ann,7,1," in (course / "sealed.csv").read_text(encoding="utf-8")
