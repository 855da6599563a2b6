"""Decks in Chromium: all has room, letters are large, the pictures are many, offline."""

import subprocess
import sys

import pytest
from browser import GRAVE, faults, seen_as_drawn
from fresh import ROOT

DECKS = sorted((ROOT / "slides").glob("*.md"))
DAILY = "01"
SCREENS = [(1280, 720), (1024, 768)]
SMALLEST = 22  # pixels of lettering, of 720
PICTURES = 0.6  # of the slides, at least
GO = """i => { const {h, v} = Reveal.getIndices(Reveal.getSlides()[i]); Reveal.slide(h, v, 99); }"""
# Of the slide that is shown: what stands out of it or is cut, and the smallest lettering of its
# pictures in pixels of 720.
SEEN = """() => {
    const slide = Reveal.getCurrentSlide(), box = slide.getBoundingClientRect(), out = [];
    const scale = Reveal.getScale(), content = slide.querySelector('.content');
    for (const part of content.querySelectorAll('*')) {
        if (part.closest('mjx-container') && part.tagName !== 'MJX-CONTAINER') continue;
        const own = part.getBoundingClientRect();
        if (!own.width || !own.height || !part.checkVisibility()) continue;
        if (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1
            || own.bottom > box.top + 690 * scale) out.push(part.tagName + ' stands out');
        if (['PRE', 'TABLE', 'P'].includes(part.tagName) && part.scrollWidth > part.clientWidth + 1)
            out.push(part.tagName + ' is cut');
    }
    const letters = [...slide.querySelectorAll('[data-points] img')].map(image => {
        const {points, inches} = image.closest('[data-points]').dataset;
        const {width, height} = image.getBoundingClientRect();
        const drawn = Math.min(width, height * image.naturalWidth / image.naturalHeight);
        return drawn / scale / inches / 72 * points;
    });
    return {out, letters: Math.min(99, ...letters), pictures: letters.length};
}"""
BROKEN = """() => [...document.images].filter(image => !image.naturalWidth).length
    + document.querySelectorAll('[data-mml-node="merror"], mjx-container [fill="red"]').length"""


SMALL = """# 96 · Steps

```setup
import ranktrees as rt
```

## Pictures take each other's place

```picture
rt.plot.impurity()
```
```picture
rt.explore.lens()
```

Note: (2 min) Ask.

# One (3 min)

## A guess is answered one step later

```guess 03.neck
```

Note: (2 min) Ask.

## Words

Other words.

Note: (1 min) None.
"""


def build(folder, *paths):
    """Write decks as `make slides` does, in a process of its own: here it would enlarge letters."""
    code = [sys.executable, "-m", "tools.slides", *paths, "--to", folder]
    subprocess.run(code, cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """A folder with the small deck, the one of every day, and their index."""
    folder = tmp_path_factory.mktemp("decks")
    (folder / "96_steps.md").write_text(SMALL, encoding="utf-8")
    daily = [path for path in DECKS if path.stem == DAILY]
    return build(folder / "built", folder / "96_steps.md", *daily)


def open_deck(disk, path):
    disk.set_viewport_size({"width": 1280, "height": 720})
    disk.goto(path.as_uri())
    disk.wait_for_selector("body.ready")


def all_slides_have_room_and_large_letters(disk, deck):
    open_deck(disk, deck)
    assert disk.evaluate(BROKEN) == 0
    count, pictures, faults = disk.evaluate("Reveal.getTotalSlides()"), set(), []
    for width, height in SCREENS:
        disk.set_viewport_size({"width": width, "height": height})
        for i in range(count):
            disk.evaluate(GO, i)
            seen = disk.evaluate(SEEN)
            pictures |= {i} if seen["pictures"] else set()
            if seen["out"] or seen["letters"] < SMALLEST - 0.1:
                faults.append((i + 1, width, seen["out"], round(seen["letters"], 1)))
            seen_as_drawn(disk)
    assert faults == []
    assert len(pictures) >= PICTURES * (count - 1), "but for the title"
    disk.goto(f"{deck.as_uri()}?print-pdf")
    disk.wait_for_selector("body.ready .pdf-page")
    assert disk.locator(".pdf-page").count() == count
    lefts = "() => [...document.querySelectorAll('.pdf-page .content')].map(c => c.offsetLeft)"
    assert min(disk.evaluate(lefts)) >= 40  # pixels of margin


def test_a_deck_has_room_and_large_letters(disk, decks):
    all_slides_have_room_and_large_letters(disk, decks / f"{DAILY}.html")


@pytest.mark.long
@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in DECKS if p.stem != DAILY])
def test_each_deck_has_room_and_large_letters(disk, tmp_path, path):
    built = build(tmp_path / "decks", path)
    all_slides_have_room_and_large_letters(disk, built / f"{path.stem}.html")


def test_steps_an_explorer_and_a_clicker(disk, decks):
    open_deck(disk, decks / "96_steps.html")
    disk.keyboard.press("PageDown")
    first, second = disk.locator(".picture > div").all()
    assert (first.is_visible(), second.is_visible()) == (True, False)
    disk.keyboard.press("PageDown")
    assert second.is_visible()
    assert first.evaluate("part => getComputedStyle(part).opacity") == "0"
    explorer = disk.locator(".rt-explorer[data-ready=yes]")
    image, at = explorer.locator("img"), "Reveal.getSlidePastCount()"
    before = image.get_attribute("alt")
    explorer.locator("input").first.press("ArrowLeft")
    assert image.get_attribute("alt") != before
    assert disk.evaluate(at) == 1
    disk.keyboard.press("PageDown")
    assert disk.evaluate(at) == 2
    answer = disk.locator(".answer")
    assert not answer.is_visible()
    disk.keyboard.press("PageDown")
    assert answer.is_visible()


def test_a_deck_begins_with_its_title_and_a_question_fills_its_slide(disk, decks):
    open_deck(disk, decks / "96_steps.html")
    said = disk.locator(".opening .content").inner_text().split("\n")
    assert [line for line in said if line][:3] == ["96", "Steps", "3 minutes"]
    feet = [foot.text_content() for foot in disk.locator(".foot").all()]
    assert feet == [f"96 · Steps {number} / 4" for number in range(1, 5)]
    disk.evaluate(GO, 2)
    asked, words = disk.locator(".asks .question"), disk.locator(".asks .words")
    assert asked.evaluate("q => parseFloat(getComputedStyle(q).fontSize)") >= 40
    assert words.bounding_box()["height"] > 0.7 * 720
    disk.goto(disk.url.split("#")[0] + "?print-pdf")
    disk.wait_for_selector("body.ready .pdf-page")
    assert all(foot.is_visible() for foot in disk.locator(".foot").all())


def test_menu_drawing_axe_and_notes(disk, decks):
    open_deck(disk, decks / "96_steps.html")
    disk.keyboard.press("m")
    disk.keyboard.press("ArrowRight")  # a key for the menu is none for the deck
    assert disk.evaluate("Reveal.getIndices().h") == 0
    disk.keyboard.press("Escape")
    disk.keyboard.press("m")
    disk.get_by_role("link", name="One").click()
    assert "A guess" in disk.evaluate("Reveal.getCurrentSlide().textContent")
    disk.get_by_role("button", name="Draw").click()
    disk.mouse.move(300, 300)
    disk.mouse.down()
    disk.mouse.move(600, 500, steps=5)
    disk.mouse.up()
    disk.keyboard.press("d")
    inked = """() => document.querySelector('.present canvas')?.getContext('2d')
        .getImageData(450, 400, 1, 1).data[3] ?? 0"""
    assert disk.evaluate(inked) > 0
    disk.keyboard.press("e")
    assert disk.evaluate(inked) == 0
    assert faults(disk, impacts=[*GRAVE, "moderate", "minor"]) == []
    disk.keyboard.press("m")
    disk.get_by_role("link", name="All decks").click()
    disk.get_by_role("link", name="96 · Steps").click()
    disk.wait_for_selector("body.ready")
    disk.keyboard.press("PageDown")
    with disk.expect_popup() as opened:
        disk.keyboard.press("s")
    notes = opened.value.locator(".speaker-controls-notes .value")
    notes.filter(has_text="Ask.").wait_for()
