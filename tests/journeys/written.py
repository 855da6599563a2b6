"""The code blocks and commands of a page, and what it says itself of lines that are not run whole.

A comment just above a block names its exceptions, one a line: `` `line begins so`: how, why``.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from tools import pages

ROOT = Path(__file__).parents[2]
HEAD = "<!-- tested, but"
MARKED = re.compile(rf"^{HEAD}\n(.*?)-->\n", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(rf"^(?:{HEAD}\n(.*?)-->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
NOT_RUN, LONG, SERVED, FIRST = "not run", "by test-long", "until it answers", "before the block"
MARK = re.compile(rf"`(.+)`: ({NOT_RUN}|{LONG}|{SERVED}|{FIRST}), (.+)")


@dataclass
class Mark:
    """An exception: of which line, or which lines, how it is run and why."""

    begins: str
    how: str
    reason: str


@dataclass
class Block:
    """A block of code with its language, empty for a shell's, and its marks."""

    language: str
    text: str
    marks: list = field(default_factory=list)

    @property
    def name(self):
        return self.text.splitlines()[0]

    def lines(self):
        """Its lines for a shell with the mark of each, or None."""
        whole = self.text.replace("\\\n", " ").splitlines()
        return [(line, self.mark(line)) for line in whole if line.strip()]

    def mark(self, line):
        fit = [m for m in self.marks if m.how != FIRST and line.startswith(m.begins)]
        return max(fit, key=lambda mark: len(mark.begins), default=None)


def read_page(name):
    """The text of a page of the project; "kit" is the one that a kit has."""
    if name == "kit":
        return pages.template("kit.md.j2").render(pdf=True, missing=[])
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text):
    """All blocks of a page; a ValueError for a comment that marks nothing or gives no reason."""
    found = [Block(lang, code, marks_of(said)) for said, lang, code in BLOCK.findall(text)]
    if len(MARKED.findall(text)) != sum(bool(block.marks) for block in found):
        raise ValueError(f'"{HEAD}" stands above no block, or says nothing')
    for block in found:
        for mark in block.marks:
            if mark.how != FIRST and all(other is not mark for _, other in block.lines()):
                raise ValueError(f"no line of the block below begins with {mark.begins!r}")
    return found


def marks_of(said):
    """The marks of a comment; a ValueError for a line without a way or a reason."""
    lines = said.strip().splitlines()
    matches = [MARK.fullmatch(line) for line in lines]
    if not all(matches):
        bad = lines[matches.index(None)]
        raise ValueError(f"{bad!r} is not `LINE`: {NOT_RUN}|{LONG}|{SERVED}|{FIRST}, REASON")
    return [Mark(*match.groups()) for match in matches]


def commands(text):
    """What stands in a page's sentences and tables as code."""
    return SPAN.findall(BLOCK.sub("", text))
