"""Copies of the lessons for students: what is cut, what stays, and that each one runs."""

import ast
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
import warnings
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from IPython.utils.text import DollarFormatter
from packaging.requirements import Requirement

from ranktrees import __version__
from ranktrees_lab.command import main
from ranktrees_lab.hosted import NEEDS, requirement
from ranktrees_lab.student import CHECK, METADATA, student_copy, tags
from tools import lessons

FOLDER = Path(__file__).parents[2] / "notebooks"
LESSONS = sorted(FOLDER.glob("*.ipynb"))


def code(source, *tags, **fields):
    metadata = {"tags": list(tags)} if tags else {}
    return nbformat.v4.new_code_cell(source, metadata=metadata, execution_count=7, **fields)


@pytest.fixture
def notebook():
    """A text, an exercise of three cells, one that verifies, and one with an output, as JSON."""
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
    kernel = {"name": "mine", "display_name": "Mine"}
    metadata = {"kernelspec": kernel, "widgets": {"state": {}}}
    made = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    return json.loads(nbformat.writes(made))


def test_a_copy_has_no_solution_and_no_output(notebook):
    copy = student_copy(notebook)
    assert len(copy["cells"]) == 4
    assert not any({"solution", "verify"} & tags(cell) for cell in copy["cells"])
    assert "".join(copy["cells"][1]["source"]) == "two = ..."
    for cell in copy["cells"][1:]:
        assert (cell["execution_count"], cell["outputs"]) == (None, [])
        assert "execution" not in cell["metadata"]
    assert copy["metadata"] == METADATA
    assert len(notebook["cells"]) == 6  # the lesson itself stays as it is


PROMISE = re.compile(r"\bfolded\b|(?<!no short )(?<!rt\.)\bsolutions?\b", re.IGNORECASE)


def test_a_copy_promises_no_solution_and_what_answers_in_it_neither():
    for path in LESSONS:
        copy = student_copy(json.loads(path.read_text(encoding="utf-8")))
        said = ["".join(cell["source"]) for cell in copy["cells"]]
        assert [text for text in said if PROMISE.search(text)] == [], path.stem
    teach = FOLDER.parent / "ranktrees_lab"
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


@pytest.mark.parametrize("command", ["student", "lecture"])
@pytest.mark.parametrize("text", ["{", "[]", '{"cells": 3}', '{"cells": [{}]}', None])
def test_what_is_no_notebook_is_named(text, command, tmp_path, capsys):
    path = tmp_path / "broken.ipynb"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main([command, str(path)]) == 2
    assert not (tmp_path / command).exists()
    error = capsys.readouterr().err
    assert "broken.ipynb" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("found", [None, "a JupyterLab"])
def test_a_course_is_written_once_and_says_how_it_is_opened(found, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ranktrees_lab.command.find_spec", lambda name: found)
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


def test_a_course_overwrites_nothing_and_a_teachers_has_the_solutions(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["student"]) == 2
    assert "no notebooks/*.ipynb here" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["lessons", " "])
    assert "FOLDER: name a file or a folder, not ' '" in capsys.readouterr().err
    mine = tmp_path / LESSONS[3].name
    mine.write_text("my answers", encoding="utf-8")
    for teacher in ([], ["--teacher"]):
        assert main(["lessons", str(tmp_path), *teacher]) == 2
        assert f"{tmp_path} has {mine.name} already" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [mine]
    assert mine.read_text(encoding="utf-8") == "my answers"
    assert main(["lessons", str(mine)]) == 2
    assert f"{mine} is a file: name a new folder" in capsys.readouterr().err
    assert main(["lessons", "--teacher", str(tmp_path / "course")]) == 0
    for path in LESSONS:
        assert (tmp_path / "course" / path.name).read_bytes() == path.read_bytes()


PINS = (FOLDER.parent / "constraints.txt").read_text(encoding="utf-8").splitlines()
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
        assert {*versions} < {*PINS}
        assert [pin.split("==")[0] for pin in versions] == NEEDS.split()
        assert first.metadata == {"tags": ["hosted"], "jupyter": {"source_hidden": True}}
        assert [c.source for c in rest] == [
            c.source
            for c in nbformat.read(path, as_version=4).cells
            if not {"solution", "verify"} & tags(c)
        ]
    with pytest.raises(SystemExit):
        main(["lessons", "--hosted", "--teacher", str(tmp_path / "other")])
    assert main(["lessons", "--from", WHEEL, str(tmp_path / "other")]) == 2
    assert "--from goes with --hosted" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


def installed_by(source):
    """What the cell gives to pip, as IPython and a shell read it."""
    line = TransformerManager().transform_cell(source).splitlines()[1]
    call = ast.parse(line).body[0].value
    kind, words = (argument.value for argument in call.args)
    assert (call.func.attr, kind) == ("run_line_magic", "pip")
    first, second, *rest = shlex.split(DollarFormatter().vformat(words, (), {"z": 1, "HOME": 2}))
    assert (first, second) == ("install", "--quiet")
    return rest


@pytest.mark.parametrize(
    ("address", "url"),
    [
        (f"http://127.0.0.1:80/{WHEEL}#sha256=0f", f"http://127.0.0.1:80/{WHEEL}#sha256=0f"),
        (f"file:///content/my drive/{WHEEL}", f"file:///content/my%20drive/{WHEEL}"),
        (
            f'https://a.org/it\'s "here" $HOME `id` {{z}} \\ é/{WHEEL}',
            "https://a.org/it%27s%20%22here%22%20%24HOME%20%60id%60%20%7Bz%7D%20%5C%20%C3%A9/"
            + WHEEL,
        ),
    ],
)
def test_a_hosted_course_takes_a_wheel_from_any_address(address, url, tmp_path):
    assert main(["lessons", "--hosted", "--from", address, str(tmp_path / "course")]) == 0
    first = nbformat.read(tmp_path / "course" / LESSONS[0].name, as_version=4).cells[0]
    assert installed_by(first.source)[0] == f"ranktrees[hosted] @ {url}"
    assert Requirement(f"ranktrees[hosted] @ {url}").url == url


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("dist/" + WHEEL, f"--from: there is no file 'dist/{WHEEL}'; make it by python -m build"),
        (".", "--from: there is no file '.'; make it"),
        ("https://a.org/ranktrees-0.2.0.tar.gz", "is not a wheel of ranktrees, named like"),
        ("https://a.org/numpy-2.0.0-py3-none-any.whl", "is not a wheel of ranktrees"),
        (f"ftp://a.org/{WHEEL}", "--from takes an http or https address or a path, not 'ftp://"),
        (f"http:///{WHEEL}", "names no server"),
    ],
)
def test_a_wheel_is_one_that_lies_here_or_at_an_address(
    address, said, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["lessons", "--hosted", "--from", address, "course"]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "course").exists()
    path = Path(f"my 'best' $wheels/{WHEEL}")
    path.parent.mkdir()
    path.touch()
    url = requirement(str(path)).removeprefix("ranktrees[hosted] @ ")
    assert Path(url2pathname(urlsplit(url).path)) == tmp_path / path
    assert not {*"'$ "} & {*url}


@pytest.mark.skipif(os.name == "nt", reason="the folder has names that Windows refuses")
def test_the_first_cell_makes_pip_install_that_wheel(wheel, tmp_path):
    """A kernel runs the cell as it was saved; pip resolves it against what is installed here."""
    off = [pin for pin in PINS if pin.split("==")[0] in NEEDS.split() and not is_installed(pin)]
    if off:
        pytest.skip(f"other versions are installed than those of constraints.txt: {off[0]}")
    shelf, report = tmp_path / 'a "shelf" of $HOME', tmp_path / "report.json"
    shelf.mkdir()
    place = shutil.copy(wheel, shelf)
    assert main(["lessons", "--hosted", "--from", str(place), str(tmp_path / "course")]) == 0
    notebook = nbformat.read(tmp_path / "course" / LESSONS[0].name, as_version=4)
    notebook.cells = notebook.cells[:1]
    asked = "import os\nos.environ.update(PIP_DRY_RUN='1', PIP_NO_INDEX='1', PIP_REPORT={!r})"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(asked.format(str(report))))
    lessons.execute(notebook, tmp_path)
    (found,) = json.loads(report.read_text(encoding="utf-8"))["install"]  # all else is there
    assert found["requested_extras"] == ["hosted"]
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert found["download_info"]["archive_info"]["hashes"]["sha256"] == digest


def is_installed(pin):
    name, _, version = pin.partition("==")
    try:
        return metadata.version(name) == version
    except metadata.PackageNotFoundError:
        return False


@pytest.fixture
def lecture(tmp_path, monkeypatch):
    """A checkout with one lesson: its path, and that of its copy for a lecture."""
    monkeypatch.chdir(tmp_path)
    lesson, copy = Path("notebooks", LESSONS[5].name), Path("notebooks/lecture", LESSONS[5].name)
    lesson.parent.mkdir()
    shutil.copy(LESSONS[5], lesson)
    return lesson, copy


def test_a_lecture_has_a_fresh_copy_with_solutions_on_buttons_each_time(lecture, capsys):
    lesson, copy = lecture
    assert main(["lecture"]) == 0
    assert capsys.readouterr().out == f"{copy}\n"
    made = nbformat.read(copy, as_version=4)
    nbformat.validate(made)
    cells = nbformat.read(lesson, as_version=4).cells
    assert len(made.cells) == len(cells)
    for before, cell, there in zip([None, *cells[:-1]], made.cells, cells, strict=True):
        asked = there.source
        if "solution" in tags(there):
            asked = f'rt.solution("{CHECK.findall(before.source)[0]}")'
            assert there.source not in copy.read_text(encoding="utf-8")
        assert (cell.source, tags(cell)) == (asked, tags(there))
        assert not cell.get("outputs")
    run = nbformat.from_dict(made)  # as a lecturer leaves it: run, not changed
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], 1
    nbformat.write(run, copy)
    assert main(["lecture", str(lesson)]) == 0
    assert capsys.readouterr().out == f"{copy}\n"
    assert nbformat.read(copy, as_version=4) == made
    assert lesson.read_bytes() == LESSONS[5].read_bytes()


def test_what_a_lecturer_changed_is_set_aside(lecture, capsys):
    lesson, copy = lecture
    assert main(["lecture"]) == 0
    fresh = copy.read_text(encoding="utf-8")
    mine = [fresh.replace("# 05 ·", "# My 05 ·"), "{", fresh.replace("# 05 ·", "# Our 05 ·")]
    for text in mine:
        copy.write_text(text, encoding="utf-8")
        capsys.readouterr()
        assert main(["lecture"]) == 0
        kept = capsys.readouterr().out.splitlines()[1].split("your version is ")[1].split(" now")[0]
        assert Path(kept).read_text(encoding="utf-8") == text
        assert copy.read_text(encoding="utf-8") == fresh
    changed = Path("notebooks/lecture/changed")
    stem = copy.stem
    names = {f"{stem}.ipynb", f"{stem}-2.ipynb", f"{stem}-3.ipynb"}
    assert {path.name for path in changed.iterdir()} == names
    newer = lesson.read_text(encoding="utf-8").replace("# 05 ·", "# New 05 ·")
    lesson.write_text(newer, encoding="utf-8")  # the lesson, not the copy, is another one now
    assert main(["lecture"]) == 0
    assert len([*changed.iterdir()]) == 3
    assert "# New 05 ·" in copy.read_text(encoding="utf-8")


def run(cell, names):
    """Execute a code cell in these names, and show the value of its last line as Jupyter would."""
    body = ast.parse(cell).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), cell, "exec"), names)
    if last is not None:
        repr(eval(compile(ast.Expression(last.value), cell, "eval"), names))


# One each day, the others in the long tests.
DAILY = [pytest.param(path, marks=[pytest.mark.long] * (path.stem[:2] != "05")) for path in LESSONS]


@pytest.mark.parametrize("path", DAILY, ids=lambda path: path.stem)
def test_an_untouched_copy_runs_without_an_error(path, monkeypatch):
    """In this process: the kernel, and how outputs are shown, nbval tests with the solutions.

    What the extra "hosted" does not bring cannot be imported.
    """
    monkeypatch.chdir(FOLDER)
    for name in ("jupyterlab", "dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    copy = student_copy(json.loads(path.read_text(encoding="utf-8")))
    names = {"__name__": "__main__", "display": repr}
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        for cell in copy["cells"]:
            if cell["cell_type"] == "code":
                run("".join(cell["source"]), names)
