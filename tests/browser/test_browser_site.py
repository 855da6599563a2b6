"""The site in Chromium, from the disk: sliders by keyboard, no request, themes, search, paper."""

import io
import random
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, pairwise, permutations, product
from pathlib import Path

import axe_playwright_python
import pypdf
import pytest
from browser import seen_as_drawn
from explorers import EXPLORERS, said
from nbformat.v4 import new_output

import ranktrees as rt
from ranktrees_lab.ask.guess import Guess, kind_of
from ranktrees_lab.ask.quiz import Quiz
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.controls import numbers
from ranktrees_lab.explore.spread import spread_of
from ranktrees_lab.student import find_lessons
from tools import book, lessons, pages, site

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
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
READY = """() => [...document.querySelectorAll('.rt-explorer')]
    .every(explorer => explorer.dataset.ready === 'yes')"""
# What an explorer shows: picture, alt text, words, the line that is said.
SHOWN = """explorer => {
    const [image, words] = [explorer.querySelector('img'), explorer.querySelector('.rt-words')];
    return [image.src, image.alt, words.innerText, explorer.querySelector('.rt-said').innerText];
}"""

# Of each picture of the package its width, as a share of the one that it was drawn for.
SCALES = """() => [...document.querySelectorAll('main img[width]')].filter(i => i.checkVisibility())
    .map(image => image.getBoundingClientRect().width / image.getAttribute('width'))"""
# How high each explorer is, from its controls to the end of its picture.
HIGH = """() => [...document.querySelectorAll('.rt-explorer')].map(explorer =>
    explorer.querySelector('img').getBoundingClientRect().bottom
    - explorer.getBoundingClientRect().top)"""

SET = """(control, place) => {
    control.value = place;
    control.dispatchEvent(new Event('input', {bubbles: true}));
}"""
TEXTS = """controls => controls.map(c => c.disabled ? null
    : c.selectedOptions?.[0].text ?? c.getAttribute('aria-valuetext'))"""
# How far down the first thirty dots of a picture of falling cases lie: those in the tree.
BOTTOM = """uses => uses.filter(({style}) => style.fill && !style.stroke).slice(0, 30)
    .reduce((sum, use) => sum + Number(use.getAttribute('y')), 0)"""
PICTURE = "page => decodeURIComponent(page.querySelector('img').src.split(',')[1])"
# Alt text, the sentence in the words, and whether the rest of the words are these tables.
SAYS = """(page, tables) => {
    const [sentence, rest] = page.querySelector('.rt-words').children;
    const other = document.createElement('div');
    other.innerHTML = tables;
    return [page.querySelector('img').alt, sentence.textContent, rest.innerHTML == other.innerHTML];
}"""


@pytest.fixture(scope="module")
def built(tmp_path_factory, request):
    """The site of the lessons that a test names."""
    paths = find_lessons([NOTEBOOKS / name for name in request.param])
    return site.write_site(paths, tmp_path_factory.mktemp("site"), states=FEW)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The pages of all lessons as their notebooks are stored, without explorers that move."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "executed", lambda path, most: lessons.read(path))
        return site.write_site(find_lessons(), tmp_path_factory.mktemp("stored"))


SEARCHED = {
    "crossvalidation": "06",
    "crosvalidaton": "06",
    "information gain": "01",
    "gini": "01",
    "laplas": "08",
    "confusion matrix": "05",
    "confusionmatrix": "05",
    "naive bayes": "03",
}
SOLVED = re.compile(r"^(?:Answer|Solution) \d+", re.MULTILINE)  # at the end of a lesson in print
FEW = 12  # states of an explorer
TWO = ["00_ranking.ipynb", "01_what_is_a_good_split.ipynb"]
REST = [path.name for path in sorted(NOTEBOOKS.glob("*.ipynb")) if path.name not in TWO]
both = pytest.mark.parametrize(
    "built", [TWO, pytest.param(REST, marks=pytest.mark.long)], indirect=True, ids=["two", "rest"]
)


def lessons_of(built):
    return [path for path in built if path.name[:2].isdigit()]


def looked_at(built):
    """The pages to look at: of the reference `rt` and two rooms, all with the rest of lessons.

    The book is looked at where it is short.
    """
    few = "rt.plain.c45.html", "rt.storage.html"
    every = len(lessons_of(built)) > len(TWO)
    known = [p for p in built if not (every and p.name == book.FILE)]
    return [p for p in known if every or not p.name.startswith("rt.") or p.name in few]


def open_page(page, path):
    page.goto(path.as_uri())
    assert page.evaluate(FORMULAS)
    page.wait_for_function(READY)


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
            controls = explorer.locator(":is(input, select):not(:disabled)").element_handles()
            assert controls
            for control in controls:
                start = control.input_value()
                name = control.evaluate("control => control.labels[0].innerText")
                shown = places(disk, explorer, control)
                pictures, alts, words, _ = map(set, zip(*shown, strict=True))
                changed = len(pictures) > 1, len(words) > 1
                # Which case a slider will move is chosen from a list, and seen in the words alone.
                slider = control.get_attribute("type") == "range"
                assert all(changed) if slider else any(changed), f"{path.name}: {name}"
                assert all(alt.strip() for alt in alts)
                control.evaluate(SET, start)
                moved += 1
            assert explorer.evaluate("e => e.querySelector('img').naturalWidth") > 100
    assert moved >= 2 * len(lessons_of(built))


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_cases_fall_and_the_auc_counts_on_the_first_screen(disk, built, size):
    disk.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    open_page(disk, built[0])
    slider, number, falling = (
        disk.get_by_label("levels"),
        disk.locator(".auc b"),
        disk.locator(".play svg use[x]"),
    )
    slider.focus()
    seen = []
    for level, key in enumerate(["Home", *["ArrowRight"] * 3]):
        disk.keyboard.press(key)
        disk.get_by_role("img", name=f"60 cases, {level} of 3 levels down").wait_for(
            state="attached"
        )
        said = disk.locator(".play img").get_attribute("alt")
        (auc,) = re.findall(r"AUC (0\.\d{3})", said)
        disk.wait_for_function("auc => document.querySelector('.auc b').innerText === auc", arg=auc)
        disk.wait_for_function("() => document.getAnimations().length === 0")
        seen.append((number.inner_text(), falling.evaluate_all(BOTTOM)))
    aucs, bottoms = zip(*seen, strict=True)
    assert aucs[0] == "0.500" < min(aucs[1:])
    assert sorted(bottoms) == list(bottoms), "they fall"
    assert len(set(bottoms)) == 4
    shown = [
        disk.locator(".lead p"),
        *disk.locator(".button").all(),
        slider,
        disk.locator(".play svg"),
    ]
    for box in (part.bounding_box() for part in shown):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
    disk.mouse.wheel(0, 600)
    disk.wait_for_function("() => scrollY > 300")
    assert disk.get_by_role("searchbox").bounding_box()["y"] < 40, "the search stays"


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
    assert (dark, light) == ("rgb(23, 21, 30)", "rgb(255, 255, 255)")
    open_page(disk, built[1])
    assert disk.evaluate(colour) == light, "it is kept for the next page"


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_the_search_finds_a_section_and_leads_there(disk, built):
    open_page(disk, built[0])
    disk.get_by_label("Search").focus()
    disk.keyboard.type("four CRITERIA table")
    link = disk.locator("#found a").first
    assert link.inner_text() == "01 · What is a good split?: Four criteria of a table (9 min)"
    assert disk.locator("#count").inner_text().endswith(" found")
    link.press("Enter")
    disk.wait_for_url("**/01_what_is_a_good_split.html#*")
    assert disk.evaluate("document.querySelector(':target').tagName") == "H2"
    disk.get_by_label("Search").fill("zzzz")
    assert disk.locator("#count").inner_text() == "0 found"


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_the_search_forgives_a_slip_and_goes_by_keys(disk, built):
    open_page(disk, built[0])
    box, links, count = (
        disk.get_by_label("Search"),
        disk.locator("#found a"),
        disk.locator("#count"),
    )
    box.fill("entorpy crtieria")
    assert count.inner_text().endswith(" found for entropy criteria")
    box.fill("chi-squared")
    assert "chi-squared" in count.inner_text() or count.inner_text().endswith(" found")
    box.fill("four criteria")
    assert "Four criteria" in links.first.inner_text(), "headings stand first"
    box.fill("criteria")
    assert links.first.inner_text().startswith("01"), "a lesson stands before the reference"
    box.fill("entropy")
    assert "$" not in disk.locator("#found").inner_text()
    focused = "[...document.querySelectorAll('#found a')].indexOf(document.activeElement)"
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        disk.keyboard.press(key)
        seen.append(disk.evaluate(focused))
    assert seen == [0, 1, 0, -1]
    assert disk.evaluate("document.activeElement.id") == "search"
    address = links.first.evaluate("link => link.href")
    disk.keyboard.press("Enter")
    disk.wait_for_url(address)


def test_a_search_finds_its_lesson_before_a_function(disk, stored):
    open_page(disk, stored[0])
    links = disk.locator("#found a")
    for words, lesson in SEARCHED.items():
        disk.get_by_label("Search").fill(words)
        assert links.first.inner_text().startswith(lesson), words
    disk.get_by_label("Search").fill("gini")
    names = links.all_inner_texts()
    assert [name[:2].isdigit() for name in names] == 8 * [True] + 4 * [False], "functions follow"
    disk.get_by_label("Search").fill("rt.auc")
    assert links.first.inner_text() == "Reference: rt.auc", "a name of the package is that name"


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_a_page_gives_its_notebook_and_the_code_of_a_cell(disk, built):
    open_page(disk, lessons_of(built)[0])
    with disk.expect_download() as saved:
        disk.get_by_role("link", name="Download the notebook").press("Enter")
    assert saved.value.suggested_filename == TWO[0]
    disk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cell = disk.locator(".highlight:visible").first
    cell.get_by_role("button", name="Copy code").press("Enter")
    cell.get_by_role("button", name="Copied").wait_for()
    copied = disk.evaluate("navigator.clipboard.readText()")
    assert copied == cell.locator("pre").inner_text().strip()
    assert "Copy" not in copied


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_the_book_is_printed_as_a_pdf(built):
    with ThreadPoolExecutor(1) as other:  # where no other browser is driven
        path = other.submit(book.print_book, built[0].with_name(book.FILE)).result()
    pages = [page.extract_text() for page in pypdf.PdfReader(path).pages]
    begins = [i for i, text in enumerate(pages) if re.match(r"\s*(\d+\s+)?0[01] ·", text)]
    assert len(begins) == 2, "each lesson begins a page"
    assert len(pages) > 20
    assert "\\frac" not in "".join(pages)
    for first, after in pairwise([*begins, len(pages)]):
        tasks, answers = "\n".join(pages[first:after]).split("Answers and solutions", 1)
        assert "Not this one" not in tasks
        assert "Guess first" not in answers
        assert tasks.count("at the end of this lesson") == len(re.findall(SOLVED, answers))


def asked_on_a_page(disk, tmp_path, card):
    """The questions of a quiz or a guess alone on a page from the disk."""
    output = new_output("display_data", {pages.ANSWERS: {"items": card.answers()}})
    script = (pages.TEMPLATES / "ask.js").read_text(encoding="utf-8")
    path, head = tmp_path / "asked.html", "<!doctype html><meta charset=utf-8>"
    text = f"{head}{pages.output_html(output)}<script>{script}</script>"
    path.write_text(text, encoding="utf-8")
    if disk:
        disk.goto(path.as_uri())
    return path


def test_each_choice_of_a_quiz_is_answered_in_its_sentence(disk, tmp_path):
    quiz = Quiz("01")
    asked_on_a_page(disk, tmp_path, quiz)
    groups = disk.locator(".question").all()
    assert len(groups) == len(quiz.questions)
    for group, question in zip(groups, quiz.questions, strict=True):
        assert group.get_by_role("status").inner_text() == ""
        for button, choice in zip(group.get_by_role("button").all(), question.choices, strict=True):
            button.press("Enter")
            verdict = "Right." if choice.right else "Not this one."
            said = group.get_by_role("status").inner_text()
            assert said == f"{verdict} {choice.why.replace('`', '')}"
            assert button.get_attribute("aria-pressed") == "true"
            assert button.get_attribute("class") == ("right" if choice.right else "wrong")
        assert group.locator("[aria-pressed=true]").count() == 1
        assert group.locator("details").get_attribute("open") is None


def test_a_number_is_taken_as_in_the_lessons(disk, tmp_path):
    table = {"text": "Which share?", "answer": 0.649, "unit": "share", "digits": 2}
    costs = {"text": "How much?", "answer": 1234.5, "unit": "euros", "digits": 1}
    counted = {"text": "In how many of 20 splits?", "answer": 17, "unit": "splits", "digits": 0}
    for known, typed in [
        (counted, ["21 of 20", "-1", "20 of 20", "7 splits"]),
        (table, ["65 %", ".4", "0,7", "7/10", "1.2", "often", "3/0", ""]),
        (costs, ["1,234.5", "1234,5", "1,000", "-2", "50 %"]),
    ]:
        for text in typed:
            guess = Guess(known["text"], kind_of(known), "Says <b>.", "what is revealed")
            asked_on_a_page(disk, tmp_path, guess)
            disk.get_by_label("Your guess").fill(text)
            disk.keyboard.press("Enter")
            guess.kind.box.value = text
            said = disk.get_by_role("status").inner_text()
            revealed = disk.get_by_text("what is revealed").is_visible()
            try:
                outcome = guess.kind.outcome(guess.kind.read())
            except ValueError:
                assert said.startswith("Please type"), text
                assert not revealed
            else:
                assert said == outcome
                assert revealed
                assert disk.get_by_label("Your guess").is_disabled()


def test_a_choice_and_an_order_are_guessed_once(disk, tmp_path):
    table = {"text": "Which?", "answer": "b <i>", "choices": ["a", "b <i>", "c"]}
    guess = Guess("Which?", kind_of(table), "So it is.", "revealed")
    asked_on_a_page(disk, tmp_path, guess)
    disk.get_by_role("button", name="c", exact=True).press("Enter")
    disk.get_by_role("button", name="a", exact=True).press("Enter")
    assert disk.get_by_role("status").inner_text() == guess.kind.outcome("c")
    assert disk.get_by_text("revealed").is_visible()
    guess = Guess("Order?", kind_of({"text": "?", "answer": list("cab"), "order": list("abc")}))
    asked_on_a_page(disk, tmp_path, guess)
    commit = disk.get_by_role("button", name="That is my guess")
    commit.press("Enter")
    assert disk.get_by_role("status").inner_text().startswith("Each has one place")
    for select, name in zip(disk.locator("select").all(), "acb", strict=True):
        select.select_option(name)
    commit.press("Enter")
    assert disk.get_by_role("status").inner_text() == guess.kind.outcome(list("acb"))


def test_questions_are_folded_where_there_are_no_scripts(opened, tmp_path):
    guess = Guess("Which?", kind_of({"text": "Which?", "answer": "b", "choices": ["a", "b"]}))
    path = asked_on_a_page(None, tmp_path, guess)
    context = opened.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.get_by_role("button").count() == 0
    assert page.get_by_role("listitem").all_inner_texts() == ["a", "b"]
    assert not page.get_by_text("b.", exact=True).is_visible()
    page.get_by_text("Answer").click()
    assert page.get_by_text("b.", exact=True).is_visible()
    context.close()


def fits_a_phone(disk, name):
    """Nothing scrolls sideways but in its own box, and letters of 9 points are 11 pixels high."""
    disk.set_viewport_size({"width": 390, "height": 844})
    disk.evaluate(UNFOLDED)
    wide = disk.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, f"{name}: {wide} wide"
    assert all(9 / 72 * 100 * scale >= 11 for scale in disk.evaluate(SCALES)), name


def test_no_lesson_scrolls_sideways_on_a_phone(disk, stored):
    for path in lessons_of(stored):
        open_page(disk, path)
        fits_a_phone(disk, path.name)


def test_explorers_fit_a_phone_and_a_screen_with_their_controls(disk, stored):
    """On the page, and in the answer of a guess, which is narrower."""
    shown = "".join(make().to_html(2, script=False) for make in EXPLORERS.values())
    shown += f'<div class="question"><details>{shown}</details></div>'
    open_page(disk, next(path for path in stored if path.name.startswith("01")))
    place = "document.querySelector('main').insertAdjacentHTML"
    disk.evaluate(f"shown => {place}('beforeend', shown)", shown)
    fits_a_phone(disk, "explorers")
    disk.set_viewport_size({"width": 1280, "height": 720})
    high = disk.evaluate(HIGH)
    assert len(high) == 2 * len(EXPLORERS)
    assert max(high) <= 720


@both
def test_pages_fit_a_phone_and_paper(disk, built):
    for path in looked_at(built):
        disk.set_viewport_size({"width": 390, "height": 800})
        open_page(disk, path)
        fits_a_phone(disk, path.name)
        text = pypdf.PdfReader(io.BytesIO(disk.pdf(format="A4"))).pages[0].extract_text()
        assert disk.locator("h1").first.inner_text().removesuffix("¶")[:12] in text
        assert "Search" not in text


@pytest.mark.parametrize("built", [TWO], indirect=True, ids=["two"])
def test_a_name_of_the_package_is_found_with_its_source_by_keyboard(disk, built):
    open_page(disk, built[0])
    disk.get_by_label("Search").fill("rt.auc chance positive")
    disk.get_by_role("link", name="Reference: rt.auc", exact=True).press("Enter")
    disk.wait_for_url("**/reference.html#rt.auc")
    source = disk.locator("details", has_text="Source of auc").first
    source.locator("summary").press("Enter")
    text = source.locator("pre").inner_text()
    assert " ".join(text.split()).startswith("def auc( y: ArrayLike, score: ArrayLike")
    disk.locator("h2[id='rt.load'] + pre a").press("Enter")
    disk.wait_for_url("**/reference.html#rt.Dataset")
    disk.get_by_role("link", name="rt.plain.c45", exact=True).press("Enter")
    disk.wait_for_url("**/rt.plain.c45.html")
    assert disk.locator("h1").inner_text() == "rt.plain.c45"
    disk.locator("a.home").press("Enter")
    disk.wait_for_url("**/index.html")


def shown_alone(disk, tmp_path, explorer, most=FEW):
    """An explorer alone on a page from the disk."""
    return shown_together(disk, tmp_path, [explorer.to_html(most)]).first


def shown_together(disk, tmp_path, parts):
    page = tmp_path / "explorers.html"
    text = f"<!doctype html><meta charset=utf-8>{''.join(parts)}"
    page.write_text(text, encoding="utf-8")
    disk.goto(page.as_uri())
    disk.wait_for_function(READY)
    return disk.locator(".rt-explorer")


def moved(page, control, place):
    """Set a control to one of its places; what all controls show, and the text of the picture."""
    control.evaluate(SET, place)
    assert control.input_value() == str(place)
    return page.locator("input, select").evaluate_all(TEXTS), page.evaluate(PICTURE)


def holds(page, drawn, tables):
    """Whether picture, alt text and words are these."""
    said = page.evaluate(SAYS, tables)
    return (page.evaluate(PICTURE), *said) == (drawn.svg(), drawn.alt, drawn.alt, True)


def move_in_any_order(page, explorer):
    """Set three controls to three values each, in any order: pictures are those of the package."""
    known = dict(zip(explorer.controls, page.locator("input").all(), strict=True))
    seen = set()
    for order, places in zip(cycle(permutations(known)), product(range(3), repeat=3), strict=False):
        place = dict(zip(known, places, strict=True))
        for name in order:
            texts, _ = moved(page, known[name], place[name])
        threshold, miss, share = map(float, texts)
        assert holds(page, *explorer.draw(threshold=threshold, miss=miss, share=share))
        seen.add(tuple(texts))
    assert len(seen) == 3**3


def test_three_controls_move_in_any_order(disk, tmp_path):
    explorer = EXPLORERS["roc"]()
    move_in_any_order(shown_alone(disk, tmp_path, explorer, most=27), explorer)


@pytest.mark.long
def test_threshold_costs_and_share_of_lesson_05_move_in_any_order(disk, tmp_path):
    (path,) = find_lessons([NOTEBOOKS / "05_auc.ipynb"])
    site.write_site([path], tmp_path / "site", states=27)
    credit = rt.load("credit-g")
    train, test = rt.random_subsampling(credit.y, runs=20, test=0.5)[0]
    tree = rt.C44().fit(credit.X.iloc[train], credit.y[train])
    proba = tree.predict_proba(credit.X.iloc[test])[:, 0]
    explorer = rt.explore.roc(credit.y[test], proba, positive="bad")
    explorer.controls["threshold"].value, explorer.controls["miss"].value = 0.2, 4
    open_page(disk, tmp_path / "site" / "05_auc.html")
    disk.evaluate(UNFOLDED)
    (page,) = disk.locator(".rt-explorer").all()
    assert page.evaluate(PICTURE) == explorer.picture.svg()
    move_in_any_order(page, explorer)


def combinations(spread):
    """{texts of the controls that move: settings} of each combination."""
    levels = [control["level"] for control in spread.controls()]
    found, waiting = {}, [(spread.tree, [])]
    while waiting:
        node, texts = waiting.pop()
        if isinstance(node, int):
            found[tuple(texts[level] for level in levels)] = spread.settings[node]
            continue
        plan = spread.plans[node[0]]
        offered = plan["texts"] if plan["enabled"] and len(plan["texts"]) > 1 else [None]
        waiting += [(child, [*texts, t]) for t, child in zip(offered, node[1], strict=True)]
    return found


DAILY = "citree_growth", "growing", "one_path", "roc", "stops"  # the others in the long tests
MOVED = [
    name if name in DAILY else pytest.param(name, marks=pytest.mark.long)
    for name in EXPLORERS
    if name != "mailing"
]


@pytest.mark.parametrize("name", MOVED)
def test_pictures_are_those_of_the_package(disk, tmp_path, name):
    explorer, chance = EXPLORERS[name](), random.Random(name)
    settings = combinations(spread_of(explorer, FEW))
    page = shown_alone(disk, tmp_path, explorer)
    for _ in range(8):
        control = chance.choice(page.locator(":is(input, select):not(:disabled)").all())
        count = control.evaluate("c => c.options ? c.options.length : Number(c.max) + 1")
        texts, _ = moved(page, control, chance.randrange(count))
        assert holds(page, *explorer.draw(**settings[tuple(texts)]))


def test_what_follows_begins_anew_and_the_page_says_so(disk, tmp_path):
    page = shown_alone(disk, tmp_path, rt.explore.results("wang2006"), most=100)
    paper, data, one, other = page.locator("select").all()[:4]
    one.select_option("1")
    assert page.locator(".rt-said").inner_text() == ""
    paper.select_option("0")
    assert page.locator(".rt-said").inner_text() == (
        "data set is now abalone. method is now CITree. against is now NB."
    )
    shown = [c.evaluate("c => c.selectedOptions[0].text") for c in (data, one, other)]
    assert shown == ["abalone", "CITree", "NB"]


def test_what_cannot_be_drawn_is_said_and_what_does_not_work_is_disabled(disk, tmp_path):
    def draw(n, m):
        if n == 2:
            raise ValueError("no <b>picture</b> of two")
        return said(f"<i>{n}</i>", f"{n} < {m}.")

    def works(now):
        return numbers("m", 7, 9, 1, 8, enabled=now["n"] == 3)

    page = shown_alone(disk, tmp_path, Explorer(draw, n=numbers("n", 1, 3, 1, 1), m=works))
    n, m = page.locator("input").all()
    before = page.evaluate(PICTURE)
    assert m.is_disabled()
    moved(page, n, 1)
    assert page.locator(".rt-said").inner_text() == (
        "Could not draw this: no <b>picture</b> of two"
    )
    assert page.locator(".rt-words").inner_text().strip() == ""
    assert page.evaluate(PICTURE) == before
    moved(page, n, 2)
    assert m.is_enabled()
    moved(page, m, 2)
    assert page.locator(".rt-said").inner_text() == ""
    assert page.locator(".rt-words").inner_text().split() == ["3", "<", "9.", "3"]
    moved(page, n, 0)
    moved(page, n, 2)
    assert m.get_attribute("aria-valuetext") == "9", "it stays where it was set"


def test_explorers_of_a_page_do_not_disturb_each_other(disk, tmp_path):
    lens = EXPLORERS["lens"]()
    parts = [lens.to_html(FEW), lens.to_html(FEW, script=False)]
    first, second = shown_together(disk, tmp_path, parts).all()
    before = second.evaluate(PICTURE)
    assert first.evaluate(PICTURE) == before
    moved(first, first.locator("input").first, 0)
    assert first.evaluate(PICTURE) != before
    assert second.evaluate(PICTURE) == before
    assert disk.locator("[id]").count() == 0


def test_without_scripts_a_picture_and_its_words_are_there(opened, tmp_path):
    lens = EXPLORERS["lens"]()
    path = tmp_path / "lens.html"
    path.write_text(lens.to_html(FEW), encoding="utf-8")
    context = opened.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    box = page.get_by_role("img", name=lens.picture.alt).bounding_box()
    assert box["width"] == lens.picture.width
    assert box["height"] > 100
    assert lens.picture.alt in page.locator("body").inner_text()
    assert all(control.is_disabled() for control in page.locator("input, select").all())
    context.close()
