"""The papers and books of docs/references.bib: their page on the site, and links to them.

Lessons name them by authors and year ("Wang & Zhang 2006") or by a title in italics; a name of no
entry, or of two, stays text.
"""

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "docs" / "references.bib"
ENTRY = re.compile(r"^@(\w+)\{(\S+),\n(.*?)^\}", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
PLACES = "journal", "booktitle", "publisher", "institution", "school", "howpublished"
INITIALS = r"(?:[A-Z]\.[ -]?)*"
NAME = rf"{INITIALS}[A-Z](?=[\w-]*[a-z])[\w-]+"  # no name of a meeting, as ICDM
CITED = re.compile(
    rf"(?<![\w-])({NAME}(?:, {NAME})*)"
    rf"(?:,? (?:&amp;|&|and) ({NAME})|(?:,| and)? (?:et al\.|others))?"
    r"(?:['’]s?)?,? \(?((?:19|20)\d\d)\b(?:(?<=\(\d{4})\))?"
)
WHOLE = r"<(a|code|pre|script|h\d)\b.*?</\2>"
KEPT = re.compile(f"({WHOLE})", re.DOTALL)
TAGS = re.compile(f"({WHOLE}|<[^>]*>)", re.DOTALL)
TITLED = re.compile(r"<em>([^<]+)</em>")


@dataclass(frozen=True, eq=False)
class Entry:
    """A paper or a book; `fields` as in references.bib."""

    key: str
    fields: dict

    @cached_property
    def authors(self) -> list[set]:
        """Words of each surname, in lower case without accents."""
        names = self.fields["author"].split(" and ")
        return [set(re.split("[ -]", folded(name.partition(",")[0]))) for name in names]

    @property
    def address(self) -> str | None:
        """Address to read or order it; a book has its ISBN as text only."""
        doi = self.fields.get("doi")
        return f"https://doi.org/{doi}" if doi else self.fields.get("url")


@cache
def entries(file: Path = FILE) -> tuple[Entry, ...]:
    """Return all entries of the file, in its order."""
    found = ENTRY.findall(file.read_text(encoding="utf-8"))
    return tuple(Entry(key, dict(FIELD.findall(body))) for _, key, body in found)


def folded(text: str) -> str:
    """Return text in lower case without accents."""
    parts = unicodedata.normalize("NFKD", html.unescape(text))
    return "".join(c for c in parts if not unicodedata.combining(c)).lower()


def cited(names: str, last: str, year: str) -> Entry | None:
    """Return the entry with these authors, in order, and year; None unless exactly one has them."""
    surnames = [re.sub(f"^{INITIALS}", "", name) for name in [*names.split(", "), last] if name]
    named = [set(re.split("[ -]", folded(name))) for name in surnames]
    fits = [e for e in entries() if e.fields["year"] == year and named[0] <= e.authors[0]]
    fits = [e for e in fits if all(any(map(name.issubset, e.authors)) for name in named)]
    return fits[0] if len(fits) == 1 else None


def titled(text: str) -> Entry | None:
    """Return the entry with this title, or one that begins with it, if of two words or more."""
    said = folded(text).strip(" .")
    if " " not in said and not re.search(r"\d", said):
        return None
    titles = {entry: folded(entry.fields["title"]) for entry in entries()}
    exact = [e for e, t in titles.items() if said in (t, t.partition(": ")[0])]
    begun = [e for e, t in titles.items() if t.startswith(said) and said.count(" ") > 1]
    return next(iter(exact or begun), None)


def linked(body: str, place=lambda entry: entry.address) -> str:
    """Return HTML whose citations and titles link to the `place` of their entry, unless None."""

    def link(text, entry):
        target = entry and place(entry)
        return f'<a href="{html.escape(target)}">{text}</a>' if target else text

    body = _outside(KEPT, body, TITLED, lambda m: link(m[0], titled(m[1])))
    return _outside(TAGS, body, CITED, lambda m: link(m[0], cited(m[1], m[2], m[3])))


def _outside(kept, body, pattern, change):
    """Return HTML in which a pattern is changed wherever it is not inside of what is kept."""
    parts = kept.split(body)  # text, what is kept, its tag, text, ...
    for i in range(0, len(parts), 3):
        parts[i] = pattern.sub(change, parts[i])
    return "".join(part for i, part in enumerate(parts) if i % 3 != 2)


def page() -> str:
    """Return the list of all entries as HTML, each with an id that is its key."""
    listed = "\n".join(f'<li id="{entry.key}">{_shown(entry)}</li>' for entry in entries())
    about = "The papers and books that lessons and methods come from."
    return f'<h1>References</h1>\n<p>{about}</p>\n<ul class="references">{listed}</ul>'


def _shown(entry):
    """Return authors, title, where and when, and its DOI, ISBN or address."""
    said = entry.fields
    names = [" ".join(name.split(", ", 1)[::-1]) for name in said["author"].split(" and ")]
    place = next(said[name] for name in PLACES if name in said).replace("--", "–")
    words = f"{', '.join(names)}: <em>{html.escape(said['title'])}</em>. {html.escape(place)}"
    end = f"ISBN {said['isbn']}" if "isbn" in said else ""
    if entry.address:
        shown = said.get("doi", entry.address)
        end = f'<a href="{html.escape(entry.address)}">{html.escape(shown)}</a>'
    return f"{words}, {said['year']}. {end}".strip()
