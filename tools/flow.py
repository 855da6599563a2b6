"""From the cells of an executed lesson to slides: one idea on each, a figure with its reading."""

import math
import re

from ranktrees_lab.ask.quiz import HEADS
from tools import lessons, pages, references
from tools.slide import CODE, LETTERS, LINES, READING, SHORT, Slide, finished, height

THIRD, LEAD = 5, 4.5  # lines that fill a third of a slide; above a figure
OPEN = 8  # lines of code that stand open anyway
ASKED = {"start": 2, "end": 3}  # questions of a quiz in the 45-minute cut
LEFT_OUT = {"answer", "check", "solution", "verify"}
PARTS = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
HEADING = re.compile(r"^(#{1,3}) +(.+?)(?: +\(\d+ min\))? *(?:\n|\Z)")
LESSON = re.compile(r'(?<=href=")(\d\d_\w+)\.ipynb')
# Between parts, but not below a paragraph that its formula or list ends.
BLOCK = re.compile(r"(?<=>)(?<![\w,:]</p>)\n(?=<(?:p|ul|ol|pre|table|div|blockquote)\b)")
FOLD = re.compile(r"<details>\s*<summary>[^<]*</summary>(.*?)</details>", re.DOTALL)


def slides_of(notebook) -> list[Slide]:
    """The slides of an executed lesson, without notes."""
    slides = [Slide("")]
    for cell in notebook.cells:
        is_text = cell.cell_type == "markdown"
        if LEFT_OUT & lessons.tags(cell):
            continue
        if kind(cell) == "skip":
            found = map(HEADING.match, PARTS.split(cell.source))
            slides += [Slide(h[2]) for h in found if h and len(h[1]) < 3 and is_text]
        elif is_text:
            _add_text(slides, cell)
        elif asked := lessons.QUIZ.search(cell.source):
            _add_quiz(slides, cell, asked[2] or "end")
        else:
            _add_code(slides, cell)
    return finished(slides)


def kind(cell) -> str:
    """The slide type of a cell, "-" where it has none."""
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def _begin(slides, cell, section=None, heading="", more=False):
    """A new slide of the section, by default that of the slide above."""
    last = slides[-1]
    same = last.more and last.origin is cell and not heading
    more = more or same or "more" in lessons.tags(cell)
    section = last.section if section is None else section
    slides.append(Slide(section, more, heading, origin=cell))
    return slides[-1]


def _room(slides, cell, *parts):
    """The last slide if it has room for parts of a cell, else a new one."""
    last, lines = slides[-1], sum(map(height, parts))
    code = sum(part.count("\n") for part in (*last.words, *parts) if part.startswith(CODE))
    marked = kind(cell) == "slide" and last.lines >= THIRD and last.latest is not cell
    shorter = last.more and last.origin is not cell and "more" not in lessons.tags(cell)
    full = last.lines > 0 and last.lines + lines > LINES + (SHORT if lines < SHORT else 0)
    full |= code > pages.MOST_LINES and "".join(parts).startswith(CODE)
    return _led(slides, cell) if last.is_done or shorter or marked or full else last


def _led(slides, cell):
    """A new slide, on which the words above stand that lead to it, if they end in a colon."""
    last, slide = slides[-1], _begin(slides, cell)
    lead, enough = last.words[-1:], last.lines >= SHORT + sum(map(height, last.words[-1:]))
    alone = last.closed or last.figures or slide.more != last.more
    if enough and not alone and lead[0].endswith(":</p>") and not last.words[-2].startswith("<h"):
        slide.add(last.words.pop(), cell)
        last.lines -= slide.lines
    return slide


def _add_text(slides, cell):
    """Put a cell of text on slides: each heading begins one, what reads a figure stands by it."""
    for text in filter(str.strip, PARTS.split(cell.source)):
        heading, joins = HEADING.match(text), False
        if heading:
            shown, is_exercise = _linked(f"{heading[1]} {heading[2]}"), "Exercise" in heading[2]
            joins = len(heading[1]) == 3 and _joins(slides[-1], text)
            if joins:
                slides[-1].more |= is_exercise and slides[-1].lines < SHORT
                slides[-1].add(shown, cell, is_exercise)
            else:
                section = None if len(heading[1]) == 3 else heading[2]
                _begin(slides, cell, section, shown, is_exercise)
        parts = BLOCK.split(_linked(text[heading.end() if heading else 0 :]).strip())
        parts = [_stepped(part, cell) for part in parts if part]
        if not heading and slides[-1].figures and not slides[-1].closed:
            parts = _read(slides[-1], cell, parts)
        elif not heading and _takes(slides[-1], cell, parts[:1]):
            slides[-1].add(parts.pop(0), cell)
        for i, group in enumerate(_halves(parts)):
            slide = _room(slides, cell, *group) if i or not heading else slides[-1]
            for part in group:
                slide.add(part, cell, joins and is_exercise)
        slides[-1].closed |= bool(heading) and is_exercise


def _takes(slide, cell, parts):
    """Whether what reads the table at the end of a slide has room below it."""
    longer = slide.more and "more" not in lessons.tags(cell)
    has_table = not slide.closed and "<table" in "".join(slide.words[-1:])
    return has_table and not longer and parts and slide.lines + height(parts[0]) <= LINES


def _joins(slide, text):
    """Whether a short part of the third level, or one below next to nothing, stays on a slide."""
    lines = math.ceil(len(text) / LETTERS)
    taken = slide.closed or slide.figures or slide.is_empty or slide.lines + lines >= LINES
    return not taken and (lines <= SHORT + 1 or slide.lines < SHORT)


def _halves(parts):
    """The parts as one group, or where they are too much for a slide as two of about one size."""
    heights = [*map(height, parts)]
    if sum(heights) <= LINES + 2 or len(parts) < 2:
        return [parts] if parts else []
    cut = min(range(1, len(parts)), key=lambda i: abs(sum(heights[:i]) - sum(heights[i:])))
    return [parts[:cut], parts[cut:]]


def _linked(source):
    shown = references.linked(pages.text_html(source))
    shown = FOLD.sub(r'<div class="fragment answer">\1</div>', shown)
    return LESSON.sub(r"\1.html", shown)


def _read(slide, cell, parts):
    """Put what reads a figure on its slide, at least a paragraph; return the rest."""
    count = 1
    while count < len(parts) and slide.lines + sum(map(height, parts[: count + 1])) <= READING:
        count += 1
    rest = sum(map(height, parts[count:]))
    for part in parts[: (count := len(parts) if rest < THIRD - 2 else count)]:
        slide.add(part, cell)
    slide.closed = True
    return parts[count:]


def _add_quiz(slides, cell, part):
    """Put each question of a quiz on a slide, its answer on the next step."""
    last = slides[-1]
    heading, section = f"<h2>{HEADS[part]}</h2>", HEADS[part]
    if last.is_empty and last.heading:  # the lesson's own heading
        heading, section = last.heading, last.section
    for i, item in enumerate(_items(cell)):
        slide = _begin(slides, cell, section, heading, i >= ASKED[part])
        slide.add(_question(item), cell)
        slide.own.append(f"<p>The answer:</p>{item['answer']}")
        slide.closed = True


def _add_code(slides, cell):
    """Put a cell of code, its guess and what it shows on slides."""
    items, figures, words = _items(cell), [], []
    for output in [o for i in items for o in pages.revealed(i)] if items else cell.outputs:
        (figures if pages.is_picture(output) else words).extend(pages.shown(output))
    for item in items:
        _guess(slides, cell, item, [] if figures else words)
    if items and not figures:
        return
    if not items:
        _code(slides, cell, bool(figures))
    if figures:
        _figure(slides, cell, figures, words, None if items else _folded(cell))
        slides[-1].answer = items[-1]["answer"] if items else ""
    else:
        for part in words:
            _room(slides, cell, part).add(_stepped(part, cell), cell)


def _guess(slides, cell, item, revealed):
    """Put a guess below what leads to it, its answer, and what reveals it, on the next step."""
    asked = _question(item, "".join(revealed))
    slide = _room(slides, cell, asked)
    slide.add(asked, cell)
    slide.own.append(f"<p>Take guesses first. The answer:</p>{item['answer']}")
    slide.closed = True


def _code(slides, cell, has_figures):
    """Put code that is read, or short, on slides, and fold away what else is not a figure's."""
    read = "by-hand" in lessons.tags(cell)
    if not read and (has_figures or cell.source.count("\n") >= OPEN):
        if not has_figures:
            _room(slides, cell).folded.append(_folded(cell))
        return
    for part in pages.stepped_code(cell.source):
        _room(slides, cell, part).add(_stepped(part, cell), cell)


def _figure(slides, cell, figures, words, folded):
    """Put figures on a slide, below what leads to them where that is little."""
    read = "by-hand" in lessons.tags(cell)
    for part in words if sum(map(height, words)) > LEAD else ():
        _room(slides, cell, part).add(part, cell)
        slides[-1].closed, words = True, []
    last = slides[-1]
    longer = last.more and "more" not in lessons.tags(cell)
    if last.is_done or last.lines > LEAD or longer or read:
        _led(slides, cell)
    slides[-1].figures += figures
    slides[-1].folded += [folded] if folded and not read else []
    for part in words:
        slides[-1].add(part, cell)


def _items(cell):
    """The questions {question, answer} that a cell asks, in HTML: those of a quiz or a guess."""
    found = [output.get("data", {}).get(pages.ANSWERS) for output in cell.outputs]
    return [item for data in found if data for item in data["items"]]


def _stepped(part, cell):
    return f'<div class="fragment">{part}</div>' if kind(cell) == "fragment" else part


def _folded(cell):
    count = len(cell.source.splitlines())
    lines = f"{count} lines of code" if count > 1 else "the code"
    code = pages.code_html(cell.source).replace("<div ", '<div tabindex="0" ', 1)
    return f"<details><summary>{lines}</summary>{code}</details>"


def _question(item, revealed=""):
    """A question, and what answers it, which the next step shows."""
    answer = f'<div class="fragment answer">{item["answer"]}{revealed}</div>'
    return f"{item['question']}{answer}"
