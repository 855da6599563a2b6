"""A deck of slides per lesson: `python -m tools.slides`, or `make slides`, writes build/slides/.

What goes on a slide say the lessons' own tags: a cell of slide type "slide" may begin one, as does
a heading; cells without a type stay above while there is room, "skip" leaves a cell out. The tag
"more" is for the 90-minute cut alone, as exercises are. Speaker's notes are in tools/notes/, below
the same headings as the lesson's.
"""

import argparse
import html
import re
import shutil
import sys
from itertools import groupby
from pathlib import Path

from ranktrees_lab.ask.card import without_marks
from ranktrees_lab.explore.states import SCRIPT
from tools import flow, lessons, pages
from tools.slide import CODE, Slide

NOTES = pages.ROOT / "tools" / "notes"
REVEAL = ("dist/reveal.css", "dist/reset.css", "dist/reveal.js", "plugin/notes/notes.js")
ALT = re.compile(r'(?<=alt=")[^"]+')


class SlidesError(ValueError):
    """A lesson of which no deck can be made; the text names it and says what to do."""


def deck(path: Path, notebook, notes: dict[str, str]) -> list[Slide]:
    """The slides of an executed lesson, with notes {heading: HTML}: a section's, or one for all.

    Raises SlidesError, naming the lesson, for a note whose heading the lesson does not have.
    """
    slides = flow.slides_of(notebook)
    minutes = {
        lessons.MINUTES.sub("", name).strip(): t for name, t in lessons.sections(notebook).items()
    }
    unknown = notes.keys() - {slide.section for slide in slides} - minutes.keys()
    if unknown:
        raise SlidesError(f"{path.name} has no section {sorted(unknown)[0]!r}, but a note for it")
    general = read_notes("general")
    for section, group in stacks(slides):
        name = html.escape(without_marks(section))
        note = notes.get(section) or general.get(section) or general["Any other"]
        for slide in group:  # which of how many it is, the page counts for each cut
            time = f", {minutes[section]} minutes" if minutes.get(section) else ""
            head = f'<p><b>{name}</b>{time}<span class="place"></span>.</p>'
            exercise = general["Exercise"] if "Exercise" in slide.heading else ""
            code = general["Code"] if CODE in "".join(slide.words) else ""
            seen = [f"<p>The picture: {alt}</p>" for alt in ALT.findall("".join(slide.figures))]
            said = f'<div class="section">{head}{note}</div>'
            slide.notes = "".join([said, *slide.own, exercise, code, *seen])
    return slides


def stacks(slides: list[Slide]) -> list[tuple[str, list[Slide]]]:
    """The slides of each section in turn, as (section, slides)."""
    return [(name, list(group)) for name, group in groupby(slides, lambda slide: slide.section)]


def read_notes(number: str) -> dict[str, str]:
    """{heading: HTML} of a lesson's speaker notes; empty where it has none."""
    path = NOTES / f"{number}.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    parts = [part.partition("\n") for part in re.split(r"^## +", text, flags=re.MULTILINE)[1:]]
    return {heading.strip(): pages.text_html(body) for heading, _, body in parts}


def build(paths, target: Path) -> list[Path]:
    """Write the decks of these lessons, an index, and what they need, into a folder made anew."""
    decks = {}
    for path, notebook in zip(paths, pages.executed_all(paths, pages.FEW), strict=True):
        slides = deck(path, notebook, read_notes(path.stem[:2]))
        decks[f"{path.stem}.html"] = pages.title(notebook), slides
    pages.make_room(target)  # only now, when all lessons have run
    for name in REVEAL:
        (target / "reveal" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(pages.vendored(f"revealjs/{name}"), target / "reveal" / name)
    shutil.copy(pages.vendored("mathjax/tex-svg.js"), target)
    for file in (pages.TEMPLATES / "deck.css", pages.TEMPLATES / "deck.js", SCRIPT):
        shutil.copy(file, target)
    for name, (title, slides) in decks.items():
        named = [(without_marks(section), group) for section, group in stacks(slides)]
        page = pages.template("deck.html.j2").render(title=title, stacks=named)
        (target / name).write_text(page, encoding="utf-8")
    page = pages.template("decks.html.j2").render(decks={n: t for n, (t, _) in decks.items()})
    (target / "index.html").write_text(page, encoding="utf-8")
    return [target / name for name in decks]


def main(arguments=None) -> int:
    """Write the decks of the named lessons, by default of all that are taught."""
    parser = argparse.ArgumentParser(prog="tools.slides", description=__doc__)
    parser.add_argument("files", nargs="*", help="by default notebooks/*.ipynb")
    parser.add_argument("--to", type=Path, default=pages.ROOT / "build" / "slides")
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
