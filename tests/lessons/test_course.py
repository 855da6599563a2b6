"""The course as one text: minutes, terms explained before they are used, answers not given away.

A term is explained where a lesson has it alone in emphasis, as in "**pruning** cuts subtrees".
Before that it may stand only in a lesson's goals, in a heading, in the list of lessons, among the
books to read, or in a sentence that names or links the lesson which explains it.
"""

import ast
import re
from itertools import product
from pathlib import Path

import pytest

from ranktrees_lab.ask.glossary import all_terms, glossary
from ranktrees_lab.student import tags
from tools import lessons, texts

FOLDER = Path(__file__).parents[2] / "notebooks"
# Terms that must be explained in time. The glossary's other ones (case, leaf, evidence, ...) are
# plain words, too, of which no pattern can say whether they are meant as a term.
TERMS = """accuracy, AODE, AUC, AVC-group, bagging, boosting, bootstrap, Brier score, C4.4, C4.5,
    calibration, collapse, conditional independence, corrected t-test, cost-complexity pruning,
    critical difference, cross-validation, curtailment, EM, entropy, gain ratio, Gini index,
    hierarchical shrinkage, impurity, information gain, Laplace estimate, leak, likelihood,
    log loss, log odds, m-branch, m-estimate, naive Bayes, Newton tree, overfitting, path Bayes,
    permutation, posterior, prior, prototype, pruning, random forest, ROC curve, shrinkage,
    split information, stratified, subtree raising, tie, underfitting, Wilcoxon's test, WPE"""
ABBREVIATION = re.compile(
    r"\b(?:[A-Z][a-z]{0,4}[A-Z][A-Za-z]*\d?|[A-Z]{2,}s?|[A-Z]{1,3}\d(?:\.\d)?)\b"
)
# Capitals that are no terms of the course: licences, conferences, formats, sizes, names, letters
NO_TERMS = """BSD CC BY ECML EDBT ICDM ICML IEEE IJCAI JMLR KDD TKDE VLDB ARFF CSV JSON KB MB DuckDB
    NumPy McCallum McLachlan DeLong McNeil LungCancer US AI DNA TATAAT TRUE NP M1 M2 M3 C1 C2 C3
    C4 N0 N3 X1 X2 WildWood LightGBM"""
# How texts have a term, where it is not the glossary's with or without s
FORMS = {
    "corrected t-test": "corrected (?:t-)?tests?",
    "Gini index": "Gini(?: index| impurity)?",
    "Laplace estimate": "Laplace(?:'s)?(?: estimates?)?",
    "overfitting": "overfit(?:s|ting)?",
    "permutation": "permut(?:ations?|e|ed|es|ing)(?: the classes)?",
    "pruning": "prun(?:ings?|ed|es|e)",
    "ROC curve": "ROC(?: curves?)?",
    "shrinkage": "(?<!hierarchical )shrinkage",
    "tie": "ties?|tied",
    "underfitting": "underfit(?:s|ting)?",
    "Wilcoxon's test": "Wilcoxon(?:'s(?: test| signed ranks)?)?",
}
# Numbers of answers that stand above by chance, and mean something else there
CHANCE = {
    ("00", "auc_by_hand"): {0.75},  # an estimate of Laplace
    ("04", "risk"): {0.71},  # an AUC
    ("06", "column"): {0.923},  # the first submission, which stands in the list again
}
LEAST = 20  # smaller whole numbers, and numbers of one decimal, stand in any lesson
FREE = re.compile(r"project|for home|rt\.check\.challenge")  # readers choose their own data
EMPHASIS = re.compile(r"(?<![\w*])(\*\*?)(?=\S)([^*\n]+)\1(?![\w*])")
NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+(?!\w|\.\d)")


ALL = [(path.name[:2], lessons.read(path)) for path in sorted(FOLDER.glob("[01]*.ipynb"))]
COURSE = {number: book for number, book in ALL if any("rt.quiz(" in c.source for c in book.cells)}


def test_the_core_is_marked_in_the_lessons_and_said_alike_in_map_and_readme():
    part = {number: texts.part(book.cells[0].source) for number, book in ALL}
    core = [number for number, found in part.items() if found == "core lesson"]
    assert len(core) == 10
    assert [number for number, found in part.items() if not found] == ["16"]
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\*\*\[(\d\d)\]", readme, re.MULTILINE) == core
    assert re.findall(r"^(?:\*\*)?\[(\d\d)\]\(notebooks", readme, re.MULTILINE) == list(part)
    rows = re.findall(r"^\| \*\*(\d\d) ([^|]*)", ALL[0][1].cells[-1].source, re.MULTILINE)
    assert [number for number, _ in rows] == list(part)
    marked = [number for number, text in rows if "(further reading)" in text]
    assert marked == [number for number, found in part.items() if found == "further reading"]


def sentences(notebook):
    """Sentences, list items and rows of tables in which terms must be known."""
    for cell in notebook.cells[1:]:
        if cell.cell_type == "markdown":
            text = cell.source.split("Where to read on")[0].replace("*t*", "t")
            text = re.sub(r"\$+[^$]*\$+|`[^`]*`|^\| \*\*\d\d .*", " ", text, flags=re.MULTILINE)
            for part in re.split(r"(?<=[.?!])\s+|\n\s*[-|\n]", re.sub("(?m)^#.*$", "", text)):
                yield " ".join(part.split())


def late_terms(course, homes):
    """Where terms, `homes` = {term: lesson of the glossary}, come late: (lesson, term, words)."""
    for term, home in homes.items():
        words = FORMS.get(term, f"{re.escape(term)}s?")
        name = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
        named = re.compile(rf"\]\({home}_|\b[Ll]essons? [\d, and]*{home}\b")
        till = ((n, s) for n in course if n <= home for s in sentences(course[n]))
        for number, sentence in till:
            if any(name.fullmatch(found[2]) for found in EMPHASIS.finditer(sentence)):
                break
            if name.search(sentence) and not named.search(sentence):
                yield number, term, f"used before it is explained: {sentence}"
                break
        else:
            if home in course:
                yield home, term, f"the glossary says that lesson {home} explains it: in emphasis?"


def test_terms_are_explained_before_they_are_used():
    known = all_terms()
    homes = {term: known[term].lesson[:2] for term in " ".join(TERMS.split()).split(", ")}
    assert len(homes) >= 50
    assert list(late_terms(COURSE, homes)) == []


def test_each_abbreviation_of_a_lesson_is_in_the_glossary():
    texts = [c.source for _, book in ALL for c in book.cells if c.cell_type == "markdown"]
    words = re.sub(r"\$+[^$]*\$+|`[^`]*`|\]\([^)]*\)", " ", "\n\n".join(texts))
    named = {*ABBREVIATION.findall(words)} - {*NO_TERMS.split()}
    assert len(named) >= 20
    assert [note for name in sorted(named) if (note := glossary(name).note)] == []


def numbers(words):
    """The numbers of a text as {(value, decimals)}."""
    return {(float(n), len(n.partition(".")[2])) for n in NUMBER.findall(words.replace(",", ""))}


def worked_out(node):
    """The value of an expression of numbers alone, such as 8 * 2 / (9 + 1); None for others."""
    expression = ast.unparse(node)
    return eval(expression) if re.fullmatch(r"[\d.()+*/ ]*\d[\d.()+*/ ]*", expression) else None


def shown(cell):
    """What a code cell has put out in words."""
    outputs = cell.get("outputs", [])
    return "\n".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs)


def answer(solution):
    """A solution's numbers: those to which it sets names, else those that it puts out."""
    sets = [node.value for node in ast.parse(solution.source).body if isinstance(node, ast.Assign)]
    values = [value for value in map(worked_out, sets) if value is not None]
    return numbers(" ".join(f"{v:.3f}".rstrip("0") for v in values) or shown(solution))


def given_away(notebook):
    """The numbers of answers that stand above them: (name of the answer, place, number).

    Numbers that the question itself gives are no answer; a longer number above counts.
    """
    for i, cell in enumerate(cells := notebook.cells):
        around = f"{cells[i - 1].source} {cells[min(i + 1, len(cells) - 1)].source}"
        if "answer" in tags(cell) and not FREE.search(around):
            name = re.findall(r"^(?:def )?(\w+)", cell.source, re.MULTILINE)[-1]
            asked = answer(cells[i + 2]) - numbers(cells[i - 1].source)
            asked = {(value, d) for value, d in asked if d > 1 or (not d and value >= LEAST)}
            for above, (value, d) in product(cells[: i - 1], asked):
                here = numbers(f"{above.source}\n{shown(above)}")
                if any(d <= more and round(v, d) == value for v, more in here):
                    yield name, lessons.place(notebook, above), value


@pytest.mark.parametrize("number", COURSE)
def test_no_answer_stands_above_its_exercise(number):
    found = given_away(COURSE[number])
    assert [f for f in found if f[2] not in CHANCE.get((number, f[0]), ())] == []
