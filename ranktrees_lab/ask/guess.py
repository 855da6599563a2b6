"""Commit, then reveal: the reader guesses before the answer is shown."""

import html
import math
import re
from functools import cached_property
from itertools import combinations

from ranktrees_engine.basics.arguments import as_list, check_number, check_text
from ranktrees_lab.ask.card import Card, buttons, folded, marked, need_widgets, reply, said, widgets
from ranktrees_lab.ask.numbers import read_number, wanted, written
from ranktrees_lab.ask.questions import read_guess
from ranktrees_lab.plot.picture import Picture

COMMIT, SHOW = "That is my guess", "Show me"
REVEALED = "application/vnd.ranktrees.revealed+json"
COUNTED = re.compile(r"\b(?:[Oo]f|[Ii]n|among) (?:the |all )?(\d+)\b")  # how many of 20
PLACES = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th"]


class Number:
    """A typed number with a unit; the error is the difference."""

    def __init__(self, question, answer, unit, digits):
        check_number("answer", answer)
        check_number("digits", digits, 0, whole=True)
        self.answer, self.unit, self.digits = float(answer), unit, digits
        counted = None if digits else COUNTED.search(question)
        self.least = -math.inf if digits and unit != "per cent" else 0
        self.most = 100 if unit == "per cent" else int(counted[1]) if counted else math.inf
        if not self.least <= self.answer <= self.most:
            raise ValueError(f"the answer {answer} is not from {self.least} to {self.most}")
        self.how = f"Type {wanted(unit)}; {_decimals(digits)}."
        tip = f"{question} {self.how}"
        self.box = widgets.Text(placeholder="your guess", description="Guess", tooltip=tip)
        self.box.continuous_update = False  # or quick fingers press the button before all is sent
        self.controls = [self.box]

    @property
    def right(self) -> str:
        """The answer as text."""
        return written(self.answer, self.unit, self.digits)

    @property
    def clicked(self) -> dict:
        """Data that a page needs to take a guess."""
        known = {"number": self.answer, "unit": self.unit, "digits": self.digits}
        bounds = {"least": self.least, "most": self.most}
        finite = {name: bound for name, bound in bounds.items() if math.isfinite(bound)}
        return {**known, **finite, "wanted": wanted(self.unit)}

    def read(self):
        """Read what was typed as a number; ValueError says what to type if that is not possible."""
        value = read_number(self.box.value, self.unit)
        if value < self.least:
            raise ValueError(f"It cannot be less than {self.least}.")
        if value > self.most:
            raise ValueError(f"It cannot be more than {self.most}.")
        return value

    def outcome(self, value):
        """Return the guess as it was understood, the answer, and how far apart the two are."""
        guess, answer = written(value, self.unit, self.digits), self.right
        off = round(value, self.digits) - round(self.answer, self.digits)
        if not round(off, self.digits):
            return f"You said {guess}, and that is the answer."
        far = f"{abs(off):,.{self.digits}f}"
        return f"You said {guess}; it is {answer}: {far} {'lower' if off > 0 else 'higher'}."


class OneOf:
    """One of some choices."""

    how = "Choose one."

    def __init__(self, question, answer, choices):
        self.answer, self.known = str(answer), _texts("choices", choices)
        self.right = self.answer
        if self.answer not in self.known:
            raise ValueError(f"the answer {answer!r} is not among the choices {self.known}")
        self.controls = [buttons(question, self.known)]
        self.clicked = {"right": self.known.index(self.answer)}

    def read(self):
        """Return the choice that is pressed; ValueError if none is."""
        if self.controls[0].value is None:
            raise ValueError("Choose one first.")
        return self.controls[0].value

    def outcome(self, value):
        """Return whether it was the answer, and if not, which choice is."""
        if value == self.answer:
            return f"You chose {value}, and that is the answer."
        return f"You chose {value}; it is {self.answer}."


class Order:
    """Several things in order; the error is counted in pairs, as in the AUC."""

    how = "Put them in order, first place first."

    def __init__(self, question, answer, order):
        self.known, self.answer = _texts("order", order), _texts("the answer", answer)
        if sorted(self.answer) != sorted(self.known) or len(self.known) > len(PLACES):
            raise ValueError(
                f"the answer {self.answer} must hold what the order {self.known} does, "
                f"at most {len(PLACES)} things"
            )
        self.right = ", ".join(self.answer)
        self.clicked = {"order": self.answer, "known": self.known}
        self.controls = [
            widgets.Dropdown(options=self.known, value=None, description=rank, tooltip=question)
            for rank, _ in zip(PLACES, self.known, strict=False)
        ]

    def read(self):
        """Return the order that was set; ValueError, naming one, if a thing is missing."""
        value = [control.value for control in self.controls]
        if missing := [name for name in self.known if name not in value]:
            raise ValueError(f"Each has one place, but {missing[0]} has none yet.")
        return value

    def outcome(self, value):
        """Return the right order, and how many pairs of things were in it."""
        right, position = self.right, self.answer.index
        pairs = list(combinations(value, 2))
        kept = sum(position(a) < position(b) for a, b in pairs)
        if kept == len(pairs):
            return f"You said {right}, and that is the order."
        return f"The order is {right}: {kept} of your {len(pairs)} pairs stand in it."


class Guess(Card):
    """A question whose answer is shown after the guess; `value` is the guess, or None.

    A notebook stores the question, and folded below it, for readers without a kernel, the answer
    and what it reveals; `REVEALED` holds that as text, so that it can be compared.
    """

    def __init__(self, question: str, kind, says: str = "", reveal=None):
        self.question, self.kind, self.value = question, kind, None
        self._says, self._reveal = says, reveal
        self.button, self.show_me = (_button(text, question) for text in (COMMIT, SHOW))
        self.button.on_click(self.commit)
        self.show_me.on_click(self.show)
        self.reply = reply()
        head = f"<p><b>Guess first.</b> {marked(question)} {marked(kind.how)}</p>"
        row = widgets.HBox([self.button, self.show_me])
        asked = [widgets.HTML(head), *kind.controls, row]
        items = "".join(f"<li>{marked(name)}</li>" for name in getattr(kind, "known", []))
        items = f"<ul>{items}</ul>" if items else ""
        self._folded = folded(marked(question), f"{marked(kind.how)}{items}")
        text = [f"Guess first. {question} {kind.how}"]
        text += [f"   - {name}" for name in getattr(kind, "known", [])]
        super().__init__([*asked, self.reply], head + items, "\n".join(text))
        self._stays = [child for child in self.children if child not in asked]

    def commit(self, button=None) -> None:
        """Accept the guess, once, and show the answer; or say what is missing."""
        if self.button.disabled:
            return
        try:
            self.value = self.kind.read()
        except ValueError as error:
            self.reply.value = said(str(error))
            return
        self._end(said(f"{self.kind.outcome(self.value)} {self._says}".strip()))

    def show(self, button=None) -> None:
        """Show the answer to those who do not want to guess."""
        if not self.button.disabled:
            self._end(said(self._says, self._answer))

    def _end(self, words):
        """Fold the question to a line, and show below it the reply and what is revealed."""
        for control in (*self.kind.controls, self.button, self.show_me):
            control.disabled = True
        self.reply.value = words
        *styles, answer = self._stays
        self.children = (*styles, self._folded, answer, *map(live, self.revealed))

    @cached_property
    def revealed(self) -> list:
        """The things that show the answer, made when first needed."""
        made = self._reveal() if callable(self._reveal) else self._reveal
        things = made if isinstance(made, list | tuple) else [made]
        return [check_thing(thing) for thing in things if thing is not None]

    @property
    def _answer(self):
        return self.kind.right.rstrip(".") + "."

    def still(self) -> tuple[dict, dict]:
        """Return the question, and what is revealed folded below it."""
        data, metadata = super().still()
        bundles = [still_of(thing) for thing in self.revealed]
        answer = self._told() + "".join(map(_html, bundles))
        data["text/html"] += f"<details><summary>{SHOW}</summary>{answer}</details>"
        texts = [f"{self._answer} {self._says}".strip(), *(b["text/plain"] for b in bundles)]
        return {**data, REVEALED: {"texts": texts}}, metadata

    def answers(self) -> list[dict]:
        """Return the question, its answer, and the outputs that it reveals, as notebooks do."""
        shown = [still_of(thing) for thing in self.revealed]
        answer = {"answer": self._told(), "shown": shown, "ask": self.kind.clicked}
        return [{"question": self._page, **answer}]

    def _told(self):
        return f"<p><b>{marked(self._answer)}</b> {marked(self._says)}".rstrip() + "</p>"


def guess(key: str, *, reveal: object = None) -> Guess:
    """Ask for a guess, such as "03.neck", and reveal the answer only after it, or on *Show me*.

    Question, answer and text come from the lesson's file. `reveal` shows the answer: a picture, a
    widget, a table, text, a list of these, or a function that makes one. Raises ValueError for an
    unknown key, listing those of the lesson; TypeError for another reveal.
    """
    need_widgets()
    check_text(key=key)
    if reveal is not None and not callable(reveal):
        for thing in reveal if isinstance(reveal, list | tuple) else [reveal]:
            check_thing(thing)
    table = read_guess(key)
    try:
        return Guess(table["text"], kind_of(table), table.get("says", ""), reveal)
    except (ValueError, TypeError) as error:
        raise ValueError(f"guess {key}: {error}") from error


def kind_of(table: dict):
    """Return how a guess is entered: as a number, by buttons, or in order.

    Raises ValueError or TypeError for an answer that cannot be entered in this way.
    """
    question, answer = table["text"], table["answer"]
    if "choices" in table and "order" in table:
        raise ValueError("a guess has choices or an order, not both")
    if "choices" in table:
        return OneOf(question, answer, table["choices"])
    if "order" in table:
        return Order(question, answer, table["order"])
    return Number(question, answer, table.get("unit", ""), table.get("digits", 2))


def _button(text, question):
    button = widgets.Button(description=text, tooltip=question)
    button.style.button_color, button.style.text_color = "#D9EAF5", "black"
    button.layout.width = "auto"
    return button


def _texts(what, names):
    names = [str(name) for name in (names if isinstance(names, str) else as_list(what, names))]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(f"{what} must hold at least two different things, not {names}")
    return names


def _decimals(digits):
    few = {0: "a whole number", 1: "one decimal is enough"}
    return few.get(digits, f"{digits} decimals are enough")


def check_thing(thing):
    """Return a thing that can be revealed, as it is; TypeError for anything else."""
    if isinstance(thing, str | Picture | widgets.Widget) or hasattr(thing, "_repr_html_"):
        return thing
    kind = type(thing).__name__
    raise TypeError(
        "reveal must be a picture, a widget, a table, text, a list of them, or a function that "
        f"makes one, not {kind}"
    )


def live(thing):
    """Return a widget as it is; a picture, with its alt text, a table or text as a widget."""
    return thing if isinstance(thing, widgets.Widget) else widgets.HTML(_html(still_of(thing)))


def still_of(thing) -> dict:
    """Return the formats of a thing without a kernel, including text."""
    if hasattr(thing, "still"):  # an explorer
        return thing.still()[0]
    if isinstance(thing, Picture):
        return thing._repr_mimebundle_()[0]
    if isinstance(thing, widgets.HTML):
        return {"text/html": thing.value, "text/plain": ""}
    data = {"text/plain": thing if isinstance(thing, str) else repr(thing)}
    return data if isinstance(thing, str) else {**data, "text/html": thing._repr_html_()}


def _html(data):
    return data.get("text/html") or f"<pre>{html.escape(data['text/plain'])}</pre>"
