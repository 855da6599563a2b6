"""What slides, site and handouts share: executed lessons, their cells as HTML, vendored scripts."""

import hashlib
import html
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from ranktrees_lab.ask.card import ANSWERS
from ranktrees_lab.explore.base import STATES
from ranktrees_lab.explore.states import page_of
from tools import lessons

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).parent / "templates"
KEPT = ROOT / "build" / "executed"
FIRST = (
    "import ranktrees_lab.ask.card, ranktrees_lab.explore\n"
    "ranktrees_lab.ask.card.Card.for_pages = ranktrees_lab.explore.Explorer.for_pages = True"
)
MARK = ".built"  # in a folder that may be emptied
AT_ONCE, SECONDS = 2, 600  # lessons; a cell with an explorer draws all its states
PACKAGES = {"revealjs": "sphinx-revealjs", "mathjax": "sphinx-mathjax-offline"}
INSTALL = 'install the packages of the kit: pip install "ranktrees[kit]"'


def executed(path: Path):
    """A lesson run with this checkout, its explorers with their states, quizzes with answers.

    It is kept under a digest of the lesson and of both packages; SystemExit for one that stops.
    """
    kept = KEPT / f"{path.stem}-{_digest(path)}.ipynb"
    if kept.exists():
        return lessons.read(kept)
    from nbclient.exceptions import CellExecutionError
    from nbformat.v4 import new_code_cell

    notebook = lessons.read(path)
    notebook.cells.insert(0, new_code_cell(FIRST))
    try:
        lessons.execute(notebook, path.resolve().parent, SECONDS)
    except CellExecutionError as error:
        raise SystemExit(f"{path}: the lesson stops with an error:\n{error}") from error
    del notebook.cells[0]
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob(f"{path.stem}-*.ipynb"):
        old.unlink(missing_ok=True)
    new = kept.with_suffix(f".{os.getpid()}")
    lessons.write(lessons.strip(notebook), new)
    os.replace(new, kept)  # whole or not at all, also where two builds run
    return lessons.read(kept)


def executed_all(paths: list[Path]) -> list:
    """The executed lessons of these paths, two run at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(executed, paths))


def _digest(path):
    """Of what a lesson's outputs depend on: itself, and the files of both packages."""
    files = [f for name in ("ranktrees", "ranktrees_lab") for f in (ROOT / name).rglob("*")]
    used = sorted(f for f in files if f.suffix in (".py", ".toml", ".js"))
    digest = hashlib.sha256(FIRST.encode())
    for file in (path, *used):
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
    """Make a folder, or empty one that was made so; SystemExit for a folder of other things."""
    if folder.exists() and any(folder.iterdir()):
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


def code_css(style: str, under: str = "") -> str:
    """The rules for what `code_html` writes, inside of the selector `under`."""
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(style=style).get_style_defs(f"{under} .highlight".strip())


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


def png_address(data) -> str:
    """The picture of an output's formats as a data URL."""
    return f"data:image/png;base64,{data['image/png'].strip()}"


def _folded(item):
    """A question of a quiz or a guess, its answer folded."""
    inside = item["answer"] + "".join(map(output_html, revealed(item)))
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


def main() -> int:
    """Execute the lessons named, or all, and keep them."""
    executed_all(lessons.find_lessons(sys.argv[1:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
