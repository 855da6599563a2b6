"""The lessons' questions: as GIFT, which Moodle and others read, and how long their choices are."""

import re
from fractions import Fraction
from pathlib import Path

from ranktrees_lab.ask.card import marked
from ranktrees_lab.ask.questions import FOLDER, PARTS, read_questions, read_tables

MOST = Fraction(1, 3)  # of all questions, in which the right choice is the longest, or the shortest
SPECIAL = re.compile(r"([\\~=#{}:])")  # of GIFT: a backslash before them


def gift(lesson: str, title: str) -> str:
    """Return all questions of a lesson as GIFT, each choice with the sentence that answers it.

    >>> print(gift("05", "AUC").splitlines()[0])
    $CATEGORY: $course$/ranktrees/05 AUC
    """
    parts = [f"$CATEGORY: $course$/ranktrees/{lesson} {title.replace('/', '//')}"]
    for part in PARTS:
        for number, question in enumerate(read_questions(lesson, part), start=1):
            name = _escaped(f"{lesson} {part} {number}")
            choices = "\n".join(map(_gift_choice, question.choices))
            parts.append(f"::{name}::[html]{_escaped(marked(question.text))} {{\n{choices}\n}}")
    return "\n\n".join(parts) + "\n"


def _gift_choice(choice):
    mark = "=" if choice.right else "~"
    return f"\t{mark}{_escaped(marked(choice.text))}#{_escaped(marked(choice.why))}"


def _escaped(text):
    return SPECIAL.sub(r"\\\1", text)


def choices(lesson: str, folder: Path) -> list[tuple[str, list[str]]]:
    """Return (right choice, wrong ones) of each question of a lesson, its guesses included."""
    asked = [question for part in PARTS for question in read_questions(lesson, part, folder)]
    options = [[(c.text, c.right) for c in question.choices] for question in asked]
    guesses = read_tables(lesson, folder)[1].get("guess", {}).values()
    options += [[(c, c == g["answer"]) for c in g["choices"]] for g in guesses if "choices" in g]
    return [
        (next(text for text, right in row if right), [text for text, right in row if not right])
        for row in options
    ]


def lengths(folder: Path = FOLDER) -> list[str]:
    """Return a sentence if the right choice is longer, or shorter, than all others too often."""
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
