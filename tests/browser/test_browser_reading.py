"""A lesson of the site as it is read: a tree that grows while steps scroll, lines, the night."""

import pytest
from browser import faults
from fresh import ROOT

from tools import lessons, pages, site

# How many letters the first line of each paragraph has, of those with several lines.
LETTERS = """paragraphs => paragraphs.map(paragraph => {
    const range = document.createRange(),
        text = [...paragraph.childNodes].find(node => node.length > 150);
    if (!text) return 0;
    const top = i => { range.setStart(text, i); range.setEnd(text, i + 1);
        return range.getBoundingClientRect().top; };
    let begin = 0, longest = 0;
    for (let i = 1; i < text.length - 1; i++) {
        if (text.data[i] === ' ' || top(i) - top(begin) < 5) continue;
        longest = Math.max(longest, i - begin);
        begin = i;
    }
    return longest;
})"""


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """The page of lesson 02, as it is stored."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "executed", lambda path, most: lessons.read(path))
        patch.setattr("tools.reference.written", list)
        patch.setattr(site, "verdicts_page", lambda: "<h1>Claims</h1>")
        path = ROOT / "notebooks" / "02_growing_a_tree.ipynb"
        written = site.write_site([path], tmp_path_factory.mktemp("site"))
    return next(page for page in written if page.stem == path.stem)


def test_a_tree_and_its_plane_stay_while_steps_scroll_or_stand_one_by_one(disk, lesson):
    disk.set_viewport_size({"width": 1280, "height": 720})
    disk.goto(lesson.as_uri())
    pairs, steps = disk.locator(".walk figure"), disk.locator(".walk .step p")
    for k, said in enumerate(steps.all()):
        said.evaluate("p => scrollBy(0, p.getBoundingClientRect().top - 450)")
        box = pairs.nth(k).bounding_box()
        assert box["y"] < 70, "it is fixed below the head"
        assert box["y"] + box["height"] <= said.bounding_box()["y"], "and above its words"
        tree, plane = (image.bounding_box() for image in pairs.nth(k).locator("img").all())
        assert tree["y"] == plane["y"]
    for how in ({"reduced_motion": "reduce"}, {"media": "print"}):
        disk.emulate_media(**how)
        places = disk.locator(".walk > *").evaluate_all("all => all.map(e => e.offsetTop)")
        assert places == sorted(set(places))
        assert pairs.first.evaluate("f => getComputedStyle(f).position") == "static"


def test_lines_have_at_most_90_letters_and_pictures_by_night_no_white(disk, lesson):
    disk.set_viewport_size({"width": 1920, "height": 1080})
    disk.emulate_media(color_scheme="dark")
    disk.goto(lesson.as_uri())
    letters = disk.locator("main > p").evaluate_all(LETTERS)
    assert 60 < max(letters) <= 90
    cards = disk.locator("main img").evaluate_all("all => all.map(i => getComputedStyle(i).filter)")
    assert cards
    assert all("brightness(0.82)" in card for card in cards)


def test_axe_finds_nothing_by_night(disk, lesson):
    disk.emulate_media(color_scheme="dark")
    disk.goto(lesson.as_uri())
    assert faults(disk, ".walk") == []
