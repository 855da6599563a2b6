"""Checks of exercises on what the leaves of a tree predict."""

from ranktrees_lab.check.answers import names
from ranktrees_lab.check.base import exercise, slip

REPORT = {  # a sentence of the report by its letter, and what the lesson measured
    "a": "with Laplace at both the full tree is behind on credit-g and diabetes",
    "b": "that was measured on all seven sets, and it holds on new splits",
    "c": "the twenty splits that chose m also gave the number: new ones must judge it",
    "d": "its order is better, but its Brier score is worse in 19 or 20 of 20 splits",
    "e": "an estimate is computed from the finished tree",
}
TRUE = "be"


@exercise("compare each sentence with the picture or table that it is about")
def report_on_leaves(answer):
    """The letters of the sentences that nothing measured supports: a, c and d."""
    given = names(
        list(answer) if str(answer).isalpha() else answer, REPORT, "Give letters, a to e."
    )
    for letter, why in REPORT.items():
        slip((letter in given) == (letter not in TRUE), f"Look at {letter} again: {why}.")
    return "a is clear on tic-tac-toe only, c chose its splits, d takes an order for probabilities."
