"""Plain English, the little of it that a program can check: python tools/texts.py

A public function's docstring begins with an imperative verb. A few phrases that read as translated
are refused in pages, decks, lessons and questions, in docstrings and comments, and in the text of
errors and warnings. It prints what it finds, and returns 1 if there is any.
"""

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ".", "docs", "data", "docs/paper", "ranktrees", "slides"  # of pages
CODE = "ranktrees", "ranktrees_engine", "ranktrees_files", "ranktrees_lab", "tools", "benchmarks"
QUESTIONS = "ranktrees_lab/ask/questions"
KINDS = (
    r"\w*(?:able|ility|number|code|column|name|text|weight|file|sum|split|path|case|class|node|leaf"
    r"|round|test|tree|value|model|attribute|method|row|set|table)s?\b"
)
SAY = {
    r"hangs? (?:\w+ )?on": "depends on",
    r"(?:is|are|was|were|be) met": "reproduced",
    r"anew": "again, or new",
    r"(?:say|says|said) of(?! course)": "about, or for",
    r"(?:up to|of|for) so many": "this many, or a number of",
    rf"(?<!there )(?:is|are|was|were) no (?={KINDS})(?!case (?:of|is)\b)": "is not a",
    r"as (?:the |all |other )?[\w.-]+ ha(?:s|ve) (?:it|them)": "as in",
    r"com(?:es?|ing) there": "reaches it",
    r"verdicts? of (?:an?|the|each|its) (?:tree|lea|model|node|classifier)\w*": "prediction",
    r"when (?:a|the) tests? goes?": "is removed",
    r"mind what (?:they|it) says?": "note what",
    r"chance is about": "a count fluctuates by about",
    r"in doubt": "if you are not sure",
    r"from outside to inside": "from the outer to the inner",
    r"tells? nothing about": "says nothing about",
    r"how near (?:it|they) comes?": "how close it is",
    r"say first": "predict first",
    r"[a-z] less [a-z]": "A minus B",
    r"asks? little for": "needs little",
    r"which share has": "what share has",
    r"how many \w+ has": "how many does it have",
    r"the dearest": "the most expensive",
    r"a true one": "a real one",
}
VERBS = """
    Accept Add Apply Ask Average Break Build Call Check Choose Classify Close Collapse Collect
    Combine Compare Compile Compute Convert Copy Correct Count Create Cross-validate Cut Deal Decide
    Declare Delete Describe Display Divide Draw Encode End Estimate Evaluate Execute Explain Explore
    Export Fill Find Fit Format Generate Give Group Grow Handle Import Initialise Insert Install
    Iterate Join Judge Keep Label Lay Learn Let Limit List Load Look Make Map Mark Measure Merge Mix
    Move Name Normalise Offer Open Order Pass Permute Predict Print Propose Prune Put Raise Rank
    Read Record Recount Refuse Remove Rephrase Replace Return Round Run Save Say Scale Score Select
    Send Set Shorten Show Shuffle Sort Spell Split Spread Start Stop Store Strip Subtract Sum Take
    Test Tile Time Turn Update Validate Wait Warn Write Yield
"""
IMPERATIVE = re.compile(rf"(?:{'|'.join(VERBS.split())})\b(?!-| of\b)")
VALUES = "property", "cached_property", "setter"
LATER = re.compile(  # files whose docstrings and comments are still to be rewritten
    r"ranktrees_files/(?:arff|csv_files|csv_values|dataset|scale/files|scale/sources)\.py"
    r"|ranktrees_lab/playground/(?:upload|notices|page|methods)\.py"
)
PHRASES = {re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE): say for phrase, say in SAY.items()}
UNREAD = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>]*>", re.DOTALL)
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
EXAMPLE = re.compile(r"^ *>>> .*?(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^\*\*(Core lesson|Further reading)\.\*\*$", re.MULTILINE)
WORD = re.compile(r"[^\W\d_]{2,}")
REPR = re.compile(r"<.*>|[\w.]+\(.*\)", re.DOTALL)
ALT = re.compile(r"""<img[^>]*\balt=(["'])\s*[^\s"'][^>]*\1""")


def phrases(text: str) -> list[str]:
    """Return a sentence for each refused phrase of a text, Markdown or plain.

    >>> phrases("The order hangs on the scores.")
    ['"hangs on": say depends on']
    """
    plain = re.sub(r"\n(?=[^\s\-*#|>])", " ", UNREAD.sub("", text))
    found = []
    for line in map(str.strip, plain.splitlines()):
        line = re.sub(r"^(?:[-*>#]+|\d+\.) +", "", line)
        hits = [(hit[0], say) for regex, say in PHRASES.items() for hit in regex.finditer(line)]
        found += [f'"{words.strip()}": say {say}' for words, say in hits]
    return found


def words(text: str) -> int:
    """Count the words of a Markdown text, without numbers and single letters."""
    return len(WORD.findall(text))


def part(first: str) -> str:
    """Return the part of the course, "core lesson" or "further reading", from a first cell.

    It is "" if no line says so, as in the playground.
    """
    return found[1].lower() if (found := PART.search(first)) else ""


def of_course(root: Path) -> list[str]:
    """Return the phrases of the pages beside the lessons: each with its file."""
    pages = [page for folder in FOLDERS for page in sorted((root / folder).glob("*.md"))]
    questions = root / QUESTIONS
    pages += [questions.parent / "glossary.toml", *sorted(questions.glob("*.toml"))]
    return [f"{page}: {problem}" for page in pages for problem in of_page(page)]


def of_page(path: Path) -> list[str]:
    """Return the phrases of a Markdown page, or of the quoted strings of TOML, with their lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".toml":
        return phrases(text)
    lines = enumerate(text.splitlines(), start=1)
    quoted = [(number, part) for number, line in lines for part in QUOTED.findall(line)]
    return [f"line {number}: {problem}" for number, part in quoted for problem in phrases(part)]


def of_lesson(path: Path) -> list[str]:
    """Return the phrases of a notebook's text, each with the number of its cell."""
    cells = enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], start=1)
    texts = [(i, "".join(cell["source"])) for i, cell in cells if cell["cell_type"] == "markdown"]
    return [f"{path}: cell {i}: {problem}" for i, text in texts for problem in phrases(text)]


def of_code(path: Path, comments: bool = True) -> list[str]:
    """Return the phrases of a module's docstrings, errors and warnings, each with its line.

    If `comments`, those of its comments as well, and docstrings that begin with no verb.
    """
    source, found = path.read_text(encoding="utf-8"), []
    for node in ast.walk(ast.parse(source)):
        called, line = getattr(node, "func", None), getattr(node, "lineno", 1)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            said = EXAMPLE.sub("", ast.get_docstring(node) or "")
            found += [(line, verb) for verb in no_verb(node, said) if comments]
        elif isinstance(node, ast.Raise) or "warn" in getattr(called, "id", ""):
            parts = (getattr(part, "value", "") for part in ast.walk(node))
            said = "".join(part for part in parts if isinstance(part, str))
        else:
            continue
        found += [(line, problem) for problem in phrases(said)]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline) if comments else ()
    remarks = (token for token in tokens if token.type == tokenize.COMMENT)
    found += [(token.start[0], problem) for token in remarks for problem in phrases(token.string)]
    return [f"{path}:{line}: {problem}" for line, problem in found]


def no_verb(node: ast.AST, docstring: str) -> Iterator[str]:
    """Yield a sentence if a public function's docstring does not begin with an imperative verb."""
    if not isinstance(node, ast.FunctionDef) or node.name.startswith("_") or not docstring:
        return
    is_value = any(ast.unparse(each).split(".")[-1] in VALUES for each in node.decorator_list)
    if not is_value and not IMPERATIVE.match(docstring):
        yield f'{node.name}: begin with an imperative verb, not "{docstring.split()[0]}"'


def has_text(data):
    """Return whether a picture's MIME bundle says in words what it shows; a repr does not."""
    text = data.get("text/plain", "").strip()
    return bool((text and not REPR.fullmatch(text)) or ALT.search(data.get("text/html", "")))


def main() -> int:
    """Print every sentence to be rewritten; return 1 if there are any."""
    modules = [path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py"))]
    lessons = sorted((ROOT / "notebooks").glob("*.ipynb"))
    found = of_course(ROOT) + [line for path in lessons for line in of_lesson(path)]
    for path in modules:
        if path.name != "texts.py":
            found += of_code(path, not LATER.match(path.relative_to(ROOT).as_posix()))
    for line in found:
        print(line.replace(f"{ROOT}/", ""))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
