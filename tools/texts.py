"""The texts of the course: what a lecturer would not say, what a quiz gives away, alternatives.

A phrase that reads as translated is refused, with what to say for it; so is a right choice that is
the longest, or the shortest, too often. `python tools/lessons.py check` prints both.
"""

import re
from fractions import Fraction
from pathlib import Path

from ranktrees_lab.ask.questions import FOLDER, PARTS, read_questions, read_tables

NODES = r"(?:tree|lea[fv]|node|root|parent|path|model|Bayes|forest)\w*"
SAY = {
    r"fore(?:see|saw|tell|told)\w*": "predict",
    r"h[au]ng(?:s|ing)? (?:\w+ )?on": "depends on",
    r"reckon\w*": "assume, or count",
    r"(?:is|are|was|were|be) (?:\w+ ){0,2}met": "reproduced",
    r"dear(?:er|est|ly)?": "costly",
    r"whoever": "who is meant, such as: a reader who",
    rf"{NODES}['’]s? (?:own )?words?|words? of (?:a|the|its|each|every) {NODES}": "estimate",
    r"(?:both|the two|on the|its) words?(?= (?:of|is|are|say|says|would|name|names))": "estimate",
    rf"{NODES} speaks?|lets? \w+(?: \w+)? speak|(?:that|all) speaks?": "says, votes, or is used",
    r"mend(?:s|ed|ing)?": "repair, or improve",
    r"betimes|whence|whither|nay|lest|ere": "plain words",
    r"not one (?=error|case|of)": "no",
}
PHRASES = {re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE): say for phrase, say in SAY.items()}
WHO = re.compile(r"(?:^|(?<=[.!?:] )|(?<=[.!?:]\*\* ))\W*(Who(?:se)? [^.!?]*)(?:[.!]|$)")
NOT_FIRST = re.compile(r"(?:^|(?<=[.!?] ))(Not (?:the|their|its|how|what|which|where)\b[^.!?]*)")
UNREAD = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>]*>", re.DOTALL)
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
PART = re.compile(r"^\*\*(Core lesson|Further reading)\.\*\*$", re.MULTILINE)
WORD = re.compile(r"[^\W\d_]{2,}")
MOST = Fraction(1, 3)  # of all questions, in which the right choice is the longest, or the shortest
REPR = re.compile(r"<.*>|[\w.]+\(.*\)", re.DOTALL)
ALT = re.compile(r"""<img[^>]*\balt=(["'])\s*[^\s"'][^>]*\1""")


def phrases(text: str) -> list[str]:
    """A sentence for each phrase of a text, Markdown or plain, that nobody says aloud.

    >>> phrases("The order hangs on the scores.")
    ['"hangs on": say depends on']
    >>> phrases("Who prunes loses ties. Who prunes? A reader who prunes.")
    ['"Who prunes loses ties": only a question begins with Who']
    """
    plain = re.sub(r"\n(?=[^\s\-*#|>])", " ", UNREAD.sub("", text))
    found = []
    for line in map(str.strip, plain.splitlines()):
        line = re.sub(r"^(?:[-*>#]+|\d+\.) +", "", line)
        hits = [
            (hit[0], f"say {say}") for regex, say in PHRASES.items() for hit in regex.finditer(line)
        ]
        hits += [(hit[1], "only a question begins with Who") for hit in WHO.finditer(line)]
        hits += [(hit[1], "begin with what is so") for hit in NOT_FIRST.finditer(line)]
        found += [f'"{words[:50].strip()}": {advice}' for words, advice in hits]
    return found


def words(text: str) -> int:
    """How many words a Markdown text has, numbers and single letters left out."""
    return len(WORD.findall(text))


def part(first: str) -> str:
    """Which part of the course a lesson is, "core lesson" or "further reading", by its first cell.

    It is "" where no line says so, as in the playground.
    """
    return found[1].lower() if (found := PART.search(first)) else ""


def of_course(root: Path) -> list[str]:
    """What is to be said otherwise in the pages beside the lessons, and of all choices."""
    folders = ".", "docs", "data", "docs/paper", "ranktrees/plain", "slides"
    pages = [page for folder in folders for page in sorted((root / folder).glob("*.md"))]
    questions = root / FOLDER.relative_to(FOLDER.parents[2])
    pages += [questions.parent / "glossary.toml", *sorted(questions.glob("*.toml"))]
    found = [f"{page}: {problem}" for page in pages for problem in of_page(page)]
    return found + lengths(questions)


def of_page(path: Path) -> list[str]:
    """The phrases of a page, Markdown as it is, and of TOML with its line what stands in quotes."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".toml":
        return phrases(text)
    lines = enumerate(text.splitlines(), start=1)
    quoted = [(number, part) for number, line in lines for part in QUOTED.findall(line)]
    return [f"line {number}: {problem}" for number, part in quoted for problem in phrases(part)]


def choices(lesson: str, folder: Path) -> list[tuple[str, list[str]]]:
    """(right choice, wrong ones) of each question of a lesson, those of its guesses among them."""
    asked = [question for part in PARTS for question in read_questions(lesson, part, folder)]
    options = [[(c.text, c.right) for c in question.choices] for question in asked]
    guesses = read_tables(lesson, folder)[1].get("guess", {}).values()
    options += [[(c, c == g["answer"]) for c in g["choices"]] for g in guesses if "choices" in g]
    return [
        (next(text for text, right in row if right), [text for text, right in row if not right])
        for row in options
    ]


def lengths(folder: Path) -> list[str]:
    """A sentence if the right choice is longer, or shorter, than all others too often."""
    asked = {path.stem: choices(path.stem, folder) for path in sorted(folder.glob("*.toml"))}
    number, found = sum(map(len, asked.values())), []
    for name, sign in (("longest", 1), ("shortest", -1)):
        count = {
            lesson: sum(
                sign * len(right) > max(sign * len(c) for c in wrong) for right, wrong in rows
            )
            for lesson, rows in asked.items()
        }
        if (total := sum(count.values())) > MOST * number:
            parts = ", ".join(f"{n}: {count[n]}" for n in sorted(count, key=lambda n: -count[n]))
            of_all = f"{total} of {number} questions, over {MOST} ({parts})"
            found.append(f"the right choice is the {name} in {of_all}")
    return found


def has_text(data):
    """Whether a picture's MIME bundle says in words what it shows; a repr does not."""
    text = data.get("text/plain", "").strip()
    return bool((text and not REPR.fullmatch(text)) or ALT.search(data.get("text/html", "")))
