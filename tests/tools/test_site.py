"""The site of the lessons: its files, where links lead, what is folded, and what is left out."""

import base64
import html
import json
import os
import re
import shutil
from importlib import metadata
from urllib.parse import unquote

import nbformat
import pytest
from fresh import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ranktrees_lab.student import find_lessons
from tools import lessons, pages, site, words

DOCS = {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
LOADED = "script|link|img"
FEW, WEB = 4, "../web/"  # states of an explorer, which has more; where its lesson runs
HOSTILE = "<img src=x onerror=alert(1)>"
TEXT = """# 90 · A *small* lesson

**Further reading.**

**Goals.** After this lesson you can

- tell `a` from $b$,
- stop.

**You need** lesson 00. **Time:** 3 minutes.

## First part (2 min)

See [lesson 91](91_second.ipynb) and [another](77_nowhere.ipynb)."""
EXPLORER = f"""import ranktrees as rt
from ranktrees_lab.explore.base import Explorer
from ranktrees_lab.explore.controls import choice, numbers
def draw(n, name):
    picture = rt.plot.Picture((1, 1))
    picture.alt = f"Place {{n}} of {{name}}."
    return picture, f"<b>{{n}}</b>"
Explorer(draw, n=numbers("n", 0, 3, 1, 1), name=choice("name", ["plain", {HOSTILE!r}], "plain"))"""
GUESS = f"""from ranktrees_lab.ask.guess import Guess, kind_of
kind = kind_of({{"text": "How many?", "answer": 41, "digits": 0}})
Guess("How many?", kind, "Not {HOSTILE}.", rt.plot.impurity())"""
REFERENCE = [  # test_public.py asks the true one
    {"file": f"{name}.html", "title": name, "body": "<p>All public names.</p>", "room": "." in name}
    for name in ("reference", "rt.plot")
]


def coded(source, *tags, **jupyter):
    return new_code_cell(source, metadata={"tags": list(tags), "jupyter": jupyter})


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A site of two small lessons, of which the first is run; beside it what is kept of that."""
    folder = tmp_path_factory.mktemp("lessons")
    cells = [
        new_markdown_cell(TEXT),
        coded("print('hosted')", "hosted"),
        coded(EXPLORER),
        coded('rt.quiz("05")'),
        coded(GUESS),
        coded("found = 1 + 1\nfound", "by-hand"),
        coded("assert found == 2\nprint('it holds')", "verify", source_hidden=True),
        new_markdown_cell("## Second part (1 min)\n\nFor *readers*: the word zebra."),
        coded("answer = ...", "answer"),
        coded("print('checked')", "check"),
        coded("answer = 6 * 7\nprint('solved')", "solution", source_hidden=True),
    ]
    other = [new_markdown_cell("# 91 · Second\n\nNothing `</script>` here.")]
    paths = [folder / "90_small.ipynb", folder / "91_second.ipynb"]
    run, read = pages.executed, lessons.read
    for path, some in zip(paths, (cells, other), strict=True):
        lessons.write(new_notebook(cells=some), path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "KEPT", folder / "executed")
        patch.setattr(pages, "executed", lambda p, n: run(p, n) if p == paths[0] else read(p))
        patch.setattr(site, "verdicts_page", lambda: "<h1>Claims</h1><p>Three papers.</p>")
        patch.setattr("tools.reference.written", lambda: REFERENCE)
        site.write_site(paths, folder / "site", states=FEW, web=WEB)
    return folder / "site"


def texts_of(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}


def links_of(text, tags="a"):
    found = re.findall(rf'<(?:{tags})\b[^>]*\b(?:src|href)="([^"]*)"', text)
    return set(map(html.unescape, found))


def check_links(folder, texts):
    """Every link inside of a site leads to a page and an id; everything that is loaded is there."""
    ids = {n: set(re.findall(r'\bid="([^"]*)"', html.unescape(t))) for n, t in texts.items()}
    for name, text in texts.items():
        for link in links_of(text):
            file, _, place = link.partition("#")
            if not file.startswith(
                ("http://", "https://", "data:", WEB)
            ):  # papers, notebooks, runs
                known = ids[unquote(file) or name]
                assert not place or {place, unquote(place)} & known, f"{name}: {link}"
        for source in links_of(text, LOADED):
            assert source.startswith("data:") or (folder / source).is_file(), f"{name}: {source}"
    for file in (folder / "files").iterdir():
        if file.name not in ("tex-svg.js", "words.js"):
            text = file.read_text(encoding="utf-8")
            assert not re.search(r'https?:|@import|url\((?!"data:)', text)


def check_heads(texts):
    """Each page has one description and one set of facts, which agree; return the facts."""
    found = {}
    for name, text in texts.items():
        head = text.partition("</head>")[0]
        (said,) = re.findall('<meta name="description" content="([^"]*)">', head)
        (facts,) = re.findall('<script type="application/ld.json">(.*?)</script>', head)
        found[name] = facts = json.loads(facts)
        assert facts["@context"] == "https://schema.org"
        assert facts["description"] == html.unescape(said)
        assert len(said) > 10, name
        kind = "LearningResource" if name[:2].isdigit() else "WebPage"
        assert facts["@type"] == ("Course" if name == "index.html" else kind), name
        what = "code" if name.startswith(("reference.", "rt.")) else "text"
        assert facts["license"] == site.LICENCES[what]
        assert name == "index.html" or facts["isPartOf"]["@type"] == "Course"
    return found


def test_files_and_links_of_a_site(small):
    texts = texts_of(small)
    check_links(small, texts)
    named = {"index", "reference", "references", "verdicts", "book", "90_small", "91_second"}
    assert texts.keys() == {f"{name}.html" for name in named} | DOCS | {"rt.plot.html"}
    links = {name: links_of(text) for name, text in texts.items()}
    assert links["index.html"] > DOCS, "each way"
    assert all({"index.html", "index.html#the-course"} & links[name] for name in DOCS)
    assert "rt.plot.html" not in links["90_small.html"], "the rooms are listed in the reference"
    assert {"index.html", "91_second.html"} <= links["90_small.html"]
    assert '<a href="91_second.html">lesson 91</a> and another.' in texts["90_small.html"]
    needed = {"files/explorer.js", "files/ask.js", "files/tex-svg.js"}
    assert needed <= links_of(texts["90_small.html"], LOADED)
    assert not needed & links_of(texts["91_second.html"], LOADED)


def test_the_first_page_has_a_card_for_each_lesson_and_the_first_explorer(small):
    page = (small / "index.html").read_text(encoding="utf-8")
    assert (
        "90 · A small lesson Tell a from $b$. 91 · Second Nothing </script> here."
        in words.plain(page)
    )
    cards = re.findall("<li.*?</li>", page.partition('<ol class="cards">')[2], re.DOTALL)[:2]
    assert ["<img" in card for card in cards] == [True, False], "where there is a picture"
    assert page.count('class="rt-explorer"') == page.count("files/play.js") == 1


def test_what_is_folded_and_what_is_left_out(small):
    lesson = (small / "90_small.html").read_text(encoding="utf-8")
    inside = "".join(re.findall(r"<details ?>.*?</details>", lesson, re.DOTALL))
    shown = re.sub(r"<details ?>.*?</details>", "", lesson, flags=re.DOTALL)
    for word in ("solved", "6</span>", "Right.", "<b>41.</b>", "assert"):
        assert word in inside
    for word in ("solved", "Right.", "41", "rt.quiz", ">assert<", "checked", "hosted"):
        assert word not in shown
    assert "it holds" in shown, "what a check of the lesson prints is no secret"
    assert "<details open><summary>By hand</summary>" in lesson
    assert "How many?" in shown
    assert "Open in" not in lesson, "no address is set"
    (data,) = re.findall('<a download="90_small.ipynb" href="data:[^,"]*,([^"]*)">', lesson)
    notebook = nbformat.reads(base64.b64decode(data).decode(), as_version=4)
    assert "answer = ..." in [cell.source for cell in notebook.cells]
    assert not any("solution" in site.tags(cell) for cell in notebook.cells)
    assert "<img src=x" not in lesson
    assert html.escape(HOSTILE) in lesson


def test_the_search_knows_every_section_without_formulas_and_answers(small):
    known = (small / "files" / "words.js").read_text(encoding="utf-8")
    entries = json.loads(known.removeprefix("window.WORDS = ").rstrip(";\n"))
    (zebra,) = [entry for entry in entries if "zebra" in entry["text"]]
    assert zebra["section"] == "Second part (1 min)"
    assert zebra["url"] == "90_small.html#Second-part-(1-min)"
    assert zebra["text"].startswith("For readers: the word zebra.")
    assert not any(entry["url"].startswith("book.html") for entry in entries)
    assert "tell a from b," in known
    for word in ("Not this one.", "$b$", "<script", "data:image"):
        assert word not in known


def test_the_book_holds_all_lessons_and_its_links_stay_inside(small):
    text = (small / "book.html").read_text(encoding="utf-8")
    assert '<a href="#91_second">lesson 91</a>' in text
    ids = 'id="90_small"', 'id="91_second"', 'id="references"'
    assert sorted(ids, key=text.index) == list(ids)
    assert 'id="90_small.First-part-(2-min)"' in text
    assert 'class="rt-picture"' in text
    assert "rt-explorer" not in text, "explorers are pictures here"


def test_pages_lead_to_where_their_lessons_run_at_the_cell_where_more_is_to_be_seen(
    small,
):
    lesson, start = ((small / f"{n}.html").read_text("utf-8") for n in ("90_small", "index"))
    asked = [link for link in links_of(lesson) if link.startswith(WEB)]
    cell = next(
        c for c in lessons.read(small.parent / "90_small.ipynb").cells if "Explorer(" in c.source
    )
    where = f"{WEB}lab/index.html?path=90_small.ipynb"
    assert sorted(asked) == [where, f"{where}#cell-id={cell.id}"]
    assert [link for link in links_of(start) if link.startswith(WEB)] == [f"{WEB}lab/index.html"]
    assert "#cell-id" not in (small / "91_second.html").read_text("utf-8")


def test_a_lesson_is_run_once_and_an_explorer_drawn_until_it_changes(small, monkeypatch):
    folder = small.parent
    monkeypatch.setattr(pages, "KEPT", folder / "executed")
    path = folder / "90_small.ipynb"
    with monkeypatch.context() as patch:
        patch.setattr(lessons, "execute", lambda *_: pytest.fail("more states will do"))
        assert pages.executed(path, 3).cells[0].source == TEXT
    (drawn,) = folder.glob("states/**/*.json")
    number = drawn.stat().st_ino
    unused = shutil.copy(drawn, drawn.with_name("unused.json"))
    os.utime(unused, (0, 0))
    notebook, other = lessons.read(path), coded(EXPLORER.replace("of {name}", "for {name}"))
    notebook.cells[:] = [new_markdown_cell("# 90 · Other words"), *notebook.cells[1:3], other]
    lessons.write(notebook, path)
    cells = pages.executed(path, FEW).cells[1:]
    outputs = [o["data"] for c in cells for o in c.outputs if "data" in o]
    alts = [data[pages.STATES]["picture"]["alt"] for data in outputs]
    assert alts == ["Place 1 of plain.", "Place 1 for plain."]
    assert drawn.stat().st_ino == number
    assert len(list(folder.glob("states/**/*.json"))) == 2


def test_a_lesson_that_stops_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "KEPT", tmp_path / "executed")
    monkeypatch.setattr(pages, "FIRST", "")
    path = tmp_path / "92_broken.ipynb"
    lessons.write(new_notebook(cells=[new_code_cell("1 / 0")]), path)
    with pytest.raises(SystemExit, match=r"92_broken\.ipynb: the lesson stops with an error"):
        pages.executed(path)
    assert not list(tmp_path.glob("executed/*"))


def test_a_missing_package_of_vendored_files_is_named(monkeypatch):
    monkeypatch.setitem(pages.PACKAGES, "mathjax", "no-such-package")
    with pytest.raises(SystemExit, match=r"no-such-package is not installed; install .*kit"):
        pages.vendored("mathjax/tex-svg.js")
    monkeypatch.setattr(metadata, "files", lambda name: [])
    with pytest.raises(SystemExit, match=r"sphinx-revealjs has no revealjs/dist; install .*kit"):
        pages.vendored("revealjs/dist")


def test_outputs_as_html():
    stream = pages.output_html(new_output("stream", text="a < b \x1b[1mc"))
    assert stream.startswith('<pre class="output">a &lt; b ')
    png = {"image/png": "A", "text/plain": '"b"'}
    for data, expected in (
        ({"text/plain": "<x>"}, '<pre class="output">&lt;x&gt;</pre>'),
        ({"text/html": "<th></th>"}, '<div class="output"><td></td></div>'),
        (png, '<img class="output" alt="&quot;b&quot;" src="data:image/png;base64,A">'),
    ):
        assert pages.output_html(new_output("display_data", data)) == expected


def test_each_page_says_in_its_head_what_it_teaches(small):
    facts = check_heads(texts_of(small))
    assert (lesson := facts["90_small.html"])["name"] == "90 · A small lesson"
    assert lesson["teaches"] == ["tell a from $b$", "stop"]
    assert lesson["description"] == "After this lesson you can: tell a from $b$; stop."
    assert (lesson["timeRequired"], lesson["competencyRequired"]) == ("PT3M", "lesson 00.")
    assert facts["91_second.html"]["description"] == "Nothing </script> here."
    assert not {"timeRequired", "competencyRequired"} & facts["91_second.html"].keys()


@pytest.mark.long
def test_the_whole_site(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    written = site.write_site(find_lessons(), tmp_path / "site", states=60)
    texts = texts_of(tmp_path / "site")
    check_links(tmp_path / "site", texts)
    check_heads(texts)
    assert len(texts) == len(written)
    assert sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) < 60e6
