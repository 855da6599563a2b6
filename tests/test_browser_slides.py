"""Decks in Chromium: every slide has room for what is on it, offline."""

from pathlib import Path

import pytest
from browser import seen_as_drawn

from tools import lessons, slides

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
TAUGHT = [p for p in sorted(NOTEBOOKS.glob("*.ipynb")) if lessons.is_taught(lessons.read(p))]
DAILY = {"07", "15"}
SCREENS = {"wide": (1280, 720), "narrow": (1024, 768)}
SMALLEST = 14  # pixels of the type, of 720
# What of a slide stands out of it or is cut, as text; its fragments all shown.
OVERFLOW = """() => {
    const slide = Reveal.getCurrentSlide(), box = slide.getBoundingClientRect();
    const out = [];
    for (const part of slide.querySelectorAll('.content, .content *')) {
        if (part.closest('details:not([open])') && part.tagName !== 'SUMMARY') continue;
        if (part.closest('mjx-container') && part.tagName !== 'MJX-CONTAINER') continue;
        if (part.closest('mjx-assistive-mml')) continue;
        const own = part.getBoundingClientRect();
        if (!own.width || !own.height) continue;
        if (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1
            || own.bottom > box.bottom + 1) out.push(part.tagName + ' stands out');
        if (['PRE', 'TABLE'].includes(part.tagName) && part.scrollWidth > part.clientWidth + 1)
            out.push(part.tagName + ' is cut');
    }
    return out;
}"""
SIZES = "() => [...document.querySelectorAll('section')].map(s => parseInt(s.style.fontSize))"
BROKEN = """() => [...document.images].filter(image => !image.naturalWidth).length
    + document.querySelectorAll('[data-mml-node="merror"], mjx-container [fill="red"]').length"""


def some(path):
    marks = [] if path.stem[:2] in DAILY else [pytest.mark.long]
    return pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", [some(path) for path in TAUGHT])
def test_all_slides_have_room_and_need_no_network(disk, tmp_path, path):
    slides.build([path], tmp_path)
    deck, counts = tmp_path / f"{path.stem}.html", {}
    for cut in ("45", "90"):
        disk.goto(f"{deck.as_uri()}?cut={cut}")
        disk.wait_for_selector("body.ready")
        assert disk.evaluate(BROKEN) == 0
        sizes = disk.evaluate(SIZES)
        assert min(sizes) >= SMALLEST, [i + 1 for i, size in enumerate(sizes) if size < SMALLEST]
        counts[cut] = len(sizes)
        for width, height in SCREENS.values():
            disk.set_viewport_size({"width": width, "height": height})
            for i in range(len(sizes)):
                disk.evaluate("i => Reveal.slide(i, 0, 99)", i)
                assert disk.evaluate(OVERFLOW) == [], f"slide {i + 1} at {width} x {height}"
                counts["pictures"] = counts.get("pictures", 0) + seen_as_drawn(disk)
    assert 0 < counts["45"] < counts["90"]
    assert counts["pictures"] > 0
    disk.goto((tmp_path / "index.html").as_uri())
    disk.get_by_role("link", name="45 minutes").first.click()
    disk.wait_for_selector("body.ready")
