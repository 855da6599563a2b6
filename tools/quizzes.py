"""The questions of the lessons for learning platforms: GIFT, which Moodle and others read."""

import re

from ranktrees_lab.ask.card import marked
from ranktrees_lab.ask.questions import PARTS, read_questions

SPECIAL = re.compile(r"([\\~=#{}:])")  # of GIFT: a backslash before them


def gift(lesson: str, title: str) -> str:
    """All questions of a lesson as GIFT, each choice with the sentence that answers it.

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
