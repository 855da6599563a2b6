"""How a check answers: right, not yet with a hint, or a hint for an untouched answer."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

TOLERANCE = 0.005  # of a number worked out by hand: two decimals
MEASURED = 0.0015  # of a measured one: three decimals, and a hair for another machine
EXERCISES: dict[str, Callable] = {}  # all checks by name, as they are defined
PER_CENT = "Give a number from 0 to 1, not per cent."
MEAN_AUC = "{key} has a mean AUC of {right}, you have {yours}. "


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


class NotYet(Exception):
    """An answer that is not right yet; the text says what to look at."""


def need(right: bool, text: str) -> None:
    """Raise `NotYet` with this text unless the answer is right so far."""
    if not right:
        raise NotYet(text)


def exercise(hint: str) -> Callable:
    """Make a check of one answer: untouched (`...`) or failing answers get words, never an error.

    The decorated function takes the answer and returns its praise, or raises `NotYet`; `hint` is
    what an untouched answer gets. What it becomes returns a `Verdict`, and is listed in EXERCISES.
    """

    def decorate(check: Callable) -> Callable:
        @functools.wraps(check)
        def checked(answer):
            untouched = Verdict(None, f"Replace the ... and run both cells. Hint: {hint}")
            if answer is ...:
                return untouched
            try:
                return Verdict(True, check(answer))
            except NotYet as error:
                return Verdict(False, str(error))
            except Exception as error:
                if "ellipsis" in str(error):  # a function that still returns ...
                    return untouched
                why = f"{type(error).__name__}: {error}"
                return Verdict(False, f"Your answer could not be checked: {why}. Hint: {hint}")

        EXERCISES[check.__name__] = checked
        return checked

    return decorate


def one_number(answer, expected: float, hint: str, slips: dict, tol: float = TOLERANCE) -> None:
    """Compare a number; `slips` maps common wrong numbers to what went wrong."""
    value = float(answer)
    same(value, expected, slips.items(), f"{value:g} is not it. Hint: {hint}", tol)


def same(answer, expected, slips: Iterable[tuple], text: str, tol: float = 1e-8) -> None:
    """Compare numbers or arrays; `slips` are pairs (what a common mistake gives, the words for it).

    What is neither right nor a slip gets `text`.
    """

    def close(to):
        return np.shape(answer) == np.shape(to) and np.allclose(answer, to, rtol=0, atol=tol)

    if close(expected):
        return
    for wrong, explanation in slips:
        need(not close(wrong), explanation)
    raise NotYet(text)


def keyed(answer, keys: Iterable, text: str) -> dict:
    """The answer as a dict, which needs these keys."""
    need(hasattr(answer, "keys") and set(answer.keys()) == set(keys), text)
    return dict(answer)


def judge_measured(answer: dict, expected: dict, text: str) -> None:
    """Compare measured numbers by key; `text` has places for {key}, {right} and {yours}."""
    for key, right in expected.items():
        yours = float(answer[key])
        words = text.format(key=key, right=f"{right:.3f}", yours=f"{yours:.3f}")
        need(abs(yours - right) <= MEASURED, words)


def judge_study(study, models: dict, data) -> tuple[dict, str]:
    """Compare {name: mean AUC} of these models, ten folds of seed 1: the study, the best's name."""
    study = keyed(study, models, f"The keys must be {', '.join(models)}.")
    expected = {name: mean_auc(model, data) for name, model in models.items()}
    how = "Use ten folds, seed 1 (the defaults) and the data as loaded."
    judge_measured(study, expected, MEAN_AUC + how)
    return study, max(models, key=study.get)


def mean_auc(model, data, k: int = 10) -> float:
    """Mean AUC over k folds of seed 1."""
    from ranktrees.evaluate import cross_validate

    return float(cross_validate(model, data, k=k, measures=["auc"])["auc"].mean())
