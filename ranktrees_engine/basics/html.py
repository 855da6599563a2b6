"""HTML for notebooks that screen readers read as well: no scripts, no formula begun by a sign."""

import re
from html import escape

import pandas as pd

LETTERS = 200  # of a text
# Words that are written from the right: signs and numbers that follow them would turn, too.
FROM_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?: +[\u0590-\u08ff]+)*")


def page(title: str, body: str) -> str:
    """Return the HTML of a title and a body in which nothing begins a formula."""
    return no_formula(f"<p><strong>{cut(title)}</strong></p>{body}")


def no_formula(source: str) -> str:
    """Return HTML in which no name changes the direction of text and no sign starts a formula."""
    return FROM_RIGHT.sub(r"<bdi>\g<0></bdi>", re.sub(r"([$\\])", r"<span>\1</span>", source))


def wide(frame: pd.DataFrame, **options) -> str:
    """Return a table that scrolls on its own, by keyboard too, if it is wider than the page."""
    return f'<div tabindex="0" style="overflow-x: auto">{frame.to_html(border=0, **options)}</div>'


def cut(text: str) -> str:
    """Return text as HTML, at most `LETTERS` letters of it."""
    return escape(text if len(text) <= LETTERS else f"{text[:LETTERS]}…")
