"""Tasks for marks: numbers by a seed, solutions as on paper, nbgrader from release to export."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tools import lessons, marks, pages, texts

CORE = ["00", "01", "02", "03", "05", "06", "08", "09", "11", "12"]
NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
NAMES = {path.stem[:2]: path.stem for path in NOTEBOOKS}
DAILY = "06"
SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 60))]
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
        other = "fog" if isinstance(right, str) else right + 1
        assert points_of(SECRET.sub("", test), {part.name: other}) == points  # its form is right
        for wrong, more in ((other, ""), (slip, f" It is a usual slip: {part.slip}.")):
            capsys.readouterr()
            assert points_of(test, {part.name: wrong}) == 0
            said = f"{part.name} is {marks.shown(right)}, not {wrong}.{more}\n"
            assert capsys.readouterr().out == said


def test_each_core_lesson_has_tasks_and_no_other_lesson():
    parts = {p.stem[:2]: texts.part(lessons.read(p).cells[0].source) for p in NOTEBOOKS}
    core = [lesson for lesson, part in parts.items() if part == "core lesson"]
    assert sorted(marks.LESSONS) == core == CORE


def test_no_task_is_an_exercise_of_its_lesson():
    written = re.compile(r"^(?:def )?(\w+)(?: = \.\.\.|\(.*\):)", re.MULTILINE)
    for path in NOTEBOOKS:
        cells = [c for c in lessons.read(path).cells if "answer" in lessons.tags(c)]
        asked = {name for cell in cells for name in written.findall(cell.source)}
        assert bool(asked) == (path.stem[:2] != "16")
        if path.stem[:2] in CORE:
            assert not asked & {part.name for part in marks.task(path.stem[:2], "1").parts}


def files(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_seed_gives_the_same_files_and_another_one_other_numbers(tmp_path):
    for name, seed in (("one", "7"), ("again", "7"), ("other", "8")):
        marks.write(tmp_path / name, seed, NAMES)
    one, again, other = (files(tmp_path / name) for name in ("one", "again", "other"))
    assert one == again
    assert one.keys() == other.keys()
    assert len(one) == len(CORE) + 3
    for path in one:
        same = path.name in ("nbgrader_config.py", pages.MARK)
        assert (one[path] == other[path]) == same, path
    page = (tmp_path / "one" / "README.md").read_text(encoding="utf-8")
    for lesson, task in ((lesson, marks.task(lesson, "7")) for lesson in CORE):
        for part in task.parts:
            cells = rf"^\| {NAMES[lesson]} \| `{part.name}` \| (\d) \| (.+?) \| (.*)\|$"
            row = re.search(cells, page, re.M)
            right, slip = map(marks.shown, task.answers.get(part.name, ("a function", "")))
            assert row[1] == str(part.points)
            assert row[2].startswith(right)
            assert row[3].strip() == (f"{slip}: {part.slip}" if slip else "")


def test_grades_are_not_written_over(tmp_path):
    marks.write(tmp_path / "course", "1", NAMES)
    (tmp_path / "course" / "gradebook.db").write_text("grades")
    with pytest.raises(SystemExit, match="course holds grades: move it to another place first"):
        marks.write(tmp_path / "course", "2", NAMES)
    assert (tmp_path / "course" / "gradebook.db").read_text() == "grades"


COMMANDS = """
import sys
from nbgrader.apps import NbGraderApp
for line in sys.stdin:
    NbGraderApp.clear_instance()
    NbGraderApp.launch_instance(line.split())
    print("done", flush=True)
"""


@pytest.fixture
def nbgrader(tmp_path):
    """nbgrader(line) runs a line of it in tmp_path/course; all in one process, to save time."""
    (tmp_path / "course").mkdir()
    with (tmp_path / "log").open("w+") as log:
        command, pipe = [sys.executable, "-c", COMMANDS], subprocess.PIPE
        how = {"cwd": tmp_path / "course", "stdin": pipe, "stdout": pipe, "stderr": log}

        def send(line):
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            assert process.stdout.readline() == "done\n", (tmp_path / "log").read_text()

        with subprocess.Popen(command, text=True, **how) as process:
            yield send
            process.stdin.close()


def hand_in(folder, student, name, answers):
    """What was released with these answers in place of stubs, where nbgrader looks for it."""
    notebook = nbformat.read(folder / "release" / name / f"{name}.ipynb", 4)
    for cell in notebook.cells:
        cell.source = answers.get(cell.metadata.nbgrader.grade_id, cell.source)
    path = folder / "submitted" / student / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def broken(task):
    """Answers with a wrong number, another type and code that raises; the points that they lose."""
    parts = [part for part in task.parts if part.slip]
    faults = "{} = 77", "{0} = [{0}]", "{} = 1 / 0"
    pairs = list(zip(parts, faults, strict=False))
    answers = {part.name: fault.format(part.name) for part, fault in pairs}
    return answers, sum(part.points for part, _ in pairs)


@pytest.mark.parametrize(
    "lesson", [pytest.param(n, marks=[pytest.mark.long] * (n != DAILY)) for n in CORE]
)
def test_a_task_goes_from_release_to_a_platform(tmp_path, nbgrader, lesson):
    name, task, course = NAMES[lesson], marks.task(lesson, "7"), tmp_path / "course"
    marks.write(course, "7", {lesson: name})
    nbgrader(f"generate_assignment {name}")
    released = nbformat.read(course / "release" / name / f"{name}.ipynb", 4)
    text = "\n".join(cell.source for cell in released.cells)
    secrets = [solution for _, _, solution, _ in steps(task)]
    secrets += [SECRET.search(test)[2] for *_, tests in steps(task) for test, _ in tests]
    assert len(secrets) >= 2 * len(task.parts)
    assert not any(secret in text for secret in ("BEGIN ", *secrets))
    assert all(cell.metadata.nbgrader.checksum for cell in released.cells)
    answers = {part.name: solution for part, _, solution, _ in steps(task)}
    wrong, lost = broken(task)
    hand_in(course, "ann", name, answers)
    hand_in(course, "ben", name, answers | wrong | {"test-" + next(iter(wrong)): "assert True"})
    hand_in(course, "cem", name, {})
    nbgrader("db student add dora --email=dora@example.org")
    for line in (f"autograde {name}", f"generate_feedback {name}", "export"):
        nbgrader(line)
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["username"]: row for row in csv.DictReader(file)}
    points = sum(part.points for part in task.parts)
    expected = {"ann": points, "ben": points - lost, "cem": 0, "dora": 0}
    assert {student: float(row[name]) for student, row in rows.items()} == expected
    assert all(row["total"] == row[name] for row in rows.values())
    assert rows["dora"]["email"] == "dora@example.org"
    for student in ("ann", "ben", "cem"):
        page = course / "feedback" / student / name / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        own = len(wrong) - 1 if student == "ben" else 0  # all but the first raise
        assert (
            text.count("Traceback (most recent call last)") == own
        )  # what the tests say are sentences
        assert ("no answer yet" in re.sub("<span.*?</span>", "", text)) == (student != "ann")
