"""The questions of the lessons for learning platforms (GIFT, which Moodle and others read) and as
text to print."""

import re

from ranktrees_lab.ask.card import marked, without_marks
from ranktrees_lab.ask.questions import PARTS, read_questions
from ranktrees_lab.ask.quiz import HEADS

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


def as_text(lesson: str, title: str) -> str:
    """All questions of a lesson as plain text to print; the answers stand at its end."""
    lines, answers = [f"{lesson} {title}"], []
    for part in PARTS:
        lines += ["", HEADS[part]]
        for number, question in enumerate(read_questions(lesson, part), start=1):
            lines += ["", f"{number}. {without_marks(question.text)}"]
            for letter, choice in zip("abcd", question.choices, strict=False):
                lines.append(f"   {letter}) {without_marks(choice.text)}")
                if choice.right:
                    answers.append(f"{HEADS[part]} {number} {letter}) {without_marks(choice.why)}")
    return "\n".join([*lines, "", "Answers", "", *answers]) + "\n"
