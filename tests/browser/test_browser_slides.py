"""Decks in Chromium: all has room, letters are large, the pictures are many, offline."""

import subprocess
import sys
from pathlib import Path

import axe_playwright_python
import pytest
from browser import seen_as_drawn

from tools import slides

DECKS = sorted(slides.SOURCES.glob("*.md"))
DAILY = {"05"}
SCREENS = [(1280, 720), (1024, 768)]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
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


def some(path):
    marks = [] if path.stem[:2] in DAILY else [pytest.mark.long]
    return pytest.param(path, id=path.stem, marks=marks)


def opened(disk, tmp_path, path):
    disk.set_viewport_size({"width": 1280, "height": 720})
    # as `make slides` does: in a process of its own all letters are large from the start
    code = [sys.executable, "-m", "tools.slides", path, "--to", tmp_path / "decks"]
    subprocess.run(code, cwd=slides.pages.ROOT, check=True)
    deck = (tmp_path / "decks" / f"{path.stem}.html").as_uri()
    disk.goto(deck)
    disk.wait_for_selector("body.ready")
    return deck


@pytest.mark.parametrize("path", [some(path) for path in DECKS])
def test_all_slides_have_room_and_large_letters(disk, tmp_path, path):
    deck = opened(disk, tmp_path, path)
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
    assert len(pictures) >= PICTURES * count
    disk.goto(f"{deck}?print-pdf")
    disk.wait_for_selector("body.ready .pdf-page")
    assert disk.locator(".pdf-page").count() == count
    lefts = "() => [...document.querySelectorAll('.pdf-page .content')].map(c => c.offsetLeft)"
    assert min(disk.evaluate(lefts)) >= 40  # pixels of margin


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


@pytest.fixture
def small(disk, tmp_path):
    path = tmp_path / "96_steps.md"
    path.write_text(SMALL, encoding="utf-8")
    return opened(disk, tmp_path, path)


def test_steps_an_explorer_and_a_clicker(disk, small):
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
    assert disk.evaluate(at) == 0
    disk.keyboard.press("PageDown")
    assert disk.evaluate(at) == 1
    answer = disk.locator(".answer")
    assert not answer.is_visible()
    disk.keyboard.press("PageDown")
    assert answer.is_visible()


def test_menu_drawing_and_axe(disk, small):
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
    inked = "() => { const c = document.querySelector('.present canvas'); if (!c) return 0; " + (
        "return c.getContext('2d').getImageData(450, 400, 1, 1).data[3]; }"
    )
    assert disk.evaluate(inked) > 0
    disk.keyboard.press("e")
    assert disk.evaluate(inked) == 0
    disk.evaluate(AXE + ";0")
    found = disk.evaluate("axe.run({exclude: ['mjx-container']}, {preload: false})")
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]] == []
    disk.keyboard.press("m")
    disk.get_by_role("link", name="All decks").click()
    disk.get_by_role("link", name="96 · Steps").click()
    disk.wait_for_selector("body.ready")
