"""Phrases that read as translated, each with what to say instead: python tools/texts.py

It looks at pages, decks, lessons and questions, at docstrings, and at the text of errors and
warnings. It prints what it finds, and returns 1 if there is any.
"""

import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ".", "docs", "data", "docs/paper", "ranktrees", "slides"  # of pages
CODE = "ranktrees", "ranktrees_engine", "ranktrees_files", "ranktrees_lab", "tools"
QUESTIONS = "ranktrees_lab/ask/questions"
NODES = r"(?:tree|lea[fv]|node|root|parent|path|model|Bayes|forest)\w*"
THINGS = "case|class|node|leaf|round|test|tree|value|model|attribute|method|row|set"
KINDS = (
    rf"\w*(?:able|ility|number|code|column|name|text|weight|file|sum|split|path|{THINGS}|table)s?\b"
)
SAY = {
    r"fore(?:see|saw|tell|told)\w*": "predict",
    r"h[au]ng(?:s|ing)? (?:\w+ )?on": "depends on",
    r"reckon\w*": "assume, or count",
    r"(?:is|are|was|were|be) (?:\w+ ){0,2}met": "reproduced",
    r"dear(?:er|est|ly)?": "costly",
    r"whoever": "who is meant, such as: a reader who",
    rf"{NODES}['’]s? (?:own )?words?|words? of (?:a|the|its|each|every) {NODES}": "estimate",
    r"(?:both|the two|on the|its) words?(?= (?:of|is|are|say|says|would|name|names))": "estimate",
    r"what (?:the|a|its|each) (?:tree|node|leaf|root) says": "the tree's, or node's, estimate",
    rf"{NODES} speaks?|lets? \w+(?: \w+)? speak|(?:that|all) speaks?": "says, votes, or is used",
    r"mend(?:s|ed|ing)?": "repair, or improve",
    r"betimes|whence|whither|nay|lest|ere|where(?:of|by)|there(?:of|by|in)": "plain words",
    r"not one (?=error|case|of)": "no",
    r"none: (?:1|one) each": "if None, every case has weight 1",
    r"first of (?:the )?equals?": "the first of several equal scores",
    r"\w+ +\(n,\) of classes": "cases `X` with classes `y`",
    r"ha(?:s|ve) (?:its|their|a|the) (?:own )?say": "decides",
    r"tells? nothing about": "does not show, or carries no information about",
    r"(?:how|as) near (?:\w+ )?(?:comes?|as)": "how close",
    r"less (?:the (?=[a-z]+ed )|that of|those of|its own|what chance|log)": "minus",
    r"asks? (?:little|much) (?:for|of)": "costs little",
    r"how many \w+ has|which share has": "how many ... does ... have",
    r"a true one": "a positive one, or a real one",
    r"minds? (?:what|how|that)": "pay attention to",
    r"when a test goes|ones go(?=[.,;:])": "is removed, or left out",
    r"(?<!not )(?<!ever )(?<!are )so many(?= \w)(?! (?:that|as|of)\b)": "that many, or a number of",
    r"(?:drawn|chosen|picked) (?:by chance|with return)": "at random, or with replacement",
    r"anew": "again, or new",
    r"(?:say|says|said) of(?! course)": "about, or for",
    r"in doubt(?=,)|say first|from outside to inside|chance is about": "it as a speaker would",
    rf"(?:one|a) (?:number|column|row|name|line|panel) an? (?:{THINGS})|a branch a value": "per",
    rf"(?<!there )(?:is|are|was|were) no (?={KINDS})(?!case (?:of|is)\b)": "is not a",
    r"(?:that|which) lack(?=\W|$)(?! [\w(])": "are missing",
    r"in the mean(?= |,|\.)(?! of\b)": "on average",
    r"(?:(?<=^)|(?<=[.;] ))of (?:more than|very many)": "with more than",
    r"(?:that|which|who) there (?:is|are) not": "that does not exist",
    r"shall": "should, or must",
    r"it is said|has been said": "who says it, such as: a note says",
    r"as (?:the |all |other )?[\w.-]+ ha(?:s|ve) (?:it|them)|as of(?= *(?:$|[,.;:)]))": "as in",
    r"(?<!there )(?:is|are) (?-i:none)(?= *(?:$|[,.;:)]))": "is not a candidate, or does not exist",
    r"com(?:es?|ing) there": "reaches it",
    r"goes? by (?:the|its|their)": "follows, or is decided by",
    r"from [\d.]+ on(?=[.,;:) ])(?! the)": "of 1 or more, or at least",
    r"(?:to|can|cannot|could|not) be had": "available",
    r"(?:is|are|be|was) asked of": "about, or needed for",
}
PHRASES = {re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE): say for phrase, say in SAY.items()}
WHO = re.compile(r"(?:^|(?<=[.!?:] )|(?<=[.!?:]\*\* ))\W*(Who(?:se)? [^.!?]*)(?:[.!]|$)")
NOT_FIRST = re.compile(r"(?:^|(?<=[.!?] ))(Not (?:the|their|its|how|what|which|where)\b[^.!?]*)")
UNREAD = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>]*>", re.DOTALL)
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
EXAMPLE = re.compile(r"^ *>>> .*?(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^\*\*(Core lesson|Further reading)\.\*\*$", re.MULTILINE)
WORD = re.compile(r"[^\W\d_]{2,}")
REPR = re.compile(r"<.*>|[\w.]+\(.*\)", re.DOTALL)
ALT = re.compile(r"""<img[^>]*\balt=(["'])\s*[^\s"'][^>]*\1""")


def phrases(text: str) -> list[str]:
    """A sentence for each refused phrase of a text, Markdown or plain.

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
    """The number of words of a Markdown text, without numbers and single letters."""
    return len(WORD.findall(text))


def part(first: str) -> str:
    """The part of the course of a lesson, "core lesson" or "further reading", by its first cell.

    It is "" if no line says so, as in the playground.
    """
    return found[1].lower() if (found := PART.search(first)) else ""


def of_course(root: Path) -> list[str]:
    """The phrases of the pages beside the lessons: each with its file."""
    pages = [page for folder in FOLDERS for page in sorted((root / folder).glob("*.md"))]
    questions = root / QUESTIONS
    pages += [questions.parent / "glossary.toml", *sorted(questions.glob("*.toml"))]
    return [f"{page}: {problem}" for page in pages for problem in of_page(page)]


def of_page(path: Path) -> list[str]:
    """The phrases of a page of Markdown, or of the quoted strings of TOML, with their lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".toml":
        return phrases(text)
    lines = enumerate(text.splitlines(), start=1)
    quoted = [(number, part) for number, line in lines for part in QUOTED.findall(line)]
    return [f"line {number}: {problem}" for number, part in quoted for problem in phrases(part)]


def of_lesson(path: Path) -> list[str]:
    """The phrases of a notebook's text, each with the number of its cell."""
    cells = enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], start=1)
    texts = [(i, "".join(cell["source"])) for i, cell in cells if cell["cell_type"] == "markdown"]
    return [f"{path}: cell {i}: {problem}" for i, text in texts for problem in phrases(text)]


def of_code(path: Path) -> list[str]:
    """The phrases of a module's docstrings, and of its errors and warnings, each with its line."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = getattr(node, "func", None)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            said = EXAMPLE.sub("", ast.get_docstring(node) or "")
        elif isinstance(node, ast.Raise) or "warn" in getattr(called, "id", ""):
            parts = (getattr(part, "value", "") for part in ast.walk(node))
            said = "".join(part for part in parts if isinstance(part, str))
        else:
            continue
        line = getattr(node, "lineno", 1)
        found += [f"{path}:{line}: {problem}" for problem in phrases(said)]
    return found


def has_text(data):
    """Whether a picture's MIME bundle says in words what it shows; a repr does not."""
    text = data.get("text/plain", "").strip()
    return bool((text and not REPR.fullmatch(text)) or ALT.search(data.get("text/html", "")))


def main() -> int:
    """Print every phrase to be said otherwise; 1 if there are any."""
    modules = [path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py"))]
    lessons = sorted((ROOT / "notebooks").glob("*.ipynb"))
    found = of_course(ROOT) + [line for path in lessons for line in of_lesson(path)]
    found += [line for path in modules if path.name != "texts.py" for line in of_code(path)]
    for line in found:
        print(line.replace(f"{ROOT}/", ""))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
