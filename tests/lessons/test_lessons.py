"""The notebook tool on small notebooks, and the rules of form on the lessons themselves."""

import base64
import sys
from pathlib import Path

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ranktrees import plain
from ranktrees_lab import show
from ranktrees_lab.student import METADATA, tags
from tools import lessons, quizzes, texts
from tools.minutes import lasts

FOLDER = Path(__file__).parents[2] / "notebooks"
PIXEL = base64.b64encode(b"a picture").decode()
ERROR = new_output("error", ename="ValueError", evalue="no class", traceback=[])


def code(source, *tags, **fields):
    return new_code_cell(source, metadata={"tags": list(tags)} if tags else {}, **fields)


def picture(**data):
    return new_output("display_data", data={"image/png": PIXEL, **data})


@pytest.fixture
def good():
    """A notebook of 20 cells that keeps all rules."""
    by_hand = code("\n".join(f"x{i} = {i}" for i in range(12)), "by-hand")
    cells = [
        new_markdown_cell(
            "# 05 AUC\n\n**Core lesson.**\n\n**Goals**\n\n- Count pairs.\n- Draw a curve.\n\n"
            "**Time:** 45 minutes."
        ),
        code("import ranktrees as rt", outputs=[picture(**{"text/plain": "A tree."})]),
        code('rt.quiz("05", "start")'),
        new_markdown_cell("## Pairs (20 min)\n\nText."),
        by_hand,
        code("assert x1 == 1\nassert x2 == 2", "verify"),
        code("answer1 = ...", "answer"),
        code('rt.check.challenge("05.pairs", answer1)', "check"),
        code("answer1 = 1", "solution"),
        code("answer2 = ...", "answer"),
        code("rt.check.answer(answer2)", "check"),
        code("answer2 = 2", "solution"),
        *[new_markdown_cell(f"Paragraph {i}.") for i in range(3)],
        new_markdown_cell("## Curves (25 minutes)"),
        code('rt.quiz("05")'),
        new_markdown_cell("## Take-aways\n\n- One."),
        new_markdown_cell("## Further reading\n\nMore.", metadata={"tags": ["more"]}),
        new_markdown_cell("**Where to read on**\n\nThere.", metadata={"tags": ["more"]}),
    ]
    for count, cell in enumerate((c for c in cells if c.cell_type == "code"), start=1):
        cell.execution_count = count
        if tags(cell) & {"verify", "solution"}:
            cell.metadata["jupyter"] = {"source_hidden": True}
    return new_notebook(cells=cells, metadata={"kernelspec": dict(METADATA["kernelspec"])})


def test_check_accepts_what_is_in_order_and_a_short_playground(good):
    assert len(good.cells) == 20
    assert lessons.check(good) == []
    good.cells[1].outputs = [picture(**{"text/html": '<img src="x.png" alt="A tree of 3 leaves">'})]
    swap("45 minutes.", "45 minutes, 6 of them for both quizzes.")(good)
    good.cells[3].source = good.cells[3].source.replace("(20 min)", "(14 min)")
    assert lessons.check(good) == [], "a picture with its text in HTML, quizzes that count"
    assert lessons.minutes(good) == (45, 6)
    last = good.cells[-1]
    some = [new_markdown_cell(f"Further {i}.", metadata={"tags": ["more"]}) for i in range(4)]
    good.cells[-1:] = [*some, last]
    assert lessons.check(good) == [], "the quiz is near the end of what all read"
    good.cells = [good.cells[1], *[new_markdown_cell(f"Paragraph {i}.") for i in range(4)]]
    good.cells[0].source = "rt.playground()"
    assert lessons.check(good) == []
    good.cells.pop()
    assert lessons.check(good) == ["4 cells, not 5 to 8"]


def put(index, **fields):
    """Give a cell other fields."""
    return lambda notebook: notebook.cells[index].update(fields)


def add(index, text):
    return lambda notebook: put(index, source=notebook.cells[index].source + text)(notebook)


def swap(old, new):
    """Replace words of the first cell."""
    return lambda notebook: put(0, source=notebook.cells[0].source.replace(old, new))(notebook)


def retag(index, *tags):
    return lambda good: good.cells[index].metadata.update(tags=[*tags])


def store(**data):
    return lambda notebook: notebook.cells[1].outputs[0].data.update(data)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda good: good.cells.pop(13), "19 cells, not 20 to 50"),
        (put(9, execution_count=99), "cell 10 ('answer2 = ...'): execution count 99, not 8"),
        (lambda good: good.metadata.kernelspec.update(name="mine"), "is not the plain python3"),
        (put(1, outputs=[ERROR]), "stored error ValueError: no class"),
        (lambda good: good.metadata.update(widgets={}), "metadata.widgets is stored"),
        (store(**{lessons.WIDGET_VIEW: {"model_id": "1"}}), "a widget view is stored"),
        (retag(9), '1 cells tagged "answer", fewer than 2'),
        (put(9, source="answer2 = 2"), "an answer without `...` to fill in"),
        (put(10, source="pass"), "an answer whose next cell is no rt.check"),
        (retag(11), 'an answer without a cell tagged "solution"'),
        (store(**{"text/plain": "<Figure size 640x480>"}), "a picture without a text alternative"),
        (retag(1, "nbval-ignore-output"), "('import ranktrees as rt'): left out of nbval's"),
        (add(7, "\n# NBVAL_SKIP"), "left out of nbval's comparison"),
        (put(1, id="not a valid id, it has spaces"), "not a valid notebook"),
        (lambda good: good.update(nbformat_minor=6), "nbformat 4.6, not 4.5"),
        (add(7, "\nif True:\n    assert True"), 'an assert outside of a cell tagged "verify"'),
        (
            lambda good: good.cells[5].metadata.pop("jupyter"),
            "cell 6 ('assert x1 == 1'): not folded",
        ),
        (add(3, "\n\n## More"), 'section "More" does not say its minutes'),
        (add(3, "\n\n## More (1 min)"), "take 46 minutes, **Time:** is 45"),
        (swap("45 minutes", "46 minutes, 1 of them for both quizzes"), "at most 45"),
        (swap("- Count pairs.\n", ""), "no list of goals"),
        (swap("**Core lesson.**", "A core lesson."), 'no line "**Core lesson.**" or'),
        (put(2, source='rt.quiz("05")'), 'no rt.quiz("NN", "start") in the first cells'),
        (put(16, source='rt.quiz("05", "start")'), 'no rt.quiz("NN") in the last cells'),
        (put(16, source='rt.quiz("06")'), "quizzes of several lessons: 05, 06"),
        (put(17, source="## Where to read on"), 'no "Take-aways" in the last cells'),
        (put(19, source="## Take-aways"), 'no "Where to read on" in the last cells'),
        (add(1, "\nx = 1" * 8), "cell 2 ('import ranktrees as rt'): 9 lines, more than 8"),
        (add(4, "\nx = 1"), "13 lines, more than 12"),
        (add(3, "\n\nThe order hangs on the\nscores."), '"hangs on": say depends on'),
        (add(3, " word" * 3600), "minutes, more than 45"),
        (put(7, source="rt.check.answer(answer1)"), "not one exercise"),
        (put(10, source='rt.check.challenge("05.curve", answer2)'), "not one exercise"),
        (put(18, source="More."), "the optional block does not begin with '## Further reading'"),
        (retag(19), 'cells tagged "more" are not one block at the end'),
        (put(4, source="x1 = 1", metadata=from_dict({})), 'no cell tagged "by-hand"'),
        (put(5, source="x1 == 1", metadata=from_dict({})), 'no cell tagged "verify"'),
    ],
)
def test_check_reports_each_broken_rule_once(good, spoil, message):
    spoil(good)
    (problem,) = lessons.check(good)
    assert message in problem


def test_minutes_are_those_of_words_code_and_what_is_done():
    shown = show.Source(plain.shrinkage.smoothed)
    data = {"text/plain": repr(shown), "text/html": shown._repr_html_()}
    shown = new_output("display_data", data=data)
    revealed = new_output("display_data", data={"text/html": '<details><img alt="a"></details>'})
    parts = [
        (new_markdown_cell("word " * 260), 2),
        (code("x = 1\n\n" * 10), 1),
        (code("x = 1\n" * 10, "answer"), 5),
        (code("x = 1\n" * 10, "verify"), 0),
        (code("rt.show(f)", outputs=[shown]), 0.4),
        (code("plot", outputs=[picture(), picture()]), 1.1),
        (code("rt.explore.growing(data)"), 1.1),
        (code('rt.guess("05.pairs")'), 1.6),
        (code('rt.guess("05.pairs", reveal=plot)', outputs=[revealed]), 2.6),
        (code('rt.sealed.submit(model, "name")'), 2.1),
    ]
    for cell, takes in parts:
        assert lasts(new_notebook(cells=[cell])) == pytest.approx(6 + takes), cell.source
        cell.metadata["tags"] = [*tags(cell), "more"]
    assert lasts(new_notebook(cells=[cell for cell, _ in parts])) == 6


def test_what_reads_as_translated_is_refused_in_texts_and_not_in_code(tmp_path):
    for text in "It hangs only on ties.", "**It is\nno case** of it.", "1. Fit it anew.":
        assert len(set(map(str, texts.phrases(text)))) == 1, text
    good = (
        "A reader who prunes, `hangs on`, and draws $anew$ words: a case is no more than a row.\n\n"
        "```\nThe tree hangs on it.\n```\n[here](anew.md)"
    )
    assert texts.phrases(good) == []
    path = tmp_path / "05.toml"
    path.write_text('# anew\n[guess.anew]\ntext = "Is it \\"anew\\"?"\n', encoding="utf-8")
    assert texts.of_page(path) == ['line 3: "anew": say again, or new']


@pytest.mark.parametrize(("name", "right"), [("longest", "xxx"), ("shortest", "x")])
def test_a_right_choice_that_stands_out_by_length_too_often_is_reported(name, right, tmp_path):
    choices = (
        '[{{right = "{}", why = "a"}}, {{wrong = "yy", why = "b"}}, {{wrong = "cc", why = "d"}}]'
    )
    row = f'[[{{}}]]\ntext = "?"\nchoices = {choices}\n'
    path = tmp_path / "05.toml"
    path.write_text(row.format("start", right) + 2 * row.format("end", "xx"), encoding="utf-8")
    assert quizzes.lengths(tmp_path) == []
    guess = f'[guess.a]\ntext = "?"\nanswer = "{right}"\nchoices = ["{right}", "xx"]\n'
    path.write_text(path.read_text() + guess, encoding="utf-8")
    assert quizzes.lengths(tmp_path) == [
        f"the right choice is the {name} in 2 of 4 questions, over 1/3 (05: 2)"
    ]


def test_strip_keeps_pictures_and_counts_and_drops_the_rest(good):
    view, cell = {lessons.WIDGET_VIEW: {"model_id": "1"}}, good.cells[1]
    store(**view)(good)
    cell.outputs.append(new_output("display_data", view))
    cell.metadata["execution"] = {"iopub.status.busy": "2026-01-01"}
    good.metadata.update({"widgets": {"state": {}}, "language_info": {"version": "3"}})
    assert lessons.strip(good).metadata == METADATA
    assert [set(output.data) for output in cell.outputs] == [{"image/png", "text/plain"}]
    assert (cell.execution_count, "execution" in cell.metadata) == (1, False)


def test_run_executes_in_the_notebooks_folder_and_twice_writes_the_same_bytes(tmp_path):
    path = tmp_path / "lesson.ipynb"
    (tmp_path / "beside.txt").write_text("é", encoding="utf-8")
    source = ["open('beside.txt', encoding='utf-8').read()", "import sys; print(sys.executable)"]
    source += ["from ipywidgets import IntSlider", "IntSlider(3)"]
    lessons.write(new_notebook(cells=[code(text) for text in source]), path)
    lessons.run(path)
    cells, first = lessons.read(path).cells, path.read_bytes()
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4]
    assert cells[0].outputs[0].data["text/plain"] == "'é'"
    assert cells[1].outputs[0].text.strip() == sys.executable
    assert "é".encode() in first
    assert b"\r" not in first
    assert lessons.WIDGET_VIEW.encode() not in first
    lessons.run(path)
    assert path.read_bytes() == first


def test_a_name_of_a_cell_that_has_not_run_is_said_to_be_made_above_and_an_error_stops(tmp_path):
    """Where the cell asks for it, or what it defines; elsewhere the error is not the reader's."""
    elsewhere = (
        "import types\nm = types.ModuleType('m')\nexec('def f(): return x', m.__dict__)\nm.f()"
    )
    sources = ["payers", "import ranktrees", "payers", "def f():\n    return y\nf()", elsewhere]
    cells = [code(text, "raises-exception") for text in sources]
    notebook = new_notebook(cells=[*cells, code("1 / 0")])
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        lessons.execute(notebook, tmp_path)
    before, _, *outputs = (cell.outputs for cell in notebook.cells)
    errors = ["".join(output.traceback) for (output,) in [before, *outputs]]
    hint = "If a cell above makes `{}`, run that first: in the menu choose Run > Run All Above"
    names = "payers", "payers", "y", "x", "1"
    found = [hint.format(name) in error for name, error in zip(names, errors, strict=True)]
    assert found == [False, True, True, False, False]


def test_the_command_line_names_what_is_wrong(tmp_path, good, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"no notebooks/\*\.ipynb here"):
        lessons.main(["check"])
    path = tmp_path / "lesson.ipynb"
    good.metadata["widgets"] = {}
    good.cells.append(code("last = ...", "answer", "more", execution_count=12))
    lessons.write(good, path)
    assert lessons.main(["check", str(path)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 3
    path.write_text("{", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"lesson\.ipynb: not readable"):
        lessons.main(["run", str(path)])


def test_the_course_keeps_the_rules_and_its_pages_are_read_as_well(monkeypatch, capsys):
    monkeypatch.chdir(FOLDER.parent)
    monkeypatch.setattr(texts, "of_course", lambda root: [f"{root}: dear"])
    assert lessons.main(["check"]) == 1
    assert capsys.readouterr().out == ".: dear\n"
    for path in FOLDER.glob("*.ipynb"):
        asked = [lessons.QUIZ.search(cell.source) for cell in lessons.read(path).cells]
        assert {quiz[1] for quiz in asked if quiz} <= {path.stem[:2]}
