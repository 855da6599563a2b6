"""Copies of the lessons for students: what is cut, what stays, and that each one runs."""

import ast
import json
import re
import warnings
from pathlib import Path

import nbformat
import pytest

from ranktrees.__main__ import main
from ranktrees.teach.student import METADATA, student_copy, tags

FOLDER = Path(__file__).parents[1] / "notebooks"
LESSONS = sorted(FOLDER.glob("*.ipynb"))


def code(source, *tags, **fields):
    metadata = {"tags": list(tags)} if tags else {}
    return nbformat.v4.new_code_cell(source, metadata=metadata, execution_count=7, **fields)


@pytest.fixture
def notebook():
    """A text, an exercise of three cells, and a cell with an output, as JSON."""
    shown = nbformat.v4.new_output("stream", text="é\n")
    cells = [
        nbformat.v4.new_markdown_cell("What is one and one?"),
        code("two = ...", "answer"),
        code("rt.check.two(two)"),
        code("two = 2", "solution"),
        code("print('é')", outputs=[shown]),
    ]
    cells[-1].metadata["execution"] = {"iopub.status.busy": "2026-01-01"}
    kernel = {"name": "mine", "display_name": "Mine"}
    metadata = {"kernelspec": kernel, "widgets": {"state": {}}}
    made = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    return json.loads(nbformat.writes(made))


def test_a_copy_has_no_solution_and_no_output(notebook):
    copy = student_copy(notebook)
    assert len(copy["cells"]) == 4
    assert not any("solution" in tags(cell) for cell in copy["cells"])
    assert "".join(copy["cells"][1]["source"]) == "two = ..."
    for cell in copy["cells"][1:]:
        assert (cell["execution_count"], cell["outputs"]) == (None, [])
        assert "execution" not in cell["metadata"]
    assert copy["metadata"] == METADATA
    assert len(notebook["cells"]) == 5  # the lesson itself stays as it is


PROMISE = re.compile(r"\bfolded\b|(?<!no short )\bsolutions?\b", re.IGNORECASE)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_copy_promises_no_solution(path):
    copy = student_copy(json.loads(path.read_text(encoding="utf-8")))
    said = ["".join(cell["source"]) for cell in copy["cells"]]
    assert [text for text in said if PROMISE.search(text)] == []


def test_what_answers_in_a_copy_promises_no_solution():
    teach = FOLDER.parent / "ranktrees" / "teach"
    files = [*(teach / "check").glob("*.py"), *(teach / "ask").rglob("*.toml")]
    assert len(files) > 20
    assert [f.name for f in files if PROMISE.search(f.read_text(encoding="utf-8"))] == []


def test_the_command_writes_copies_that_jupyter_reads(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lesson = Path("notebooks", "lesson.ipynb")
    lesson.parent.mkdir()
    lesson.write_text(json.dumps(notebook), encoding="utf-8")
    assert main(["student"]) == 0
    assert main(["student", str(lesson)]) == 0
    copy = Path("notebooks", "student", "lesson.ipynb")
    assert capsys.readouterr().out.split() == 2 * [str(copy)]
    read = nbformat.read(copy, as_version=4)
    nbformat.validate(read)
    assert copy.read_bytes().decode("utf-8") == nbformat.writes(read) + "\n"
    assert "é" in copy.read_text(encoding="utf-8")


def test_a_copy_in_which_somebody_has_worked_stays(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    folder = Path("notebooks", "student")
    folder.parent.mkdir()
    for name in ("run", "answered", "broken", "other"):
        (folder.parent / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    assert main(["student"]) == 0
    text = (folder / "run.ipynb").read_text(encoding="utf-8")
    run = json.loads(text)
    run["cells"][1] |= {"execution_count": 3, "outputs": [{"output_type": "stream", "text": "x"}]}
    run["cells"][1]["source"] = "".join(run["cells"][1]["source"])  # as JupyterLab may save it
    mine = {
        "run": json.dumps(run),
        "answered": text.replace("two = ...", "two = 2"),
        "broken": "{",
    }
    for name, worked in mine.items():
        (folder / f"{name}.ipynb").write_text(worked, encoding="utf-8")
    (folder / "other.ipynb").unlink()
    capsys.readouterr()
    assert main(["student"]) == 0
    for name, worked in mine.items():
        assert (folder / f"{name}.ipynb").read_text(encoding="utf-8") == worked
    assert (folder / "other.ipynb").read_text(encoding="utf-8") == text
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == [str(folder / "other.ipynb"), str(folder / "run.ipynb")]
    assert [line.partition(":")[0] for line in printed[2:]] == [
        str(folder / "answered.ipynb"),
        str(folder / "broken.ipynb"),
    ]
    assert all("rename it to have a new copy" in line for line in printed[2:])


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": 3}', '{"cells": [{}]}', None])
def test_what_is_no_notebook_is_named(text, tmp_path, capsys):
    path = tmp_path / "broken.ipynb"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main(["student", str(path)]) == 2
    error = capsys.readouterr().err
    assert "broken.ipynb" in error
    assert len(error.splitlines()) == 1


def test_where_there_are_no_lessons_it_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["student"]) == 2
    assert "no notebooks/*.ipynb here" in capsys.readouterr().err


@pytest.mark.parametrize("found", [None, "a JupyterLab"])
def test_a_course_is_written_once_and_says_how_it_is_opened(found, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ranktrees.__main__.find_spec", lambda name: found)
    course = tmp_path / "a course" / "of 2026"
    assert main(["lessons", str(course)]) == 0
    *written, last = capsys.readouterr().out.splitlines()
    assert last == f'open them: python -m jupyterlab "{course}"'
    assert found or written.pop() == 'JupyterLab is missing: pip install "ranktrees[lab]"'
    names = [*(path.name for path in LESSONS), "constraints.txt"]
    assert written == [str(course / name) for name in names]
    for path in LESSONS:
        copy = student_copy(json.loads(path.read_text(encoding="utf-8")))
        assert json.loads((course / path.name).read_text(encoding="utf-8")) == copy


def test_a_course_overwrites_nothing(tmp_path, capsys):
    mine = tmp_path / LESSONS[3].name
    mine.write_text("my answers", encoding="utf-8")
    for teacher in ([], ["--teacher"]):
        assert main(["lessons", str(tmp_path), *teacher]) == 2
        assert f"{tmp_path} has {mine.name} already" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [mine]
    assert mine.read_text(encoding="utf-8") == "my answers"
    assert main(["lessons", str(mine)]) == 2
    assert f"{mine} is a file: name a new folder" in capsys.readouterr().err


def test_a_teachers_course_has_the_solutions(tmp_path):
    assert main(["lessons", "--teacher", str(tmp_path / "course")]) == 0
    for path in LESSONS:
        assert (tmp_path / "course" / path.name).read_bytes() == path.read_bytes()


def test_a_hosted_course_installs_the_package_first(tmp_path):
    assert main(["lessons", "--hosted", str(tmp_path / "course")]) == 0
    for path in LESSONS:
        notebook = nbformat.read(tmp_path / "course" / path.name, as_version=4)
        nbformat.validate(notebook)
        first, *rest = notebook.cells
        assert first.source == '%pip install --quiet "ranktrees[lab]"'
        assert first.metadata == {"tags": ["hosted"], "jupyter": {"source_hidden": True}}
        assert [c.source for c in rest] == [
            c.source for c in nbformat.read(path, as_version=4).cells if "solution" not in tags(c)
        ]
    with pytest.raises(SystemExit):
        main(["lessons", "--hosted", "--teacher", str(tmp_path / "other")])


def run(cell, names):
    """Execute a code cell in these names, and show the value of its last line as Jupyter would."""
    body = ast.parse(cell).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), cell, "exec"), names)
    if last is not None:
        repr(eval(compile(ast.Expression(last.value), cell, "eval"), names))


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_an_untouched_copy_runs_without_an_error(path, monkeypatch):
    """In this process: the kernel, and how outputs are shown, nbval tests with the solutions."""
    monkeypatch.chdir(FOLDER)
    copy = student_copy(json.loads(path.read_text(encoding="utf-8")))
    names = {"__name__": "__main__", "display": repr}
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        for cell in copy["cells"]:
            if cell["cell_type"] == "code":
                run("".join(cell["source"]), names)


def test_an_error_in_any_line_of_a_cell_is_raised():
    for cell in ("1 / 0", "1 / 0\n2", "x = 1 / 0", "class A:\n  def __repr__(self): 1 / 0\nA()"):
        with pytest.raises(ZeroDivisionError):
            run(cell, {})
