"""Wins, ties and losses: a paper's own counts by several tests, and those of a study's method."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_list, check_like, check_number, choose, floats
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.evaluate.results import Results, paired_test
from ranktrees_engine.evaluate.significance import check_alpha, holm, wilcoxon
from ranktrees_lab.papers.files import fold_grids
from ranktrees_lab.papers.paper import ALL, HONEST, PUBLISHED, Paper, check_rows

TESTS = ("paired", "corrected", "wilcoxon", "paired, runs", "higher")
"""Over all folds: Student's paired t, the same corrected for overlapping training sets, Wilcoxon's
signed ranks; paired t over the means of runs; and the bare sign of the difference of means."""


def verdict(a: ArrayLike, b: ArrayLike, k: int, test: str = "paired", alpha: float = 0.05) -> int:
    """Return 1 where a (runs, folds) is significantly larger than b, -1 where smaller, else 0.

    Two-tailed; `k` folds give the corrected test its share of test cases. Folds in which either is
    NaN are left out; fewer than two leave a tie.
    """
    choose("test", test, TESTS)
    check_alpha(alpha)
    check_number("k", k, 2, whole=True)
    a, b = floats("a", a), floats("b", b)
    if a.shape != b.shape or a.ndim < (2 if test == "paired, runs" else 1):
        raise ValueError(f"a and b must both be (runs, folds), not {a.shape} and {b.shape}")
    known = ~(np.isnan(a) | np.isnan(b))
    if test == "paired, runs":
        some = known.any(axis=1)
        a, b = (np.nanmean(np.where(known, x, np.nan)[some], axis=1) for x in (a, b))
    else:
        a, b = a[known], b[known]
    if test == "higher":
        return int(np.sign(np.round(a.mean() - b.mean(), 12))) if len(a) else 0
    if len(a) < 2:
        return 0
    ratio = 1 / (k - 1) if test == "corrected" else 0.0
    result, side = paired_test(test.removesuffix(", runs"), a, b, ratio)
    return int(side) if result.p < alpha else 0


def win_tie_loss(
    frame: pd.DataFrame, paper: Paper, reading: str = PUBLISHED, tests: Sequence[str] = TESTS
) -> pd.DataFrame:
    """Return a row per printed entry: what the paper counts, and what each test counts here.

    `frame` of `read_results`; `reading` "as_published", or "honest" for methods that have it;
    `tests`: some of `TESTS`.
    Columns: table, group, measure, row, column, published, then a column per test, all as
    "wins/ties/losses" of the row's method against the column's; `sets` that were compared. Names
    are those of the methods: swapped labels of a paper are corrected.
    """
    check_rows(frame, paper)
    choose("reading", reading, (PUBLISHED, HONEST))
    for test in as_list("tests", tests):
        choose("test", test, TESTS)
    measures = {printed: name for name, (printed, _) in paper.protocol.printed.items()}
    readings = {m.name: m.honest if reading == HONEST else PUBLISHED for m in paper.methods}
    groups, grids, rows = paper.all_groups, fold_grids(frame), []
    for entry in paper.wins.itertuples(index=False):
        names = paper.swapped.get((entry.table, entry.row), {})
        a, b = (names.get(name, name) for name in (entry.row, entry.column))
        measure = measures[entry.measure]
        keys = [
            [(name, method, readings[method], measure) for method in (a, b)]
            for name in groups[entry.group]
        ]
        pairs = [(grids[i], grids[j]) for i, j in keys if i in grids and j in grids]
        if not Results.larger_is_better(measure):
            pairs = [(y, x) for x, y in pairs]
        counts = [_counts(pairs, paper, test) for test in tests]
        published = f"{entry.wins}/{entry.ties}/{entry.losses}"
        head = entry.table, entry.group, entry.measure, a, b, published
        rows.append((*head, *counts, len(pairs)))
    columns = ["table", "group", "measure", "row", "column", "published", *tests, "sets"]
    return pd.DataFrame(rows, columns=columns)


def _counts(pairs, paper, test):
    """Return "wins/ties/losses" of the first against the second of these pairs of values."""
    signs = [verdict(x, y, paper.protocol.k, test) for x, y in pairs]
    return "/".join(str(signs.count(sign)) for sign in (1, 0, -1))


def agreement(wins: pd.DataFrame) -> pd.DataFrame:
    """Return, per table and test, the entries given exactly, and the mean difference of counts.

    `wins` is a result of `win_tie_loss`. Columns: table, test, entries, met, off (mean of the
    absolute differences of wins and of losses).
    """
    check_like("a table of wins, as win_tie_loss gives it", wins, "groupby", "columns")
    if "published" not in wins:
        raise ValueError("the table of wins lacks what was published: give what win_tie_loss gives")
    rows = []
    for table, part in wins.groupby("table", sort=False):
        published = _numbers(part["published"])
        for test in [test for test in TESTS if test in wins]:
            off = np.abs(_numbers(part[test]) - published)
            row = table, test, len(part), int((off == 0).all(axis=1).sum())
            rows.append((*row, off[:, [0, 2]].mean()))
    return pd.DataFrame(rows, columns=["table", "test", "entries", "met", "off"])


def _numbers(texts):
    return np.array([[int(n) for n in text.split("/")] for text in texts])


def study_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """Return a row per group, method and measure: the mean, and the reference's wins against it.

    `frame` of `read_results`. `mean` is over `sets` data sets, of the means of their folds, in the
    measure's own unit. "wins/ties/losses" of `paper.reference` against the method over the sets
    and folds that have both: by the bare mean (`higher`, with the p of Wilcoxon's test over these
    means, `p`, for two sets and more), and significant by the `corrected` t-test on each set's
    folds; empty where the two have no set in common. Other columns: group, method, measure.
    """
    check_rows(frame, paper)
    grids, rows = _known_grids(frame), []
    for group, names in paper.all_groups.items():
        for method, measure in product(paper.methods, paper.protocol.measures):
            mine, first = (
                _measured(grids, names, m, measure) for m in (method.name, paper.reference)
            )
            if mine:
                mean = np.mean([np.nanmean(values) for values in mine.values()])
                other = {} if method.name == paper.reference else mine
                pairs = [(first[name], other[name]) for name in other if name in first]
                won = _won(pairs, paper, measure)
                rows.append((group, method.name, measure, mean, len(mine), *won))
    head = ["group", "method", "measure", "mean", "sets", "higher", "p", "corrected"]
    return pd.DataFrame(rows, columns=head)


def standing(
    frame: pd.DataFrame, paper: Paper, ours: str, measure: str = "auc", group: str = ALL
) -> pd.DataFrame:
    """Return how a study's method `ours` stands against each of its others, over a group's sets.

    `frame` of `read_results`. Columns: how many `sets` both have; the `mean` of the method and that
    of `ours` on these; wins/ties/losses of ours by the bare mean (`higher`) and by the `corrected`
    t test on each set's folds; Wilcoxon's `p` over the sets, and `holm`, its p after Holm's
    correction for as many tests as there are rows. Raises ValueError for an unknown name.
    """
    check_rows(frame, paper)
    choose("ours", ours, names := [method.name for method in paper.methods])
    choose("group", group, paper.all_groups)
    choose("measure", measure, paper.protocol.measures)
    grids, rows = _known_grids(frame), {}
    mine = _measured(grids, paper.all_groups[group], ours, measure)
    for name in [name for name in names if name != ours]:
        theirs = _measured(grids, mine, name, measure)
        if theirs:
            pairs = [(mine[n], values) for n, values in theirs.items()]
            means = (np.mean([np.nanmean(pair[i]) for pair in pairs]) for i in (1, 0))
            higher, p, corrected = _won(pairs, paper, measure)
            rows[name] = len(pairs), *means, higher, corrected, p
    columns = ["sets", "mean", "ours", "higher", "corrected", "p"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    p = table["p"].dropna()
    return table.assign(holm=holm(p) if len(p) else np.nan)


def _known_grids(frame):
    """Return `fold_grids` without those in which no fold has a value."""
    return {key: grid for key, grid in fold_grids(frame).items() if not np.isnan(grid).all()}


def _measured(grids, names, method, measure):
    """Return {data set: values (runs, folds)} of a method, for those sets that have some."""
    return {n: grids[key] for n in names if (key := (n, method, HONEST, measure)) in grids}


def _won(pairs, paper, measure):
    """Count, of each pair, by mean, p and significance: what the first wins against the second."""
    if not Results.larger_is_better(measure):
        pairs = [(y, x) for x, y in pairs]
    pairs = [np.stack(pair)[:, ~np.isnan(sum(pair))] for pair in pairs]  # folds that have both
    pairs = [both for both in pairs if both.size]
    if not pairs:
        return "", np.nan, ""
    means = np.transpose([both.mean(axis=1) for both in pairs])
    p = wilcoxon(*means).p if len(pairs) > 1 else np.nan
    return _counts(pairs, paper, "higher"), p, _counts(pairs, paper, "corrected")
