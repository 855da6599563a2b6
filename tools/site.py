"""Write the site of all lessons, which works from the disk: `python -m tools.site [files]`.

Each lesson is a page with its pictures, sliders that need no kernel, folded answers; beside them
the course map, the pages of docs/, a reference of the public names, the papers and books, and a
search. They fetch nothing; each says in its head what it teaches, for search engines.
"""

import argparse
import html
import json
import re
import shutil
import sys
from base64 import b64encode
from pathlib import Path

from ranktrees_lab.explore.base import STATES as EXPLORER
from ranktrees_lab.explore.states import SCRIPT, STATES
from ranktrees_lab.papers import PAPERS, verdicts
from ranktrees_lab.show import FOLDER
from ranktrees_lab.student import copy_text, find_lessons, tags
from tools import book, handouts, pages, reference, references, texts, walk
from tools.lessons import minutes
from tools.seconds import spent
from tools.web import links
from tools.words import HEADING, entries, plain

SITE = pages.ROOT / "build" / "site"
STYLE = "site.css", "site.js", "ask.js", "theme.js", "play.js"
MATHJAX = "mathjax/tex-svg.js"
LINK = re.compile(r'<a href="([\w./-]+)\.(?:ipynb|md|txt|py)(#[^"]*)?">(.*?)</a>', re.DOTALL)
HOME = {"../README": "index.html", "../README#the-course": "index.html#the-course"}
ANCHOR = re.compile(r'(?<=<h\d id=")[^"]+|(?<=<a class="anchor-link" href="#)[^"]+')
GOALS = re.compile(r"goals.*?<ul>(.*?)</ul>", re.DOTALL | re.IGNORECASE)
NEEDS = re.compile(r"<strong>(You need</strong>.*?\.)(?= |</p>)", re.DOTALL)
ITEM = re.compile("<li>(.*?)</li>", re.DOTALL)
PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
MORE = '<p class="take"><a class="run" href="{}">All places of the sliders: run it here</a></p>'
COURSE = {"@type": "Course", "name": "Decision trees that rank", "url": "index.html"}
LEVEL = "university, from the third year on"
LICENCES = {
    "text": "https://creativecommons.org/licenses/by/4.0/",
    "code": "https://spdx.org/licenses/BSD-3-Clause.html",
}


def write_site(
    paths: list[Path], folder: Path = SITE, states: int = STATES, web: str | None = None
) -> list[Path]:
    """Write the pages of these lessons into an empty folder; return the files of the pages.

    Each explorer shows at most this many `states`. `web` is the address of build/web/, where pages
    lead to run a lesson; without one they do not.
    """
    mathjax = pages.vendored(MATHJAX)
    run = pages.executed_all(paths, states)
    with pages.CLOCK.part("pages of lessons and docs"):
        lessons = [lesson_page(*pair, web) for pair in zip(paths, run, strict=True)]
        docs = [doc_page(path) for path in sorted((pages.ROOT / "docs").glob("*.md"))]
    with pages.CLOCK.part("reference"):
        rooms = reference.written()
    known = {page["file"] for page in [*lessons, *docs, *rooms]} | {COURSE["url"]}
    for page in [*lessons, *docs]:
        page["body"] = relinked(page["body"], known)
    play = first_explorer(run[0]) if run else None
    given = {"lessons": lessons, "docs": docs, "play": play, "run": links.first(web)}
    start = pages.template("map.html.j2").render(given)
    start = {"file": COURSE["url"], "title": "Course map", "body": start, "play": play}
    papers = {"file": "references.html", "title": "References", "body": references.page()}
    judged = {"file": "verdicts.html", "title": "The papers' claims", "body": verdicts_page()}
    every = [start, *lessons, judged, papers, book.book([*lessons, papers]), *docs]
    with pages.CLOCK.part("search and files"):
        return _write_all([*every, *rooms], folder, mathjax)


def _write_all(every, folder, mathjax):
    """Write all pages and what they need into an empty folder."""
    pages.make_room(folder)
    (folder / "files").mkdir()
    for file in (mathjax, SCRIPT, pages.LOOK, *(pages.TEMPLATES / name for name in STYLE)):
        shutil.copyfile(file, folder / "files" / file.name)
    said = [entry for page in every if page["file"] != book.FILE for entry in entries(page)]
    words = json.dumps(said, ensure_ascii=False)
    (folder / "files" / "words.js").write_text(f"window.WORDS = {words};\n", encoding="utf-8")
    near = zip([None, *every], every, [*every[1:], None], strict=False)
    return [_write(folder, every, *three) for three in near]


def verdicts_page() -> str:
    """Return HTML of each paper's claims with their verdicts."""
    body = "".join(
        f'<h2 id="{name}">{html.escape(paper.title.partition(":")[0])}</h2>'
        f'<div class="output">{verdicts(name)._repr_html_()}</div>'
        for name, paper in PAPERS.items()
    )
    about = "What three papers claim, in their words, beside what was measured again."
    return f"<h1>The papers' claims, one by one</h1><p>{about}</p>{body}"


def _write(folder, every, before, page, after):
    """Write one of the pages, with its neighbours."""
    named = page.get("parts") or sections(page["body"])
    more = {
        "previous": before,
        "next": after,
        "explorers": "rt-explorer" in page["body"],
        "asks": 'class="question"' in page["body"],
        "formulas": "$" in page["body"],
        "sections": [s for s in named if s["level"] == 2],
        "elsewhere": links.elsewhere(page),
        "description": description(page),
        "facts": facts(page),
    }
    path = folder / page["file"]
    text = pages.template("site.html.j2").render(pages=every, **more, **page)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def lesson_page(path: Path, notebook, web: str | None = None) -> dict:
    """Return a lesson's file, title, body in HTML, and its entry in the course map."""
    at = [(cell, links.lesson(web, path.name, cell.get("id"))) for cell in notebook.cells]
    body = "\n".join(filter(None, (cell_html(*pair) for pair in at)))
    body = walk.put(path.stem[:2], body)
    goals, needs, first = (find.search(body) for find in (GOALS, NEEDS, PARAGRAPH))
    goals = [plain(item).strip(" ,;.") for item in ITEM.findall(goals[1] if goals else "")]
    line = goals or plain(first[1] if first else "").split(". ")
    shown = [cell for cell in notebook.cells if handouts.HANDOUT in tags(cell)] or notebook.cells
    return {
        "file": f"{path.stem}.html",
        "notebook": path.name,
        "run": links.lesson(web, path.name),
        # Of a file beside it a page from the disk may not say that it is to be saved.
        "copy": b64encode(copy_text(path).encode()).decode(),
        "title": pages.title(notebook),
        "body": body,
        "minutes": minutes(notebook)[0],
        "part": texts.part(notebook.cells[0].source),
        "goals": goals,
        "needs": plain(needs[1]) if needs else "",
        "line": line[0],
        "picture": next((source for _, source in handouts.pictures(shown)), None),
    }


def first_explorer(notebook) -> str | None:
    """Return HTML of a lesson's first explorer, for the first page; None if it has no explorer."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return next((pages.output_html(o) for o in outputs if EXPLORER in o.get("data", {})), None)


def doc_page(path: Path) -> dict:
    """Return a page of docs/, with the anchors that its Markdown has on the web."""
    text = path.read_text(encoding="utf-8")
    body = ANCHOR.sub(lambda m: re.sub(r"&#39;|[^\w-]", "", m[0].lower()), text_html(text))
    return {"file": f"{path.stem}.html", "title": text.partition("\n")[0][2:], "body": body}


def description(page: dict) -> str:
    """Return what a reader learns on a page: a lesson's goals, or else its first paragraph."""
    if page.get("goals"):
        return f"After this lesson you can: {'; '.join(page['goals'])}."
    first = PARAGRAPH.search(page["body"])
    return plain(first[1]) if first else page["title"]


def facts(page: dict) -> dict:
    """Return a page in terms of schema.org: a lesson, the course, or a reference page."""
    said = {"@context": "https://schema.org", "name": page["title"], "inLanguage": "en"}
    said |= {"description": description(page), "license": LICENCES["text"]}
    if page["file"] == COURSE["url"]:
        return said | COURSE
    said |= {"isPartOf": COURSE, "@type": "LearningResource" if "goals" in page else "WebPage"}
    if "room" in page:
        said["license"] = LICENCES["code"]
    if "goals" not in page:
        return said
    said |= {"educationalLevel": LEVEL, "teaches": page["goals"]}
    if page["needs"]:
        said["competencyRequired"] = page["needs"].removeprefix("You need ")
    if page["minutes"]:
        said["timeRequired"] = f"PT{page['minutes']}M"
    return said


def cell_html(cell, run: str | None = None) -> str:
    """Return a cell as HTML: text, or code with outputs, folded by tags; checks need a kernel.

    An explorer of which not all places are drawn leads to the address `run` of its cell.
    """
    if cell.cell_type == "markdown":
        return text_html(cell.source, cell.get("attachments"))
    marks = tags(cell)
    if cell.cell_type != "code" or marks & {"check", "hosted"}:
        return ""
    source = pages.code_html(cell.source)
    outputs = "\n".join(map(pages.output_html, cell.outputs))
    drawn = [
        output["data"][EXPLORER] for output in cell.outputs if EXPLORER in output.get("data", {})
    ]
    if run and not all(states["whole"] for states in drawn):
        outputs += MORE.format(html.escape(run))
    if "solution" in marks:
        return folded("Solution", source + outputs)
    if "answer" in marks:
        return f"<p>Your answer, in the notebook:</p>{source}"
    if any(pages.ANSWERS in output.get("data", {}) for output in cell.outputs):
        return outputs  # a question needs no source
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        return folded("Code that checks this" if "verify" in marks else "Code", source) + outputs
    return (folded("By hand", source, "open") if "by-hand" in marks else source) + outputs


def text_html(source: str, attachments: dict | None = None) -> str:
    """Return Markdown as HTML, with links to the papers that it names, its tables in wide boxes."""
    text = pages.text_html(source, attachments)
    text = references.linked(text, lambda entry: f"references.html#{entry.key}")
    return re.sub("<table>.*?</table>", r'<div class="wide">\g<0></div>', text, flags=re.DOTALL)


def folded(summary: str, inside: str, state: str = "") -> str:
    """Return HTML behind a line that opens it."""
    return f"<details {state}><summary>{summary}</summary>{inside}</details>"


def relinked(body: str, known: set[str]) -> str:
    """Make links to files lead to their pages; links to files without a page become plain text."""

    def link(found):
        room = "rt.plain." if found[1].startswith(f"{FOLDER}/") else ""
        place = f"{room}{Path(found[1]).name}.html{found[2] or ''}"
        place = HOME.get(found[1] + (found[2] or ""), place)
        return f'<a href="{place}">{found[3]}</a>' if place.split("#")[0] in known else found[3]

    return LINK.sub(link, body)


def sections(body: str) -> list[dict]:
    """Return the headings of a page below its first: level, id and title."""
    heads = HEADING.findall(body)
    return [{"level": int(n), "id": html.unescape(i), "title": plain(t)} for n, i, t in heads]


def main(arguments=None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("files", nargs="*", help="by default notebooks/*.ipynb")
    parser.add_argument("--states", type=int, default=STATES, help="of an explorer, %(default)s")
    parser.add_argument("--web", default=links.beside(SITE), help="the address of build/web/")
    given = parser.parse_args(arguments)
    written = write_site(find_lessons(given.files), states=given.states, web=given.web)
    try:
        with pages.CLOCK.part("book as a PDF"):
            printed = book.print_book(written[0].with_name(book.FILE)) or book.FILE
    except handouts.BrowserError as error:
        printed = f"{book.FILE}, no PDF: {error}"
    print(f"{len(written)} pages: open {written[0]}; as a book: {printed}")
    print(pages.CLOCK.told(spent()))
    if not given.web:
        print("no lesson runs on these pages: first make web, or name its address by WEB=")
    return 0


if __name__ == "__main__":
    sys.exit(main())
