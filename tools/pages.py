"""What slides, site and handouts share: executed lessons, their cells as HTML, vendored scripts."""

import hashlib
import html
import json
import os
import re
import shutil
import time
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import metadata
from pathlib import Path

from ranktrees_lab.ask.card import ANSWERS
from ranktrees_lab.explore.base import STATES
from ranktrees_lab.explore.states import STATES as MOST
from ranktrees_lab.explore.states import page_of
from ranktrees_lab.show import coloured
from tools import lessons
from tools.house import PACKAGES
from tools.seconds import Clock

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).parent / "templates"
LOOK = ROOT / "ranktrees_lab" / "style.css"
KEPT = ROOT / "build" / "executed"
FIRST = """from ranktrees_lab.ask.card import Card
from ranktrees_lab.explore.states import ForPages
from ranktrees_lab.explore import Explorer
Card.for_pages, Explorer.for_pages = True, ForPages{}
del Card, ForPages, Explorer"""
LAST = """from ranktrees_lab.explore.states import DRAWN, spent
print(spent(), sum(DRAWN))"""
CLOCK = Clock()  # of a build
PACKAGE = *PACKAGES, "data"
CACHES = ("__pycache__",)
NOT_DRAWN = {*CACHES, "ask", "check", "playground"}  # of these no explorer's picture is made
DRAW = "numpy", "pandas", "matplotlib"
ICON = re.compile(r'--mark: url\("([^"]*)"\)')
MARK = ".built"  # in a folder that may be emptied
AT_ONCE, SECONDS = 2, 3600  # lessons; a cell with an explorer draws all its states
PACKAGES = {"revealjs": "sphinx-revealjs", "mathjax": "sphinx-mathjax-offline"}
INSTALL = 'install the packages of the kit: pip install "ranktrees[kit]"'


def executed(path: Path, most: int = MOST):
    """Run a lesson with this checkout, its explorers with their states, quizzes with answers.

    It is kept under a digest of the lesson, of both packages and of the data; one with more states
    for each explorer than needed is used as well. SystemExit for a lesson that fails.
    """
    name = f"{path.stem}-{digest([path])}"
    for old in sorted(KEPT.glob(f"{name}-*.ipynb"), reverse=True):
        if int(old.stem.rpartition("-")[2]) >= most:
            print(f"{path.stem}: as it was run before", flush=True)
            return lessons.read(old)
    kept, states = KEPT / f"{name}-{most:05}.ipynb", KEPT.with_name("states") / path.stem
    from nbclient.exceptions import CellExecutionError
    from nbformat.v4 import new_code_cell

    notebook = lessons.read(path)
    carry = most, str(states / str(most)), digest(but=NOT_DRAWN)
    notebook.cells.insert(0, new_code_cell(FIRST.format(carry)))
    notebook.cells.append(new_code_cell(LAST))
    begun = time.time()
    try:
        lessons.execute(notebook, path.resolve().parent, SECONDS)
    except CellExecutionError as error:
        raise SystemExit(f"{path}: the lesson stops with an error:\n{error}") from error
    del notebook.cells[0]
    _count(path, notebook.cells.pop())
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


def _count(path, last):
    """Say what a lesson took, and add it to the seconds of the build."""
    whole, drawn = map(float, last.outputs[0].text.split())
    CLOCK.add("lessons", whole - drawn)
    CLOCK.add("states of explorers", drawn)
    print(f"{path.stem}: {whole:.1f} s, {drawn:.1f} of them for states of explorers", flush=True)


def executed_all(paths: list[Path], most: int = MOST) -> list:
    """Run the lessons of these paths, two at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(executed, paths, [most] * len(paths)))


def digest(sources: Iterable[Path] = (), also: str = "", but: Collection[str] = CACHES) -> str:
    """Return a digest of what outputs depend on: these sources, packages and data, but not `but`.

    `also` is text that it depends on, too.
    """
    files = sorted(file for name in PACKAGE for file in (ROOT / name).rglob("*") if file.is_file())
    used = [file for file in files if not {*but} & {*file.relative_to(ROOT).parts}]
    made = hashlib.sha256(repr((FIRST, also, *map(metadata.version, DRAW))).encode())
    for file in [*sources, *used]:
        made.update(hashlib.sha256(file.read_bytes()).digest())
    return made.hexdigest()[:16]


def vendored(name: str) -> Path:
    """Return a file or folder of reveal.js ("revealjs/dist") or MathJax ("mathjax/tex-svg.js").

    SystemExit, which says what to install, if the package that holds it is missing.
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
    """Make a folder, or empty one made before; SystemExit if it holds other things, or grades."""
    if folder.exists() and any(folder.iterdir()):
        if grades := [*folder.rglob("gradebook.db")]:
            raise SystemExit(f"{grades[0].parent} holds grades: move it to another place first")
        if not (folder / MARK).is_file():
            raise SystemExit(f"{folder} holds other things: name a new folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()


@cache
def template(name: str):
    """Load a template of tools/templates/; HTML ones escape all that is not marked `| safe`."""
    from jinja2 import Environment, FileSystemLoader, select_autoescape

    how = {"trim_blocks": True, "lstrip_blocks": True}
    escaped = select_autoescape(["html.j2"])
    made = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=escaped, **how)
    made.globals["icon"] = ICON.search(LOOK.read_text(encoding="utf-8"))[1]
    return made.get_template(name)


def text_html(source: str, attachments: dict | None = None) -> str:
    """Return Markdown as HTML, headings with ids, its formulas left for MathJax."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    return MarkdownWithMath(IPythonRenderer(escape=False, attachments=attachments)).render(source)


def code_html(source: str) -> str:
    """Return Python with spans of Pygments' classes, in <div class="highlight"><pre>."""
    return f'<div class="highlight"><pre><span></span>{coloured(source)}\n</pre></div>\n'


def output_html(output) -> str:
    """Return an executed lesson's output; explorers need explorer.js once per page (`SCRIPT`)."""
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


def png_address(data) -> str:
    """Return the picture of an output's formats as a data URL."""
    return f"data:image/png;base64,{data['image/png'].strip()}"


def _folded(item):
    """Return a quiz's or guess's question, its answer folded, and what ask.js needs to ask it."""
    inside = item["answer"] + "".join(map(output_html, revealed(item)))
    data = json.dumps(item["ask"]).replace("<", "\\u003c")
    inside += f'<script type="application/json">{data}</script>'
    answer = f"<details><summary>Answer</summary>{inside}</details>"
    return f'<div class="question">{item["question"]}{answer}</div>'


def revealed(item) -> list:
    """Return the outputs that show a guess's answer; a question of a quiz has none."""
    from nbformat.v4 import new_output

    return [new_output("display_data", data) for data in item.get("shown", ())]


def title(notebook) -> str:
    """Return the text of a lesson's first heading, without marks."""
    source = next(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.sub(r"[*`#]", "", source.strip().splitlines()[0]).strip()
