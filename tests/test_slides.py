"""Decks of slides: what goes on a slide, what is refused; in Chromium, that all of it has room."""

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import ranktrees as rt
from ranktrees_lab.explore.states import page_of
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
        cell("Steps in.", "more", kind="fragment"),
        cell("For all again."),
    )
    assert [slide.section for slide in made] == ["07 · A title", "One", "Two", "Two", "Two"]
    assert [slide.more for slide in made] == [False, False, False, True, False]
    words = ["".join(slide.words) for slide in made]
    assert "Text above." in words[0]
    assert made[1].heading.startswith("<h2")
    assert "min)" not in made[1].heading
    assert words[1] == "<p>Words.</p>"
    assert 'More words.</p><p>Another idea.</p><div class="more"><h3' in words[2]
    assert not any("Left out" in text or "answer" in text for text in words)
    assert words[3] == '<p>Only with time.</p><div class="fragment"><p>Steps in.</p></div>'
    assert words[4] == "<p>For all again.</p>"


def test_long_text_is_split_and_a_marked_cell_begins_a_slide_where_enough_is_above():
    long = "It is long. " * 50
    (first, second, third, last) = deck(
        cell("# T\n\n" + "\n\n".join([long, long, long]), kind="slide"),
        cell("Another idea. " * 20, kind="slide"),
        cell("A third idea. " * 30, kind="slide"),
    )
    assert [len(slide.words) for slide in (first, second, third, last)] == [1, 2, 1, 1]


def test_a_short_exercise_stays_below_the_words_above_for_the_longer_cut_alone():
    (made,) = deck(cell("## One\n\n" + "Some words. " * 20), cell("### Exercise 1: try\n\nDo it."))
    assert not made.more
    assert [part.startswith('<div class="more">') for part in made.words] == [False, True, True]


def test_the_short_cut_has_at_most_thirty_slides_with_all_figures_and_beginnings():
    picture = new_output("display_data", {"image/png": "QUJD", "text/plain": "A curve"})
    cells = [cell("Words. " * 90, kind="slide") for _ in range(40)]
    for i in (5, 15, 25):
        cells[i] = cell("rt.plot.x()", outputs=[picture])
    made = deck(cell("## One\n\nWords."), *cells, cell("## Two\n\nWords."))
    short = [slide for slide in made if not slide.more]
    assert len(short) == 30 < len(made)
    assert sum(bool(slide.figures) for slide in short) == 3
    assert [slide.section for slide in short if slide.heading] == ["One", "Two"]


def test_code_stands_open_where_it_is_short_or_developed():
    long = "\n".join(f"x{i} = {i}" for i in range(9))
    (made,) = deck(cell(long, kind="slide"), cell(long, "by-hand", kind="slide"), cell("x = 1"))
    assert made.folded[0].startswith("<details><summary>9 lines of code</summary>")
    assert [part.count('class="fragment step"') for part in made.words] == [3, 0]


def test_long_code_is_split_between_statements_and_its_steps_stand_out():
    inner = "\n".join(f"    y = x + {i}" for i in range(12))
    made = pages.stepped_code(f"a = 1\nb = 2\n\n\ndef f(x):\n{inner}\n    return y")
    counts = [part.count("\n") for part in made]
    assert max(counts) <= 14
    assert sum(counts) == 16  # without the empty lines between statements
    assert [part.count('<span class="fragment step">') for part in made] == [0, 4]
    assert "return" in made[-1]
    assert pages.stepped_code("%time x")[0].count("step") == 0


def test_pictures_stand_beside_words_and_explorers_move():
    picture = {"image/png": "QUJD", "text/plain": "A curve <rises>"}
    states = {pages.STATES: rt.explore.lens().states(most=4), **picture}
    made = deck(
        cell("rt.plot.x()", kind="slide", outputs=[new_output("display_data", picture)]),
        cell("It rises.\n\n" + "So it does. " * 60),
        cell("rt.explore.x()", kind="slide", outputs=[new_output("display_data", states)]),
        cell("print(1)", kind="slide", outputs=[new_output("stream", text="<b>1")]),
    )
    assert made[0].words == ["<p>It rises.</p>"]  # what reads it, and no more
    assert "So it does." in made[1].words[0]
    assert made[0].folded[0].startswith("<details><summary>the code</summary>")
    assert made[0].figures == [
        '<figure><img src="data:image/png;base64,QUJD" alt="A curve &lt;rises&gt;"></figure>'
    ]
    (explorer,) = made[2].figures
    assert explorer == page_of(states[pages.STATES], script=False)
    assert explorer.count('type="range"') == 2
    assert made[2].words[-1] == '<pre class="output" style="--letters: 4">&lt;b&gt;1</pre>'


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
    assert [slide.section for slide in made] == (
        ["What do you remember?"] * 3
        + ["What have you learnt?"] * 3
        + ["What have you learnt?"] * 3
    )
    assert made[0].heading.startswith('<h2 id="What-do-you-remember')
    assert [slide.more for slide in made[:3]] == [False, False, True]
    assert made[0].words == ['<p>Q0</p><div class="fragment answer"><p>A0</p></div>']
    assert "<p>A0</p>" in made[0].notes
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


def test_a_lesson_without_slide_tags_has_slides_of_its_headings():
    made = deck(cell("# T\n\nGoals."), cell("## One\n\nWords."), cell("## Two\n\nMore words."))
    assert [slide.section for slide in made] == ["T", "One", "Two"]


def test_an_answer_folded_in_the_text_is_the_next_step():
    fold = "<details><summary>Answer</summary>Seven.</details>"
    (made,) = deck(cell(f"## One\n\nHow many?\n\n{fold}"))
    assert '<div class="fragment answer">Seven.</div>' in "".join(made.words)


def test_a_section_of_which_no_slide_is_made_may_have_a_note():
    left_out = cell("## Two (4 min)\n\nWords.", kind="skip")
    (made,) = deck(cell("## One\n\nWords."), left_out, notes={"Two": "<p>At home.</p>"})
    assert made.section == "One"


def test_every_slide_has_a_note_of_its_section_or_a_general_one():
    picture = new_output("display_data", {"image/png": "QUJD", "text/plain": "A curve"})
    cells = (
        cell("# T\n\nGoals.", kind="slide"),
        cell("## One (4 min)\n\nA."),
        cell("rt.plot.x()", outputs=[picture]),
        cell("## Take-aways\n\n" + "- B.\n" * 4),
        cell("### Exercise 1: try\n\n" + "Do it. " * 60),
    )
    made = deck(*cells, notes={"One": "<p>Slowly.</p>"})
    assert "a minute for each slide" in made[0].notes
    head = '<p><b>One</b>, 4 minutes<span class="place"></span>.</p><p>Slowly.</p>'
    assert made[1].notes == f'<div class="section">{head}</div><p>The picture: A curve</p>'
    assert "Two minutes." in made[2].notes
    assert "in pairs" in made[3].notes
    with pytest.raises(
        slides.SlidesError, match=r"07_small.ipynb has no section 'Two', but a note"
    ):
        deck(*cells, notes={"Two": "x"})


@pytest.mark.parametrize("path", TAUGHT, ids=lambda path: path.stem)
def test_every_section_that_takes_time_has_a_note(path):
    found = lessons.sections(lessons.read(path))
    timed = {lessons.MINUTES.sub("", name).strip() for name, minutes in found.items() if minutes}
    assert slides.read_notes(path.stem[:2]).keys() == timed
