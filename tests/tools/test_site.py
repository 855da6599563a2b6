"""The site of the lessons: its files, where links lead, what is folded, and what is left out."""

import base64
import json
import re
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ranktrees_lab.student import find_lessons
from tools import lessons, pages, site

ROOT = Path(__file__).parents[2]
DOCS = {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
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


def coded(source, *tags, hidden=False):
    metadata = {"tags": list(tags)} | ({"jupyter": {"source_hidden": True}} if hidden else {})
    return new_code_cell(source, metadata=metadata)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A site of two small lessons, and the folder in which the executed ones are kept."""
    folder = tmp_path_factory.mktemp("lessons")
    cells = [
        new_markdown_cell(TEXT),
        coded("%pip install ranktrees", "hosted"),
        coded(EXPLORER),
        coded('rt.quiz("05")'),
        coded(GUESS),
        coded("found = 1 + 1\nfound", "by-hand"),
        coded("assert found == 2\nprint('it holds')", "verify", hidden=True),
        new_markdown_cell("## Second part (1 min)\n\nFor *readers*: the word zebra."),
        coded("answer = ...", "answer"),
        coded("print('checked')", "check"),
        coded("answer = 6 * 7\nprint('solved')", "solution", hidden=True),
    ]
    cells[1].source = "print('hosted')"
    lessons.write(new_notebook(cells=cells), folder / "90_small.ipynb")
    other = [new_markdown_cell("# 91 · Second\n\nNothing here.")]
    lessons.write(new_notebook(cells=other), folder / "91_second.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "KEPT", folder / "executed")
        site.write_site(sorted(folder.glob("*.ipynb")), folder / "site")
    return folder / "site"


class Page(HTMLParser):
    """The ids of a page, where its links lead, what it loads, its description and its facts."""

    def __init__(self, path_or_text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.described, self.facts, self.inside = [], [], False
        is_path = isinstance(path_or_text, Path)
        self.feed(path_or_text.read_text(encoding="utf-8") if is_path else path_or_text)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.ids |= {known["id"]} if "id" in known else set()
        self.links += [known["href"]] if tag == "a" and "href" in known else []
        self.loaded += [known["src"]] if "src" in known else []
        self.loaded += [known["href"]] if tag == "link" else []
        self.described += [known["content"]] if known.get("name") == "description" else []
        self.inside = known.get("type") == "application/ld+json"

    def handle_data(self, data):
        self.facts += [json.loads(data)] if self.inside else []

    def handle_endtag(self, tag):
        self.inside = False


def pages_of(folder):
    return {path.name: Page(path) for path in folder.glob("*.html")}


def check_links(folder, found):
    """Every link inside of a site leads to a page and an id; everything that is loaded is there."""
    for name, page in found.items():
        for link in page.links:
            if link.startswith(("http://", "https://", "data:")):
                continue  # a link to a paper: nothing is loaded from there; or a notebook to save
            file, _, place = link.partition("#")
            target = found.get(unquote(file) or name)
            assert target is not None, f"{name}: {link}"
            assert not place or {place, unquote(place)} & target.ids, f"{name}: {link}"
        for source in page.loaded:
            assert source.startswith("data:") or (folder / source).is_file(), f"{name}: {source}"
    for file in (folder / "files").iterdir():
        if file.name not in ("tex-svg.js", "words.js"):
            text = file.read_text(encoding="utf-8")
            assert not re.search(r'https?:|@import|url\((?!"data:)', text)


def test_files_and_links_of_a_site(small):
    found = pages_of(small)
    check_links(small, found)
    lessons = {"90_small.html", "91_second.html"}
    others = set(found) - lessons
    rooms = {name for name in others if name.startswith("rt.")}
    named = {"index", "reference", "references", "verdicts", "book"}
    assert others - rooms == {f"{name}.html" for name in named} | DOCS
    assert set(found["index.html"].links) > DOCS, "each way"
    for name in DOCS:
        assert {"index.html", "index.html#the-course"} & set(found[name].links)
    assert {"rt.plot.html", "rt.plain.c45.html"} <= rooms
    assert rooms <= set(found["reference.html"].links)
    assert not rooms & set(found["90_small.html"].links), "the rooms are listed in the reference"
    named = {"site.css", "site.js", "ask.js", "theme.js", "words.js", "explorer.js", "tex-svg.js"}
    named |= {"style.css", "play.js"}
    assert {file.name for file in (small / "files").iterdir()} == named
    assert {"index.html", "91_second.html"} <= set(found["90_small.html"].links)
    needed = {"files/explorer.js", "files/ask.js", "files/tex-svg.js"}
    assert needed <= set(found["90_small.html"].loaded)
    assert not needed & set(found["91_second.html"].loaded)


def test_the_first_page_has_a_card_for_each_lesson_and_the_first_explorer(small):
    page = (small / "index.html").read_text(encoding="utf-8")
    text = site.plain(page)
    assert "90 · A small lesson Tell a from $b$. 91 · Second Nothing here." in text
    cards = re.findall("<li.*?</li>", page.partition('<ol class="cards">')[2], re.DOTALL)[:2]
    assert ["<img" in card for card in cards] == [True, False], "where there is a picture"
    assert page.count('class="rt-explorer"') == 1
    assert "files/play.js" in page
    assert all(f'href="{file}"' in page for file in ("90_small.html", "for-lecturers.html"))


def test_what_is_folded_and_what_is_left_out(small):
    text = (small / "90_small.html").read_text(encoding="utf-8")
    inside = "".join(re.findall(r"<details ?>.*?</details>", text, re.DOTALL))
    shown = re.sub(r"<details ?>.*?</details>", "", text, flags=re.DOTALL)
    for word in ("solved", "6</span>", "Right.", "<b>41.</b>", "assert"):
        assert word in inside
    for word in ("solved", "Right.", "41", "rt.quiz", ">assert<"):
        assert word not in shown
    assert "it holds" in shown, "what a check of the lesson prints is no secret"
    assert "<details open><summary>By hand</summary>" in text
    assert "How many?" in shown
    assert "checked" not in text
    assert "hosted" not in text


def test_hostile_names_and_links_to_lessons_that_are_not_here_are_text(small):
    text = (small / "90_small.html").read_text(encoding="utf-8")
    assert "<img src=x" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert '<a href="91_second.html">lesson 91</a> and another.' in text


def test_the_search_knows_every_section_without_formulas_and_answers(small):
    words = (small / "files" / "words.js").read_text(encoding="utf-8")
    entries = json.loads(words.removeprefix("window.WORDS = ").rstrip(";\n"))
    (zebra,) = [entry for entry in entries if "zebra" in entry["text"]]
    assert zebra["section"] == "Second part (1 min)"
    assert zebra["url"] == "90_small.html#Second-part-(1-min)"
    assert zebra["text"].startswith("For readers: the word zebra.")
    assert not any("data:image" in entry["text"] for entry in entries)
    assert not any(entry["url"].startswith("book.html") for entry in entries)
    assert "tell a from b," in words
    assert "Not this one." not in words, "nor the answers of questions"
    assert "$b$" not in words
    assert "<script" not in words


def test_the_search_shows_formulas_as_plain_letters():
    texts = {
        r"so $\frac{n_c + 1}{n + |C|}$ and $\hat p$": "so (nc + 1)/(n + |C|) and hat p",
        r"$$P(\text{bad} \mid a) \le \tfrac12$$ is": "P(bad | a) ≤ 1/2 is",
        r"$\sum_{i} w_i \cdot \left( x_i \right)$": "sumi wi · ( xi )",
        r"costs $5, no formula": r"costs $5, no formula",
    }
    assert {text: site.without_tex(text) for text in texts} == texts


def test_the_book_holds_all_lessons_and_its_links_stay_inside(small):
    text = (small / "book.html").read_text(encoding="utf-8")
    assert '<a href="#91_second">lesson 91</a>' in text
    ids = 'id="90_small"', 'id="91_second"', 'id="references"'
    assert sorted(ids, key=text.index) == list(ids)
    assert 'id="90_small.First-part-(2-min)"' in text
    assert 'class="rt-picture"' in text
    for word in ("rt-explorer", "rt-controls", 'type="text/plain"', "explorer.js"):
        assert word not in text, "explorers are pictures here"


def test_the_notebook_of_a_page_has_the_exercises_open(small):
    text = (small / "90_small.html").read_text(encoding="utf-8")
    (data,) = re.findall('<a download="90_small.ipynb" href="data:[^,"]*,([^"]*)">', text)
    notebook = nbformat.reads(base64.b64decode(data).decode(), as_version=4)
    nbformat.validate(notebook)
    assert "answer = ..." in [cell.source for cell in notebook.cells]
    assert not any("solution" in site.tags(cell) for cell in notebook.cells)
    assert "Open in" not in text, "no address is set"


def test_addresses_to_open_a_lesson_elsewhere_are_set_once(tmp_path, monkeypatch):
    text = '[tool.ranktrees.open-in]\n"A Hub" = "https://hub.test/lab/{file}"\n'
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    opened = site.elsewhere({"notebook": "05_auc.ipynb"})
    assert opened == {"A Hub": "https://hub.test/lab/05_auc.ipynb"}
    assert site.elsewhere({"file": "index.html"}) == {}
    page = {"file": "x.html", "title": "X", "body": "", "notebook": "05_auc.ipynb"}
    made = pages.template("site.html.j2").render(pages=[], facts={}, elsewhere=opened, **page)
    assert '<a href="https://hub.test/lab/05_auc.ipynb">Open in A Hub</a>' in made


def test_a_lesson_is_executed_once(small, monkeypatch):
    monkeypatch.setattr(pages, "KEPT", small.parent / "executed")
    monkeypatch.setattr(lessons, "execute", lambda *_: pytest.fail("it is kept"))
    path = small.parent / "91_second.ipynb"
    assert pages.executed(path).cells[0].source.startswith("# 91")
    kept = sorted(file.name for file in pages.KEPT.iterdir())
    assert [name.split("-")[0] for name in kept] == ["90_small", "91_second"]


def test_what_explorers_depend_on_is_not_the_text_of_a_lesson(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "KEPT", tmp_path / "executed")
    path = tmp_path / "93_more.ipynb"

    def run(text, explorer=EXPLORER):
        cells = [new_markdown_cell(text), coded(explorer)]
        lessons.write(new_notebook(cells=cells), path)
        (output,) = [o for o in pages.executed(path, 4).cells[1].outputs if "data" in o]
        (kept,) = tmp_path.glob("states/**/*.json")  # what is not used any more is removed
        return output["data"][pages.STATES], kept.name, kept.stat().st_ino

    first = run("# 93 · One")
    assert run("# 93 · Two") == first
    with monkeypatch.context() as patch:
        patch.setattr(lessons, "execute", lambda *_: pytest.fail("more states will do"))
        pages.executed(path, 3)
    other = run("# 93 · Two", EXPLORER.replace("of {name}", "for {name}"))
    assert other[0]["picture"]["alt"] == "Place 1 for plain."
    assert other[1] != first[1]


def test_a_lesson_that_stops_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "KEPT", tmp_path / "executed")
    path = tmp_path / "92_broken.ipynb"
    lessons.write(new_notebook(cells=[new_code_cell("1 / 0")]), path)
    with pytest.raises(SystemExit, match=r"92_broken\.ipynb: the lesson stops with an error"):
        pages.executed(path)
    assert not list(tmp_path.glob("executed/*"))


def test_vendored_files_are_found_or_the_missing_package_is_named(monkeypatch):
    for name in ("mathjax/tex-svg.js", "revealjs/dist", "revealjs/dist/reveal.js"):
        assert pages.vendored(name).exists()
        assert pages.vendored(name).as_posix().endswith(name)

    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "files", missing)
    with pytest.raises(SystemExit, match=r"sphinx-mathjax-offline is not installed; install .*kit"):
        pages.vendored("mathjax/tex-svg.js")
    monkeypatch.setattr(metadata, "files", lambda name: [])
    with pytest.raises(SystemExit, match=r"sphinx-revealjs has no revealjs/dist; install .*kit"):
        pages.vendored("revealjs/dist")


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (new_output("stream", text="a < b \x1b[1mc"), '<pre class="output">a &lt; b '),
        (new_output("display_data", {"text/plain": "<x>"}), '<pre class="output">&lt;x&gt;</pre>'),
        (new_output("display_data", {"text/html": "<th></th>"}), '<div class="output"><td></td>'),
        (
            new_output("display_data", {"image/png": "AA", "text/plain": 'a "b"'}),
            '<img class="output" alt="a &quot;b&quot;" src="data:image/png;base64,AA">',
        ),
    ],
)
def test_outputs_as_html(output, expected):
    assert pages.output_html(output).startswith(expected)


def check_heads(found):
    """Each page has one description and one set of facts, which agree."""
    for name, page in found.items():
        (description,), (facts,) = page.described, page.facts
        assert len(description) > 10, name
        assert facts["description"] == description
        assert (facts["@context"], facts["inLanguage"]) == ("https://schema.org", "en")
        kind = "LearningResource" if name[:2].isdigit() else "WebPage"
        assert facts["@type"] == ("Course" if name == "index.html" else kind), name
        assert "creativecommons.org/licenses/by/4.0" in facts["license"] or (
            "BSD-3-Clause" in facts["license"] and name.startswith(("reference.", "rt."))
        )
        assert name == "index.html" or facts["isPartOf"]["@type"] == "Course"


def test_each_page_says_in_its_head_what_it_teaches(small):
    found = pages_of(small)
    check_heads(found)
    facts = {name: page.facts[0] for name, page in found.items()}
    lesson = facts["90_small.html"]
    assert lesson["name"] == "90 · A small lesson"
    assert lesson["teaches"] == ["tell a from $b$", "stop"]
    assert lesson["timeRequired"] == "PT3M"
    assert lesson["competencyRequired"] == "lesson 00."
    assert lesson["educationalLevel"] == "university, from the third year on"
    assert lesson["isPartOf"]["name"] == facts["index.html"]["name"]
    assert lesson["description"] == "After this lesson you can: tell a from $b$; stop."
    assert facts["91_second.html"]["description"] == "Nothing here."
    assert not {"timeRequired", "competencyRequired"} & facts["91_second.html"].keys()


def test_a_head_cannot_end_its_script():
    page = {"file": "x.html", "title": "</script><b>", "body": "<p>&lt;/script&gt;</p>"}
    said = {"facts": site.facts(page), "description": site.description(page), "elsewhere": {}}
    text = pages.template("site.html.j2").render(pages=[page], **said, **page)
    (facts,) = Page(text).facts
    assert facts["name"] == "</script><b>"


@pytest.mark.long
def test_the_whole_site(tmp_path, monkeypatch):
    """All lessons: links, sizes of explorers and of the site."""
    monkeypatch.chdir(ROOT)
    written = site.write_site(find_lessons(), tmp_path / "site", states=60)
    found = pages_of(tmp_path / "site")
    check_links(tmp_path / "site", found)
    check_heads(found)
    assert len(found) == len(written)
    size = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
    assert size < 60e6
    for path in written:
        for part in path.read_text(encoding="utf-8").split('<div class="rt-explorer"')[1:]:
            assert len(part.split("</script>")[0]) < 1.1e6  # 1 MB, and the present picture
