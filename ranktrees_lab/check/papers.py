"""Checks of exercises on tests that compare methods, and on the papers' tables."""

from ranktrees_lab.check.answers import one_name, table
from ranktrees_lab.check.base import (
    exercise,
    need,
    slip,
)
from ranktrees_lab.sealed.bank import bank

VERDICTS = "holds", "holds partly", "not shown", "does not hold"
JUDGED = {  # of the pages of verdicts; a test holds both alike
    "combination": "holds partly",
    "CITree": "holds",
    "Newton": "not shown",
}
MISJUDGED = {
    ("combination", "holds"): "Look for the pair whose p is above .05.",
    ("combination", "not shown"): "Seven of the eight pairs have a p below .05.",
    (
        "CITree",
        "holds partly",
    ): "There is one pair, it is shown, and 13 wins are not fewer than 10.",
    ("CITree", "not shown"): "p is below .05, and the honest wins are more than the printed ones.",
    ("Newton", "holds"): "The difference is as printed, but look at p, by both readings.",
    ("Newton", "holds partly"): "By neither reading is p below .05.",
}


@exercise("count the pairs whose p is below .05, then compare the sizes with the printed ones")
def judged(answer):
    """Check {"combination": ..., "CITree": ..., "Newton": ...}: verdicts on three claims."""
    text = f"Give a dict with the keys {', '.join(JUDGED)}."
    for name, verdict in table(answer, JUDGED, text).items():
        yours = one_name(verdict, VERDICTS, f"{name}: Choose one of {', '.join(VERDICTS)}.")
        opposite = "That needs the opposite direction with p below .05: there is none."
        hint = opposite if yours == VERDICTS[-1] else MISJUDGED.get((name, yours), "")
        slip(yours == JUDGED[name], f"{name}: {hint}")
    return (
        "Against bagging on C4.4 the combination is not shown, and of some printed wins fewer than "
        "half are left. CITree wins on more sets than printed, and its one loss is no evidence. "
        "Newton trees have the printed difference, but it may be chance."
    )


# Cross-validation and tests


@exercise("bank.clients.isna(): in which column do the last 300 clients differ from the first 500?")
def known_too_late(answer):
    """Check for the column of the sealed bank's clients that is recorded after the outcome."""
    columns = bank("1").X.columns
    column = one_name(answer, columns, f"Give a column of bank.X: {', '.join(columns)}.")
    gaps = "Some clients lack it, but as many of the board as of the sealed ones."
    before = "It is known before a letter goes out."
    slips = {
        "client": "That is a number of the client; the forest was not given it.",
        "months_since_contact": f"It counts up to the letter. {gaps}",
        "income": f"{before} {gaps}",
        "education": f"{before} {gaps}",
        "letter": "The bank itself chooses the letter, before anybody can answer.",
    }
    slip(column not in slips, slips.get(column, ""))
    need(column == "call_minutes", before)
    return "All 300 sealed clients lack it: they have not answered yet, so nobody has called them."
