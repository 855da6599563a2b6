"""The bibliography: every citation has an entry, every entry is cited, no DOI of a wrong form."""

import json
import re
from pathlib import Path

import yaml

from ranktrees import __version__
from tools import references
from tools.references import CITED, Entry, cited, entries, linked, page, titled

ROOT = Path(__file__).parents[2]
NO_CITATION = {"NBTree", "Handbook", "Representatives"}  # names before a year, but no authors
APART = {  # entries whose year stands apart from the name
    "bahl-1989": "L. Bahl and others averaged the nodes of a language model's tree in 1989",
    "brier-1950": "Brier's own score (1950)",
}
DOI = re.compile(r"10\.\d{4,9}/[^\s\"]+")


def texts():
    """{file: text} of all that names papers: lessons, code, README, docs."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    found = {path.name: path.read_text(encoding="utf-8") for path in pages}
    for folder in ("ranktrees", "ranktrees_scale", "ranktrees_lab"):
        for path in (ROOT / folder).rglob("*.py"):
            text = re.sub(r"\s*\n\s*", " ", path.read_text(encoding="utf-8"))
            found[path.relative_to(ROOT).as_posix()] = text
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        said = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        found[path.name] = "\n\n".join(said).replace("**", "")
    return found


TEXTS = texts()
PAPER = (ROOT / "docs" / "paper" / "paper.md").read_text(encoding="utf-8")
CITED_IN_PAPER = set(re.findall(r"@([a-z]+-\d{4})", PAPER))


def endings():
    """(file, title in italics) of the papers where to read on."""
    for file, text in TEXTS.items():
        if file.endswith(".ipynb"):
            for title in re.findall(r"\*([^*]+)\*", text.rpartition("Where to read on")[2]):
                if not title.startswith("By the ranktrees authors"):
                    yield file, title


def unknown(text):
    """The citations of a text that no entry answers."""
    found = [m for m in CITED.finditer(text) if m[1].split(", ")[-1] not in NO_CITATION]
    return [m[0] for m in found if cited(m[1], m[2], m[3]) is None]


def test_every_citation_has_an_entry():
    found = {file: unknown(text) for file, text in TEXTS.items()}
    assert {file: names for file, names in found.items() if names} == {}


def test_every_title_to_read_on_has_an_entry():
    assert [t for _, t in endings() if t.count(" ") > 2 and titled(t) is None] == []


def test_every_entry_is_named():
    used = {cited(m[1], m[2], m[3]) for text in TEXTS.values() for m in CITED.finditer(text)}
    used |= {titled(title) for _, title in endings()}
    used |= {entry for entry in entries() if entry.key in CITED_IN_PAPER}
    assert {entry.key for entry in entries() if entry not in used} == APART.keys()
    for said in APART.values():
        assert any(said in text for text in TEXTS.values())


def wrong(fields):
    """Whether an entry cannot be found: form of DOI, check digit of ISBN."""
    if "doi" in fields:
        return not DOI.fullmatch(fields["doi"])
    if "isbn" in fields:
        digits = [int(c) for c in fields["isbn"].replace("-", "")]
        return len(digits) != 13 or sum(d * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10 != 0
    return not (fields.get("url", "").startswith("https://") or fields.get("note"))


def test_every_entry_can_be_found():
    keys = [entry.key for entry in entries()]
    assert len(keys) == len(set(keys)) == references.FILE.read_text("utf-8").count("\n@") > 60
    assert [entry.key for entry in entries() if wrong(entry.fields)] == []
    assert sum("doi" in entry.fields for entry in entries()) > 50


def test_names_and_titles_become_links():
    said = linked("<p>See Wang &amp; Zhang (2006); <em>Newton Trees</em> (2010).</p>", _of_site)
    assert '<a href="#wang-2006">Wang &amp; Zhang (2006)</a>;' in said
    assert '<a href="#martinez-2010"><em>Newton Trees</em></a>' in said
    for text in ("<code>Quinlan 1986</code>", '<a href="x">Quinlan 1986</a>', "Nobody 1986"):
        assert linked(text, _of_site) == text
    assert linked('<img alt="Quinlan 1986">', _of_site) == '<img alt="Quinlan 1986">'
    assert linked("Mitchell 1997") == "Mitchell 1997"  # a book has no address
    assert linked("Quinlan 1986").startswith('<a href="https://doi.org/10.1007/BF00116251">')


def _of_site(entry: Entry):
    return f"#{entry.key}"


def test_the_page_has_every_entry_once():
    ids = re.findall(r'<li id="([\w-]+)">', page())
    assert ids == [entry.key for entry in entries()] == sorted(ids)
    assert "Jiang Su, Harry Zhang: <em>Learning conditional independence tree" in page()
    assert "ISBN 978-1-55860-238-0" in page()


def test_the_paper_cites_entries_of_the_one_bibliography():
    inside = (ROOT / "docs" / "paper" / "paper.bib").read_text(encoding="utf-8")
    every = references.FILE.read_text(encoding="utf-8")
    meant = [m[0] for m in references.ENTRY.finditer(every) if m[2] in CITED_IN_PAPER]
    assert [m[0] for m in references.ENTRY.finditer(inside)] == meant
    assert len(meant) == len(CITED_IN_PAPER)


def test_the_citation_has_version_and_date():
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert said["version"] == __version__
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", said["date-released"])
