"""Written decks of slides: `python -m tools.slides`, or `make slides`, writes build/slides/.

A deck is a page of Markdown in slides/, named as its lesson. "# Section (7 min)" begins a section,
"## ..." a slide; the title is what the slide claims. Blocks of a slide:

    ```setup                    code that is run and not shown
    ```picture                  code whose last line is a picture or an explorer
    ```python                   code that is shown, and neither run nor longer than six lines
    ```guess 05.pairs           a guess of the lesson; its answer is the next step

Several pictures are steps, each of which replaces the one before. `sized(picture, width, height)`
fits one to a slide. What follows "Note:" is for the speaker. A deck whose sources are the same as
when it was drawn is taken from build/decks/.
"""

import argparse
import ast
import base64
import html
import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":  # before what draws is imported
    os.environ.setdefault("RANKTREES_LETTERS", "1.35")

from ranktrees_files.paths import replacing
from ranktrees_lab.ask.card import without_marks
from ranktrees_lab.ask.questions import read_guess
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.states import SCRIPT, page_of, states_of
from ranktrees_lab.plot.picture import Picture
from ranktrees_lab.plot.style import LETTERS
from tools import pages, texts
from tools.seconds import spent

SOURCES = pages.ROOT / "slides"
KEPT = pages.ROOT / "build" / "decks"
TOOLS = pages.ROOT / "tools"
MADE_BY = "slides.py", "pages.py", "texts.py", "templates/deck.html.j2"
REVEAL = ("dist/reveal.css", "dist/reset.css", "dist/reveal.js", "plugin/notes/notes.js")
BLOCK = re.compile(r"^```(\w+)(?: +(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^# +(.+?)(?: +\((\d+) min\))? *\n", re.MULTILINE)
SLIDE = re.compile(r"^## +(.+?) *\n", re.MULTILINE)
MOST_WORDS, MOST_LINES = 25, 6  # of a slide, and of the code on it
STATES = 60  # combinations of an explorer's controls


class SlidesError(ValueError):
    """A deck that breaks a rule; the text names file and slide and says what to do."""


@dataclass
class Slide:
    """A slide's title, words and code, steps and notes in HTML, and whether it asks for a guess."""

    title: str
    words: str = ""
    asks: bool = False
    steps: list[str] = field(default_factory=list)
    notes: str = ""


def read_deck(path: Path) -> tuple[str, list[tuple[str, int, list[Slide]]]]:
    """Return the title of a deck, and its sections, each with its minutes and slides.

    Raises SlidesError, naming the slide, for one without notes or with too many words.
    """
    text = path.read_text(encoding="utf-8")
    head, *parts = SECTION.split(text)
    if head.strip() or not parts:
        raise SlidesError(f"{path.name} must begin with its title, '# 05 · ...'")
    names, sections = {"sized": sized}, []
    for name, minutes, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        before, *made = SLIDE.split(body)
        _run_setup(before, names, f"{path.name}, {name}")
        slides = [
            _slide(title, content, names, f"{path.name}, {title!r}")
            for title, content in zip(made[::2], made[1::2], strict=True)
        ]
        sections.append((name, int(minutes or 0), slides))
    return sections[0][0], sections


def sized(picture: Picture, width: float | None = None, height: float = 4.1) -> Picture:
    """Return the picture with this height in inches, and this width unless it is None."""
    picture.set_size_inches(width or picture.get_figwidth(), height)
    return picture


def _run_setup(text, names, where):
    for kind, _, code in BLOCK.findall(text):
        if kind != "setup":
            raise SlidesError(f"{where}: a block of {kind} stands above the first slide")
        _value(code, names, where)


def _slide(title, content, names, where):
    """Read a slide of Markdown; its pictures are drawn with the names of the deck."""
    content, _, note = content.partition("\nNote:")
    slide = Slide(title, notes=pages.text_html(note.strip()))
    if not note.strip():
        raise SlidesError(f"{where} has no note: say minutes, what to ask and the usual slip")
    for kind, key, code in BLOCK.findall(content):
        if kind == "picture":
            slide.steps.append(_drawn(_value(code, names, where), where))
        elif kind == "guess":
            slide.words, slide.asks = slide.words + _asked(key), True
        elif kind == "python":
            if len(code.splitlines()) > MOST_LINES:
                raise SlidesError(f"{where}: more than {MOST_LINES} lines of code: name the cell")
            slide.words += pages.code_html(code)
        else:
            _run_setup(f"```{kind}\n{code}```", names, where)
    text = BLOCK.sub("", content).strip()
    if (count := texts.words(text)) > MOST_WORDS:
        raise SlidesError(f"{where} has {count} words below its title, more than {MOST_WORDS}")
    slide.words = pages.text_html(text) + slide.words if text else slide.words
    return slide


def _value(code, names, where):
    """Return the last expression's value of some code of ours; SlidesError says where it failed."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    try:
        exec(compile(tree, where, "exec"), names)
        return last and eval(compile(ast.Expression(last.value), where, "eval"), names)
    except Exception as error:
        raise SlidesError(f"{where}: {type(error).__name__}: {error}") from error


def _drawn(shown, where):
    """Return a picture, or a movable explorer, with its smallest lettering in points."""
    if isinstance(shown, Explorer):
        picture, _ = shown.draw(**shown.settings)
        return f"<div {_size(picture)}>{page_of(states_of(shown, STATES), script=False)}</div>"
    if not isinstance(shown, Picture):
        raise SlidesError(f"{where}: a picture block ends in {type(shown).__name__}, not a picture")
    code = base64.b64encode(shown.svg().encode()).decode("ascii")
    source = f"data:image/svg+xml;base64,{code}"
    return f'<figure {_size(shown)}><img alt="{html.escape(shown.alt)}" src="{source}"></figure>'


def _size(picture):
    """Return what tests of lettering need: the smallest in points, and the width in inches."""
    drawn = picture.findobj(lambda artist: hasattr(artist, "get_fontsize"))
    points = [t.get_fontsize() for t in drawn if t.get_visible() and t.get_text().strip()]
    return f'data-points="{min(points, default=99):g}" data-inches="{picture.get_figwidth():g}"'


def _asked(key):
    """Return a lesson's guess as a question with its choices, and the answer as the next step."""
    table = read_guess(key)
    offered = table.get("choices") or table.get("order") or ()
    items = "".join(f"<li>{_inline(choice)}</li>" for choice in offered)
    answer = table["answer"] if "answer" in table else table["order"]
    answer = ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
    unit = f" {table['unit']}" if table.get("unit", "share") != "share" else ""
    says = f"<b>{_inline((answer + unit).rstrip('.'))}</b>. {_inline(table.get('says', ''))}"
    question = f'<p class="question">{_inline(table["text"])}</p><ul class="choices">{items}</ul>'
    return f'{question}<p class="answer fragment">{says}</p>'


def _inline(text):
    return pages.text_html(str(text)).strip().removeprefix("<p>").removesuffix("</p>")


def deck_page(path: Path) -> str:
    """Return a deck as a page, drawn or as it was kept, and say how long that took."""
    sources = [path, *(TOOLS / name for name in MADE_BY)]
    kept = KEPT / f"{path.stem}-{pages.digest(sources, repr((LETTERS, STATES)))}.html"
    begun = spent()
    if kept.is_file():
        print(f"{path.stem}: as it was drawn before", flush=True)
        return kept.read_text(encoding="utf-8")
    title, sections = read_deck(path)
    number, _, heading = without_marks(title).rpartition(" · ")
    minutes = sum(part[1] for part in sections)
    head = {"title": without_marks(title), "number": number, "heading": heading}
    count = 1 + sum(len(part[2]) for part in sections)
    page = pages.template("deck.html.j2").render(
        head, sections=sections, count=count, minutes=minutes
    )
    KEPT.mkdir(parents=True, exist_ok=True)
    with replacing(kept) as new:
        new.write_text(page, encoding="utf-8")
    for old in KEPT.glob(f"{path.stem}-*.html"):
        if old != kept:
            old.unlink(missing_ok=True)
    print(f"{path.stem}: {count} slides in {spent() - begun:.1f} s", flush=True)
    return page


def title_of(path: Path) -> str:
    """Return the title of a deck, without marks."""
    found = SECTION.match(path.read_text(encoding="utf-8"))
    return without_marks(found[1]) if found else path.stem


def build(paths: list[Path], target: Path) -> list[Path]:
    """Write these decks, an index, and what they need, into an empty folder."""
    decks = {f"{path.stem}.html": deck_page(path) for path in paths}
    pages.make_room(target)  # only now, when all pictures are drawn
    for name in REVEAL:
        (target / "reveal" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(pages.vendored(f"revealjs/{name}"), target / "reveal" / name)
    shutil.copy(pages.vendored("mathjax/tex-svg.js"), target)
    for file in (pages.LOOK, pages.TEMPLATES / "deck.css", pages.TEMPLATES / "deck.js", SCRIPT):
        shutil.copy(file, target)
    for name, page in decks.items():
        (target / name).write_text(page, encoding="utf-8")
    titles = {f"{path.stem}.html": title_of(path) for path in paths}
    page = pages.template("decks.html.j2").render(decks=titles)
    (target / "index.html").write_text(page, encoding="utf-8")
    return [target / name for name in decks]


def main(arguments=None) -> int:
    """Write the named decks, by default all of slides/."""
    parser = argparse.ArgumentParser(prog="tools.slides", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="by default slides/*.md")
    parser.add_argument("--to", type=Path, default=pages.ROOT / "build" / "slides")
    given = parser.parse_args(arguments)
    try:
        written = build(given.files or sorted(SOURCES.glob("*.md")), given.to)
    except SlidesError as error:
        print(f"tools.slides: {error}", file=sys.stderr)
        return 2
    print(f"{given.to / 'index.html'}: {len(written)} decks, {spent():.1f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
