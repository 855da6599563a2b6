"""Commit, then reveal: a guess is taken before the answer is shown."""

from itertools import combinations

from ranktrees.basics.arguments import as_list, check_number, check_text
from ranktrees_lab.ask.card import Card, buttons, marked, need_widgets, said, widgets
from ranktrees_lab.ask.numbers import read_number, wanted, written
from ranktrees_lab.plot.picture import Picture

COMMIT = "That is my guess"
PLACES = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th"]


class Number:
    """A number in a unit, typed; how far off it was is their difference."""

    def __init__(self, question, answer, unit, digits):
        check_number("answer", answer)
        check_number("digits", digits, 0, whole=True)
        self.answer, self.unit, self.digits = float(answer), unit, digits
        self.how = f"Type {wanted(unit)}; {_decimals(digits)}."
        tip = f"{question} {self.how}"
        self.box = widgets.Text(placeholder="your guess", description="Guess", tooltip=tip)
        self.box.continuous_update = False  # or quick fingers press the button before all is sent
        self.controls = [self.box]

    @property
    def right(self) -> str:
        """The answer as text."""
        return written(self.answer, self.unit, self.digits)

    def read(self):
        """What was typed, as a number; ValueError, saying what to type, if it is none."""
        return read_number(self.box.value, self.unit)

    def outcome(self, value):
        """The guess as it was understood, the answer, and how far apart the two are."""
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

    def read(self):
        """The choice that is pressed; ValueError if none is."""
        if self.controls[0].value is None:
            raise ValueError("Choose one first.")
        return self.controls[0].value

    def outcome(self, value):
        """Whether it was the answer, and else which one is."""
        if value == self.answer:
            return f"You chose {value}, and that is the answer."
        return f"You chose {value}; it is {self.answer}."


class Order:
    """All of some things in order; how far off it was is counted in pairs, as the AUC does."""

    how = "Put them in order, first place first."

    def __init__(self, question, answer, order):
        self.known, self.answer = _texts("order", order), _texts("the answer", answer)
        if sorted(self.answer) != sorted(self.known) or len(self.known) > len(PLACES):
            raise ValueError(
                f"the answer {self.answer} must hold what the order {self.known} does, "
                f"at most {len(PLACES)} things"
            )
        self.right = ", ".join(self.answer)
        self.controls = [
            widgets.Dropdown(options=self.known, value=None, description=place, tooltip=question)
            for place, _ in zip(PLACES, self.known, strict=False)
        ]

    def read(self):
        """The order that is set; ValueError, naming one, if a thing is missing."""
        value = [control.value for control in self.controls]
        if missing := [name for name in self.known if name not in value]:
            raise ValueError(f"Each has one place, but {missing[0]} has none yet.")
        return value

    def outcome(self, value):
        """The right order, and how many pairs of things were in it."""
        right, place = self.right, self.answer.index
        pairs = list(combinations(value, 2))
        kept = sum(place(a) < place(b) for a, b in pairs)
        if kept == len(pairs):
            return f"You said {right}, and that is the order."
        return f"The order is {right}: {kept} of your {len(pairs)} pairs stand in it."


class Guess(Card):
    """A question whose answer is shown when the guess is in; `value` is the guess, or None."""

    def __init__(self, question: str, kind, says: str = "", reveal=None):
        self.question, self.kind, self.value = question, kind, None
        self._says, self._reveal = says, reveal
        self.button = widgets.Button(description=COMMIT, tooltip=question)
        self.button.style.button_color, self.button.style.text_color = "#D9EAF5", "black"
        self.button.layout.width = "auto"
        self.button.on_click(self.commit)
        self.reply = widgets.HTML()
        head = f"<p><b>Guess first.</b> {marked(question)} {marked(kind.how)}</p>"
        live = [widgets.HTML(head), *kind.controls, self.button, self.reply]
        items = "".join(f"<li>{marked(name)}</li>" for name in getattr(kind, "known", []))
        text = [f"Guess first. {question} {kind.how}"]
        text += [f"   - {name}" for name in getattr(kind, "known", [])]
        super().__init__(live, head + (f"<ul>{items}</ul>" if items else ""), "\n".join(text))

    def commit(self, button=None) -> None:
        """Take what was entered, once, and show the answer; or say what is missing."""
        if self.value is not None:
            return
        try:
            value = self.kind.read()
        except ValueError as error:
            self.reply.value = said(str(error))
            return
        self.value = value
        for control in (*self.kind.controls, self.button):
            control.disabled = True
        self.reply.value = said(f"{self.kind.outcome(value)} {self._says}".strip())
        if self._reveal is not None:
            self.children = (*self.children, _shown(self._reveal))

    def answers(self) -> list[dict]:
        """The question and its answer, with what is revealed where that is a picture."""
        answer = f"<p><b>{marked(self.kind.right)}.</b> {marked(self._says)}</p>"
        if self._reveal is not None:
            thing = _shown(self._reveal)
            if hasattr(thing, "to_html"):
                answer += thing.to_html(script=False)
            elif isinstance(thing, widgets.HTML):
                answer += thing.value
        return [{"question": self._page, "answer": answer}]


def guess(
    question: str, answer, *, unit="", digits=2, choices=None, order=None, says="", reveal=None
) -> Guess:
    """Ask for a guess, and reveal the answer only after it: a number, a choice, or an order.

    `answer`: a number in `unit` ("share" takes per cent, too) with so many `digits`; or one of
    `choices`; or the things of `order` (shown as they stand there) as they belong. `says`: a
    sentence for afterwards; `reveal`: a picture, a widget, or a function that makes one.
    Raises ValueError for an answer that is not among what can be chosen.
    """
    need_widgets()
    check_text(question=question, unit=unit, says=says)
    if not (reveal is None or callable(reveal) or isinstance(reveal, Picture | widgets.Widget)):
        raise TypeError("reveal must be a picture, a widget or a function that makes one")
    if choices is not None and order is not None:
        raise ValueError("a guess has choices or an order, not both")
    if choices is not None:
        kind = OneOf(question, answer, choices)
    elif order is not None:
        kind = Order(question, answer, order)
    else:
        kind = Number(question, answer, unit, digits)
    return Guess(question, kind, says, reveal)


def _texts(what, names):
    names = [str(name) for name in (names if isinstance(names, str) else as_list(what, names))]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(f"{what} must hold at least two different things, not {names}")
    return names


def _decimals(digits):
    return {0: "a whole number", 1: "one decimal is enough"}.get(
        digits, f"{digits} decimals are enough"
    )


def _shown(thing):
    """A widget as it is, a picture as an image with its alt text."""
    thing = thing if isinstance(thing, Picture | widgets.Widget) else thing()
    if isinstance(thing, Picture):
        return widgets.HTML(thing._repr_mimebundle_()[0]["text/html"])
    return thing
