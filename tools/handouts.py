"""One page to hand out for each lesson: goals, formulas, a picture, take-aways, questions.

Its content comes from the lesson itself. The page is HTML; Chromium prints the PDF.
"""

import html
import os
import re
import shutil
import time
import tomllib
from contextlib import contextmanager
from pathlib import Path

from ranktrees_lab.ask.card import marked
from ranktrees_lab.ask.questions import read_questions
from tools import lessons, pages

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OFF = "gpu", "quic", "background-networking", "component-update", "sync"
FLAGS = ["--no-first-run", *(f"--disable-{part}" for part in OFF)]
HANDOUT = "handout"  # the tag of the picture and of the texts whose formulas stand on the page
FORMULA = re.compile(r"^\$\$(.+?)\$\$$", re.DOTALL | re.MULTILINE)
IMAGE = re.compile(r'<img alt="([^"]*)"[^>]* src="([^"]*)"')  # folded below a guess, too
ITEMS = re.compile(r"^[-*] .+(?:\n(?:[-*] |  ).+)*", re.MULTILINE)
LETTERS = Path(__file__).with_name("letters.toml")
SIZES = [11, 10.5, 10, 9.5, 9, 8.5, 8, 7.5, 7]  # of the type, in points: the largest that fits


class BrowserError(RuntimeError):
    """A Chromium that is installed but cannot be used; the text says why."""


class HandoutError(ValueError):
    """A lesson whose page cannot be made, or does not fit; the text names it and says why."""


def contents(number: str, notebook) -> dict:
    """Return a lesson's page as HTML: title, goals, formulas, picture, take-aways, questions.

    The picture, and the texts with the formulas, are those tagged "handout"; below each formula
    stands what its letters mean. Raises HandoutError, naming the lesson, if it has no goals, no
    take-aways, not exactly one such picture, or formulas whose letters are not in letters.toml.
    """
    tagged = [cell for cell in notebook.cells if HANDOUT in lessons.tags(cell)]
    return {
        "number": number,
        "title": pages.title(notebook),
        "goals": pages.text_html(list_below("goals", number, notebook)),
        "formulas": [
            {"formula": f"$${formula}$$", "letters": pages.text_html(letters)}
            for formula, letters in formulas(number, tagged)
        ],
        "picture": _picture(number, tagged),
        "takeaways": pages.text_html(list_below("take-aways", number, notebook)),
        "questions": [
            {"text": marked(q.text), "choices": [marked(choice.text) for choice in q.choices]}
            for q in read_questions(number)
        ],
    }


def formulas(number: str, cells: list) -> list[tuple[str, str]]:
    """Return the formulas of a lesson's texts, each with what its letters mean, in Markdown."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    found = [formula for text in texts for formula in FORMULA.findall(text)]
    letters = tomllib.loads(LETTERS.read_text(encoding="utf-8")).get(number, [])
    if len(found) != len(letters):
        say = f"{len(found)} formulas, and {LETTERS.name} says of {len(letters)} what letters mean"
        raise HandoutError(f"lesson {number}: {say}")
    return list(zip(found, letters, strict=True))


def list_below(word: str, number: str, notebook) -> str:
    """Return the first list in Markdown after a word, such as "goals"; HandoutError if none."""
    for cell in notebook.cells:
        at = cell.source.lower().find(word) if cell.cell_type == "markdown" else -1
        if at >= 0 and (found := ITEMS.search(cell.source, at)):
            return found[0]
    raise HandoutError(f"lesson {number}: no list of {word}")


def _picture(number, cells):
    """Return the stored picture of the lesson's method: {src, alt}."""
    shown = pictures(cells)
    if len(shown) != 1:
        raise HandoutError(f'lesson {number}: {len(shown)} pictures are tagged "handout", not 1')
    ((alt, source),) = shown
    return {"src": source, "alt": html.unescape(alt).split("\n")[0]}


def pictures(cells: list) -> list[tuple[str, str]]:
    """Return (alt text, address) of each picture that some cells show."""
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    return [found for data in outputs for found in IMAGE.findall(data.get("text/html", ""))]


def find_browser() -> str | None:
    """Return the path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def print_pages(paths: list[Path], browser: str) -> list[Path]:
    """Print HTML pages to PDF files beside them, each on one page of A4.

    Type shrinks until a page is enough. HandoutError, naming the file, if 7 points are still too
    large; BrowserError if the browser does not start.
    """
    with browsing(browser) as chromium:
        return [_timed(chromium, path) for path in paths]


@contextmanager
def browsing(browser: str):
    """Run a Chromium in a `with` block; BrowserError if it does not start."""
    from playwright.sync_api import Error, sync_playwright

    how = {"chromium_sandbox": not is_root(), "args": FLAGS}
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=browser, **how)
        except Error as error:
            why = str(error).splitlines()[0]
            raise BrowserError(f"{browser} does not start: {why}") from error
        try:
            yield chromium
        finally:
            chromium.close()


def _timed(chromium, path):
    """Print a page, and say how many seconds that took: Chromium's processors are not ours."""
    begun = time.perf_counter()
    printed = _print(chromium.new_page(), path)
    print(f"{path.stem}: printed in {time.perf_counter() - begun:.1f} s", flush=True)
    return printed


def _print(tab, path):
    tab.goto(path.resolve().as_uri())
    tab.evaluate("() => window.MathJax?.startup?.promise")
    for size in SIZES:
        tab.evaluate("size => { document.documentElement.style.fontSize = size + 'pt' }", size)
        pdf = tab.pdf(format="A4", prefer_css_page_size=True)
        if pages_of(pdf) == 1:
            target = path.with_suffix(".pdf")
            target.write_bytes(pdf)
            tab.close()
            return target
    raise HandoutError(f"{path.name} does not fit on one page: shorten the lesson's take-aways")


def pages_of(pdf: bytes) -> int:
    """Count the pages of a PDF by Chromium."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def is_root() -> bool:
    """Return whether Chromium would refuse to start with its sandbox."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
