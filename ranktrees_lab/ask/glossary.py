"""The course's terms: a sentence each, and the lesson that explains it."""

import difflib
import html
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ranktrees_engine.basics.arguments import check_text

FILE = Path(__file__).parent / "glossary.toml"


class Term(NamedTuple):
    """A term, what it means, and the lesson that explains it, such as "05 AUC"."""

    name: str
    meaning: str
    lesson: str

    def __repr__(self) -> str:
        return f"{self.name}: {self.meaning} (Lesson {self.lesson})"


class Terms(list):
    """Terms as a list, shown as text, or in a notebook as a list of definitions.

    `note`, if any, comes first.
    """

    note = ""

    def __repr__(self) -> str:
        return "\n".join([self.note] * bool(self.note) + [*map(repr, self)])

    def _repr_html_(self) -> str:
        rows, note = "", f"<p>{html.escape(self.note)}</p>" * bool(self.note)
        for name, *rest in self:
            meaning, lesson = map(html.escape, rest)
            rows += f"<dt><b>{html.escape(name)}</b></dt><dd>{meaning} (Lesson {lesson})</dd>"
        return f"{note}<dl>{rows}</dl>"


def glossary(term: str | None = None) -> Terms:
    """Return the meaning of a term, in any spelling or by one of its other names, or of all terms.

    For a term that is not in the glossary, the nearest ones, with a `note` that says so.
    """
    known = all_terms()
    if term is None:
        return Terms(known.values())
    names = {letters(name): name for name in known} | other_names()
    check_text(term=term)
    asked = letters(term)
    starting = {name for key, name in names.items() if asked and key.startswith(asked)}
    if asked not in names and len(starting) == 1:
        return Terms([known[name] for name in starting])
    return Terms([known[names[asked]]]) if asked in names else _nearest(term, asked, known, names)


def _nearest(term, asked, known, names):
    """Return the terms whose names resemble it, else those whose meaning has all its words."""
    near = [names[key] for key in difflib.get_close_matches(asked, names, n=9, cutoff=0.6)]
    words = {letters(word) for word in re.findall(r"\w{3,}", term)}
    if not near and words:
        near = [
            name
            for name, each in known.items()
            if words <= {letters(word) for word in re.findall(r"\w+", each.meaning)}
        ]
    found = Terms(known[name] for name in list(dict.fromkeys(near))[:3])
    what = "These are the nearest:" if found else "rt.glossary() lists all."
    found.note = f"There is no term {term!r:.200}. {what}"
    return found


def letters(name: str) -> str:
    """Return the part of a name that counts in a search: letters and digits, without a final s.

    >>> letters("ROC-Curves"), letters("Laplace's"), letters("C 4.5")
    ('roccurve', 'laplace', 'c45')
    """
    words = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", name.lower()))
    return "".join(word.removesuffix("s") if len(word) > 3 else word for word in words)


@cache
def other_names() -> dict[str, str]:
    """Return the other names of terms, as `letters` gives them, with the terms."""
    also = tomllib.loads(FILE.read_text(encoding="utf-8"))["also"]
    return {letters(name): term for name, term in also.items()}


@cache
def all_terms() -> dict[str, Term]:
    """Return all terms by name, in alphabetical order, as in the file."""
    file = tomllib.loads(FILE.read_text(encoding="utf-8"))
    titles = {number: f"{number} {title}" for number, title in file["lessons"].items()}
    terms = file["terms"].items()
    return {name: Term(name, meaning, titles[number]) for name, (number, meaning) in terms}
