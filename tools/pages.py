"""What slides, site and handouts share: executed lessons, their cells as HTML, vendored scripts."""

import ast
import hashlib
import html
import json
import math
import os
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from itertools import pairwise
from pathlib import Path

from ranktrees_lab.ask.card import ANSWERS
from ranktrees_lab.explore.base import STATES
from ranktrees_lab.explore.states import STATES as MOST
from ranktrees_lab.explore.states import page_of
from tools import lessons

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).parent / "templates"
KEPT = ROOT / "build" / "executed"
FIRST = """from ranktrees_lab.ask.card import Card
from ranktrees_lab.explore.states import ForPages
from ranktrees_lab.explore import Explorer
Card.for_pages, Explorer.for_pages = True, ForPages{}
del Card, ForPages, Explorer"""
PACKAGE = "ranktrees", "ranktrees_scale", "ranktrees_lab", "data"
NOT_DRAWN = {"__pycache__", "ask", "check", "playground"}  # of these no explorer's picture is made
DRAW = "numpy", "pandas", "matplotlib"
FEW = 60  # states of an explorer, where there is no time for more
MOST_LINES, STEP, LONG = 14, 3, 8  # of code on a slide; at least a step; more have steps inside
PRINTED = re.compile(r"((?:^(?:@.*\n)*def .*\n(?:[ )].*\n|\n)*)+)", re.MULTILINE)  # functions
WIDEST = 120  # letters of a printed line that can still be read if it is not wrapped
MARK = ".built"  # in a folder that may be emptied
AT_ONCE, SECONDS = 2, 3600  # lessons; a cell with an explorer draws all its states
PACKAGES = {"revealjs": "sphinx-revealjs", "mathjax": "sphinx-mathjax-offline"}
INSTALL = 'install the packages of the kit: pip install "ranktrees[kit]"'


def executed(path: Path, most: int = MOST):
    """A lesson run with this checkout, its explorers with their states, quizzes with answers.

    It is kept under a digest of the lesson, of both packages and of the data; one with more states
    than at most so many for each explorer will do. SystemExit for a lesson that stops.
    """
    name = f"{path.stem}-{_digest(path, {'__pycache__'})}"
    for old in sorted(KEPT.glob(f"{name}-*.ipynb"), reverse=True):
        if int(old.stem.rpartition("-")[2]) >= most:
            return lessons.read(old)
    kept, states = KEPT / f"{name}-{most:05}.ipynb", KEPT.with_name("states") / path.stem
    from nbclient.exceptions import CellExecutionError
    from nbformat.v4 import new_code_cell

    notebook = lessons.read(path)
    carry = most, str(states / str(most)), _digest(None, NOT_DRAWN)
    notebook.cells.insert(0, new_code_cell(FIRST.format(carry)))
    begun = time.time()
    try:
        lessons.execute(notebook, path.resolve().parent, SECONDS)
    except CellExecutionError as error:
        raise SystemExit(f"{path}: the lesson stops with an error:\n{error}") from error
    del notebook.cells[0]
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob(f"{path.stem}-*.ipynb"):
        old.unlink(missing_ok=True)
    for file in states.glob(f"{most}/*"):
        if file.stat().st_mtime < begun:  # no explorer of the lesson has used it
            file.unlink()
    new = kept.with_suffix(f".{os.getpid()}")
    lessons.write(lessons.strip(notebook), new)
    os.replace(new, kept)  # whole or not at all, also where two builds run
    return lessons.read(kept)


def executed_all(paths: list[Path], most: int = MOST) -> list:
    """The executed lessons of these paths, two run at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(executed, paths, [most] * len(paths)))


def _digest(path, but):
    """Of what outputs depend on: a lesson, packages and data, without the folders named `but`."""
    files = sorted(file for name in PACKAGE for file in (ROOT / name).rglob("*") if file.is_file())
    used = [file for file in files if but.isdisjoint(file.relative_to(ROOT).parts)]
    digest = hashlib.sha256(repr((FIRST, *map(metadata.version, DRAW))).encode())
    for file in [path, *used] if path else used:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def vendored(name: str) -> Path:
    """A file or folder of reveal.js ("revealjs/dist") or MathJax ("mathjax/tex-svg.js").

    SystemExit, which says what to install, where the package that holds it is missing.
    """
    package = PACKAGES[name.split("/")[0]]
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError as error:
        raise SystemExit(f"{package} is not installed; {INSTALL}") from error
    for file in files:
        _, found, rest = f"/{file.as_posix()}".partition(f"/{name}")
        if found and rest[:1] in ("", "/"):
            return Path(file.locate()).parents[rest.count("/") - 1] if rest else file.locate()
    raise SystemExit(f"{package} has no {name}; {INSTALL}")


def make_room(folder: Path) -> None:
    """Make a folder, or empty one that was made so; SystemExit for other things, and for grades."""
    if folder.exists() and any(folder.iterdir()):
        if grades := [*folder.rglob("gradebook.db")]:
            raise SystemExit(f"{grades[0].parent} holds grades: move it to another place first")
        if not (folder / MARK).is_file():
            raise SystemExit(f"{folder} holds other things: name a new folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()


def template(name: str):
    """A template of tools/templates/; one of HTML escapes all that is not marked `| safe`."""
    from jinja2 import Environment, FileSystemLoader, select_autoescape

    how = {"trim_blocks": True, "lstrip_blocks": True}
    escaped = select_autoescape(["html.j2"])
    made = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=escaped, **how)
    return made.get_template(name)


def text_html(source: str, attachments: dict | None = None) -> str:
    """Markdown as HTML, headings with ids, its formulas left for MathJax."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    renderer = IPythonRenderer(escape=False, attachments=attachments)
    return MarkdownWithMath(renderer).render(source)


def code_html(source: str) -> str:
    """Python with spans of Pygments' classes, in <div class="highlight"><pre>."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return highlight(source, PythonLexer(), HtmlFormatter())


def stepped_code(source: str) -> list[str]:
    """Code in HTML, in even pieces of at most 14 lines, a statement or two of them a step."""
    lines = re.sub(r"</?div[^>]*>|</?pre>|<span></span>", "", code_html(source)).split("\n")
    starts, blocks = _starts(source), []
    for begin, end in pairwise([*starts, len(source.splitlines())]):
        slides = math.ceil((end - begin) / MOST_LINES)
        for first, last in pairwise(begin + (end - begin) * i // slides for i in range(slides + 1)):
            step = "\n".join(lines[first:last]).rstrip("\n")
            if starts[begin]:
                blocks.append([])
            blocks[-1].append(step)
    packings = [_packed(blocks, most) for most in range(1, MOST_LINES + 1)]
    return [*map(_piece, next(p for p in packings if len(p) == len(packings[-1])))]


def _packed(blocks, most):
    """Blocks of steps as pieces of at most so many lines, if no block has more."""
    pieces = []
    for block in blocks:
        if not pieces or sum(s.count("\n") + 1 for s in [*pieces[-1], *block]) > most:
            pieces.append([])
        pieces[-1] += block
    return pieces


def _piece(steps):
    """A piece of code; its steps stand out one after the other, where it has more than one."""
    if len(steps) > 1:
        steps = [f'<span class="fragment step">{step}</span>' for step in steps]
    return '<div class="highlight"><pre>' + "\n".join(steps) + "\n</pre></div>"


def _starts(source):
    """{line, from 0: whether a slide may begin there} for the steps of some code.

    A statement that has room on a slide is not torn.
    """
    try:
        statements = ast.parse(source).body
    except SyntaxError:  # such as a line of IPython's
        return {0: True}
    kept = {0: True}
    for one in statements:
        lines = one.end_lineno - one.lineno + 1
        if lines > LONG or one.lineno - 1 - max(kept) >= STEP:
            kept[one.lineno - 1] = True
        for inner in getattr(one, "body", [])[1:] if lines > LONG else ():
            rest = one.end_lineno - inner.lineno + 1
            if min(rest, inner.lineno - 1 - max(kept)) >= STEP:
                kept[inner.lineno - 1] = lines > MOST_LINES
    return kept


def output_html(output) -> str:
    """An output of an executed lesson; explorers need explorer.js once per page (`SCRIPT`)."""
    from nbconvert.filters import ansi2html

    if output.output_type == "stream":
        return f'<pre class="output">{ansi2html(output.text)}</pre>'
    data = output.get("data", {})
    if STATES in data:
        return page_of(data[STATES], script=False)
    if ANSWERS in data:
        return "".join(map(_folded, data[ANSWERS]["items"]))
    if "text/html" in data:
        body = data["text/html"].replace("<th></th>", "<td></td>")  # an empty head heads nothing
        return f'<div class="output">{body}</div>'
    if "image/png" in data:
        alt = html.escape(data.get("text/plain", ""))
        return f'<img class="output" alt="{alt}" src="{png_address(data)}">'
    return f'<pre class="output">{ansi2html(data.get("text/plain", ""))}</pre>'


def is_picture(output) -> bool:
    """Whether an output of a cell is a picture, or an explorer with its pictures."""
    return "image/png" in output.get("data", {})


def shown(output) -> list[str]:
    """An output of a cell in HTML: a picture, an explorer whose controls move, or what it prints.

    Source of functions that it prints is code with steps, in pieces of at most 14 lines.
    """
    data = output.get("data", {})
    if is_picture(output) and STATES not in data:
        alt = html.escape(data.get("text/plain", ""))
        return [f'<figure><img src="{png_address(data)}" alt="{alt}"></figure>']
    if "text" not in output:
        return [_sized(output_html(output))]
    from nbformat.v4 import new_output

    pieces = []
    for text in filter(str.strip, PRINTED.split(output.text)):
        part = output_html(new_output("stream", text=text))
        pieces += stepped_code(text.strip()) if PRINTED.match(text) else [_sized(part)]
    return pieces


def _sized(part):
    """A part in HTML; printed text has the length of its widest line, which its type needs."""
    if part.startswith("<pre"):
        widest = max(map(len, html.unescape(re.sub("<[^>]*>", "", part)).splitlines()), default=0)
        wrap = " wraps" if widest > WIDEST else ""
        style = f'style="--letters: {min(max(widest, 1), WIDEST)}"'
        part = part.replace('class="output"', f'class="output{wrap}" {style}', 1)
    return part


def png_address(data) -> str:
    """The picture of an output's formats as a data URL."""
    return f"data:image/png;base64,{data['image/png'].strip()}"


def _folded(item):
    """A question of a quiz or a guess, its answer folded, and what ask.js needs to ask it."""
    inside = item["answer"] + "".join(map(output_html, revealed(item)))
    data = json.dumps(item["ask"]).replace("<", "\\u003c")
    inside += f'<script type="application/json">{data}</script>'
    answer = f"<details><summary>Answer</summary>{inside}</details>"
    return f'<div class="question">{item["question"]}{answer}</div>'


def revealed(item) -> list:
    """The outputs that give a guess away; a question of a quiz has none."""
    from nbformat.v4 import new_output

    return [new_output("display_data", data) for data in item.get("shown", ())]


def title(notebook) -> str:
    """The text of a lesson's first heading, without marks."""
    source = next(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.sub(r"[*`#]", "", source.strip().splitlines()[0]).strip()
