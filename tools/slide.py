"""A slide, how much of it is filled, and what joins and shortens the slides of a lesson.

Heights are estimated in lines of a slide's type; what is then on a slide, the page gives the size
for which all of it has room.
"""

import html
import math
import re
from dataclasses import dataclass, field
from itertools import pairwise

from tools import lessons

LINES, LETTERS = 14, 68  # of type that a slide has room for, and of letters in such a line
READING = 8  # lines beside a figure
SHORT = 2.5  # lines that are too little for a slide
MOST_SLIDES = 30  # of the 45-minute cut
CODE = '<div class="highlight"'  # how a part begins that is code
TAG = re.compile(r"<[^>]*>")


@dataclass
class Slide:
    """Parts in HTML: a heading, words and code in order, figures beside them, code folded below."""

    section: str
    more: bool = False
    heading: str = ""
    words: list[str] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    folded: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    notes: str = ""
    lines: float = 0
    closed: bool = False  # a question's or an exercise's, to which nothing is added
    origin: object = None  # the cell that begins it
    latest: object = None  # the cell of which something came last
    answer: str = ""  # of the guess that its figure gives away

    @property
    def is_empty(self) -> bool:
        """Whether nothing is on it but a heading."""
        return not (self.words or self.figures or self.folded)

    @property
    def is_done(self) -> bool:
        """Whether the next part belongs on another: it is closed, has figures or not even begun."""
        return bool(self.closed or self.figures or (self.is_empty and not self.heading))

    def add(self, part: str, cell, more: bool = False) -> None:
        """Put a part below its words; what is for the longer cut alone is marked."""
        longer = (more or "more" in lessons.tags(cell)) and not self.more
        self.lines, self.latest = self.lines + height(part), cell
        self.words.append(f'<div class="more">{part}</div>' if longer else part)


def height(part: str) -> float:
    """About how many lines of a slide's type a part in HTML takes."""
    if part.startswith((CODE, "<pre")):
        return 0.75 * part.count("\n") + 0.5
    rows = part.count("<tr")
    texts = [] if rows else [TAG.sub("", t) for t in re.split(r"<(?:p|li|h\d)\b[^>]*>", part)]
    lines = sum(math.ceil(len(html.unescape(t).strip()) / LETTERS) for t in texts)
    return lines + 0.3 + 0.85 * rows + 1.5 * (part.count("$$") // 2)


def finished(slides: list[Slide]) -> list[Slide]:
    """The slides without empty ones: figures get words, what is little is joined, too many cut."""
    slides = [slide for slide in slides if not slide.is_empty]
    for above, slide in pairwise(slides):
        if slide.figures and not slide.words:
            _explain(slide, above)
    slides = _joined([slide for slide in slides if not slide.is_empty])
    _shorten(slides)
    return slides


def _explain(slide, above):
    """Give a figure without words the answer that it shows, or the words that lead to it."""
    if slide.answer:
        return slide.words.append(slide.answer)
    count = len(above.words) if above.lines <= READING else 1
    lead = above.words[-count:]
    apart = above.section != slide.section or above.more != slide.more
    if apart or above.closed or above.figures or sum(map(height, lead)) > READING:
        return None
    if all(part.startswith("<p") for part in lead):
        del above.words[-count:]
        slide.words, slide.lines = lead, sum(map(height, lead))
        above.lines -= slide.lines
        if not above.words:
            slide.heading, slide.folded = above.heading, above.folded + slide.folded
            above.folded = []
    return None


def _joined(slides):
    """Slides of which those with next to nothing are joined to the one above in their section."""
    kept = slides[:1]
    for slide in slides[1:]:
        above, few = kept[-1], slide.lines < SHORT + 1.5
        plain = not (slide.heading or slide.figures or slide.closed)
        plain = plain and (slide.more or not above.more)
        if plain and few and above.section == slide.section and (above.figures or not above.closed):
            longer = slide.more and not above.more
            above.words += (
                [f'<div class="more">{"".join(slide.words)}</div>'] if longer else slide.words
            )
            above.folded += slide.folded
            above.lines += slide.lines
        else:
            kept.append(slide)
    return kept


def _shorten(slides):
    """Keep for the longer cut alone what the shorter has no room for: no figure, no beginning.

    Questions of quizzes go first, the last before the others, then what has least on it.
    """
    units = []  # what one cell puts on several slides stays together
    for above, slide in pairwise([Slide(""), *slides]):
        if slide.heading or slide.origin is not above.latest:
            units.append([])
        units[-1].append(slide)
    inner = [unit for above, unit in pairwise(units) if unit[0].section == above[0].section]
    free = [u for u in reversed(inner) if not any(s.figures for s in u) and not u[0].more]
    quiz = [u for u in free if u[0].closed and u[0].heading]
    plain = sorted((u for u in free if not u[0].closed), key=lambda u: sum(s.lines for s in u))
    for unit in [*quiz, *plain, *(u for u in free if u[0].closed and not u[0].heading)]:
        if sum(not s.more for s in slides) > MOST_SLIDES:
            for slide in unit:
                slide.more = True
