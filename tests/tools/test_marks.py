"""Tasks for marks: numbers by a seed, solutions as on paper, nbgrader from release to export."""

import re
import sys

import nbformat
import pytest
from classroom import fill, grades_of, hand_in, nbgrader, solved
from fresh import ROOT

from tools import lessons, marks, pages, texts

CORE = ["00", "01", "02", "03", "05", "06", "08", "09", "11", "12"]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = {path.stem[:2]: path.stem for path in NOTEBOOKS}
SEEDS = [*range(2), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 60))]
SECRET = re.compile(r" *### BEGIN (SOLUTION|HIDDEN TESTS)\n(.*?)\n *### END \1", re.DOTALL)


def steps(task):
    """Of each part: it, what is to be written, the solution, and its tests with their points."""
    cells = {cell["id"]: cell for cell in marks.source(task)["cells"]}
    for part in task.parts:
        text = cells[part.name]["source"]
        tests = [cells[n] for n in (f"test-{part.name}", f"test-{part.name}-large") if n in cells]
        tests = [(c["source"], c["metadata"]["nbgrader"]["points"]) for c in tests]
        yield part, SECRET.sub("", text), SECRET.search(text)[2], tests


def run(*texts, known=()):
    """Run pieces of code as cells of a notebook and return what they define."""
    names = dict(known)
    for text in (marks.IMPORTS, *texts):
        exec(text, names)
    return names


def points_of(test, known):
    return run(test, known=known)["points"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lesson", CORE)
def test_what_is_worked_out_on_paper_is_right_and_a_slip_is_not(lesson, seed, capsys):
    names, task = {}, marks.task(lesson, str(seed))
    assert [part.name for part in task.parts if part.slip] == list(task.answers)
    for part, stub, solution, tests in steps(task):
        names, untouched = run(solution, known=names), run(stub)
        assert sum(points for _, points in tests) == part.points
        for test, points in tests:
            assert points_of(test, names) == points
            assert points_of(test, untouched) == points_of(test, {}) == 0
        if not part.slip:
            continue
        ((test, points),) = tests
        right, slip = task.answers[part.name]
        assert names[part.name] == (right if isinstance(right, str) else pytest.approx(right))
        for wrong in (float("nan"), -1.0, None, [right]):
            assert points_of(test, {part.name: wrong}) == 0
        other = "fog" if isinstance(right, str) else right + 1 + (slip == right + 1)
        assert points_of(SECRET.sub("", test), {part.name: other}) == points  # its form is right
        for wrong, more in ((other, ""), (slip, f" It is a usual slip: {part.slip}.")):
            capsys.readouterr()
            assert points_of(test, {part.name: wrong}) == 0
            said = f"{part.name} is {marks.shown(right)}, not {wrong}.{more}\n"
            assert capsys.readouterr().out == said


@pytest.mark.parametrize("lesson", CORE)
def test_a_function_that_writes_on_the_error_stream_keeps_its_points(lesson, capsys):
    """For nbgrader 0.9.6 a test fails if anything comes on the error stream."""
    from nbgrader.utils import determine_grade

    names = {}
    for part, _, solution, tests in steps(marks.task(lesson, "1")):
        names = run(solution, known=names)
        if part.slip:
            continue
        names[part.name] = noisy(names[part.name])
        for test, points in tests:
            capsys.readouterr()
            assert points_of(test, names) == points
            assert capsys.readouterr().err == ""
    seen = nbformat.v4.new_output("stream", name="stderr", text="a warning")
    cell = nbformat.v4.new_code_cell(outputs=[seen])
    cell.metadata["nbgrader"] = {"grade": True, "points": 5, "solution": False}
    assert determine_grade(cell) == (0, 5)


def noisy(function):
    """The same function, which writes where warnings and progress bars do."""

    def called(*args, **keywords):
        print("100 %", file=sys.stderr)
        return function(*args, **keywords)

    return called


@pytest.mark.parametrize("lesson", CORE)
def test_what_nbgrader_releases_has_no_solution_and_no_hidden_test(lesson):
    from nbgrader.nbgraderformat import MetadataValidator
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

    task = marks.task(lesson, "7")
    notebook = nbformat.from_dict(marks.source(task))
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    for step in (ClearSolutions(), ClearHiddenTests()):
        notebook, _ = step.preprocess(notebook, {})
    text = "\n".join(cell.source for cell in notebook.cells)
    secrets = [solution for _, _, solution, _ in steps(task)]
    secrets += [SECRET.search(test)[2] for *_, tests in steps(task) for test, _ in tests]
    assert len(secrets) >= 2 * len(task.parts)
    assert not any(secret in text for secret in ("BEGIN ", *secrets))


def test_each_core_lesson_has_tasks_which_are_no_exercises_of_it():
    written = re.compile(r"^(?:def )?(\w+)(?: = \.\.\.|\(.*\):)", re.MULTILINE)
    parts = {p.stem[:2]: texts.part(lessons.read(p).cells[0].source) for p in NOTEBOOKS}
    core = [lesson for lesson, part in parts.items() if part == "core lesson"]
    assert sorted(marks.LESSONS) == core == CORE
    for lesson in CORE:
        cells = lessons.read(ROOT / "notebooks" / f"{NAMES[lesson]}.ipynb").cells
        answers = "\n".join(cell.source for cell in cells if "answer" in lessons.tags(cell))
        asked = set(written.findall(answers))
        assert asked
        assert asked.isdisjoint(part.name for part in marks.task(lesson, "1").parts)


def files(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_seed_gives_the_same_files_and_another_one_other_numbers(tmp_path):
    for name, seed in (("one", "7"), ("again", "7"), ("other", "8")):
        marks.write(tmp_path / name, seed, NAMES)
    one, again, other = (files(tmp_path / name) for name in ("one", "again", "other"))
    assert one == again
    assert one.keys() == other.keys()
    assert len(one) == len(CORE) + 3
    same = {path.name for path in one if one[path] == other[path]}
    assert same == {"nbgrader_config.py", pages.MARK}
    page = (tmp_path / "one" / "README.md").read_text(encoding="utf-8")
    for lesson, task in ((lesson, marks.task(lesson, "7")) for lesson in CORE):
        for part in task.parts:
            right, slip = map(marks.shown, task.answers.get(part.name, ("a function", "")))
            row = f"| {NAMES[lesson]} | `{part.name}` | {part.points} | {right}"
            (rest,) = [line for line in page.splitlines() if line.startswith(row)]
            assert rest.endswith(f"| {slip}: {part.slip} |" if slip else "|  |")


@pytest.mark.long
@pytest.mark.parametrize("lesson", CORE)
def test_a_task_goes_from_release_to_a_platform(tmp_path, lesson):
    name, task, course = NAMES[lesson], marks.task(lesson, "7"), tmp_path / "course"
    marks.write(course, "7", {lesson: name})
    nbgrader(course, f"generate_assignment {name}")
    broken = [part for part in task.parts if part.slip][:3]
    faults = zip(broken, ("77", "1 / 0", "[1]"), strict=False)
    wrong = {part.name: f"{part.name} = {fault}" for part, fault in faults}
    wrong |= {f"test-{broken[0].name}": "assert True"}
    for student, faulty in (("ann", {}), ("ben", wrong)):
        hand_in(course, name, student, fill(solved(course, name), faulty))
    grading = f"autograde {name}", f"generate_feedback {name}", "export"
    nbgrader(course, "db student add dora --email=dora@example.org", *grading)
    points, lost = (sum(part.points for part in some) for some in (task.parts, broken))
    expected = {"ann": points, "ben": points - lost, "dora": 0}
    assert grades_of(course) == expected
    assert grades_of(course, "email", "total")["dora@example.org"] == 0
    for student in ("ann", "ben"):
        page = course / "feedback" / student / name / f"{name}.html"
        raised = "Traceback (most recent call last)" in page.read_text(encoding="utf-8")
        assert raised == (student == "ben" and len(broken) > 1), "what the tests say are sentences"
