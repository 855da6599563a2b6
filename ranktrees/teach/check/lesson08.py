"""Checks of lesson 08, the papers again."""

import numpy as np
import pandas as pd

from ranktrees.teach.check.base import Verdict, close, exercise

TREES = ("C45", "C44")


@exercise("84.46 stands for every number from 84.455 to 84.465")
def rounding_error(answer) -> Verdict:
    """How far a number with two decimals may lie from what was rounded to it."""
    slips = {
        0.01: "That is the step from one printed number to the next: rounding goes to the nearer.",
        0.05: "That would be one decimal; the cells have two.",
        0.5: "That would be whole points; the cells have two decimals.",
    }
    praise = "Half a step: what lies further off was measured in another way, if only a little."
    return close(answer, 0.005, praise, "half of the last decimal's step", slips, tol=1e-6)


@exercise("one column a method: cells.pivot_table('published', 'dataset', 'method')")
def higher_means(answer) -> Verdict:
    """A function of (cells, a, b): on how many sets a's published mean is higher, and lower."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        cells = _random_cells(rng)
        table = cells.pivot_table(index="dataset", columns="method", values="published")
        right = int((table["a"] > table["b"]).sum()), int((table["a"] < table["b"]).sum())
        found = answer(cells, "a", "b")
        if found is ...:
            return Verdict(None, "Replace the ... and run both cells. Hint: two comparisons")
        if np.shape(found) != (2,):
            return Verdict(False, "Give two numbers: on how many sets a is higher, and lower.")
        found = int(found[0]), int(found[1])
        if found != right:
            return Verdict(False, _slip(found, right, cells))
    return Verdict(True, "Right on twenty random tables, ties and missing cells among them.")


def _random_cells(rng):
    """Cells of methods a, b, c on twelve sets in random order, with ties and a missing one."""
    keys = [(f"set {i}", method) for i in range(12) for method in "abc"]
    frame = pd.DataFrame(keys, columns=["dataset", "method"])
    frame["published"] = rng.integers(70, 76, len(frame)) / 1.0
    frame["measured"] = rng.integers(70, 76, len(frame)) / 1.0
    frame.loc[int(rng.integers(len(frame))), "published"] = np.nan
    return frame.sample(frac=1, random_state=int(rng.integers(1000))).reset_index(drop=True)


def _slip(found, right, cells):
    measured = cells.pivot_table(index="dataset", columns="method", values="measured")
    if found == right[::-1]:
        return "The other way round: first where a is higher, then where it is lower."
    if found == (
        int((measured["a"] > measured["b"]).sum()),
        int((measured["a"] < measured["b"]).sum()),
    ):
        return "You compared the measured cells: take the published ones."
    same = [x == y for x, y in zip(found, right, strict=True)]
    if any(same) and sum(found) > sum(right):
        return (
            "You counted sets on which both are the same, or one has no cell, as higher or lower."
        )
    return f"On one table you get {found}, but it is {right}: pair the cells by data set."


@exercise(
    "(honest mean of C - mean of the tree) / (published mean of C - published mean of the tree)"
)
def honest_share(answer) -> Verdict:
    """{"C45": ..., "C44": ...}: the share of the published gain of column C that is honest."""
    answer = dict(answer) if hasattr(answer, "items") else {}
    if set(answer) != set(TREES):
        return Verdict(False, f"Give a dict with the keys {' and '.join(TREES)}.")
    gains = published_gains()
    for tree in TREES:
        published, measured, honest = gains[tree]
        value, right = float(answer[tree]), honest / published
        if abs(value - right) <= 0.01:
            continue
        for wrong, hint in {
            100 * right: "Give a share from 0 to 1, not per cent.",
            1 - right: "That is the share that is lost: subtract it from 1.",
            measured / published: "You took the reading with the leak: the honest one has its "
            "own column.",
            honest: "Those are the points that are left: divide by the published points.",
            published / honest: "Upside down: the honest gain over the published one.",
        }.items():
            if abs(value - wrong) <= 0.01:
                return Verdict(False, f"{tree}: {hint}")
        return Verdict(False, f"{tree}: {value:.3f} is not it. Average over the 35 sets first.")
    return Verdict(
        True,
        f"Of {gains['C45'][0]:.1f} published points {gains['C45'][2]:.1f} are real on C4.5, of "
        f"{gains['C44'][0]:.1f} only {gains['C44'][2]:.1f} on C4.4.",
    )


def published_gains() -> dict[str, tuple[float, float, float]]:
    """Mean gain of column C over its tree in points: as published, as measured so, and honest."""
    from ranktrees.papers import PAPERS, average_table, results

    _, frame = results("wang2006")
    means = average_table(frame, PAPERS["wang2006"]).set_index("method")
    columns = ["published", "measured", "honest"]
    return {
        tree: tuple((means.loc[f"{tree}-C", columns] - means.loc[tree, columns]).astype(float))
        for tree in TREES
    }
