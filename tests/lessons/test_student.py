"""Copies of the lessons for students, courses and lectures: what is cut, and what stays."""

import ast
import json
import re
import shlex
import shutil
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from IPython.utils.text import DollarFormatter
from packaging.requirements import Requirement

from ranktrees import __version__
from ranktrees_lab.command import main
from ranktrees_lab.hosted import NEEDS
from ranktrees_lab.student import METADATA, student_copy, tags

FOLDER = Path(__file__).parents[2] / "notebooks"
LESSONS = sorted(FOLDER.glob("*.ipynb"))
PINS = FOLDER.parent / "constraints.txt"


def code(source, *tags, **fields):
    metadata = {"tags": list(tags)} if tags else {}
    return nbformat.v4.new_code_cell(source, metadata=metadata, execution_count=7, **fields)


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """A text, an exercise of three cells, one that verifies, and one with an output."""
    monkeypatch.chdir(tmp_path)
    shown = nbformat.v4.new_output("stream", text="é\n")
    cells = [
        nbformat.v4.new_markdown_cell("What is one and one?"),
        code("two = ...", "answer"),
        code("rt.check.two(two)"),
        code("two = 2", "solution"),
        code("assert 1 + 1 == 2", "verify"),
        code("print('é')", outputs=[shown]),
    ]
    cells[-1].metadata["execution"] = {"iopub.status.busy": "2026-01-01"}
    metadata = {"kernelspec": {"name": "mine", "display_name": "Mine"}, "widgets": {"state": {}}}
    path = Path("notebooks/lesson.ipynb")
    path.parent.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), path)
    return path


def copied(path):
    """The student's copy of a lesson, as JSON."""
    return student_copy(json.loads(path.read_text(encoding="utf-8")))


PROMISE = re.compile(r"\bfolded\b|(?<!no short )(?<!rt\.)\bsolutions?\b", re.IGNORECASE)


def test_a_copy_promises_no_solution_and_what_answers_in_it_neither():
    for path in LESSONS:
        said = ["".join(cell["source"]) for cell in copied(path)["cells"]]
        assert [text for text in said if PROMISE.search(text)] == [], path.stem
    teach = FOLDER.parent / "ranktrees_lab"
    files = [*(teach / "check").glob("*.py"), *(teach / "ask").rglob("*.toml")]
    assert len(files) > 20
    assert [f.name for f in files if PROMISE.search(f.read_text(encoding="utf-8"))] == []


def test_a_copy_has_no_solution_and_no_output_and_jupyter_reads_it(lesson, capsys):
    copy, before = Path("notebooks/student/lesson.ipynb"), lesson.read_bytes()
    assert main(["student"]) == 0
    assert main(["student", str(lesson)]) == 0
    assert capsys.readouterr().out.split() == 2 * [str(copy)]
    read = nbformat.read(copy, as_version=4)
    nbformat.validate(read)
    assert copy.read_bytes().decode("utf-8") == nbformat.writes(read) + "\n"
    sources = ["What is one and one?", "two = ...", "rt.check.two(two)", "print('é')"]
    assert [cell.source for cell in read.cells] == sources
    for cell in read.cells[1:]:
        assert (cell.execution_count, cell.outputs) == (None, [])
        assert "execution" not in cell.metadata
    assert read.metadata == METADATA
    assert lesson.read_bytes() == before


def test_a_copy_in_which_somebody_has_worked_stays(lesson, capsys):
    copy = Path("notebooks/student/lesson.ipynb")
    for name in ("run", "answered", "broken", "other"):
        shutil.copy(lesson, lesson.with_stem(name))
    lesson.unlink()
    assert main(["student"]) == 0
    text = copy.with_stem("run").read_text(encoding="utf-8")
    run = json.loads(text)
    run["cells"][1] |= {"execution_count": 3, "source": "two = ..."}  # as JupyterLab may save it
    mine = {"run": json.dumps(run), "answered": text.replace("two = ...", "two = 2"), "broken": "{"}
    for name, worked in mine.items():
        copy.with_stem(name).write_text(worked, encoding="utf-8")
    copy.with_stem("other").unlink()
    capsys.readouterr()
    assert main(["student"]) == 0
    for name, written in {**mine, "other": text}.items():
        assert copy.with_stem(name).read_text(encoding="utf-8") == written
    printed = capsys.readouterr().out.splitlines()
    current, kept = printed[:2], [line.split(": kept as it is") for line in printed[2:]]
    assert current == [str(copy.with_stem(name)) for name in ("other", "run")]
    assert [line[0] for line in kept] == [str(copy.with_stem(n)) for n in ("answered", "broken")]


@pytest.mark.parametrize("found", [None, "a JupyterLab"])
def test_a_course_is_written_once_and_says_how_it_is_opened(found, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ranktrees_lab.command.find_spec", lambda name: found)
    course = tmp_path / "a course" / "of 2026"
    assert main(["lessons", str(course)]) == 0
    *written, last = capsys.readouterr().out.splitlines()
    assert last == f'open them: python -m jupyterlab "{course}"'
    assert found or written.pop() == 'JupyterLab is missing: pip install "ranktrees[lab]"'
    assert written == [*(str(course / path.name) for path in LESSONS), f"{course / PINS.name}"]
    for path in LESSONS:
        assert json.loads((course / path.name).read_text(encoding="utf-8")) == copied(path)


def test_a_course_overwrites_nothing_and_a_teachers_has_the_solutions(tmp_path, capsys):
    mine, course = tmp_path / LESSONS[3].name, tmp_path / "course"
    mine.write_text("my answers", encoding="utf-8")
    for teacher in ([], ["--teacher"]):
        assert main(["lessons", str(tmp_path), *teacher]) == 2
        assert f"{tmp_path} has {mine.name} already" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [mine]
    assert mine.read_text(encoding="utf-8") == "my answers"
    assert main(["lessons", "--teacher", str(course)]) == 0
    assert all((course / path.name).read_bytes() == path.read_bytes() for path in LESSONS)


WHEEL = f"ranktrees-{__version__}-py3-none-any.whl"


def test_a_hosted_course_installs_the_package_first(tmp_path, capsys):
    assert main(["lessons", "--hosted", str(tmp_path / "course")]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"their first cells install ranktrees[hosted]=={__version__}"
    for path in LESSONS:
        notebook = nbformat.read(tmp_path / "course" / path.name, as_version=4)
        nbformat.validate(notebook)
        first, *rest = notebook.cells
        asked, *versions = installed_by(first.source)
        assert asked == f"ranktrees[hosted]=={__version__}"
        assert {*versions} < {*PINS.read_text(encoding="utf-8").splitlines()}
        assert [pin.split("==")[0] for pin in versions] == NEEDS.split()
        assert first.metadata == {"tags": ["hosted"], "jupyter": {"source_hidden": True}}
        assert [c.source for c in rest] == ["".join(c["source"]) for c in copied(path)["cells"]]


def installed_by(source):
    """What the cell gives to pip, as IPython and a shell read it."""
    line = TransformerManager().transform_cell(source).splitlines()[1]
    call = ast.parse(line).body[0].value
    kind, words = (argument.value for argument in call.args)
    assert (call.func.attr, kind) == ("run_line_magic", "pip")
    first, second, *rest = shlex.split(DollarFormatter().vformat(words, (), {"z": 1, "HOME": 2}))
    assert (first, second) == ("install", "--quiet")
    return rest


def test_a_hosted_course_takes_a_wheel_from_any_address(tmp_path):
    address = f'https://a.org/it\'s "here" $HOME `id` {{z}} \\ é/{WHEEL}#sha256=0f'
    quoted = "it%27s%20%22here%22%20%24HOME%20%60id%60%20%7Bz%7D%20%5C%20%C3%A9"
    asked = f"ranktrees[hosted] @ https://a.org/{quoted}/{WHEEL}#sha256=0f"
    assert main(["lessons", "--hosted", "--from", address, str(tmp_path / "course")]) == 0
    first = nbformat.read(tmp_path / "course" / LESSONS[0].name, as_version=4).cells[0]
    assert installed_by(first.source)[0] == asked
    assert asked.endswith(Requirement(asked).url)


HOSTED = ["lessons", "course", "--hosted", "--from"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["student"], "no notebooks/*.ipynb here"),
        (["student", "mine"], "mine: not readable as a notebook"),
        (["lecture", "mine"], "mine: not readable as a notebook"),
        (["lecture", "gone.ipynb"], "gone.ipynb"),
        (["lessons", "mine"], "mine is a file: name a new folder"),
        (["lessons", "--from", WHEEL, "course"], "--from goes with --hosted"),
        ([*HOSTED, "dist/" + WHEEL], f"--from: there is no file 'dist/{WHEEL}'; make it by python"),
        ([*HOSTED, "."], "--from: there is no file '.'; make it"),
        ([*HOSTED, "https://a.org/ranktrees-0.2.0.tar.gz"], "is not a wheel of ranktrees, named"),
        ([*HOSTED, "https://a.org/numpy-2.0.0-py3-none-any.whl"], "is not a wheel of ranktrees"),
        ([*HOSTED, f"ftp://a.org/{WHEEL}"], "an http or https address or a path, not 'ftp://"),
        ([*HOSTED, f"http:///{WHEEL}"], "names no server"),
        (["lessons", " "], "FOLDER: name a file or a folder, not ' '"),
        (["lessons", "course", "--hosted", "--teacher"], "not allowed with argument --hosted"),
    ],
)
def test_what_cannot_be_written_is_said_and_nothing_is_written(
    arguments, said, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text('{"cells": [{}]}', encoding="utf-8")
    with suppress(SystemExit):  # of argparse
        assert main(arguments) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_lecture_has_a_fresh_copy_with_solutions_on_buttons_each_time(lesson, capsys):
    copy, before = Path("notebooks/lecture/lesson.ipynb"), lesson.read_bytes()
    assert main(["lecture"]) == 0
    made = nbformat.read(copy, as_version=4)
    nbformat.validate(made)
    expected = nbformat.read(lesson, as_version=4).cells
    expected[3].source = 'rt.solution("two")'
    assert [(c.source, tags(c)) for c in made.cells] == [(c.source, tags(c)) for c in expected]
    assert not any(cell.get("outputs") for cell in made.cells)
    made.cells[1].execution_count = 1  # as a lecturer leaves it: run, not changed
    nbformat.write(made, copy)
    assert main(["lecture", str(lesson)]) == 0
    assert capsys.readouterr().out == 2 * f"{copy}\n"
    assert nbformat.read(copy, as_version=4).cells[1].execution_count is None
    assert lesson.read_bytes() == before


def test_what_a_lecturer_changed_is_set_aside(lesson, capsys):
    copy = Path("notebooks/lecture/lesson.ipynb")
    assert main(["lecture"]) == 0
    fresh = copy.read_text(encoding="utf-8")
    for text in (fresh.replace("What is", "My"), "{"):
        copy.write_text(text, encoding="utf-8")
        capsys.readouterr()
        assert main(["lecture"]) == 0
        kept = capsys.readouterr().out.splitlines()[1].split("your version is ")[1].split(" now")[0]
        assert Path(kept).read_text(encoding="utf-8") == text
        assert copy.read_text(encoding="utf-8") == fresh
    newer = lesson.read_text(encoding="utf-8").replace("What is", "Newer: what is")
    lesson.write_text(newer, encoding="utf-8")  # the lesson, not the copy, is another one now
    assert main(["lecture"]) == 0
    assert "Newer" in copy.read_text(encoding="utf-8")
    changed = {path.name for path in Path("notebooks/lecture/changed").iterdir()}
    assert changed == {"lesson.ipynb", "lesson-2.ipynb"}
