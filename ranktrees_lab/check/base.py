"""The answers of a check: right, not yet, not yet with a hint, or no answer yet."""

import functools
import inspect
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ranktrees_lab.check.answers import (
    NOT_A_NUMBER,
    Unclear,
    Untouched,
    alone,
    form,
    number,
    one_name,
)
from ranktrees_lab.progress import ENOUGH, TRIES, note

TOLERANCE = 0.005  # of a number worked out by hand: two decimals
MEASURED = 0.0015  # of a measured one: three decimals, and a hair for another machine
EXERCISES: dict[str, Callable] = {}  # all checks by name, as they are defined
# Wrong tries in a run of the notebook before one gets a hint; what nbgrader marks has no next.
PATIENCE = int(os.environ.get("NBGRADER_EXECUTION") != "autograde")
ONCE_MORE = "Look at it once more: the next try gets a hint."
SOLVED = "You have tried three times: rt.solution() shows how it can be done."
PER_CENT = "Give a number from 0 to 1, not per cent."
MEAN_AUC = "{key} has a mean AUC of {right}, you have {yours}. "


@dataclass(frozen=True)
class Verdict:
    """The answer of a check: `right` is True, False, or None if nothing was entered yet."""

    right: bool | None
    text: str

    def __bool__(self) -> bool:
        return self.right is True

    def __repr__(self) -> str:
        head = {True: "Right.", False: "Not yet.", None: "No answer yet."}[self.right]
        return f"{head} {self.text}".strip()


class NotYet(Exception):
    """An answer that is not right yet; the text says what to look at."""


class Slip(NotYet):
    """A common mistake that was recognised; the text, which names it, is shown immediately."""


def need(right: bool, text: str) -> None:
    """Raise `NotYet` with this text unless the answer is right so far."""
    if not right:
        raise NotYet(text)


def slip(right: bool, text: str) -> None:
    """Raise `Slip`, whose text names a mistake, unless it was not made."""
    if not right:
        raise Slip(text)


def exercise(hint: str) -> Callable[[Callable[[Any], str]], Callable[[object], Verdict]]:
    """Make a check of one answer: untouched (`...`) or failing answers get text, never an error.

    The decorated function takes the answer and returns its praise, or raises `Slip`, or `NotYet`,
    whose text is not shown at the first try; `hint` is for answers that fail. The resulting check
    returns a `Verdict`, and is listed in EXERCISES.
    """

    def decorate(check: Callable[[Any], str]) -> Callable[[object], Verdict]:
        @functools.wraps(check, ("__module__", "__name__", "__qualname__", "__doc__"))
        def checked(answer: object) -> Verdict:
            try:
                alone(answer)
                praise = check(answer)
            except Untouched:
                return Verdict(None, "")
            except Unclear as error:
                return Verdict(False, str(error))
            except NotYet as error:
                return _tried(check.__name__, "", str(error), isinstance(error, Slip))
            except Exception as error:
                if isinstance(error, TypeError) and "ellipsis" in str(error):  # computes with ...
                    return Verdict(None, "")
                why = f"Your answer could not be checked: {type(error).__name__}: {error}. "
                return _tried(check.__name__, why, f"Hint: {hint}")
            if PATIENCE:
                note("exercises", check.__name__)
            return Verdict(True, praise)

        checked.__signature__ = inspect.signature(checked, follow_wrapped=False)
        EXERCISES[check.__name__] = checked
        return checked

    return decorate


def _tried(name, why, hint, at_once=False):
    TRIES[name] = TRIES.pop(name, 0) + 1  # the last key is what was tried last
    text = why + (hint if at_once or TRIES[name] > PATIENCE else ONCE_MORE)
    return Verdict(False, f"{text}\n{SOLVED}" if PATIENCE and TRIES[name] >= ENOUGH else text)


def one_number(answer, expected: float, hint: str, slips: dict, tol: float = TOLERANCE) -> None:
    """Compare a number; `slips` maps common wrong numbers to what went wrong.

    A number with few decimals matches any number that rounds to it; the nearest slip is named.
    """
    value = number(answer, share=0 < expected < 1)
    if abs(value - expected) <= tol:
        return
    exact = [text for wrong, text in slips.items() if abs(value - wrong) < 1e-9]
    slip(not exact, "".join(exact[:1]))
    as_asked(value, expected, tol)
    near = [w for w in slips if abs(value - w) <= tol or _rounds(w, value)]
    nearest = min(near, key=lambda wrong: abs(value - wrong), default=None)
    slip(nearest is None, slips.get(nearest, ""))
    form(not 0 < expected < 1 < value <= 100, PER_CENT)
    raise NotYet(f"{value:g} is not it. Hint: {hint}")


def as_asked(value: float, expected: float, tol: float = TOLERANCE) -> None:
    """Raise `Unclear` for a share in per cent, and for the right number with too few decimals."""
    per_cent = 0 < expected < 1 < value and abs(value - 100 * expected) <= max(0.5, 100 * tol)
    form(not per_cent, PER_CENT)
    digits = next(d for d in range(17) if abs(round(expected, d) - expected) <= tol)
    few = f"{value:g} may be right, but give {digits} decimals."
    form(abs(value - expected) <= tol or not _rounds(expected, value), few)


def _rounds(exact, value):
    """Return whether a number of at least two decimals is the rounded exact one."""
    digits = max(2, len(repr(value).partition(".")[2]))
    return abs(round(exact, digits) - value) < 1e-9


def same(answer, expected, slips: Iterable[tuple], text: str, tol: float = 1e-8) -> None:
    """Compare numbers or arrays; `slips` are pairs (result of a common mistake, its message).

    Any other wrong answer gets `text`.
    """

    def close(to):
        return np.shape(answer) == np.shape(to) and np.allclose(answer, to, rtol=0, atol=tol)

    if close(expected):
        return
    values = np.asarray(answer)
    form(values.dtype.kind != "f" or not np.isnan(values).any(), f"This has NaN. {NOT_A_NUMBER}")
    for wrong, explanation in slips:
        slip(not close(wrong), explanation)
    raise NotYet(text)


def judge_measured(answer: dict, expected: dict, text: str) -> None:
    """Compare measured numbers by key; `text` has places for {key}, {right} and {yours}."""
    for key, right in expected.items():
        yours = number(answer[key], f"{key}: ", share=0 < right < 1)
        form(not right < 1 < yours, f"{key}: {PER_CENT}")
        words = text.format(key=key, right=f"{right:.3f}", yours=f"{yours:.3f}")
        need(abs(yours - right) <= MEASURED, words)


def known_set(name: object, most: int):
    """Load a data set of the registry with at most `most` cases."""
    from ranktrees_lab.data import datasets, load

    name = one_name(
        name, datasets()["name"], "Give the name of a data set: rt.datasets() lists them."
    )
    data = load(name)
    size = "{} has {} cases and {} attributes".format(name, *data.X.shape)
    form(len(data.X) <= most, f"{size}: choose a set of at most {most} cases.")
    return data
