"""Handouts in Chromium: each is one page of A4 that can be read, with its formulas drawn."""

import base64
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pypdf
import pytest
from browser import seen_as_drawn

from tools import handouts, kit, lessons

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
TAUGHT = [path for path in NOTEBOOKS if lessons.is_taught(lessons.read(path))]
SMALLEST = 7 * 0.75  # points: what is small on a page whose type is smallest
DAILY = "05"


def elsewhere(function, *arguments):
    """Call a function that drives a browser of its own where no other one is driven."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(function, *arguments).result()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.long] * (path.stem[:2] != DAILY))
        for path in TAUGHT
    ],
)
def test_a_handout_is_one_page(disk, tmp_path, path):
    notebook, folder = lessons.read(path), tmp_path / "handouts"
    assert elsewhere(kit.write_handouts, {path: notebook}, folder) == []
    printed = folder / f"{path.stem}.pdf"
    pages = pypdf.PdfReader(printed).pages
    assert len(pages) == handouts.pages_of(printed.read_bytes()) == 1
    parts = []
    text = pages[0].extract_text(visitor_text=lambda *part: parts.append(part))
    assert min(size for words, *_, size in parts if words.strip()) >= SMALLEST
    assert "$" not in text
    for words in (kit.title_of(notebook).split()[0], "Take-aways", "Questions"):
        assert words in text
    shown = handouts.contents(path.stem[:2], notebook)["picture"]["src"]
    drawn = base64.b64decode(shown.partition(",")[2])
    (printed_picture,) = pages[0].images
    assert printed_picture.image.size == struct.unpack(">II", drawn[16:24])
    disk.goto((folder / f"{path.stem}.html").as_uri())
    assert seen_as_drawn(disk) > 0


def test_a_page_that_is_too_long_is_named(chromium, tmp_path):
    page = tmp_path / "07_long.html"
    page.write_text("<p>" + "word " * 20_000, encoding="utf-8")
    with pytest.raises(handouts.HandoutError, match=r"07_long\.html does not fit on one page"):
        elsewhere(handouts.print_pages, [page], chromium)
