"""Written decks: how a page of Markdown becomes slides, and what is refused."""

import pytest

import ranktrees as rt
from tools import pages, slides

SMALL = "# 95 · Small (2 min)\n\n## A claim\n\nWords.\n\nNote: a\n"


def deck(tmp_path, text):
    path = tmp_path / "95_small.md"
    path.write_text(text, encoding="utf-8")
    return slides.read_deck(path)


def one_slide(tmp_path, body, note="(2 min) Ask."):
    _, sections = deck(tmp_path, f"# 95 · Small\n\n## A claim\n\n{body}\n\nNote: {note}\n")
    return sections[0][2][0]


def test_sections_and_slides(tmp_path):
    text = "# 95 · Small\n\n## One\n\nNote: a\n\n# Next (7 min)\n\n## Two\n\nNote: **b**\n"
    title, ((first, none, (one,)), (second, minutes, (two,))) = deck(tmp_path, text)
    assert title == first == "95 · Small"
    assert (none, one.title, second, minutes, two.title) == (0, "One", "Next", 7, "Two")
    assert (two.words, two.steps, two.notes.strip()) == ("", [], "<p><strong>b</strong></p>")


def test_pictures_are_steps_with_the_size_of_their_letters(tmp_path, monkeypatch):
    monkeypatch.setattr(slides, "STATES", 4)
    slide = one_slide(
        tmp_path,
        "```setup\nimport ranktrees as rt\n```\n"
        "```picture\nrt.plot.impurity()\n```\n```picture\nrt.explore.lens()\n```",
    )
    picture, explorer = slide.steps
    assert picture.startswith('<figure data-points="9" data-inches="')
    assert f'alt="{rt.plot.impurity().alt}"' in picture
    assert "data:image/svg+xml" in picture
    assert 'data-points="9"' in explorer
    assert explorer.count('type="range"') == 2


def test_a_guess_is_answered_by_the_next_step_and_code_is_shown_and_not_run(tmp_path):
    words = one_slide(tmp_path, "```python\nprint(1/0)\n```\n```guess 03.neck\n```").words
    assert '<span class="nb">print</span>' in words
    asked, answer = words.split('<p class="answer fragment">')
    assert "<li>one in 5,000</li>" in asked
    assert "one in 5,000" in answer


@pytest.mark.parametrize(
    ("body", "note", "words"),
    [
        ("word " * 26, "Ask.", "'A claim' has 26 words below its title, more than 25"),
        ("```python\n" + "x = 1\n" * 7 + "```", "Ask.", "more than 6 lines of code: name the cell"),
        ("```picture\n1\n```", "Ask.", "ends in int, not a picture"),
        ("```picture\n1 / 0\n```", "Ask.", "'A claim': ZeroDivisionError: division by zero"),
        ("```poem\nx\n```", "Ask.", "a block of poem"),
        ("Words.", "", "'A claim' has no note: say minutes"),
    ],
)
def test_what_breaks_a_rule_is_named(tmp_path, body, note, words):
    with pytest.raises(slides.SlidesError, match=r"95_small\.md, ") as caught:
        one_slide(tmp_path, body, note)
    assert words in str(caught.value)


def test_a_refused_deck_leaves_the_old_ones(tmp_path, capsys):
    target = tmp_path / "decks"
    pages.make_room(target)
    (target / "old.html").touch()
    (tmp_path / "95_bad.md").write_text("Nothing.", encoding="utf-8")
    assert slides.main([str(tmp_path / "95_bad.md"), "--to", str(target)]) == 2
    assert "95_bad.md must begin with its title" in capsys.readouterr().err
    assert (target / "old.html").is_file()


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A small deck whose drawn page is kept in a folder of the test, and what it is made by."""
    monkeypatch.setattr(slides, "KEPT", tmp_path / "kept")
    tools = tmp_path / "tools"
    for name in slides.MADE_BY:
        (tools / name).parent.mkdir(parents=True, exist_ok=True)
        (tools / name).write_bytes((pages.ROOT / "tools" / name).read_bytes())
    monkeypatch.setattr(slides, "TOOLS", tools)
    path = tmp_path / "95_small.md"
    path.write_text(SMALL, encoding="utf-8")
    return path


def test_a_deck_is_drawn_once_until_what_it_is_made_of_changes(kept, monkeypatch, capsys):
    page = slides.deck_page(kept)
    assert capsys.readouterr().out.startswith("95_small: 2 slides in ")
    with monkeypatch.context() as patch:
        patch.setattr(slides, "read_deck", lambda path: pytest.fail("it is drawn already"))
        assert slides.deck_page(kept) == page
    assert capsys.readouterr().out == "95_small: as it was drawn before\n"
    drawn, read = [], slides.read_deck
    monkeypatch.setattr(slides, "read_deck", lambda path: drawn.append(path) or read(path))
    for number, file in enumerate([kept, *(slides.TOOLS / name for name in slides.MADE_BY)], 1):
        file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        slides.deck_page(kept)
        assert len(drawn) == number, file.name
    assert len(list(slides.KEPT.iterdir())) == 1, "the pages of before are gone"


def test_the_first_slide_has_number_name_and_minutes_and_each_its_place(kept):
    page = slides.deck_page(kept)
    opening, claim = page.split('<section class="slide')[1:]
    for text in ('<p class="number">95</p>', "<h1>Small</h1>", "2 minutes", "1 / 2"):
        assert text in opening
    assert "<span>95 · Small</span> <b>2 / 2</b>" in claim
