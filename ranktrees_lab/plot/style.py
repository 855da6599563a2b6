"""One colour for one thing in all lessons, safe for the colour-blind, and labels that fit."""

import re
from bisect import bisect_right
from dataclasses import replace
from functools import lru_cache

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

from ranktrees.basics.arguments import check_number
from ranktrees.basics.html import FROM_RIGHT

BLACK, GREY = "#000000", "#8A8A8A"
ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILLION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"

# Okabe and Ito (2008), "Color universal design"
COLOURS = {
    "entropy": GREEN,
    "gini": PURPLE,
    "dkm": SKY,
    "score": BLUE,
    "best": VERMILLION,
    "chosen": BLACK,
    "parent": GREY,
    "positive": BLACK,
    "decision": BLUE,
    "random": GREY,
    "ideal": BLACK,
    "oblique": BLACK,
}
CLASSES = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION, GREY, YELLOW)
MODELS = (PURPLE, GREEN, SKY, VERMILLION, BLUE, ORANGE)
MARKERS = "o^sDvPX*"
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))

SMALL, NORMAL, LARGE = 9, 10, 11  # points
_RENDERER = RendererAgg(10, 10, 200)
_LEFT_MARK = "\u200e"  # around words that are written from the right
# Fonts of boxes, of nothing, and of letters as pictures of pixels.
_NO_OUTLINES = re.compile(r"^\.|Last ?Resort|Blank|Colou?r")


def line_look(k: int, **more) -> dict:
    """Colour, dashes and marker of the line of the k-th model, and what else is given."""
    looks = {"color": MODELS, "ls": DASHES, "marker": MARKERS}
    return {name: kinds[k % len(kinds)] for name, kinds in looks.items()} | more


def class_colours(n: int) -> list[str]:
    """A colour for each of n classes: up to eight of Okabe and Ito's, more from cividis."""
    check_number("n", n, 0, whole=True)
    if n <= len(CLASSES):
        return list(CLASSES[:n])
    scale = mpl.colormaps["cividis"]
    return [to_hex(scale(i / (n - 1))) for i in range(n)]


def ink(colour: str) -> str:
    """Black or white, whichever reads better on this colour."""
    r, g, b = to_rgb(colour)
    return BLACK if 0.299 * r + 0.587 * g + 0.114 * b > 0.45 else "white"


@lru_cache(maxsize=4096)
def text_width(text: str, points: float = SMALL, bold: bool = False) -> float:
    """Width in inches of a line of text at this size."""
    text = drawable(text)
    other = other_font(text)
    weight = other.get("fontweight", "bold" if bold else "normal")
    font = FontProperties(family=other.get("fontfamily"), size=points, weight=weight)
    return _RENDERER.get_text_width_height_descent(text, font, False)[0] / 200


def cut(text, inches: float, points: float = SMALL) -> str:
    """The text, ending in an ellipsis where it is wider than so many inches."""
    text = drawable(text)
    if text_width(text, points) <= inches:
        return text

    def width(n):
        return text_width(text[:n].rstrip() + "…", points)

    fit = bisect_right(range(1, len(text) + 1), inches, key=width)
    return text[:fit].rstrip() + "…"


def shorten(text, inches: float, points: float = SMALL) -> str:
    """The text cut to so many inches, ready to be drawn."""
    return plain(cut(text, inches, points))


def both(first: str, second: str, inches: float) -> str:
    """Two texts in so many inches: each has half, and what the other leaves."""
    room = inches - text_width(" ")
    left, right = (max(room / 2, room - text_width(other)) for other in (second, first))
    return f"{cut(first, left)} {cut(second, right)}"


def plain(text) -> str:
    """The text as it is drawn: one line, in which no dollar sign starts a formula."""
    return drawable(text).replace("$", r"\$")


def drawable(text) -> str:
    """The text in one line, with codes such as U+5B57 for the letters that no font here has."""
    text = " ".join(str(text).splitlines()).replace(_LEFT_MARK, "")
    if lost := {letter for letter in _unusual(text) if not _other_family(letter)}:
        codes = {letter: " " if letter.isspace() else f" U+{ord(letter):04X} " for letter in lost}
        text = " ".join("".join(codes.get(letter, letter) for letter in text).split())
    return FROM_RIGHT.sub(rf"{_LEFT_MARK}\g<0>{_LEFT_MARK}", text)


def other_font(text: str) -> dict:
    """The style of a text with letters that the usual fonts lack and others here have, else {}."""
    letters = _unusual(text)
    if not letters and not _unusual(text, "bold"):
        return {}
    others = sorted(filter(None, map(_other_family, letters)))
    families = dict.fromkeys([*FontProperties().get_family(), *others])
    return {"fontfamily": list(families), "fontweight": "normal"}  # not all are there in bold


def _unusual(text: str, weight="normal") -> set[str]:
    """The letters of a text that none of the fonts that matplotlib is set to has."""
    if text.isascii() and text.isprintable():
        return set()
    properties = [FontProperties(family=[f], weight=weight) for f in FontProperties().get_family()]
    fonts = [get_font(findfont(each)) for each in properties]
    return {c for c in text if not any(font.get_char_index(ord(c)) for font in fonts)}


def _other_family(letter: str) -> str:
    """The first family of fonts on this machine that has the letter, "" for none."""
    families, first = _machine_fonts()
    return families[first[ord(letter)]] if letter.isprintable() else ""


@lru_cache(maxsize=1)
def _machine_fonts() -> tuple[list[str], np.ndarray]:
    """Names of families, the first one "", and for each code point the place of one that has it."""
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
    """Names in words: `a, b and c`; of more than `most` the first and how many others."""
    names = [str(name) for name in names]
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} others"]
    return f" {last} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def cases(n: float) -> str:
    """`1 case`, `14 cases`."""
    return f"{n:g} case" if n == 1 else f"{n:g} cases"
