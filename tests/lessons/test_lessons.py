"""The notebook tool on small notebooks, and the rules of form on the lessons themselves."""

import base64
import sys
from pathlib import Path

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ranktrees_lab.student import METADATA, tags
from tools import lessons, quizzes, texts

FOLDER = Path(__file__).parents[2] / "notebooks"
LESSONS = sorted(FOLDER.glob("*.ipynb"))
PIXEL = base64.b64encode(b"a picture").decode()


def code(source, *tags, **fields):
    return new_code_cell(source, metadata={"tags": list(tags)} if tags else {}, **fields)


def exercise(number):
    return [
        code(f"answer{number} = ...", "answer"),
        code(f"rt.check.answer(answer{number})", "check"),
        code(f"answer{number} = {number}", "solution"),
    ]


def picture(**data):
    return new_output("display_data", data={"image/png": PIXEL, **data})


def folded(cell):
    cell.metadata["jupyter"] = {"source_hidden": True}
    return cell


def more(text):
    return new_markdown_cell(text, metadata={"tags": ["more"]})


@pytest.fixture
def good():
    """A notebook of 20 cells that keeps all rules."""
    exercises = [cell for number in (1, 2) for cell in exercise(number)]
    for cell in exercises[2::3]:
        folded(cell)
    exercises[1].source = 'rt.check.challenge("05.pairs", answer1)'
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
        folded(code("assert x1 == 1\nassert x2 == 2", "verify")),
        *exercises,
        *[new_markdown_cell(f"Paragraph {i}.") for i in range(3)],
        new_markdown_cell("## Curves (25 minutes)"),
        code('rt.quiz("05")'),
        new_markdown_cell("## Take-aways\n\n- One."),
        more("## Further reading\n\nMore."),
        more("**Where to read on**\n\nThere."),
    ]
    counted = [cell for cell in cells if cell.cell_type == "code"]
    for count, cell in enumerate(counted, start=1):
        cell.execution_count = count
    return new_notebook(cells=cells, metadata={"kernelspec": dict(METADATA["kernelspec"])})


def test_check_accepts_a_notebook_in_order(good):
    assert len(good.cells) == 20
    assert lessons.check(good) == []
    good.cells[1].outputs = [picture(**{"text/html": '<img src="x.png" alt="A tree of 3 leaves">'})]
    assert lessons.check(good) == [], "a picture may have its text in HTML"


def test_the_playground_is_a_short_page_without_exercises(good):
    good.cells = [good.cells[1], new_markdown_cell("Words.")]
    good.cells[0].source = "rt.playground()"
    assert lessons.check(good) == ["2 cells, not 5 to 8"]
    good.cells += [new_markdown_cell(f"Paragraph {i}.") for i in range(3)]
    assert lessons.check(good) == []
    good.cells[0].source = "rt.plot.tree()"
    assert len(lessons.check(good)) > 2


def put(index, **fields):
    """Give a cell other fields."""
    return lambda notebook: notebook.cells[index].update(fields)


def add(index, text):
    return lambda notebook: put(index, source=notebook.cells[index].source + text)(notebook)


def swap(old, new):
    """Replace words of the first cell."""
    return lambda notebook: put(0, source=notebook.cells[0].source.replace(old, new))(notebook)


def unfold(index):
    return lambda notebook: notebook.cells[index].metadata.pop("jupyter")


def retag(index, *tags):
    return lambda notebook: notebook.cells[index].metadata.update(tags=[*tags])


def store(**data):
    return lambda notebook: notebook.cells[1].outputs[0].data.update(data)


def store_an_error(notebook):
    error = new_output("error", ename="ValueError", evalue="no class", traceback=[])
    notebook.cells[1].outputs.append(error)


def lower_the_format(notebook):
    notebook.nbformat_minor = 4
    for cell in notebook.cells:
        del cell["id"]


def do_nothing_by_hand(notebook):
    notebook.cells[4] = code("x1, x2 = 1, 2", execution_count=3)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda notebook: notebook.cells.pop(13), "19 cells, not 20 to 50"),
        (put(9, execution_count=99), "cell 10 ('answer2 = ...'): execution count 99, not 8"),
        (
            lambda notebook: notebook.metadata.kernelspec.update(name="conda-env-py"),
            "metadata.kernelspec is not the plain python3",
        ),
        (store_an_error, "stored error ValueError: no class"),
        (
            lambda notebook: notebook.metadata.update(widgets={}),
            "metadata.widgets is stored",
        ),
        (store(**{lessons.WIDGET_VIEW: {"model_id": "1"}}), "a widget view is stored"),
        (retag(9), '1 cells tagged "answer", fewer than 2'),
        (put(9, source="answer2 = 2"), "an answer without `...` to fill in"),
        (put(10, source="pass"), "an answer whose next cell is no rt.check"),
        (retag(11), 'an answer without a cell tagged "solution"'),
        (store(**{"text/plain": "<Figure size 640x480>"}), "a picture without a text alternative"),
        (retag(1, "nbval-ignore-output"), "('import ranktrees as rt'): left out of nbval's"),
        (add(7, "\n# NBVAL_SKIP"), "left out of nbval's comparison"),
        (put(1, id="not a valid id, it has spaces"), "not a valid notebook"),
        (lower_the_format, "nbformat 4.4, not 4.5"),
        (add(7, "\nif True:\n    assert True"), 'an assert outside of a cell tagged "verify"'),
        (unfold(5), "cell 6 ('assert x1 == 1'): not folded"),
        (unfold(8), "cell 9 ('answer1 = 1'): not folded"),
        (add(3, "\n\n## More"), 'section "More" does not say its minutes'),
        (add(3, "\n\n## More (1 min)"), "take 46 minutes, **Time:** is 45"),
        (swap("45 minutes", "45 minutes, 6 of them for both quizzes"), "take 51 minutes"),
        (swap("**Time:** 45 minutes.", ""), "take 45 minutes, **Time:** is 0"),
        (swap("- Count pairs.\n", ""), "no list of goals"),
        (swap("**Core lesson.**", "A core lesson."), 'no line "**Core lesson.**" or'),
        (put(2, source='rt.quiz("05")'), 'no rt.quiz("NN", "start") in the first cells'),
        (put(16, source='rt.quiz("05", "start")'), 'no rt.quiz("NN") in the last cells'),
        (put(16, source='rt.quiz("06")'), "quizzes of several lessons: 05, 06"),
        (put(17, source="## Where to read on"), 'no "Take-aways" in the last cells'),
        (put(19, source="## Take-aways"), 'no "Where to read on" in the last cells'),
        (add(1, "\nx = 1" * 8), "cell 2 ('import ranktrees as rt'): 9 lines, more than 8"),
        (add(4, "\nx = 1"), "13 lines, more than 12"),
        (add(8, "\nx = 1" * 12), "13 lines, more than 12"),
        (add(3, "\n\nThe order hangs on the\nscores."), '"hangs on": say depends on'),
        (add(3, " word" * 3600), "minutes, more than 45"),
        (put(7, source="rt.check.answer(answer1)"), "not one exercise"),
        (put(10, source='rt.check.challenge("05.curve", answer2)'), "not one exercise"),
        (put(18, source="More."), "the optional block does not begin with '## Further reading'"),
        (retag(19), 'cells tagged "more" are not one block at the end'),
        (do_nothing_by_hand, 'no cell tagged "by-hand"'),
        (put(5, source="x1 == 1", metadata=from_dict({})), 'no cell tagged "verify"'),
    ],
)
def test_check_reports_each_broken_rule_once(good, spoil, message):
    spoil(good)
    (problem,) = lessons.check(good)
    assert message in problem


def test_minutes_are_those_of_words_code_and_what_is_done():
    printed = new_output("stream", text="def f():\n    return 1\n")
    parts = [
        (new_markdown_cell("word " * 260), 2),
        (code("x = 1\n\n" * 10), 1),
        (code("x = 1\n" * 10, "answer"), 5),
        (code("x = 1\n" * 10, "verify"), 0),
        (code("print(getsource(f))", outputs=[printed]), 0.3),
        (code("plot", outputs=[picture(), picture()]), 1.1),
        (code("rt.explore.growing(data)"), 1.1),
        (code('rt.guess("05.pairs", reveal=plot)', outputs=[picture()]), 1.6),
        (code('rt.sealed.submit(model, "name")'), 2.1),
    ]
    for cell, takes in parts:
        assert lessons.lasts(new_notebook(cells=[cell])) == pytest.approx(6 + takes), cell.source
    everything = new_notebook(cells=[cell for cell, _ in parts])
    assert lessons.lasts(everything) == pytest.approx(6 + sum(takes for _, takes in parts))
    for cell in everything.cells:
        cell.metadata["tags"] = [*tags(cell), "more"]
    assert lessons.lasts(everything) == 6


REFUSED = """One could foresee it.
It hangs only on ties.
C4.5 reckons with more.
Both columns are nearly met.
A miss is dearer.
**Whoever prunes** gains.
The tree's word is kept.
Both words are kept.
The leaf speaks.
It mends ties.
It saves not one error.
So. Who prunes loses.
**So.** Who prunes loses
1. Who prunes loses.
Not the number decides."""


def test_what_nobody_says_aloud_is_refused_and_what_is_said_aloud_is_not():
    for text in REFUSED.splitlines():
        assert len(set(map(str, texts.phrases(text)))) == 1, text
    good = (
        "Who prunes? A reader who prunes, `foresees`, and meets $dear$ words: two words, in a word."
        "\nThose who prune lose ties. The recommendation is not the point.\n\n"
        "```\nThe tree's word hangs on it.\n```\n[here](dear.md)"
    )
    assert texts.phrases(good) == []


def test_a_phrase_in_a_file_of_questions_is_named_with_its_line(tmp_path):
    path = tmp_path / "05.toml"
    path.write_text('# dear\n[guess.dear]\ntext = "Is it \\"dear\\"?"\n', encoding="utf-8")
    assert texts.of_page(path) == ['line 3: "dear": say costly']


@pytest.mark.parametrize(("name", "right"), [("longest", "xxx"), ("shortest", "x")])
def test_right_choices_stand_out_by_length_in_a_third_of_all_questions_at_most(
    name, right, tmp_path
):
    def row(right, wrong):
        both = f'{{right = "{right}", why = "a"}}, {{wrong = "{wrong}", why = "b"}}'
        return f'text = "?"\nchoices = [{both}, {{wrong = "cc", why = "d"}}]\n'

    odd, equal = row(right, "yy"), row("xx", "yy")
    path = tmp_path / "05.toml"
    path.write_text(f"[[start]]\n{odd}[[end]]\n{equal}[[end]]\n{equal}", encoding="utf-8")
    assert quizzes.lengths(tmp_path) == []
    guess = f'[guess.a]\ntext = "?"\nanswer = "{right}"\nchoices = ["{right}", "xx"]\n'
    path.write_text(path.read_text() + guess, encoding="utf-8")
    assert quizzes.lengths(tmp_path) == [
        f"the right choice is the {name} in 2 of 4 questions, over 1/3 (05: 2)"
    ]


def test_quizzes_that_no_section_has_count(good):
    swap("45 minutes.", "45 minutes, 6 of them for both quizzes.")(good)
    good.cells[3].source = good.cells[3].source.replace("(20 min)", "(14 min)")
    assert lessons.check(good) == []
    assert lessons.minutes(good) == (45, 6)
    swap("45 minutes", "46 minutes")(good)
    good.cells[3].source = "## Pairs (15 min)"
    (problem,) = lessons.check(good)
    assert "at most 45" in problem


def test_check_reports_an_answer_at_the_very_end(good):
    good.cells.append(code("last = ...", "answer", "more", execution_count=12))
    assert len(lessons.check(good)) == 2


def test_strip_keeps_pictures_and_counts_and_drops_the_rest(good):
    view, cell = {lessons.WIDGET_VIEW: {"model_id": "1"}}, good.cells[1]
    store(**view)(good)
    cell.outputs = [
        new_output("display_data", view),
        *cell.outputs,
        new_output("stream", name="stdout", text="stays"),
    ]
    good.metadata.update({"widgets": {"state": {}}, "language_info": {"version": "3"}})
    cell.metadata["execution"] = {"iopub.status.busy": "2026-01-01"}
    stripped = lessons.strip(good)
    shown, stream = stripped.cells[1].outputs
    assert (set(shown.data), stream.text) == ({"image/png", "text/plain"}, "stays")
    assert stripped.cells[1].execution_count == 1
    assert "execution" not in stripped.cells[1].metadata
    assert stripped.metadata == METADATA


def test_run_executes_in_the_notebooks_folder_and_twice_writes_the_same_bytes(tmp_path):
    path = tmp_path / "lesson.ipynb"
    (tmp_path / "beside.txt").write_text("é", encoding="utf-8")
    read = "open('beside.txt', encoding='utf-8').read()"
    source = [read, "import sys; print(sys.executable)", "from ipywidgets import IntSlider"]
    source.append("IntSlider(3)")
    lessons.write(new_notebook(cells=[code(text) for text in source]), path)
    lessons.run(path)
    notebook, first = lessons.read(path), path.read_bytes()
    assert [cell.source for cell in notebook.cells] == source
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3, 4]
    assert notebook.cells[0].outputs[0].data["text/plain"] == "'é'"
    assert notebook.cells[1].outputs[0].text.strip() == sys.executable
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    assert "é".encode() in first
    assert b"\r" not in first
    assert lessons.WIDGET_VIEW.encode() not in first
    lessons.run(path)
    assert path.read_bytes() == first


def test_a_name_of_a_cell_that_has_not_run_is_said_to_be_made_above(tmp_path):
    """Where the cell asks for it, or what it defines; elsewhere the error is not the reader's."""
    elsewhere = (
        "import types\nm = types.ModuleType('m')\nexec('def f(): return x', m.__dict__)\nm.f()"
    )
    sources = ["payers", "import ranktrees", "payers", "def f():\n    return y\nf()", elsewhere]
    notebook = new_notebook(cells=[code(text) for text in [*sources, "1 / 0"]])
    for cell in notebook.cells:
        cell.metadata["tags"] = ["raises-exception"]
    before, _, *outputs = (cell.outputs for cell in lessons.execute(notebook, tmp_path).cells)
    errors = ["".join(output.traceback) for (output,) in [before, *outputs]]
    hint = "If a cell above makes `{}`, run that first: in the menu choose Run > Run All Above"
    names = "payers", "payers", "y", "x", "1"
    found = [hint.format(name) in error for name, error in zip(names, errors, strict=True)]
    assert found == [False, True, True, False, False]


def test_run_stops_at_an_error_and_leaves_the_file(tmp_path):
    path = tmp_path / "lesson.ipynb"
    lessons.write(new_notebook(cells=[code("1 / 0")]), path)
    before = path.read_bytes()
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        lessons.run(path)
    assert path.read_bytes() == before


def test_command_line_checks_and_says_when_there_is_nothing_to_do(
    tmp_path, good, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"no notebooks/\*\.ipynb here"):
        lessons.main(["check"])
    path = tmp_path / "lesson.ipynb"
    lessons.write(good, path)
    assert lessons.main(["check", str(path)]) == 0
    good.metadata["widgets"] = {}
    good.cells.pop(13)
    lessons.write(good, path)
    capsys.readouterr()
    assert lessons.main(["check", str(path)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2
    path.write_text("{", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"lesson\.ipynb: not readable"):
        lessons.main(["check", str(path)])


def test_the_choices_of_the_course_give_nothing_away_by_their_length():
    assert quizzes.lengths() == []


def test_command_line_checks_the_whole_course_where_no_lesson_is_named(monkeypatch, capsys):
    monkeypatch.chdir(FOLDER.parent)
    monkeypatch.setattr(lessons, "find_lessons", lambda names: [])
    monkeypatch.setattr(texts, "of_course", lambda root: [f"{root}: dear"] * root.exists())
    assert lessons.main(["check"]) == 1
    assert capsys.readouterr().out == ".: dear\n"
    assert lessons.main(["check", "notebooks/00_ranking.ipynb"]) == 0


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_keeps_the_rules(path):
    notebook = lessons.read(path)
    assert lessons.check(notebook) == []
    quizzes = [lessons.QUIZ.findall(cell.source) for cell in lessons.code_cells(notebook)]
    assert {lesson for found in quizzes for lesson, _ in found} <= {path.stem[:2]}
