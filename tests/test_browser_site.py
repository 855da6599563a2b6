"""The site in Chromium, from the disk: sliders by keyboard, no request, themes, search, paper."""

import io
from pathlib import Path

import axe_playwright_python
import pypdf
import pytest
from browser import seen_as_drawn

import ranktrees as rt
from ranktrees_lab.student import find_lessons
from tools import site

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
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
# What an explorer shows: picture, alt text, words, the line that is said.
SHOWN = """explorer => {
    const [image, words] = [explorer.querySelector('img'), explorer.querySelector('.rt-words')];
    return [image.src, image.alt, words.innerText, explorer.querySelector('.rt-said').innerText];
}"""


@pytest.fixture(scope="module")
def built(tmp_path_factory, request):
    """The site of the lessons that a test names."""
    paths = find_lessons([NOTEBOOKS / name for name in request.param])
    return site.write_site(paths, tmp_path_factory.mktemp("site"))


TWO = ["00_ranking.ipynb", "01_what_is_a_good_split.ipynb"]
REST = [path.name for path in sorted(NOTEBOOKS.glob("*.ipynb")) if path.name not in TWO]
both = pytest.mark.parametrize(
    "built", [TWO, pytest.param(REST, marks=pytest.mark.long)], indirect=True, ids=["two", "rest"]
)


def lessons_of(built):
    return [path for path in built if path.name[:2].isdigit()]


def looked_at(built):
    """The pages to look at: of the reference `rt` and two rooms, all with the rest of lessons."""
    few = "rt.plain.c45.html", "rt.storage.html"
    every = len(lessons_of(built)) > len(TWO)
    return [p for p in built if every or not p.name.startswith("rt.") or p.name in few]


def open_page(page, path):
    page.goto(path.as_uri())
    assert page.evaluate(FORMULAS)


def places(page, explorer, control):
    """What is shown at each place of a control, gone through by the keyboard from its first."""
    control.focus()
    page.keyboard.press("Home")
    shown = [explorer.evaluate(SHOWN)]
    select = control.evaluate("control => control.tagName") == "SELECT"
    count = control.evaluate("c => c.options ? c.options.length : Number(c.max) + 1")
    for _ in range(count - 1):
        page.keyboard.press("ArrowDown" if select else "ArrowRight")
        shown.append(explorer.evaluate(SHOWN))
    return shown


@both
def test_every_control_moves_by_keyboard_without_a_kernel(disk, built):
    moved = 0
    for path in lessons_of(built):
        open_page(disk, path)
        disk.evaluate(UNFOLDED)
        for explorer in disk.locator(".rt-explorer").all():
            controls = explorer.locator("input, select")
            assert controls.count() > 0
            for control in controls.all():
                name = control.evaluate("control => control.labels[0].innerText")
                shown = places(disk, explorer, control)
                pictures, alts, words, _ = map(set, zip(*shown, strict=True))
                changed = len(pictures) > 1, len(words) > 1
                # Which case a slider will move is chosen from a list, and seen in the words alone.
                slider = control.get_attribute("type") == "range"
                assert all(changed) if slider else any(changed), f"{path.name}: {name}"
                assert all(alt.strip() for alt in alts)
                moved += 1
            assert explorer.evaluate("e => e.querySelector('img').naturalWidth") > 100
    assert moved >= 2 * len(lessons_of(built))


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_a_second_control_returns_the_first_to_its_start_and_says_so(disk, built):
    open_page(disk, built[2])
    explorer = disk.locator(".rt-explorer").first
    first, second = explorer.locator("input").all()
    start, before = first.input_value(), explorer.evaluate(SHOWN)
    first.focus()
    disk.keyboard.press("ArrowLeft")
    assert first.input_value() == str(int(start) - 1)
    assert first.get_attribute("aria-valuetext") == "4"
    assert explorer.locator("output").first.inner_text() == "4"
    assert explorer.evaluate(SHOWN)[3] == ""
    second.focus()
    disk.keyboard.press("ArrowRight")
    assert first.input_value() == start
    assert explorer.evaluate(SHOWN)[3].startswith("first class is back at 5: ")
    disk.keyboard.press("ArrowLeft")
    assert explorer.evaluate(SHOWN)[:3] == before[:3]


@both
def test_no_picture_is_distorted(disk, built):
    seen = []
    for path in lessons_of(built):
        open_page(disk, path)
        disk.evaluate(UNFOLDED)
        for width in (390, 1280):
            disk.set_viewport_size({"width": width, "height": 800})
            seen.append(seen_as_drawn(disk))
    assert all(seen)
    assert seen[::2] == seen[1::2]


@both
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_a_reader_out(disk, built, scheme):
    disk.emulate_media(color_scheme=scheme)
    for path in looked_at(built):
        open_page(disk, path)
        disk.evaluate(UNFOLDED)
        disk.evaluate(AXE.read_text(encoding="utf-8"))
        found = disk.evaluate("axe.run({exclude: ['mjx-container']}, {preload: false})")
        grave = [
            f"{path.name}: {problem['id']}: {problem['nodes'][0]['html'][:200]}"
            for problem in found["violations"]
            if problem["impact"] in ("critical", "serious")
        ]
        assert grave == []


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_the_theme_is_the_systems_until_the_button_is_pressed(disk, built):
    colour = "getComputedStyle(document.body).backgroundColor"
    disk.emulate_media(color_scheme="dark")
    open_page(disk, built[0])
    dark = disk.evaluate(colour)
    disk.get_by_role("button", name="Dark or light").press("Enter")
    light = disk.evaluate(colour)
    assert (dark, light) == ("rgb(22, 25, 29)", "rgb(255, 255, 255)")
    open_page(disk, built[1])
    assert disk.evaluate(colour) == light, "it is kept for the next page"


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_the_search_finds_a_section_and_leads_there(disk, built):
    open_page(disk, built[0])
    disk.get_by_label("Search").focus()
    disk.keyboard.type("twelve CRITERIA table")
    link = disk.locator("#found a").first
    assert link.inner_text() == "01 · What is a good split?: Twelve criteria, one table (8 min)"
    assert disk.locator("#count").inner_text().endswith(" found")
    link.press("Enter")
    disk.wait_for_url("**/01_what_is_a_good_split.html#*")
    assert disk.evaluate("document.querySelector(':target').tagName") == "H2"
    disk.get_by_label("Search").fill("zzzz")
    assert disk.locator("#count").inner_text() == "0 found"


@both
def test_pages_fit_a_phone_and_paper(disk, built):
    for path in looked_at(built):
        disk.set_viewport_size({"width": 390, "height": 800})
        open_page(disk, path)
        wide = disk.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390, f"{path.name}: {wide} wide"
        text = pypdf.PdfReader(io.BytesIO(disk.pdf(format="A4"))).pages[0].extract_text()
        assert disk.locator("h1").inner_text().removesuffix("¶")[:12] in text
        assert "Search" not in text


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_a_name_of_the_package_is_found_with_its_source_by_keyboard(disk, built):
    open_page(disk, built[0])
    disk.get_by_label("Search").fill("rt.auc chance positive")
    disk.get_by_role("link", name="Reference: rt.auc", exact=True).press("Enter")
    disk.wait_for_url("**/reference.html#rt.auc")
    source = disk.locator("details", has_text="Source of auc").first
    source.locator("summary").press("Enter")
    assert source.locator("pre").inner_text().startswith("def auc(y, score, pos_label=None)")
    disk.locator("h2[id='rt.load'] + pre a").press("Enter")
    disk.wait_for_url("**/reference.html#rt.Dataset")
    disk.get_by_role("link", name="rt.plain.c45", exact=True).press("Enter")
    disk.wait_for_url("**/rt.plain.c45.html")
    assert disk.locator("h1").inner_text() == "rt.plain.c45"
    disk.locator("a.home").press("Enter")
    disk.wait_for_url("**/index.html")


def test_a_list_that_follows_another_says_what_it_is_now(disk, tmp_path):
    page = tmp_path / "results.html"
    text = f"<!doctype html><meta charset=utf-8>{rt.explore.results('wang2006').to_html()}"
    page.write_text(text, encoding="utf-8")
    disk.goto(page.as_uri())
    disk.locator("select").first.select_option("0")
    said = disk.locator("output").all_inner_texts()
    assert said == ["", "now abalone", "now CITree", "now NB", "", ""]
    disk.locator("select").nth(4).select_option("0")
    assert disk.locator("output").all_inner_texts() == [""] * 6
