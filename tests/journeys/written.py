"""The code blocks and commands of a page, and what it says itself of lines that are not run whole.

A comment just above a block names its exceptions, one a line: `` `line begins so`: how, why``.
"""

import re
from collections import namedtuple
from pathlib import Path
from typing import NamedTuple

from fresh import ROOT, served, typed

from tools import pages

HEAD = "<!-- tested, but"
BLOCK = re.compile(rf"^(?:{HEAD}\n(.*?)-->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
NOT_RUN, LONG, SERVED, FIRST = "not run", "by test-long", "until it answers", "before the block"
MARK = re.compile(rf"`(.+)`: ({NOT_RUN}|{LONG}|{SERVED}|{FIRST}), (.+)")
NEEDS = {  # why a line is not run, and what such a line has
    "it needs an index": re.compile(r"^uvx |^conda |\bpip install "),
    "it takes hours": re.compile(r"-m ranktrees reproduce |^make bench"),
    "it fetches JupyterLite": re.compile(r"^make web\b"),
    "it is the test itself": re.compile(r"^make test\b"),
}


Mark = namedtuple("Mark", "begins how reason")  # of which lines, how these are run and why


class Block(NamedTuple):
    """A block with its marks and language: empty for a shell's, "text" for what Python prints."""

    language: str
    text: str
    marks: list

    def lines(self):
        """Its lines for a shell with the mark of each, the one that says most of it, or None."""
        for line in filter(str.strip, self.text.replace("\\\n", " ").splitlines()):
            fit = [m for m in self.marks if m.how != FIRST and line.startswith(m.begins)]
            yield line, max(fit, key=lambda mark: len(mark.begins), default=None)


def read_page(name, wheel="ranktrees"):
    """The text of a page of the project; "kit" is a kit's, whose marks its template has."""
    if name != "kit":
        return (ROOT / name).read_text(encoding="utf-8")
    kit = pages.template("kit.md.j2")
    text = Path(kit.filename).read_text(encoding="utf-8")
    said = text.replace("{# tested", "<!-- tested").replace("#}", "-->")
    known = {"pdf": True, "missing": [], "hosted_here": True, "asked": "ranktrees[hosted]"}
    return kit.environment.from_string(said).render(known, wheel=wheel)


def blocks(text):
    """All blocks of a page; an AssertionError for a comment that marks nothing, or without why."""
    found = []
    for said, language, code in BLOCK.findall(text):
        matches = [MARK.fullmatch(line) for line in said.strip().splitlines()]
        assert all(matches), f"{said} is not `LINE`: {NOT_RUN}|{LONG}|{SERVED}|{FIRST}, REASON"
        found.append(block := Block(language, code, [Mark(*match.groups()) for match in matches]))
        used = [mark for _, mark in block.lines()]
        for mark in block.marks:
            assert mark.how == FIRST or mark in used, f"no line begins with {mark.begins!r}"
    assert text.count(HEAD) == sum(bool(block.marks) for block in found)
    return found


def commands(text):
    """What stands in a page's sentences and tables as code."""
    return SPAN.findall(BLOCK.sub("", text))


def walk(block, place, long=False):
    """Type the lines of a block, each as its mark says; `make` is for the clone of a place."""
    folder = place.folder
    for line, mark in block.lines():
        here, how = place.clone if line.startswith("make ") else folder, mark and mark.how
        if line.startswith("cd "):
            folder = folder / line.split()[1]
        elif how == NOT_RUN:
            assert NEEDS[mark.reason].search(line), f"{line!r} is not run, but {mark.reason!r}?"
        elif how == SERVED and not long:
            start(line, here, place)
        elif how == (LONG if long else None):
            typed(line, here, place.shell)


def start(line, folder, place):
    """Start what never ends, unless a line before has started the same server.

    test_browser.py and test_browser_lecture.py start JupyterLab by the other lines.
    """
    is_made = line.startswith("make ")
    what = typed(line.replace("make", "make -n", 1), folder, place.shell) if is_made else line
    server = what.rpartition(" -m ")[2].split()[0]
    if server not in place.started:
        place.started.add(server)
        with served(line, folder, place.shell, place.home / "log"):
            pass
