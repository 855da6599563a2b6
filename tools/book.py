"""The lessons as a book: all of them on one page, to read or to print, also as a PDF."""

import html
import re
from pathlib import Path

from tools import handouts, pages

FILE = "book.html"
MOVING = re.compile(
    r'<div class="rt-controls">.*?</p>|<script type="text/plain">.*?</script>', re.DOTALL
)
ID = re.compile(r'(<[^<>]*\bid=")([^"]*")')
LINK = re.compile(r'href="([\w.-]+\.html)?(?:#([^"]*))?"')


def book(chapters: list[dict]) -> dict:
    """Join all these pages into one; their explorers are pictures, and their links stay inside."""
    files = {page["file"]: page["file"].removesuffix(".html") for page in chapters}
    body = "\n".join(_chapter(page, files) for page in chapters)
    listed = [{"id": files[page["file"]], "title": page["title"], "level": 2} for page in chapters]
    items = [f'<li><a href="#{p["id"]}">{html.escape(p["title"])}</a></li>' for p in listed]
    head = "<h1>Decision trees that rank</h1><p class='take'>All lessons on one page. What is"
    head += f' unfolded here is printed, too.</p><ol class="contents">{"".join(items)}</ol>'
    return {"file": FILE, "title": "All lessons as a book", "body": head + body, "parts": listed}


def _chapter(page, files):
    """Return the body of a page, in which ids begin with the name of its file."""
    name = files[page["file"]]

    def inside(found):
        target = files.get(found[1] or page["file"])
        place = f"{target}.{found[2]}" if found[2] else target
        return f'href="#{place}"' if target else found[0]

    still = MOVING.sub("", page["body"]).replace('class="rt-explorer"', 'class="rt-picture"')
    body = ID.sub(rf"\g<1>{name}.\2", LINK.sub(inside, still))
    return f'<section class="chapter" id="{name}">{body}</section>'


def print_book(path: Path) -> Path | None:
    """Print the page beside it to a PDF, as book.js lays it out; None if there is no Chromium.

    BrowserError if it does not start.
    """
    browser = handouts.find_browser()
    if browser is None:
        return None
    with handouts.browsing(browser) as chromium:
        tab = chromium.new_page()
        tab.set_default_timeout(0)
        tab.goto(path.resolve().as_uri())
        tab.evaluate("() => window.MathJax?.startup?.promise")
        tab.evaluate((pages.TEMPLATES / "book.js").read_text(encoding="utf-8"))
        pdf = path.with_suffix(".pdf")
        tab.pdf(path=pdf, format="A4", outline=True, tagged=True)
    return pdf
