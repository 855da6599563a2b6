"""One page to hand out for each lesson: goals, formulas, a picture, take-aways, questions.

What stands on it is taken from the lesson itself. The page is HTML; a PDF is printed by Chromium.
"""

import os
import re
import shutil
from pathlib import Path

from ranktrees.teach.ask.card import marked
from ranktrees.teach.ask.questions import read_questions
from tools import pages

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FORMULA = re.compile(r"^\$\$(.+?)\$\$$", re.DOTALL | re.MULTILINE)
ITEMS = re.compile(r"^[-*] .+(?:\n(?:[-*] |  ).+)*", re.MULTILINE)
MOST_FORMULAS = 4
SIZES = [11, 10.5, 10, 9.5, 9, 8.5, 8, 7.5, 7]  # of the type, in points: the largest that fits


class BrowserError(RuntimeError):
    """A Chromium that is there and cannot be used; the text says why."""


class HandoutError(ValueError):
    """A lesson of which no page can be made, or none that fits; the text names it and says why."""


def contents(number: str, notebook) -> dict:
    """What a lesson's page says: title, goals, formulas, picture, take-aways, questions, as HTML.

    Raises HandoutError, naming the lesson, where it has no goals or no take-aways.
    """
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    formulas = [found for text in texts for found in FORMULA.findall(text)]
    return {
        "number": number,
        "title": pages.title(notebook),
        "goals": pages.text_html(list_below("goals", number, notebook)),
        "formulas": [f"$${found}$$" for found in formulas[:MOST_FORMULAS]],
        "picture": _picture(notebook),
        "takeaways": pages.text_html(list_below("take-aways", number, notebook)),
        "questions": [
            {"text": marked(q.text), "choices": [marked(choice.text) for choice in q.choices]}
            for q in read_questions(number)
        ],
    }


def list_below(word: str, number: str, notebook) -> str:
    """The first list in Markdown after a word, as "goals"; HandoutError where there is none."""
    for cell in notebook.cells:
        at = cell.source.lower().find(word) if cell.cell_type == "markdown" else -1
        if at >= 0 and (found := ITEMS.search(cell.source, at)):
            return found[0]
    raise HandoutError(f"lesson {number}: no list of {word}")


def _picture(notebook):
    """The lesson's first explorer as it is stored, else its first picture: {src, alt}, or None."""
    shown = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                alt = data["text/plain"].split("\n")[0]
                picture = {"src": pages.png_address(data), "alt": alt}
                shown.append(("rt.explore." in cell.source, picture))
    shown.sort(key=lambda pair: not pair[0])
    return shown[0][1] if shown else None


def find_browser() -> str | None:
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def print_pages(paths: list[Path], browser: str) -> list[Path]:
    """Print HTML pages to PDF files beside them, each on one page of A4.

    Type shrinks until a page is enough; HandoutError, naming the file, where 7 points are too
    large still; BrowserError where the browser does not start.
    """
    from playwright.sync_api import Error, sync_playwright

    how = {"chromium_sandbox": not is_root(), "args": FLAGS}
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=browser, **how)
        except Error as error:
            why = str(error).splitlines()[0]
            raise BrowserError(f"{browser} does not start: {why}") from error
        try:
            return [_print(chromium.new_page(), path) for path in paths]
        finally:
            chromium.close()


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
    """How many pages a PDF of Chromium has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def is_root() -> bool:
    """Whether Chromium would refuse to start with its sandbox."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
