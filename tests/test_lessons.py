"""The notebook tool on small notebooks, and the rules of form on the lessons themselves."""

import base64
import sys
from pathlib import Path

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ranktrees.teach.student import METADATA, student_copy, tags
from tools import lessons

FOLDER = Path(__file__).parents[1] / "notebooks"
LESSONS = sorted(FOLDER.glob("*.ipynb"))
PIXEL = base64.b64encode(b"a picture").decode()
KERNELS_OWN = {
    "kernelspec": {"name": "mine"},
    "widgets": {"state": {}},
    "language_info": {"version": "3"},
}


def code(source, *tags, **fields):
    return new_code_cell(source, metadata={"tags": list(tags)} if tags else {}, **fields)


def exercise(number):
    return [
        code(f"answer{number} = ...", "answer"),
        code(f"rt.check.answer({number}, answer{number})"),
        code(f"answer{number} = {number}", "solution"),
    ]


def picture(**data):
    return new_output("display_data", data={"image/png": PIXEL, **data})


@pytest.fixture
def good():
    """A notebook of 40 cells that keeps all rules."""
    cells = [code("import ranktrees as rt"), *exercise(1), *exercise(2), *exercise(3)]
    for count, cell in enumerate(cells, start=1):
        cell.execution_count = count
    cells[0].outputs = [picture(**{"text/plain": "A tree of three leaves."})]
    cells += [new_markdown_cell(f"Paragraph {i}.") for i in range(40 - len(cells))]
    return new_notebook(cells=cells, metadata={"kernelspec": dict(METADATA["kernelspec"])})


def test_check_accepts_a_notebook_in_order(good):
    assert lessons.check(good) == []


def test_the_playground_is_a_short_page_without_exercises(good):
    del good.cells[2:]
    good.cells[0].source = "rt.playground()"
    good.cells[1] = new_markdown_cell("Words.")
    assert lessons.check(good) == ["2 cells, not 5 to 8"]
    good.cells += [new_markdown_cell(f"Paragraph {i}.") for i in range(3)]
    assert lessons.check(good) == []
    good.cells[0].source = "rt.plot.tree()"
    assert len(lessons.check(good)) == 2


def drop_cell(notebook):
    notebook.cells.pop()


def skip_a_count(notebook):
    notebook.cells[4].execution_count = 9


def forget_to_run(notebook):
    notebook.cells[0].execution_count = None


def name_another_kernel(notebook):
    notebook.metadata.kernelspec.name = "conda-env-py"


def store_an_error(notebook):
    error = new_output("error", ename="ValueError", evalue="no class", traceback=[])
    notebook.cells[0].outputs.append(error)


def store_widgets(notebook):
    notebook.metadata["widgets"] = {}


def store_a_view(notebook):
    notebook.cells[0].outputs[0].data[lessons.WIDGET_VIEW] = {"model_id": "1"}


def untag_an_answer(notebook):
    notebook.cells[1].metadata.tags = []


def fill_in_an_answer(notebook):
    notebook.cells[1].source = "answer1 = 1"


def drop_a_check(notebook):
    notebook.cells[2].source = "pass"


def untag_a_solution(notebook):
    notebook.cells[3].metadata.tags = []


def drop_the_text(notebook):
    notebook.cells[0].outputs[0].data["text/plain"] = "<Figure size 640x480 with 1 Axes>"


def ignore_two(notebook):
    notebook.cells[0].metadata.tags = ["nbval-ignore-output"]
    notebook.cells[2].source += "\n# NBVAL_SKIP"


def spoil_an_id(notebook):
    notebook.cells[1].id = "not a valid id, it has spaces"


def lower_the_format(notebook):
    notebook.nbformat_minor = 4
    for cell in notebook.cells:
        del cell["id"]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (drop_cell, "39 cells, not 40 to 70"),
        (skip_a_count, "cell 5 ('answer2 = ...'): execution count 9, not 5"),
        (forget_to_run, "cell 1 ('import ranktrees as rt'): execution count None, not 1"),
        (name_another_kernel, "metadata.kernelspec is not the plain python3"),
        (store_an_error, "stored error ValueError: no class"),
        (store_widgets, "metadata.widgets is stored"),
        (store_a_view, "a widget view is stored"),
        (untag_an_answer, '2 cells tagged "answer", fewer than 3'),
        (fill_in_an_answer, "an answer without `...` to fill in"),
        (drop_a_check, "an answer whose next cell is no rt.check"),
        (untag_a_solution, 'an answer without a cell tagged "solution"'),
        (drop_the_text, "a picture without a text alternative"),
        (ignore_two, "2 cells are left out of nbval's comparison, more than 1"),
        (spoil_an_id, "not a valid notebook"),
        (lower_the_format, "nbformat 4.4, not 4.5"),
    ],
)
def test_check_reports_each_broken_rule_once(good, spoil, message):
    spoil(good)
    problems = lessons.check(good)
    assert len(problems) == 1
    assert message in problems[0]


# The second edition


def folded(cell):
    cell.metadata["jupyter"] = {"source_hidden": True}
    return cell


@pytest.fixture
def second():
    """A notebook of 30 cells that keeps the rules of the second edition."""
    exercises = [cell for number in range(1, 5) for cell in exercise(number)]
    for cell in exercises[2::3]:
        folded(cell)
    by_hand = code("\n".join(f"x{i} = {i}" for i in range(20)), "by-hand")
    cells = [
        new_markdown_cell("# 05 AUC\n\n**Goals**\n\n- Count pairs.\n- Draw a curve."),
        code("import ranktrees as rt"),
        code('rt.quiz("05", "start")'),
        new_markdown_cell("## Pairs (20 min)\n\nText."),
        by_hand,
        folded(code("assert x1 == 1\nassert x2 == 2", "verify")),
        *exercises,
        *[new_markdown_cell(f"Paragraph {i}.") for i in range(8)],
        new_markdown_cell("## Curves (25 minutes)"),
        code('rt.quiz("05")'),
        new_markdown_cell("## Take-aways\n\n- One.\n\n## Where to read on\n\nThere."),
        new_markdown_cell("The end."),
    ]
    counted = [cell for cell in cells if cell.cell_type == "code"]
    for count, cell in enumerate(counted, start=1):
        cell.execution_count = count
    return new_notebook(cells=cells, metadata={"kernelspec": dict(METADATA["kernelspec"])})


def test_check_accepts_a_lesson_of_the_second_edition(second):
    assert len(second.cells) == 30
    assert lessons.check(second) == []


def add(index, text):
    return lambda notebook: setattr(
        notebook.cells[index], "source", f"{notebook.cells[index].source}{text}"
    )


def put(index, text):
    return lambda notebook: setattr(notebook.cells[index], "source", text)


def unfold(index):
    return lambda notebook: notebook.cells[index].metadata.pop("jupyter")


def untag(index):
    return lambda notebook: notebook.cells[index].metadata.update(tags=[])


def drop_two(notebook):
    del notebook.cells[20:22]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (drop_two, "28 cells, not 30 to 50"),
        (add(7, "\nassert True"), 'an assert outside of a cell tagged "verify"'),
        (add(7, "\nif True:\n    assert True"), 'an assert outside of a cell tagged "verify"'),
        (unfold(5), "cell 6 ('assert x1 == 1'): not folded"),
        (unfold(8), "cell 9 ('answer1 = 1'): not folded"),
        (untag(6), '3 cells tagged "answer", fewer than 4'),
        (add(3, "\n\n## More"), 'section "More" does not say its minutes'),
        (add(3, "\n\n## More (1 min)"), "the sections take 46 minutes together, not 1 to 45"),
        (put(0, "# 05 AUC\n\nGoals: many."), "no list of goals"),
        (put(2, 'rt.quiz("05")'), 'no rt.quiz("NN", "start") in the first cells'),
        (put(27, 'rt.quiz("05", "start")'), 'no rt.quiz("NN") in the last cells'),
        (put(27, 'rt.quiz("06")'), "quizzes of several lessons: 05, 06"),
        (put(28, "## Where to read on"), 'no "Take-aways" in the last cells'),
        (put(28, "## Take-aways"), 'no "Where to read on" in the last cells'),
        (add(1, "\nx = 1" * 12), "cell 2 ('import ranktrees as rt'): 13 lines, more than 12"),
        (add(4, "\nx = 1"), "21 lines, more than 20"),
        (add(8, "\nx = 1" * 20), "21 lines, more than 20"),
    ],
)
def test_check_reports_each_broken_rule_of_the_second_edition(second, spoil, message):
    spoil(second)
    (problem,) = lessons.check(second)
    assert message in problem


def test_check_wants_a_method_by_hand(second):
    second.cells[4] = code("x1, x2 = 1, 2", execution_count=3)
    (problem,) = lessons.check(second)
    assert 'no cell tagged "by-hand"' in problem


def test_the_first_edition_needs_none_of_this(good):
    assert not any("quiz" in cell.source for cell in good.cells)
    good.cells[0].source += "\nassert True" + "\nx = 1" * 30
    assert lessons.check(good) == []


def test_a_copy_of_the_second_edition_has_no_solution(second):
    copy = student_copy(second)
    assert len(copy["cells"]) == 30 - 4
    kept = [cell for cell in copy["cells"] if "verify" in tags(cell)]
    assert [cell["metadata"]["jupyter"] for cell in kept] == [{"source_hidden": True}]


def test_check_reports_an_answer_at_the_very_end(good):
    good.cells.append(code("last = ...", "answer", execution_count=11))
    assert len(lessons.check(good)) == 2


def test_strip_keeps_pictures_and_counts_and_drops_the_rest(good):
    store_a_view(good)
    good.metadata.update(KERNELS_OWN)
    good.cells[0].metadata["execution"] = {"iopub.status.busy": "2026-01-01"}
    stripped = lessons.strip(good)
    assert set(stripped.cells[0].outputs[0].data) == {"image/png", "text/plain"}
    assert stripped.cells[0].execution_count == 1
    assert "execution" not in stripped.cells[0].metadata
    assert stripped.metadata == METADATA


def test_run_executes_in_the_notebooks_folder_and_keeps_sources(tmp_path):
    path = tmp_path / "lesson.ipynb"
    (tmp_path / "beside.txt").write_text("beside", encoding="utf-8")
    source = ["open('beside.txt').read()", "import sys", "print(sys.executable)"]
    lessons.write(new_notebook(cells=[code(text) for text in source]), path)
    lessons.run(path)
    notebook = lessons.read(path)
    assert [cell.source for cell in notebook.cells] == source
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3]
    assert notebook.cells[0].outputs[0].data["text/plain"] == "'beside'"
    assert notebook.cells[2].outputs[0].text.strip() == sys.executable
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert all("execution" not in cell.metadata for cell in notebook.cells)


def test_run_twice_writes_the_same_bytes(tmp_path):
    path = tmp_path / "lesson.ipynb"
    cells = [code("from ipywidgets import IntSlider"), code("IntSlider(3)"), code("'é'")]
    lessons.write(new_notebook(cells=cells), path)
    lessons.run(path)
    first = path.read_bytes()
    lessons.run(path)
    assert path.read_bytes() == first
    assert lessons.WIDGET_VIEW.encode() not in first
    assert "é".encode() in first
    assert b"\r" not in first


def test_run_stops_at_an_error_and_leaves_the_file(tmp_path):
    path = tmp_path / "lesson.ipynb"
    lessons.write(new_notebook(cells=[code("1 / 0")]), path)
    before = path.read_bytes()
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        lessons.run(path)
    assert path.read_bytes() == before


def test_command_line_checks_and_strips(tmp_path, good, capsys):
    path = tmp_path / "lesson.ipynb"
    lessons.write(good, path)
    assert lessons.main(["check", str(path)]) == 0
    store_widgets(good)
    drop_cell(good)
    lessons.write(good, path)
    capsys.readouterr()
    assert lessons.main(["check", str(path)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert lessons.main(["strip", str(path)]) == 0
    assert "widgets" not in lessons.read(path).metadata


def test_command_line_says_when_there_is_nothing_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"no notebooks/\*\.ipynb here"):
        lessons.main(["check"])
    (tmp_path / "broken.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"broken\.ipynb: not readable"):
        lessons.main(["check", "broken.ipynb"])


def test_there_are_lessons():
    assert LESSONS, f"no lesson in {FOLDER.name}/"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_keeps_the_rules(path):
    notebook = lessons.read(path)
    assert lessons.check(notebook) == []
    quizzes = [lessons.QUIZ.findall(cell.source) for cell in lessons.code_cells(notebook)]
    assert {lesson for found in quizzes for lesson, _ in found} <= {path.stem[:2]}
