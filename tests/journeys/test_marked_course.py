"""The teacher of a marked course: a kit, nbgrader as the kit's page says, two students, grades."""

import re

import pytest
from classroom import fill, grades_of, hand_in, released, solved
from fresh import typed
from written import blocks, commands, read_page, walk

import ranktrees as rt
from tools import site

LESSON = "07_pruning"
BROKEN = {"exercise-1": 'gone = ["savings"]', "exercise-2": "while True:\n    pass"}
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def kit(place):
    """A place whose folder is a kit, built in the clone."""
    line = ".venv/bin/python -m tools.kit --slides none --seed 7"
    assert typed(line, place.clone, place.shell).endswith("tasks for marks, seed 7\n")
    return place._replace(folder=place.clone / "build" / "kit")


def test_a_course_is_marked_as_the_page_of_the_kit_says(kit):
    page = (kit.folder / "README.md").read_text(encoding="utf-8")
    (wheel,) = kit.folder.glob("*.whl")
    opening, assigning, *marking = blocks(read_page("kit", f"./{wheel.name}"))
    assert all(block.text in page for block in (opening, assigning, *marking))
    walk(opening, kit)
    course = kit.folder / "nbgrader"
    delivered = released(course, LESSON)
    walk(assigning, kit)
    pairs = zip(released(course, LESSON).cells, delivered.cells, strict=True)
    assert all(new.source.rstrip() == old.source.rstrip() for new, old in pairs)
    assert f"submitted/NAME/{LESSON}/{LESSON}.ipynb" in commands(page)
    hand_in(course, LESSON, "ann", solved(course, LESSON))
    hand_in(course, LESSON, "ben", fill(released(course, LESSON), BROKEN))
    for block in marking:
        walk(block, kit)
    assert grades_of(course, "student_id", "score") == {"ann": 2, "ben": 0}
    places = (course / "feedback" / name / LESSON / f"{LESSON}.html" for name in ("ann", "ben"))
    ann, ben = (site.plain(path.read_text(encoding="utf-8")) for path in places)
    assert "Error" not in ann
    assert "Not yet. owner makes 3 + 1 errors with two leaves" in ben
    assert "KeyboardInterrupt" in ben
    assert "next try" not in ben, "there is none"


def test_tasks_for_marks_are_graded_as_their_page_says(kit, monkeypatch):
    course = kit.folder.with_name("kit-marks")
    page = (course / "README.md").read_text(encoding="utf-8")
    generating, *marking = blocks(page)
    name = generating.text.split()[-1]
    walk(generating, kit._replace(folder=course))
    assert f"submitted/NAME/{name}/{name}.ipynb" in commands(page)
    hand_in(course, name, "ann", solved(course, name))
    hand_in(course, name, "ben", released(course, name))
    monkeypatch.chdir(kit.folder / "students")
    rt.sealed.data(seed="7")
    rt.sealed.submit(range(800), "as they come")
    (kit.folder / "students" / "sealed.json").rename(course / "submitted" / "ann" / "sealed.json")
    for block in marking:
        walk(block, kit._replace(folder=course))
    points = re.findall(rf"^\| {name} \| `\w+` \| (\d) \|", page, re.MULTILINE)
    assert grades_of(course) == {"ann": sum(map(int, points)), "ben": 0}
    assert "ann,7,1," in (course / "sealed.csv").read_text(encoding="utf-8")
