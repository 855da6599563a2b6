"""Decks of slides: what goes on a slide, what is refused; in Chromium, that all of it has room."""

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import lessons, pages, slides

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
TAUGHT = [p for p in sorted(NOTEBOOKS.glob("*.ipynb")) if lessons.is_taught(lessons.read(p))]
HERE = Path("07_small.ipynb")


def cell(source, *tags, kind=None, outputs=()):
    """A cell of code, or of text where it begins with one of # * or a capital letter."""
    metadata = {"tags": list(tags)} | ({"slideshow": {"slide_type": kind}} if kind else {})
    if source[0].isupper() or source[0] in "#*":
        return new_markdown_cell(source, metadata=metadata)
    return new_code_cell(source, metadata=metadata, outputs=list(outputs))


def deck(*cells, notes=None):
    return slides.deck(HERE, new_notebook(cells=list(cells)), notes or {})


def test_headings_and_tags_begin_slides():
    made = deck(
        cell("# 07 · A title\n\nGoals.", kind="slide"),
        cell("Text above.\n\n## One (4 min)\n\nWords.\n\n## Two (3 min)\n\nMore words."),
        cell("Another idea.", kind="slide"),
        cell("Left out.", kind="skip"),
        cell("### Exercise 1: try\n\nDo it."),
        cell("answer = ...", "answer"),
        cell("Only with time.", "more", kind="slide"),
        cell("Steps in.", kind="fragment"),
    )
    titles = ["07 · A title", "One", "Two", "Two", "Two", "Two"]
    assert [slide.section for slide in made] == titles
    assert [slide.more for slide in made] == [False, False, False, False, True, True]
    words = ["".join(slide.words) for slide in made]
    assert "Text above." in words[0]
    assert "min)" not in words[1]
    assert "Words." in words[1]
    assert "More words." not in words[1]
    assert not any("Left out" in text or "answer" in text for text in words)
    assert '<div class="fragment"><p>Steps in.</p>' in words[-1]


def test_code_stands_open_where_it_is_short_or_developed():
    long = "\n".join(f"x{i} = {i}" for i in range(9))
    made = deck(cell(long, kind="slide"), cell(long, "by-hand", kind="slide"), cell("x = 1"))
    assert made[0].folded[0].startswith("<details><summary>9 lines of code</summary>")
    assert len(made[1].words) == 2
    assert not made[1].folded


def test_pictures_stand_beside_words_and_explorers_step():
    picture = {"image/png": "QUJD", "text/plain": "A curve <rises>"}
    shots = [{"src": f"data:image/png;base64,{i}", "alt": f"alt {i}"} for i in range(3)]
    control = {"label": "depth", "texts": ["1", "2", "3"], "pictures": shots, "kind": "range"}
    other = {"label": "set", "texts": ["a", "b"], "pictures": shots[:2], "kind": "select"}
    states = {pages.STATES: {"controls": [other, control], "picture": shots[1]}, **picture}
    made = deck(
        cell("rt.plot.x()", kind="slide", outputs=[new_output("display_data", picture)]),
        cell("rt.explore.x()", kind="slide", outputs=[new_output("display_data", states)]),
        cell("print(1)", kind="slide", outputs=[new_output("stream", text="<b>1")]),
    )
    assert not made[0].words
    assert made[0].folded[0].startswith("<details><summary>the code</summary>")
    assert made[0].figures == [
        '<figure ><img src="data:image/png;base64,QUJD" alt="A curve &lt;rises&gt;"></figure>'
    ]
    stack = made[1].figures[0]
    assert [stack.count(f'data-fragment-index="{i}"') for i in range(3)] == [2, 1, 0]
    assert stack.count("current-visible") == 2
    assert "<figcaption>depth: 3</figcaption>" in stack
    assert made[2].words[-1] == '<pre class="output">&lt;b&gt;1</pre>'


def test_code_that_is_read_and_its_picture_have_a_slide_each():
    picture = new_output("display_data", {"image/png": "QUJD", "text/plain": "A curve"})
    made = deck(cell("x = 1", "by-hand", "more", kind="slide", outputs=[picture]))
    assert [(len(s.words), len(s.figures), s.more) for s in made] == [(1, 0, True), (0, 1, True)]


def test_links_lead_to_other_decks():
    (made,) = deck(cell("# T\n\nSee [lesson 08](08_c44.ipynb).", kind="slide"))
    assert 'href="08_c44.html"' in made.words[0]


def test_each_question_has_a_slide_and_its_answer_comes_later():
    items = [{"question": f"<p>Q{i}</p>", "answer": f"<p>A{i}</p>"} for i in range(3)]
    data = {pages.ANSWERS: {"items": items}, "text/html": "stored"}
    asked = [new_output("display_data", data)]
    made = deck(
        cell("# T", kind="slide"),
        cell("## What do you remember? (2 min)"),
        cell('rt.quiz("07", "start")', outputs=asked),
        cell('rt.quiz("07")', outputs=asked),
        cell("rt.guess(1)", outputs=[new_output("display_data", data)]),
    )
    heads = ["<h2>What do you remember?</h2>"] * 3 + ["<h2>What have you learnt?</h2>"] * 3
    assert [slide.words[0] for slide in made[1:]] == heads
    assert made[1].section == "What do you remember?"
    assert made[1].words[1] == '<p>Q0</p><div class="fragment answer"><p>A0</p></div>'
    assert len(made[-1].words) == 2 + 3
    assert not any("stored" in part for slide in made for part in slide.words)


def test_what_gives_a_guess_away_is_the_next_step():
    curve = {"image/png": "QUJD", "text/plain": "A curve"}
    shown = [curve, {"text/plain": "seven"}]
    item = {"question": "<p>Q</p>", "answer": "<p>A</p>", "shown": shown}
    asked = [new_output("display_data", {pages.ANSWERS: {"items": [item]}})]
    made = deck(cell('rt.guess("05.pairs")', "more", kind="slide", outputs=asked))
    assert [(len(slide.words), len(slide.figures)) for slide in made] == [(1, 0), (1, 1)]
    assert "A curve" in made[1].figures[0]
    assert "seven" in made[1].words[0]
    assert all(slide.more for slide in made)


def test_a_lesson_without_slide_tags_is_named(tmp_path, capsys):
    path = tmp_path / "07_untagged.ipynb"
    lessons.write(new_notebook(cells=[cell("# T"), cell("x = 1")]), path)
    assert slides.main([str(path), "--to", str(tmp_path / "to")]) == 2
    assert "07_untagged.ipynb: tag the cells that begin a slide" in capsys.readouterr().err
    assert not (tmp_path / "to").exists()


def test_notes_stand_at_their_section_and_nowhere_else():
    cells = cell("# T", kind="slide"), cell("## One (4 min)\n\nA."), cell("Words.", kind="slide")
    made = deck(*cells, notes={"One": "<p>Slowly.</p>"})
    assert [slide.notes for slide in made] == ["", "<p>Slowly.</p>", ""]
    with pytest.raises(
        slides.SlidesError, match=r"07_small.ipynb has no section 'Two', but a note"
    ):
        deck(*cells, notes={"Two": "x"})


@pytest.mark.parametrize("path", TAUGHT, ids=lambda path: path.stem)
def test_every_section_that_takes_time_has_a_note(path):
    found = lessons.sections(lessons.read(path))
    timed = {lessons.MINUTES.sub("", name).strip() for name, minutes in found.items() if minutes}
    assert slides.read_notes(path.stem[:2]).keys() == timed
