"""A deck of slides per lesson: `python -m tools.slides`, or `make slides`, writes build/slides/.

What goes on a slide say the lessons' own tags: a cell of slide type "slide" begins one, as does a
heading; cells without a type stay on the slide above, "skip" leaves a cell out. The tag "more" is
for the 90-minute cut alone, as exercises are. Speaker's notes are in tools/notes/, below the same
headings as the lesson's.
"""

import argparse
import html
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from ranktrees_lab.ask.quiz import HEADS
from tools import lessons, pages, references

ROOT = Path(__file__).resolve().parents[1]
NOTES = ROOT / "tools" / "notes"
REVEAL = ("dist/reveal.css", "dist/reset.css", "dist/reveal.js", "plugin/notes/notes.js")
MOST_LINES = 8  # of code that stands open on a slide, but where the lesson develops it
LEFT_OUT = {"answer", "check", "solution", "verify"}
PARTS = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
HEADING = re.compile(r"^(#{1,3}) +(.+?)(?: +\(\d+ min\))? *$", re.MULTILINE)
LESSON = re.compile(r'(?<=href=")(\d\d_\w+)\.ipynb')
ONLY_HEADING = re.compile(r"^\s*<h2[^>]*>.*?</h2>\s*$", re.DOTALL)


class SlidesError(ValueError):
    """A lesson of which no deck can be made; the text names it and says what to do."""


@dataclass
class Slide:
    """Parts in HTML: words and code in order, figures beside them, and code folded below."""

    section: str
    more: bool = False
    words: list[str] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    folded: list[str] = field(default_factory=list)
    notes: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is on it but a heading, which questions on slides of their own follow."""
        words = ONLY_HEADING.sub("", "".join(self.words)).strip()
        return not (words or self.figures or self.folded)

    @property
    def has_heading(self) -> bool:
        """Whether it begins with a heading of its own; else the section's name stands above."""
        return bool(self.words) and self.words[0].startswith("<h")


def deck(path: Path, notebook, notes: dict[str, str]) -> list[Slide]:
    """The slides of an executed lesson, with notes {heading: HTML} at the first of each section.

    Raises SlidesError, naming the lesson, for a note whose heading the lesson does not have.
    """
    slides = [Slide("")]
    for cell in notebook.cells:
        if LEFT_OUT & lessons.tags(cell):
            continue
        if _kind(cell) == "skip":
            slides += [Slide(text) for marks, text in _headings(cell) if len(marks) < 3]
        elif cell.cell_type == "markdown":
            _add_words(slides, cell)
        else:
            _add_code(slides, cell)
    slides = [slide for slide in slides if not slide.is_empty]
    unknown = notes.keys() - {slide.section for slide in slides}
    if unknown:
        raise SlidesError(f"{path.name} has no section {sorted(unknown)[0]!r}, but a note for it")
    for section, text in notes.items():
        next(slide for slide in slides if slide.section == section).notes = text
    return slides


def _kind(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def _headings(cell):
    """(marks, text without minutes) of the headings of a cell of text."""
    return HEADING.findall(cell.source) if cell.cell_type == "markdown" else []


def _begin(slides, cell, section=None, more=False):
    """A new slide of the section, by default that of the slide above."""
    more = more or "more" in lessons.tags(cell)
    slides.append(Slide(slides[-1].section if section is None else section, more))


def _add_words(slides, cell):
    """Put a cell of text on slides: each heading in it begins one."""
    for i, text in enumerate(filter(str.strip, PARTS.split(cell.source))):
        heading = HEADING.match(text)
        exercise = heading is not None and heading[2].startswith("Exercise")
        if heading:
            _begin(slides, cell, None if len(heading[1]) == 3 else heading[2], exercise)
        elif i == 0 and _kind(cell) == "slide":
            _begin(slides, cell)
        shown = pages.text_html(HEADING.sub(r"\1 \2", text, count=1) if heading else text)
        shown = references.linked(shown)
        slides[-1].words.append(_stepped(LESSON.sub(r"\1.html", shown), cell))


def _add_code(slides, cell):
    """Put a cell of code on the slide above or on a new one: its questions, or code and outputs."""
    if asked := lessons.QUIZ.search(cell.source):
        for item in _items(cell):
            _begin(slides, cell)
            slides[-1].words += [f"<h2>{HEADS[asked[2] or 'end']}</h2>", _question(item)]
        return
    if _kind(cell) == "slide":
        _begin(slides, cell)
    items, figures, words = _items(cell), [], []
    for output in [o for i in items for o in pages.revealed(i)] if items else cell.outputs:
        (figures if is_picture(output) else words).append(shown(output))
    if items:
        slides[-1].words += map(_question, items)
        if figures or words:  # what gives the guess away is the next step
            _begin(slides, cell)
            slides[-1].words, slides[-1].figures = words, figures
        return
    slide = slides[-1]
    read = "by-hand" in lessons.tags(cell)
    if read or (not figures and cell.source.count("\n") < MOST_LINES):
        words.insert(0, pages.code_html(cell.source))
    else:
        slide.folded.append(_folded(cell))
    slide.words += [_stepped(part, cell) for part in words]
    if read and figures:  # both want the width of a slide
        _begin(slides, cell)
    slides[-1].figures += figures


def _items(cell):
    """The questions {question, answer} that a cell asks, in HTML: those of a quiz or a guess."""
    shown = [output.get("data", {}).get(pages.ANSWERS) for output in cell.outputs]
    return [item for data in shown if data for item in data["items"]]


def _stepped(part, cell):
    return f'<div class="fragment">{part}</div>' if _kind(cell) == "fragment" else part


def _folded(cell):
    count = len(cell.source.splitlines())
    lines = f"{count} lines of code" if count > 1 else "the code"
    return f"<details><summary>{lines}</summary>{pages.code_html(cell.source)}</details>"


def _question(item):
    """A question, and what answers it, which the next step shows."""
    return f'{item["question"]}<div class="fragment answer">{item["answer"]}</div>'


def is_picture(output) -> bool:
    """Whether an output of a cell is a picture, or an explorer with its pictures."""
    return "image/png" in output.get("data", {})


def shown(output) -> str:
    """An output of a cell in HTML: an explorer steps through its first control's states."""
    if not is_picture(output):
        return pages.output_html(output)
    data = output["data"]
    if pages.STATES in data:
        return _steps(data[pages.STATES])
    return _figure(pages.png_address(data), data.get("text/plain", ""))


def _figure(source, alt, caption="", how=""):
    caption = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    return f'<figure {how}><img src="{source}" alt="{html.escape(alt)}">{caption}</figure>'


def _steps(states):
    """An explorer's pictures, one over the other: each step moves its first slider (or choice)."""
    controls = sorted(states["controls"], key=lambda control: control["kind"] != "range")
    if not controls:
        return _figure(states["picture"]["src"], states["picture"]["alt"])
    label, figures = controls[0]["label"], []
    places = zip(controls[0]["texts"], controls[0]["pictures"], strict=True)
    for i, (text, picture) in enumerate(places):
        how = "fade-out" if i == 0 else "current-visible"
        how = f'class="fragment {how}" data-fragment-index="{max(i - 1, 0)}"'
        figures.append(_figure(picture["src"], picture["alt"], f"{label}: {text}", how))
    return f'<div class="r-stack">{"".join(figures)}</div>'


def read_notes(number: str) -> dict[str, str]:
    """{heading: HTML} of a lesson's speaker notes; empty where it has none."""
    path = NOTES / f"{number}.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    parts = [part.partition("\n") for part in re.split(r"^## +", text, flags=re.MULTILINE)[1:]]
    return {heading.strip(): pages.text_html(body) for heading, _, body in parts}


def build(paths, target: Path) -> list[Path]:
    """Write the decks of these lessons, an index, and what they need, into a folder made anew.

    Raises SlidesError, naming the lesson, where no cell is tagged to begin a slide.
    """
    for path in paths:
        if not any(_kind(cell) == "slide" for cell in lessons.read(path).cells):
            raise SlidesError(
                f'{path.name}: tag the cells that begin a slide: none has type "slide"'
            )
    decks = {}
    for path, notebook in zip(paths, pages.executed_all(paths), strict=True):
        slides = deck(path, notebook, read_notes(path.stem[:2]))
        decks[f"{path.stem}.html"] = pages.title(notebook), slides
    pages.make_room(target)  # only now, when all lessons have run
    for name in REVEAL:
        (target / "reveal" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(pages.vendored(f"revealjs/{name}"), target / "reveal" / name)
    shutil.copy(pages.vendored("mathjax/tex-svg.js"), target)
    for name in ("deck.css", "deck.js"):
        shutil.copy(pages.TEMPLATES / name, target)
    for name, (title, slides) in decks.items():
        page = pages.template("deck.html.j2").render(title=title, slides=slides)
        (target / name).write_text(page, encoding="utf-8")
    titles = {name: title for name, (title, _) in decks.items()}
    page = pages.template("decks.html.j2").render(decks=titles)
    (target / "index.html").write_text(page, encoding="utf-8")
    return [target / name for name in decks]


def main(arguments=None) -> int:
    """Write the decks of the named lessons, by default of all that are taught."""
    parser = argparse.ArgumentParser(prog="tools.slides", description=__doc__)
    parser.add_argument("files", nargs="*", help="by default notebooks/*.ipynb")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "slides")
    given = parser.parse_args(arguments)
    paths = lessons.find_lessons(given.files)
    if not given.files:  # the playground has no slides
        paths = [path for path in paths if lessons.is_taught(lessons.read(path))]
    try:
        written = build(paths, given.to)
    except SlidesError as error:
        print(f"tools.slides: {error}", file=sys.stderr)
        return 2
    print(f"{given.to / 'index.html'}: {len(written)} decks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
