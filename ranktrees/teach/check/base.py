"""How a check answers: right, not yet with a hint, or a hint for an untouched answer."""

import functools
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """The answer to an answer: `right` is True, False, or None where nothing was entered yet."""

    right: bool | None
    text: str

    def __bool__(self) -> bool:
        return self.right is True

    def __repr__(self) -> str:
        head = {True: "Right.", False: "Not yet.", None: "No answer yet."}[self.right]
        return f"{head} {self.text}"


def exercise(hint: str) -> Callable:
    """Make a check of one answer: untouched (`...`) or failing answers get words, never an error.

    The decorated function takes the answer and returns a Verdict; `hint` is what an untouched
    answer gets.
    """

    def decorate(check: Callable) -> Callable:
        @functools.wraps(check)
        def checked(answer) -> Verdict:
            untouched = Verdict(None, f"Replace the ... and run both cells. Hint: {hint}")
            if answer is ...:
                return untouched
            try:
                return check(answer)
            except Exception as error:
                if "ellipsis" in str(error):  # a function that still returns ...
                    return untouched
                return Verdict(
                    False,
                    f"Your answer could not be checked: {type(error).__name__}: {error}. "
                    f"Hint: {hint}",
                )

        return checked

    return decorate


def close(answer, expected: float, praise: str, hint: str, slips: dict | None = None, tol=0.005):
    """Compare a number; `slips` maps common wrong numbers to what went wrong."""
    value = float(answer)
    if abs(value - expected) <= tol:
        return Verdict(True, praise)
    for wrong, explanation in (slips or {}).items():
        if abs(value - wrong) <= tol:
            return Verdict(False, explanation)
    return Verdict(False, f"{value:g} is not it. Hint: {hint}")
