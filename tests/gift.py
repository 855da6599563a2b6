"""GIFT read by a grammar after Moodle's documentation: https://docs.moodle.org/en/GIFT_format.

Blank lines divide questions. It is stricter than Moodle: each of ~ = # { } : has its backslash, a
text is one line, it is HTML, and all questions are of the kind "multiple choice".
"""

import re
from typing import NamedTuple

from lark import Lark

GRAMMAR = r"""
question: "::" TEXT "::" "[html]" TEXT "{" _SPACE? choice+ "}"
choice: MARK WEIGHT? TEXT "#" TEXT _SPACE?
MARK: "=" | "~"
WEIGHT.2: /%-?\d+(\.\d+)?%/
TEXT: /(\\[\\~=#{}:n]|[^\\~=#{}:\n])+/
_SPACE: /\s+/
"""
CATEGORY = "$CATEGORY: "
ESCAPED = re.compile(r"\\(.)")


class Question(NamedTuple):
    """A question: its name, its text, and of each choice mark, text and feedback."""

    name: str
    text: str
    choices: list


def read_gift(text):
    """The category of a file and its questions; an UnexpectedInput of lark for a wrong sign."""
    parser = Lark(GRAMMAR, start="question", parser="lalr")
    first, *parts = re.split(r"\n(?:[ \t]*\n)+", text.strip())
    assert first.startswith(CATEGORY)
    return first.removeprefix(CATEGORY), [_question(parser.parse(part)) for part in parts]


def _question(tree):
    name, text, *choices = tree.children
    return Question(_plain(name), _plain(text), [[*map(_plain, c.children)] for c in choices])


def _plain(text):
    return ESCAPED.sub(lambda m: "\n" if m[1] == "n" else m[1], text).strip()
