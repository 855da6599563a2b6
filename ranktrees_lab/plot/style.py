"""One colour for one thing in all lessons, safe for the colour-blind, and labels that fit."""

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.html import FROM_RIGHT

# Okabe and Ito (2008), "Color universal design"
BLACK, GREY = "#000000", "#8A8A8A"
ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILLION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
# Of methods, and far from the first classes; most are of Tol (2021), "Colour schemes"
INDIGO, TEAL, OLIVE, WINE, MAGENTA = "#332288", "#44AA99", "#999933", "#882255", "#AA4499"
VIOLET, ROSE = "#6A51A3", "#CC6677"
BROWN, RED, DARK, STONE = "#7F4F24", "#CC3311", "#333333", "#6B6B6B"

COLOURS = {
    "entropy": TEAL,
    "gini": ROSE,
    "dkm": INDIGO,
    "score": VIOLET,
    "best": RED,
    "chosen": BLACK,
    "parent": GREY,
    "positive": BLACK,
    "decision": VIOLET,
    "random": GREY,
    "ideal": BLACK,
    "oblique": BLACK,
    "board": VIOLET,
    "sealed": BLACK,
    "marked": "#E4DFF2",  # behind words
}
CLASSES = (BLUE, ORANGE, GREEN, SKY, PURPLE, VERMILLION, GREY, YELLOW)
# The colour of a method in the whole course, by the first of these words that its name holds: an
# estimate comes before the tree that it is of. What has the same colour is never compared.
METHODS = {
    "shrinkage with wpe": WINE,
    "path bayes": RED,
    "forest": BROWN,
    "citree": ROSE,
    "nbtree": OLIVE,
    "newton": MAGENTA,
    "distance": OLIVE,
    "bag": OLIVE,
    "aode": WINE,
    "tan": BROWN,
    "m-branch": BROWN,
    "ling-yan": RED,
    "wpe": OLIVE,
    "shrinkage": MAGENTA,
    "diw": MAGENTA,
    "naive bayes": TEAL,
    "frequenc": STONE,
    "laplace": INDIGO,
    "c4.4": INDIGO,
    "c4.5": DARK,
}
MODELS = (ROSE, TEAL, INDIGO, OLIVE, WINE, BROWN, MAGENTA, RED, DARK, STONE)  # of other names
MARKERS = "o^sDvPX*"
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))

# Points; slides and lectures, which are read from afar, ask for a multiple of the size.
LETTERS = float(os.environ.get("RANKTREES_LETTERS", "1"))
SMALL, NORMAL, LARGE = 9 * LETTERS, 10 * LETTERS, 11 * LETTERS
WORD, MOST_LINES = 1.7, 7  # inches of a word, and lines of a text
_RENDERER = RendererAgg(10, 10, 200)
_BREAK = re.compile(r"(?<=\s)(?=\S)|(?<=\w[_/-])(?=[^\W\d_])")  # not in numbers
_LEFT_MARK = "\u200e"  # around words that are written from the right
# Fonts of boxes, of nothing, and of letters as pictures of pixels.
_NO_OUTLINES = re.compile(r"^\.|Last ?Resort|Blank|Colou?r")


def model_colours(names) -> list[str]:
    """Return a colour for each name: a known method's own, unless it is taken; else a free one."""
    colours = dict.fromkeys(names)
    for name in colours:
        own = next((c for words, c in METHODS.items() if words in str(name).lower()), None)
        colours[name] = None if own in colours.values() else own
    free = cycle([c for c in MODELS if c not in colours.values()] or MODELS)
    return [colours[name] or next(free) for name in colours]


def line_looks(names, **more) -> Iterator[dict]:
    """Yield colour, dashes and marker of each of these models' lines, and other given styles."""
    for colour, dashes, marker in zip(model_colours(names), cycle(DASHES), cycle(MARKERS)):
        yield {"color": colour, "ls": dashes, "marker": marker} | more


def class_colours(n: int) -> list[str]:
    """Return a colour for each of n classes: up to eight of Okabe and Ito's, more from cividis."""
    check_number("n", n, 0, whole=True)
    if n <= len(CLASSES):
        return list(CLASSES[:n])
    scale = mpl.colormaps["cividis"]
    return [to_hex(scale(i / (n - 1))) for i in range(n)]


def ink(colour: str) -> str:
    """Return black or white, whichever reads better on this colour."""
    r, g, b = to_rgb(colour)
    return BLACK if 0.299 * r + 0.587 * g + 0.114 * b > 0.45 else "white"


@lru_cache(maxsize=4096)
def text_width(text: str, points: float = SMALL, bold: bool = False) -> float:
    """Return the width in inches of a line of text at this size."""
    text = drawable(text)
    other = other_font(text)
    weight = other.get("fontweight", "bold" if bold else "normal")
    font = FontProperties(family=other.get("fontfamily"), size=points, weight=weight)
    return _RENDERER.get_text_width_height_descent(text, font, False)[0] / 200


def cut(text, inches: float, points: float = SMALL) -> str:
    """Cut the text, with an ellipsis at its end, if it is wider than `room` inches."""
    text = drawable(text)
    if text_width(text, points) <= inches:
        return text

    def width(n):
        return text_width(text[:n].rstrip() + "…", points)

    fit = bisect_right(range(1, len(text) + 1), inches, key=width)
    return text[:fit].rstrip() + "…"


def wrapped(text, inches: float, points: float = SMALL, bold: bool = False) -> list[str]:
    """Break text into lines of `room` inches, at blanks, hyphens, slashes and underscores.

    A longer part that cannot be broken has its own line.
    """
    lines = [""]
    for part in _BREAK.split(" ".join(drawable(text).split())):
        longer = lines[-1] + part
        fits = not lines[-1] or text_width(longer.rstrip(), points, bold) <= inches
        lines[-1:] = [longer] if fits else [lines[-1], part]
    return [line.rstrip() for line in lines]


def block(text, inches: float) -> str:
    """Break text into lines; words and the number of lines are cut to WORD and MOST_LINES."""
    lines = [cut(line, max(inches, WORD)) for line in wrapped(text, inches)]
    return "\n".join(lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "…"])


def shorten(text, inches: float, points: float = SMALL) -> str:
    """Cut the text to `room` inches, ready to be drawn."""
    return plain(cut(text, inches, points))


def both(first: str, second: str, inches: float) -> str:
    """Fit two texts into `room` inches: each gets half, and what the other leaves free."""
    room = inches - text_width(" ")
    left, right = (max(room / 2, room - text_width(other)) for other in (second, first))
    return f"{cut(first, left)} {cut(second, right)}"


def plain(text) -> str:
    """Return the text to be drawn: one line, in which no dollar sign starts a formula."""
    return drawable(text).replace("$", r"\$")


def drawable(text) -> str:
    """Return the text in one line, with codes such as U+5B57 for letters of no installed font."""
    text = " ".join(str(text).splitlines()).replace(_LEFT_MARK, "")
    if lost := {letter for letter in _unusual(text) if not _other_family(letter)}:
        codes = {letter: " " if letter.isspace() else f" U+{ord(letter):04X} " for letter in lost}
        text = " ".join("".join(codes.get(letter, letter) for letter in text).split())
    return FROM_RIGHT.sub(rf"{_LEFT_MARK}\g<0>{_LEFT_MARK}", text)


def other_font(text: str) -> dict:
    """Return the style for a text with letters that only unusual fonts have, else {}."""
    letters = _unusual(text)
    if not letters and not _unusual(text, "bold"):
        return {}
    others = sorted(filter(None, map(_other_family, letters)))
    families = dict.fromkeys([*FontProperties().get_family(), *others])
    return {"fontfamily": list(families), "fontweight": "normal"}  # not all are there in bold


def _unusual(text: str, weight="normal") -> set[str]:
    """Return the letters of a text that none of the fonts that matplotlib is set to has."""
    if text.isascii() and text.isprintable():
        return set()
    properties = [FontProperties(family=[f], weight=weight) for f in FontProperties().get_family()]
    fonts = [get_font(findfont(each)) for each in properties]
    return {c for c in text if not any(font.get_char_index(ord(c)) for font in fonts)}


def _other_family(letter: str) -> str:
    """Return the first family of fonts on this machine that has the letter, "" for none."""
    families, first = machine_fonts()
    return families[first[ord(letter)]] if letter.isprintable() else ""


@lru_cache(maxsize=1)
def machine_fonts() -> tuple[list[str], np.ndarray]:
    """Return names of families, the first one "", and a place in them for each code point."""
    upright = [font for font in fontManager.ttflist if font.style == "normal"]
    regular = {font.name for font in upright if font.weight == 400}
    medium = [font for font in upright if font.weight == 500 and font.name not in regular]
    fontManager.ttflist += [replace(font, weight=400) for font in medium]  # else findfont complains
    regular |= {font.name for font in medium}
    names = sorted(regular, key=lambda name: ("Sans" not in name, name))
    families = ["", *(name for name in names if not _NO_OUTLINES.search(name))]
    first = np.zeros(0x110000, np.uint16)
    for place, name in enumerate(families[1:], 1):
        font = get_font(findfont(FontProperties(family=[name])))
        codes = np.fromiter(font.get_charmap(), np.int64)
        first[codes[first[codes] == 0]] = place
    return families, first


def some(names, most: int = 4, last: str = "and") -> str:
    """Return names in words: `a, b and c`; beyond `most`, the first ones and how many others."""
    names = [str(name) for name in names]
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} others"]
    return f" {last} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def cases(n: float) -> str:
    """Return `1 case`, `14 cases`."""
    return f"{n:g} case" if n == 1 else f"{n:g} cases"
