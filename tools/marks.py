"""Tasks for marks, for nbgrader: what `make kit` writes into build/kit-marks/, for lecturers alone.

tools/tasks/lesson_NN.py holds those of a lesson; a seed sets their numbers.
"""

import json
import random
from importlib import import_module
from itertools import starmap
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

from ranktrees_lab.student import METADATA, write_texts
from tools import pages
from tools.grading import BEGIN, CONFIG, END, mark, quiet
from tools.tasks import Part

LESSONS = {path.stem[-2:] for path in Path(__file__).parent.glob("tasks/lesson_*.py")}
NEAR, APART = 0.0015, 0.005  # of an answer with three decimals; of a slip from what is right
MOST_DRAWS = 1000
IMPORTS = "import numpy as np\nimport ranktrees as rt"
VALUE = """# Is it {kind}? Whether it is the right one is tested later.
from numbers import Real
given, points = globals().get("{name}", ...), 0
if given is ...:
    print("{name}: no answer yet")
elif not isinstance(given, {type}):
    print("{name}: write {kind}")
else:
    points = {points}
    ### BEGIN HIDDEN TESTS
    if {is_slip}:
        points = 0
        print(f"{name} is {right}, not {{given}}. It is a usual slip: {slip}.")
    elif not {is_right}:
        points = 0
        print(f"{name} is {right}, not {{given}}.")
    ### END HIDDEN TESTS
points"""
CALLS = """points = {points}
try:
{tests}
except Exception as error:
    points = 0
    why = "" if isinstance(error, AssertionError) else f"stops with {{type(error).__name__}}: "
    print(f"{name}: {{why}}{{error}}")
points"""


class Task(NamedTuple):
    """A task: what students read, and `answers` {part: (right, slip)}, numbers or words."""

    title: str
    text: str
    parts: list[Part]
    answers: dict[str, tuple]


def task(lesson: str, seed: str) -> Task:
    """Return a lesson's tasks with the numbers of a seed.

    Numbers are drawn again while they do not fit, or a slip is nearly right. Raises ValueError,
    naming the lesson, if they never fit.
    """
    module = import_module(f"tools.tasks.lesson_{lesson}")
    drawing = random.Random(f"{lesson} {seed}")
    for _ in range(MOST_DRAWS):
        drawn = module.draw(drawing)
        if drawn and all(starmap(_apart, drawn[1].values())):
            return _written(lesson, module, *drawn)
    raise ValueError(f"tasks of lesson {lesson}: no numbers fit in {MOST_DRAWS} draws")


def _apart(right, slip):
    """Return whether a slip is clearly wrong."""
    return right != slip if isinstance(right, str) else abs(right - slip) > APART


def _written(lesson, module, numbers, answers):
    """Return the tasks of a module with these numbers in all texts."""
    from jinja2 import Environment, StrictUndefined

    engine = Environment(undefined=StrictUndefined, trim_blocks=True)

    def fill(text):
        return engine.from_string(text).render(numbers, zip=zip).strip()

    parts = [Part(*(fill(t) if isinstance(t, str) else t for t in part)) for part in module.PARTS]
    return Task(f"{lesson} {module.TITLE}", fill(module.TEXT), parts, answers)


def source(task: Task) -> dict:
    """Return tasks as nbgrader's source version of an assignment, an nbformat-4 notebook.

    Solutions and hidden tests are between nbgrader's markers.
    """
    cells = [_cell("markdown", "text", f"# {task.title}\n\n{task.text}", locked=True)]
    cells.append(_cell("code", "imports", IMPORTS, locked=True))
    for part in task.parts:
        said = f"{part.ask} *({part.points} point{'s' * (part.points > 1)})*"
        solved = [part.stub or f"{part.name} = ...", BEGIN, part.solution, END]
        cells += [
            _cell("markdown", f"ask-{part.name}", said, locked=True),
            _cell("code", part.name, "\n".join(solved), solution=True),
        ]
        for name, points, test in _tests(part, task.answers.get(part.name)):
            cells.append(_cell("code", name, test, grade=True, points=points))
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": METADATA, "cells": cells}


def _tests(part, answer):
    """Return each test's name, points and code: nbgrader reads the last value.

    A test says in a sentence what is not right, and raises nothing. A function's large cases are a
    test of their own, for one point.
    """
    name = f"test-{part.name}"
    if answer:
        return [(name, part.points, _of_value(part, *answer))]
    small = _of_function(part.name, part.points - 1, part.example, part.hidden)
    return [
        (name, part.points - 1, small),
        (f"{name}-large", 1, _of_function(part.name, 1, "", part.large)),
    ]


def _of_function(name, points, example, hidden):
    tests = [example, "### BEGIN HIDDEN TESTS", hidden, "### END HIDDEN TESTS", "pass"]
    called = indent(quiet("\n".join(tests)), "    ")
    return CALLS.format(name=name, points=points, tests=called)


def _of_value(part, right, slip):
    is_text = isinstance(right, str)
    kind, of = ("a word in quotes", "str") if is_text else ("a number, such as 0.123", "Real")
    test = "given.strip() == {!r}" if is_text else "abs(given - {:.6g}) < " + str(NEAR)
    return VALUE.format(
        name=part.name,
        points=part.points,
        kind=kind,
        type=of,
        right=shown(right),
        slip=part.slip,
        is_right=test.format(right),
        is_slip=test.format(slip),
    )


def shown(answer) -> str:
    """Return a word as it is, a number with at most three decimals."""
    return answer if isinstance(answer, str) else f"{round(answer, 3):g}"


def _cell(kind, name, text, **how):
    """Return a cell that nbgrader knows by its name; tests are locked."""
    cell = {"cell_type": kind, "id": name, "metadata": {}, "source": text}
    if kind == "code":
        cell |= {"outputs": [], "execution_count": None}
    mark(cell, name, **{"locked": how.get("grade", False)} | how)
    return cell


def write(folder: Path, seed: str, titles: dict[str, str]) -> None:
    """Write a course of nbgrader: the tasks of those lessons {NN: name} that have any.

    SystemExit for a folder that holds grades, or other things.
    """
    pages.make_room(folder)
    tasks = {name: task(lesson, seed) for lesson, name in titles.items() if lesson in LESSONS}
    files = {}
    for name, made in tasks.items():
        text = json.dumps(source(made), indent=1, ensure_ascii=False)
        files[folder / "source" / name / f"{name}.ipynb"] = text
    export = (pages.TEMPLATES / "nbgrader_export.py").read_text(encoding="utf-8")
    files[folder / "nbgrader_config.py"] = f"{CONFIG}\n{export}"
    page = pages.template("marks.md.j2").render(tasks=tasks, seed=seed, shown=shown)
    write_texts({**files, folder / "README.md": page})
