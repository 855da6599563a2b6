"""Checks of exercises on tests that judge methods, and on the papers' tables."""

import numpy as np
import pandas as pd

from ranktrees_lab.check.answers import function, number, numbers, one_name, table
from ranktrees_lab.check.base import (
    as_asked,
    exercise,
    need,
    one_number,
    same,
    slip,
)
from ranktrees_lab.sealed.bank import bank

TREES = ("C45", "C44")
TIES = "You counted sets on which both are the same, or one has no cell, as higher or lower."


@exercise("84.46 stands for every number from 84.455 to 84.465")
def rounding_error(answer):
    """How far a number with two decimals may lie from what was rounded to it."""
    slips = {
        0.01: "That is the step from one printed number to the next: rounding goes to the nearer.",
        0.05: "That would be one decimal; the cells have two.",
        0.5: "That would be whole points; the cells have two decimals.",
    }
    one_number(answer, 0.005, "half of the last decimal's step", slips, tol=1e-6)
    return "Half a step: what lies further off was measured in another way, if only a little."


@exercise("one column a method: cells.pivot_table('published', 'dataset', 'method')")
def higher_means(answer):
    """A function of (cells, a, b): on how many sets a's published mean is higher, and lower."""
    answer, rng = function(answer), np.random.default_rng(0)
    two = "Give two numbers: on how many sets a is higher, and lower."
    for _ in range(20):
        cells = _random_cells(rng)
        right = _higher_and_lower(cells, "published")
        counts = tuple(numbers(answer(cells, "a", "b"), 2, two))
        slips = [
            (right[::-1], "The other way round: first where a is higher, then where it is lower."),
            (
                _higher_and_lower(cells, "measured"),
                "You compared the measured cells: take the published ones.",
            ),
        ]
        text = f"On one table you get ({counts[0]:g}, {counts[1]:g}), but it is {right}: "
        text += "pair the cells by data set."
        ties = sum(counts) > sum(right) and (counts[0] == right[0] or counts[1] == right[1])
        slip(not ties, TIES)
        same(counts, right, slips, text)
    return "So it is on twenty random tables, ties and missing cells among them."


def _higher_and_lower(cells, column):
    table = cells.pivot_table(index="dataset", columns="method", values=column)
    return int((table["a"] > table["b"]).sum()), int((table["a"] < table["b"]).sum())


def _random_cells(rng):
    """Cells of methods a, b, c on twelve sets in random order, with ties and a missing one."""
    keys = [(f"set {i}", method) for i in range(12) for method in "abc"]
    frame = pd.DataFrame(keys, columns=["dataset", "method"])
    frame["published"] = rng.integers(70, 76, len(frame)) / 1.0
    frame["measured"] = rng.integers(70, 76, len(frame)) / 1.0
    frame.loc[int(rng.integers(len(frame))), "published"] = np.nan
    return frame.sample(frac=1, random_state=int(rng.integers(1000))).reset_index(drop=True)


@exercise(
    "(honest mean of C - mean of the tree) / (published mean of C - published mean of the tree)"
)
def honest_share(answer):
    """{"C45": ..., "C44": ...}: the share of the published gain of column C that is honest."""
    shares = table(answer, TREES, f"Give a dict with the keys {' and '.join(TREES)}.")
    gains = published_gains()
    for tree, (published, leaked, honest) in gains.items():
        right = honest / published
        value = number(shares[tree], f"{tree}: ", share=True)
        as_asked(value, right, 0.01, f"{tree}: ")
        slips = [
            (1 - right, "That is the share that is lost: subtract it from 1."),
            (
                leaked / published,
                "You took the reading with the leak: the honest one has its own column.",
            ),
            (honest, "Those are the points that are left: divide by the published points."),
            (published / honest, "Upside down: the honest gain over the published one."),
        ]
        text = f"{tree}: {value:.3f} is not it. Average over the 35 sets first."
        same(value, right, [(wrong, f"{tree}: {hint}") for wrong, hint in slips], text, tol=0.01)
    return (
        f"Of {gains['C45'][0]:.1f} published points {gains['C45'][2]:.1f} are real on C4.5, of "
        f"{gains['C44'][0]:.1f} only {gains['C44'][2]:.1f} on C4.4."
    )


def published_gains() -> dict[str, tuple[float, float, float]]:
    """Mean gain of column C over its tree in points: as published, as measured so, and honest."""
    from ranktrees_lab.papers import PAPERS, average_table, results

    _, frame = results("wang2006")
    means = average_table(frame, PAPERS["wang2006"]).set_index("method")
    columns = ["published", "measured", "honest"]
    return {
        tree: tuple((means.loc[f"{tree}-C", columns] - means.loc[tree, columns]).astype(float))
        for tree in TREES
    }


@exercise("a leaf of a CITree keeps 2 + 2 x 16 x 2 numbers, one of C4.4 keeps 2")
def numbers_kept(answer):
    """{"CITree": ..., "C4.4": ...}: the numbers that all leaves keep on vote, mean over folds."""
    trees = "CITree", "C4.4"
    kept = table(answer, trees, f"Give a dict with the keys {' and '.join(trees)}.")
    leaves, nodes = (_vote_sizes(size) for size in ("leaves", "nodes"))
    for tree, each in zip(trees, (66, 2), strict=True):
        yours, right = number(kept[tree], f"{tree}: "), each * leaves[tree]
        slips = [
            (leaves[tree], "That is the number of leaves: what does each of them keep?"),
            (each * nodes[tree], "Only leaves keep counts: take `leaves`, not `nodes`."),
            (each / 2 * leaves[tree], "There are two classes, and each has its counts."),
            (64 * leaves[tree], "A naive Bayes also counts the cases of each class."),
            (34 * leaves[tree], "Each attribute has two values, and each class a count of both."),
        ]
        if abs(yours - each * round(leaves[tree], 1)) < 0.01:
            continue  # from leaves as the table prints them
        text = f"{tree}: {yours:.1f} is not it. Write down the counts of a single leaf first."
        same(yours, right, [(wrong, f"{tree}: {hint}") for wrong, hint in slips], text, tol=0.5)
    many, few = (each * leaves[tree] for tree, each in zip(trees, (66, 2), strict=True))
    return (
        f"{many:.0f} numbers against {few:.0f}: the tree with fewer nodes keeps {many / few:.0f} "
        "times as many."
    )


def _vote_sizes(size):
    """{tree: mean number of its leaves or nodes} on vote, from the stored folds."""
    from ranktrees_lab.papers import results

    frame = results("su2004")[1].query("dataset == 'vote' and measure == @size")
    return frame.groupby("method")["value"].mean().to_dict()


# Cross-validation and tests


@exercise("bank.clients.isna(): in which column do the last 300 clients differ from the first 500?")
def known_too_late(answer):
    """The column of the sealed bank's clients that is written down after the outcome."""
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
