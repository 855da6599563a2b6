"""The code blocks and commands of a page, and what it says itself of lines that are not run whole.

A comment just above a block names its exceptions, one a line: `` `line begins so`: how, why``.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from fresh import ROOT, served, typed

from tools import pages

HEAD = "<!-- tested, but"
MARKED = re.compile(rf"^{HEAD}\n(.*?)-->\n", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(rf"^(?:{HEAD}\n(.*?)-->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
NOT_RUN, LONG, SERVED, FIRST = "not run", "by test-long", "until it answers", "before the block"
MARK = re.compile(rf"`(.+)`: ({NOT_RUN}|{LONG}|{SERVED}|{FIRST}), (.+)")
NEEDS = {  # why a line is not run, and what such a line has
    "it needs an index": re.compile(r"^uvx |^conda |\bpip install "),
    "it takes hours": re.compile(r"-m ranktrees reproduce |^make bench"),
}
TEST_ITSELF = "it is the test itself"


@dataclass
class Mark:
    """An exception: of which line, or which lines, how it is run and why."""

    begins: str
    how: str
    reason: str


@dataclass
class Block:
    """A block with its marks and language: empty for a shell's, "text" for what Python prints."""

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


def read_page(name, wheel="ranktrees"):
    """The text of a page of the project; "kit" is a kit's, whose marks its template has."""
    if name == "kit":
        kit = pages.template("kit.md.j2")
        text = Path(kit.filename).read_text(encoding="utf-8")
        said = text.replace("{# tested", "<!-- tested").replace("#}", "-->")
        return kit.environment.from_string(said).render(
            pdf=True, missing=[], wheel=wheel, asked="ranktrees[hosted]", hosted_here=True
        )
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text):
    """All blocks of a page; an AssertionError for a comment that marks nothing."""
    found = [Block(lang, code, marks_of(said)) for said, lang, code in BLOCK.findall(text)]
    assert len(MARKED.findall(text)) == sum(bool(block.marks) for block in found)
    for block in found:
        used = [mark for _, mark in block.lines()]
        for mark in block.marks:
            assert mark.how == FIRST or mark in used, f"no line begins with {mark.begins!r}"
    return found


def marks_of(said):
    """The marks of a comment; an AssertionError for a line without a way or a reason."""
    matches = [MARK.fullmatch(line) for line in said.strip().splitlines()]
    assert all(matches), f"{said} is not `LINE`: {NOT_RUN}|{LONG}|{SERVED}|{FIRST}, REASON"
    return [Mark(*match.groups()) for match in matches]


def commands(text):
    """What stands in a page's sentences and tables as code."""
    return SPAN.findall(BLOCK.sub("", text))


def walk(block, place, long=False):
    """Type the lines of a block one after the other, each as its mark says.

    `make` is for the clone of a place, all else for its folder; `cd` counts for the lines below.
    """
    folder = place.folder
    for line, mark in block.lines():
        here, how = place.clone if line.startswith("make ") else folder, mark and mark.how
        if line.startswith("cd "):
            folder = folder / line.split()[1]
        elif how == NOT_RUN:
            check_need(line, mark, place)
        elif how == SERVED and not long:
            with served(line, here, place.shell, place.home / "log"):
                pass
        elif how == (LONG if long else None):
            typed(line, here, place.shell)


def check_need(line, mark, place):
    """Fail for a line that is not run without one of the few reasons, or with a wrong one."""
    if mark.reason == TEST_ITSELF:
        assert "-m pytest" in typed(f"make -n {line.split()[1]}", place.clone, place.shell)
    else:
        assert mark.reason in NEEDS, f"{mark.reason!r} is no reason: {', '.join(NEEDS)}"
        assert NEEDS[mark.reason].search(line), f"{line!r} is not run, but {mark.reason!r}?"
