"""Decks in Chromium: every slide has room for what is on it, offline."""

from pathlib import Path

import axe_playwright_python
import pytest
from browser import seen_as_drawn
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ranktrees_lab.plot.style import SMALL
from tools import lessons, slides

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
TAUGHT = [p for p in sorted(NOTEBOOKS.glob("*.ipynb")) if lessons.is_taught(lessons.read(p))]
DAILY = {"05", "12"}
SCREENS = {"wide": (1280, 720), "narrow": (1024, 768)}
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
MOST = {"45": 30, "90": 50}  # slides of a cut
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
        if (!own.width || !own.height || part.closest('.scrolls, canvas')) continue;
        if (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1
            || own.bottom > box.bottom + 1) out.push(part.tagName + ' stands out');
        if (['PRE', 'TABLE'].includes(part.tagName) && part.scrollWidth > part.clientWidth + 1)
            out.push(part.tagName + ' is cut');
    }
    return out;
}"""
GO = """i => { const {h, v} = Reveal.getIndices(Reveal.getSlides()[i]); Reveal.slide(h, v, 99); }"""
SIZES = "() => Reveal.getSlides().map(slide => parseInt(slide.style.fontSize))"
# Of the slide that is shown, in pixels of 1280 x 720: how far down something stands, and the
# smallest lettering inside its pictures, of so many points; what of its folds, opened, stands out.
SEEN = """points => {
    const slide = Reveal.getCurrentSlide(), box = slide.getBoundingClientRect();
    const scale = Reveal.getScale();
    const images = [...slide.querySelectorAll('img')].filter(image => image.checkVisibility());
    const letters = images.map(image => {
        const inch = image.naturalWidth / (image.src.startsWith('data:image/svg') ? 96 : 200);
        const {width, height} = image.getBoundingClientRect();
        const drawn = Math.min(width, height * image.naturalWidth / image.naturalHeight);
        return drawn / scale / inch / 72 * points;
    });
    const parts = [...slide.querySelectorAll('p, li, pre, table, mjx-container, figure, img')];
    const ends = parts.filter(part => part.checkVisibility() && !part.closest('details'))
        .map(part => part.getBoundingClientRect().bottom - box.top);
    const off = [...slide.querySelectorAll('.content > details')].filter(fold => {
        fold.open = true;
        const {left, right, top, bottom} = fold.getBoundingClientRect();
        const code = fold.querySelector('.highlight'), own = code.getBoundingClientRect();
        const out = left < box.left || right > box.right || top < box.top || bottom > box.bottom
            || own.bottom > bottom || own.right > right;
        const cut = [...fold.querySelectorAll('pre')]
            .some(pre => getComputedStyle(pre).overflowX === 'hidden');
        fold.open = false;
        return out || cut;
    });
    const wrapped = [...slide.querySelectorAll('tr')].filter(row => {
        const cells = [...row.cells].map(cell => parseFloat(getComputedStyle(cell).fontSize));
        const breaks = row.querySelectorAll('br').length + 1;
        const formulas = [...row.querySelectorAll('mjx-container > svg')]
            .map(formula => formula.getBoundingClientRect().height / scale);
        const most = Math.max(2 * breaks * Math.max(...cells), 1.5 * Math.max(0, ...formulas));
        return row.getBoundingClientRect().height / scale > most;
    });
    return {end: Math.max(0, ...ends) / scale, letters: Math.min(99, ...letters),
        off: off.length, wrapped: wrapped.length, isTitle: slide.querySelector('h1') !== null,
        note: slide.querySelector('aside.notes').textContent.trim().length};
}"""
BROKEN = """() => [...document.images].filter(image => !image.naturalWidth).length
    + document.querySelectorAll('[data-mml-node="merror"], mjx-container [fill="red"]').length"""


def some(path):
    marks = [] if path.stem[:2] in DAILY else [pytest.mark.long]
    return pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", [some(path) for path in TAUGHT])
def test_all_slides_have_room_and_need_no_network(disk, tmp_path, path, monkeypatch):
    monkeypatch.setattr(slides.pages, "FEW", 12)
    slides.build([path], tmp_path)
    deck, counts = tmp_path / f"{path.stem}.html", {}
    for cut in ("45", "90"):
        disk.goto(f"{deck.as_uri()}?cut={cut}")
        disk.wait_for_selector("body.ready")
        assert disk.evaluate(BROKEN) == 0
        sizes = disk.evaluate(SIZES)
        assert min(sizes) >= SMALLEST, [i + 1 for i, size in enumerate(sizes) if size < SMALLEST]
        counts[cut] = len(sizes)
        assert len(sizes) <= MOST[cut]
        for width, height in SCREENS.values():
            disk.set_viewport_size({"width": width, "height": height})
            for i in range(len(sizes)):
                disk.evaluate(GO, i)
                where = f"slide {i + 1} of {cut} minutes at {width} x {height}"
                assert disk.evaluate(OVERFLOW) == [], where
                seen = disk.evaluate(SEEN, SMALL)
                assert (seen["off"], seen["wrapped"]) == (0, 0), where
                assert seen["letters"] > SMALLEST - 0.1, where
                assert seen["isTitle"] or seen["end"] >= 720 / 3, where
                assert seen["note"] > 0, where
                counts["pictures"] = counts.get("pictures", 0) + seen_as_drawn(disk)
    assert 0 < counts["45"] < counts["90"]
    assert counts["pictures"] > 0
    disk.goto((tmp_path / "index.html").as_uri())
    disk.get_by_role("link", name="45 minutes").first.click()
    disk.wait_for_selector("body.ready")


def test_an_explorers_controls_move_on_a_slide_and_a_clicker_moves_the_deck(
    disk, tmp_path, monkeypatch
):
    monkeypatch.setattr(slides.pages, "KEPT", tmp_path / "executed")
    monkeypatch.setattr(slides.pages, "FEW", 12)
    path = tmp_path / "95_lens.ipynb"
    first = new_markdown_cell(
        "# 95 · Lens\n\n" + "Words. " * 80, metadata={"slideshow": {"slide_type": "slide"}}
    )
    lens = new_code_cell("import ranktrees as rt\nrt.explore.lens()", metadata=first.metadata)
    cells = [first, lens, new_markdown_cell("# Last\n\nWords.")]
    lessons.write(new_notebook(cells=cells), path)
    slides.build([path], tmp_path / "decks")
    disk.goto((tmp_path / "decks" / "95_lens.html").as_uri())
    disk.wait_for_selector("body.ready")
    disk.evaluate("Reveal.slide(0, 1)")
    explorer = disk.locator(".rt-explorer[data-ready=yes]")
    image, at = explorer.locator("img"), "Reveal.getSlidePastCount()"
    for control, key in [("input", "ArrowLeft"), ("select", "ArrowDown")]:
        before = image.get_attribute("src"), image.get_attribute("alt")
        explorer.locator(control).first.press(key)
        after = image.get_attribute("src"), image.get_attribute("alt")
        assert all(a != b for a, b in zip(before, after, strict=True))
        assert disk.evaluate(at) == 1
    disk.keyboard.press("PageDown")
    assert disk.evaluate(at) == 2
    disk.keyboard.press("ArrowLeft")
    assert disk.evaluate(at) == 1
    assert seen_as_drawn(disk) == 1


def test_what_is_little_is_joined_to_the_slide_beside_but_never_below_an_open_question(
    disk, tmp_path, monkeypatch
):
    monkeypatch.setattr(slides.pages, "KEPT", tmp_path / "executed")
    path = tmp_path / "97_little.ipynb"
    fold = "<details><summary>Answer</summary>Seven.</details>"
    texts = [
        "# 97 · Little\n\nWords.",
        "## One\n\nFew.",
        "Words. " * 130,
        "## Two\n\n" + "Words. " * 110 + f"\n\nHow many?\n\n{fold}",
        "It is seven, " + "as we see. " * 20,
    ]
    lessons.write(new_notebook(cells=[new_markdown_cell(text) for text in texts]), path)
    slides.build([path], tmp_path / "decks")
    disk.goto((tmp_path / "decks" / "97_little.html").as_uri())
    disk.wait_for_selector("body.ready")
    seen = disk.evaluate("Reveal.getSlides().map(s => s.querySelector('.content').textContent)")
    assert [("Few." in text, "How many?" in text) for text in seen[1:3]] == [
        (True, False),
        (False, True),
    ]
    assert len(seen) == 4
    assert "Words." in seen[1]
    assert "It is seven" in seen[3]


def test_menu_drawing_overview_and_print_of_a_deck(disk, tmp_path, monkeypatch):
    monkeypatch.setattr(slides.pages, "KEPT", tmp_path / "executed")
    path = tmp_path / "96_steps.ipynb"
    kind = {"slideshow": {"slide_type": "slide"}}
    code = "\n".join(f"x{i} = {i}" for i in range(20))
    cells = [
        new_markdown_cell("# 96 · Steps\n\nWords.", metadata=kind),
        new_markdown_cell("## One\n\n" + "Words. " * 80),
        new_code_cell(code, metadata={"tags": ["by-hand"]}),
        new_code_cell(code),
        new_markdown_cell("## Two\n\nOther words."),
    ]
    lessons.write(new_notebook(cells=cells), path)
    slides.build([path], tmp_path / "decks")
    deck = (tmp_path / "decks" / "96_steps.html").as_uri()
    disk.set_viewport_size({"width": 1280, "height": 720})
    disk.goto(deck)
    disk.wait_for_selector("body.ready")
    disk.keyboard.press("m")
    disk.keyboard.press("ArrowRight")  # a key for the menu is none for the deck
    assert disk.evaluate("Reveal.getIndices().h") == 0
    disk.keyboard.press("Escape")
    assert not disk.evaluate("document.querySelector('dialog').open || Reveal.isOverview()")
    disk.keyboard.press("m")
    disk.get_by_role("link", name="Two").click()
    assert disk.evaluate("Reveal.getCurrentSlide().textContent").count("Other words.") == 1
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
    number, arrows = (
        disk.locator(f".{name}").bounding_box() for name in ("slide-number", "controls")
    )
    assert number["x"] + number["width"] < arrows["x"]
    pages = disk.evaluate("Reveal.getTotalSlides()")
    assert disk.evaluate("Reveal.getHorizontalSlides().length") == 3  # a column for each section
    assert pages > 3
    disk.evaluate(AXE + ";0")
    found = disk.evaluate("axe.run({exclude: ['mjx-container']}, {preload: false})")
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]] == []
    disk.keyboard.press("m")
    disk.get_by_role("link", name="All decks").click()
    disk.get_by_role("link", name="90 minutes").click()
    disk.wait_for_selector("body.ready")
    disk.goto(f"{deck}?print-pdf")
    disk.wait_for_selector("body.ready .pdf-page")
    assert disk.locator(".pdf-page").count() == pages
