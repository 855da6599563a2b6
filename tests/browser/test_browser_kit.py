"""Handouts in Chromium: each is one page of A4 that can be read, with its formulas drawn."""

import base64
import struct
from pathlib import Path

import pypdf
import pytest
from browser import browse, seen_as_drawn

from tools import handouts, kit, lessons

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
SMALLEST = 7 * 0.75  # points: what is small on a page whose type is smallest


def test_each_handout_is_one_page(chromium, tmp_path):
    course = {path: lessons.read(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    course = {path: notebook for path, notebook in course.items() if lessons.is_taught(notebook)}
    pictures = 0
    assert kit.write_handouts(course, tmp_path / "handouts") == []
    for path, notebook in course.items():
        printed = tmp_path / "handouts" / f"{path.stem}.pdf"
        pages = pypdf.PdfReader(printed).pages
        assert len(pages) == handouts.pages_of(printed.read_bytes()) == 1
        parts = []
        text = pages[0].extract_text(visitor_text=lambda *part, parts=parts: parts.append(part))
        assert min(size for words, *_, size in parts if words.strip()) >= SMALLEST
        assert "$" not in text
        assert kit.title_of(notebook).split()[0] in text
        assert "Take-aways" in text
        assert "Questions" in text
        shown = handouts.contents(path.stem[:2], notebook)["picture"]["src"]
        drawn = base64.b64decode(shown.partition(",")[2])
        (printed_picture,) = pages[0].images
        assert printed_picture.image.size == struct.unpack(">II", drawn[16:24])
    with browse(chromium, tmp_path / "profile") as page:
        for path in course:
            page.goto((tmp_path / "handouts" / f"{path.stem}.html").as_uri())
            pictures += seen_as_drawn(page)
    assert pictures > 0


def test_a_page_that_is_too_long_is_named(chromium, tmp_path):
    page = tmp_path / "07_long.html"
    page.write_text("<p>" + "word " * 20_000, encoding="utf-8")
    with pytest.raises(handouts.HandoutError, match=r"07_long\.html does not fit on one page"):
        handouts.print_pages([page], chromium)
