"""The course's terms: a sentence each, and the lesson that explains it."""

import html
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ranktrees_lab.plot.inputs import check_known

FILE = Path(__file__).parent / "glossary.toml"


class Term(NamedTuple):
    """A term, what it means, and the lesson that explains it, such as "05 AUC"."""

    name: str
    meaning: str
    lesson: str

    def __repr__(self) -> str:
        return f"{self.name}: {self.meaning} (Lesson {self.lesson})"


class Terms(list):
    """Terms in a list that is shown as text, or in a notebook as a list of definitions."""

    def __repr__(self) -> str:
        return "\n".join(map(repr, self))

    def _repr_html_(self) -> str:
        rows = ""
        for name, *rest in self:
            meaning, lesson = map(html.escape, rest)
            rows += f"<dt><b>{html.escape(name)}</b></dt><dd>{meaning} (Lesson {lesson})</dd>"
        return f"<dl>{rows}</dl>"


def glossary(term: str | None = None) -> Terms:
    """The meaning of a term, or of all terms; large and small letters are the same.

    Raises ValueError, with the nearest terms, for one that is not in the glossary.
    """
    known = all_terms()
    if term is None:
        return Terms(known.values())
    names = {name.lower(): name for name in known}
    name = names.get(str(term).lower(), str(term))
    check_known("term", name, known)
    return Terms([known[name]])


@cache
def all_terms() -> dict[str, Term]:
    """All terms by name, in the order of the file, which is that of the alphabet."""
    file = tomllib.loads(FILE.read_text(encoding="utf-8"))
    titles = {number: f"{number} {title}" for number, title in file["lessons"].items()}
    terms = file["terms"].items()
    return {name: Term(name, meaning, titles[number]) for name, (number, meaning) in terms}
