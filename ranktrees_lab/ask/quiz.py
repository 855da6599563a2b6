"""Three questions that open a lesson and five that close it, answered at once and offline."""

from ranktrees_lab.ask.card import Card, buttons, marked, need_widgets, reply, said, widgets
from ranktrees_lab.ask.questions import FOLDER, read_questions
from ranktrees_lab.progress import note

HEADS = {"start": "What do you remember?", "end": "What have you learnt?"}
HOW = "Run this cell, and each answer is explained."


class Quiz(Card):
    """Questions with buttons; pressing one shows its sentence. `chosen` has what is pressed."""

    def __init__(self, lesson: str, part: str = "end", folder=FOLDER):
        need_widgets()
        self.name, self.questions = f"{lesson} {part}", read_questions(lesson, part, folder)
        self.controls, self.replies, children = [], [], []
        for number, question in enumerate(self.questions, start=1):
            heading = widgets.HTML(f"<p><b>{number}.</b> {marked(question.text)}</p>")
            control = buttons(question.text, [choice.text for choice in question.choices])
            control.observe(self._answer, names="value")
            self.controls.append(control)
            self.replies.append(reply())
            children += [heading, control, self.replies[-1]]
        head = HEADS[part]
        super().__init__(
            [widgets.HTML(f"<p><b>{head}</b></p>"), *children],
            f"<p><b>{head}</b> {HOW}</p><ol>{''.join(map(_item, self.questions))}</ol>",
            "\n".join([f"{head} {HOW}", *map(_lines, self.questions, range(1, 99))]),
        )

    @property
    def chosen(self) -> list[str | None]:
        """Text of the choice made for each question; None if there is none yet."""
        return [control.value for control in self.controls]

    def answers(self) -> list[dict]:
        """Return each question with its choices and their answers, the right one first."""
        return [
            {"question": _asked(q), "answer": _explained(q), "ask": _clicked(q)}
            for q in self.questions
        ]

    def _answer(self, change):
        place = self.controls.index(change["owner"])
        for choice in self.questions[place].choices:
            if choice.text == change["new"]:
                self.replies[place].value = said(choice.why, choice.head)
        if None not in self.chosen:
            note("quizzes", self.name)


def _item(question):
    return f"<li>{_asked(question)}</li>"


def _asked(question):
    items = "".join(f"<li>{marked(choice.text)}</li>" for choice in question.choices)
    return f'{marked(question.text)}<ol type="a">{items}</ol>'


def _explained(question):
    """Return the answer to each choice, the right one first."""
    named = sorted(zip("abcd", question.choices, strict=False), key=lambda pair: not pair[1].right)
    return "".join(f"<p><b>{letter}) {c.head}</b> {marked(c.why)}</p>" for letter, c in named)


def _clicked(question):
    """Return the right choice and the answer to each, for a page that answers a click."""
    right = next(place for place, choice in enumerate(question.choices) if choice.right)
    return {"right": right, "says": [f"<b>{c.head}</b> {marked(c.why)}" for c in question.choices]}


def _lines(question, number):
    choices = zip("abcd", question.choices, strict=False)
    lines = [f"   {letter}) {choice.text}" for letter, choice in choices]
    return "\n".join([f"{number}. {question.text}", *lines])


def quiz(lesson: str, part: str = "end") -> Quiz:
    """Ask the questions that open ("start") or close ("end") a lesson, such as "05".

    Raises ValueError for a lesson without questions, and for an invalid file, naming file and
    question.
    """
    return Quiz(lesson, part)
