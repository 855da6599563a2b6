"""The site in Chromium, from the disk: its first page, sliders, themes, search, phones, paper."""

import io
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pypdf
import pytest
from browser import faults, seen_as_drawn
from explorers import EXPLORERS

from ranktrees_lab.student import find_lessons
from tools import book, lessons, pages, site

FORMULAS = """async () => {
    if (!document.querySelector("script[src$='tex-svg.js']")) return true;
    await MathJax.startup.promise;
    const wrong = "[data-mml-node='merror'], mjx-container [fill='red']";
    return document.querySelectorAll(wrong).length === 0;
}"""
# Everything; of the sources in the reference, which are alike, the first few of a page.
UNFOLDED = """(() => {
    const sources = [...document.querySelectorAll('details.source')].slice(0, 4);
    const others = document.querySelectorAll('details:not(.source)');
    [...others, ...sources].forEach(d => { d.open = true; });
})()"""
READY = """() => [...document.querySelectorAll('.rt-explorer')]
    .every(explorer => explorer.dataset.ready === 'yes')"""
# What an explorer shows: picture, alt text, words.
SHOWN = """explorer => {
    const [image, words] = [explorer.querySelector('img'), explorer.querySelector('.rt-words')];
    return [image.src, image.alt, words.innerText];
}"""
# Of each picture of the package its width, as a share of the one that it was drawn for.
SCALES = """() => [...document.querySelectorAll('main img[width]')]
    .filter(image => image.checkVisibility() && image.clientWidth > 1)
    .map(image => image.getBoundingClientRect().width / image.getAttribute('width'))"""
# How high each explorer is, from its controls to the end of its picture.
HIGH = """() => [...document.querySelectorAll('.rt-explorer')].map(explorer =>
    explorer.querySelector('img').getBoundingClientRect().bottom
    - explorer.getBoundingClientRect().top)"""
SET = """(control, place) => {
    control.value = place;
    control.dispatchEvent(new Event('input', {bubbles: true}));
}"""
# How far down the first thirty dots of a picture of falling cases lie: those in the tree.
BOTTOM = """uses => uses.filter(({style}) => style.fill && !style.stroke).slice(0, 30)
    .reduce((sum, use) => sum + Number(use.getAttribute('y')), 0)"""
SEARCHED = {
    "crosvalidaton": "06",
    "information gain": "01",
    "gini": "01",
    "laplas": "08",
    "confusionmatrix": "05",
    "naive bayes": "03",
}
SOLVED = re.compile(r"^(?:Answer|Solution) \d+", re.MULTILINE)  # at the end of a lesson in print
FEW = 12  # states of an explorer


@pytest.fixture(scope="module", params=["day", pytest.param("night", marks=pytest.mark.long)])
def built(tmp_path_factory, request):
    """The pages of the site; by day only the first lesson is run, the others are as stored."""
    run = pages.executed

    def first(path, most):
        return run(path, most) if path.stem.startswith("00") else lessons.read(path)

    with pytest.MonkeyPatch.context() as patch:
        if request.param == "day":
            patch.setattr(pages, "executed", first)
        written = site.write_site(find_lessons(), tmp_path_factory.mktemp("site"), states=FEW)
    return {path.name: path for path in written}


by_day = pytest.mark.parametrize("built", ["day"], indirect=True)


def is_run(built):
    """Whether all lessons were run, as at night."""
    return "rt-explorer" in built["01_what_is_a_good_split.html"].read_text(encoding="utf-8")


def some(built, *names):
    """The pages whose names begin so; at night all but the book, which is very long."""
    chosen = [p for name, p in built.items() if is_run(built) or name.startswith(names)]
    assert len(chosen) >= len(names)
    return [path for path in chosen if path.name != book.FILE]


def open_page(page, path):
    page.goto(path.as_uri())
    assert page.evaluate(FORMULAS)
    page.wait_for_function(READY)


def test_every_control_moves_by_keyboard_without_a_kernel(disk, built):
    for path in (path for path in some(built, "00") if path.name[:2].isdigit()):
        open_page(disk, path)
        disk.evaluate(UNFOLDED)
        for explorer in disk.locator(".rt-explorer").all():
            controls = explorer.locator(":is(input, select):not(:disabled)").element_handles()
            assert controls
            for control in controls:
                start, shown = control.input_value(), []
                control.focus()
                for key in ("Home", "End"):
                    disk.keyboard.press(key)
                    shown.append(explorer.evaluate(SHOWN))
                control.evaluate(SET, start)
                pictures, alts, words = zip(*shown, strict=True)
                # Which case a slider will move is chosen from a list, and seen in the words alone.
                slider = control.get_attribute("type") == "range"
                assert words[0] != words[1], path.name
                assert not slider or pictures[0] != pictures[1], path.name
                assert all(alt.strip() for alt in alts)
            assert explorer.evaluate("e => e.querySelector('img').naturalWidth") > 100


@by_day
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_cases_fall_and_the_auc_counts_on_the_first_screen(disk, built, width, height):
    disk.set_viewport_size({"width": width, "height": height})
    open_page(disk, built["index.html"])
    slider, number = disk.get_by_label("levels"), disk.locator(".auc b")
    slider.focus()
    aucs, bottoms = [], []
    for level, key in enumerate(["Home", *["ArrowRight"] * 3]):
        disk.keyboard.press(key)
        picture = disk.get_by_role("img", name=f"60 cases, {level} of 3 levels down")
        picture.wait_for(state="attached")
        (auc,) = re.findall(r"AUC (0\.\d{3})", disk.locator(".play img").get_attribute("alt"))
        disk.wait_for_function("auc => document.querySelector('.auc b').innerText === auc", arg=auc)
        disk.wait_for_function("() => document.getAnimations().length === 0")
        aucs.append(number.inner_text())
        bottoms.append(disk.locator(".play svg use[x]").evaluate_all(BOTTOM))
    assert aucs[0] == "0.500" < min(aucs[1:])
    assert sorted(set(bottoms)) == bottoms, "they fall"
    keys = disk.locator(".play .key")
    assert [key.is_visible() for key in keys.all()] == 2 * [width < 640]
    shown = [
        *(keys.all() if width < 640 else []),
        disk.locator(".lead p"),
        *disk.locator(".button").all(),
        slider,
    ]
    for box in (part.bounding_box() for part in [*shown, disk.locator(".play svg")]):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    disk.mouse.wheel(0, 600)
    disk.wait_for_function("() => scrollY > 300")
    assert disk.get_by_role("searchbox").bounding_box()["y"] < 40, "the search stays"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_a_reader_out(disk, built, scheme):
    disk.emulate_media(color_scheme=scheme)
    for path in some(built, "index", "00"):
        open_page(disk, path)
        disk.evaluate(UNFOLDED)
        assert faults(disk) == [], path.name


@by_day
def test_the_theme_is_the_systems_until_the_button_is_pressed(disk, built):
    colour = "getComputedStyle(document.body).backgroundColor"
    disk.emulate_media(color_scheme="dark")
    open_page(disk, built["index.html"])
    dark = disk.evaluate(colour)
    disk.get_by_role("button", name="Dark or light").press("Enter")
    light = disk.evaluate(colour)
    assert (dark, light) == ("rgb(23, 21, 30)", "rgb(255, 255, 255)")
    open_page(disk, built["references.html"])
    assert disk.evaluate(colour) == light, "it is kept for the next page"


@by_day
def test_the_search_finds_lessons_first_forgives_slips_and_goes_by_keys(disk, built):
    open_page(disk, built["index.html"])
    box, links, count = (disk.get_by_label("Search"), disk.locator("#found a"), "#count")
    for words, lesson in SEARCHED.items():
        box.fill(words)
        assert links.first.inner_text().startswith(lesson), words
    box.fill("gini")
    names = links.all_inner_texts()
    assert [name[:2].isdigit() for name in names] == 8 * [True] + 4 * [False], "functions follow"
    box.fill("rt.auc")
    assert links.first.inner_text() == "Reference: rt.auc", "a name of the package is that name"
    box.fill("entorpy crtieria")
    assert disk.locator(count).inner_text().endswith(" found for entropy criteria")
    box.fill("zzzz")
    assert disk.locator(count).inner_text() == "0 found"
    box.fill("entropy")
    assert "$" not in disk.locator("#found").inner_text()
    focused = "[...document.querySelectorAll('#found a')].indexOf(document.activeElement)"
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        disk.keyboard.press(key)
        seen.append(disk.evaluate(focused))
    assert seen == [0, 1, 0, -1]
    assert disk.evaluate("document.activeElement.id") == "search"
    box.fill("four CRITERIA table")
    first = "01 · What is a good split?: Four criteria of a table (9 min)"
    assert links.first.inner_text() == first, "headings stand first"
    disk.keyboard.press("Enter")
    disk.wait_for_url("**/01_what_is_a_good_split.html#*")
    assert disk.evaluate("document.querySelector(':target').tagName") == "H2"


@by_day
def test_a_page_gives_its_notebook_and_the_code_of_a_cell(disk, built):
    open_page(disk, built["00_ranking.html"])
    with disk.expect_download() as saved:
        disk.get_by_role("link", name="Download the notebook").press("Enter")
    assert saved.value.suggested_filename == "00_ranking.ipynb"
    disk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cell = disk.locator(".highlight:visible").first
    cell.get_by_role("button", name="Copy code").press("Enter")
    cell.get_by_role("button", name="Copied").wait_for()
    copied = disk.evaluate("navigator.clipboard.readText()")
    assert copied == cell.locator("pre").inner_text().strip()
    assert "Copy" not in copied


def fits_a_phone(disk, name):
    """Nothing scrolls sideways but in its own box, and letters of 9 points are 11 pixels high."""
    disk.set_viewport_size({"width": 390, "height": 844})
    disk.evaluate(UNFOLDED)
    wide = disk.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, f"{name}: {wide} wide"
    assert all(9 / 72 * 100 * scale >= 11 for scale in disk.evaluate(SCALES)), name


def test_pages_fit_a_phone_and_paper(disk, built):
    for path in some(built, "index", "01", "02", "05"):
        disk.set_viewport_size({"width": 390, "height": 844})
        open_page(disk, path)
        fits_a_phone(disk, path.name)
        seen = seen_as_drawn(disk)
        text = pypdf.PdfReader(io.BytesIO(disk.pdf(format="A4"))).pages[0].extract_text()
        assert disk.locator("h1").first.inner_text().removesuffix("¶")[:12] in text
        assert "Search" not in text.splitlines()
        disk.set_viewport_size({"width": 1280, "height": 800})
        assert seen_as_drawn(disk) == seen
        assert seen or not path.name[:2].isdigit()


@pytest.mark.long
@by_day
def test_explorers_fit_a_phone_and_a_screen_with_their_controls(disk, built):
    """On the page, and in the answer of a guess, which is narrower."""
    shown = "".join(make().to_html(2, script=False) for make in EXPLORERS.values())
    shown += f'<div class="question"><details>{shown}</details></div>'
    open_page(disk, built["00_ranking.html"])
    place = "document.querySelector('main')"
    disk.evaluate(f"shown => {{ {place}.innerHTML = shown; }}", shown)
    fits_a_phone(disk, "explorers")
    disk.set_viewport_size({"width": 1280, "height": 720})
    high = disk.evaluate(HIGH)
    assert len(high) == 2 * len(EXPLORERS)
    assert max(high) <= 720


@pytest.mark.long
def test_the_book_is_printed_as_a_pdf(tmp_path):
    written = site.write_site(find_lessons()[:2], tmp_path / "site", states=FEW)
    with ThreadPoolExecutor(1) as other:  # where no other browser is driven
        path = other.submit(book.print_book, written[0].with_name(book.FILE)).result()
    sheets = [page.extract_text() for page in pypdf.PdfReader(path).pages]
    begins = [i for i, text in enumerate(sheets) if re.match(r"\s*(\d+\s+)?0[01] ·", text)]
    assert len(begins) == 2, "each lesson begins a page"
    assert len(sheets) > 20
    assert "\\frac" not in "".join(sheets)
    for first, after in pairwise([*begins, len(sheets)]):
        tasks, answers = "\n".join(sheets[first:after]).split("Answers and solutions", 1)
        assert "Not this one" not in tasks
        assert "Guess first" not in answers
        assert tasks.count("at the end of this lesson") == len(re.findall(SOLVED, answers))
