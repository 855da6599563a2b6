"""Published figures beside measured ones: cells, averages, sizes, and wins by several tests."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees.arguments import choose
from ranktrees.evaluate.results import Results, paired_test
from ranktrees.evaluate.significance import check_alpha
from ranktrees.papers.catalog import DECLARED
from ranktrees.papers.files import fold_grids, read_results, replace_file
from ranktrees.papers.paper import HONEST, PUBLISHED, SIZES, Paper

ALL = "all"
ABSENT = "not among these results"
TESTS = ("paired", "corrected", "wilcoxon", "paired, runs", "higher")
"""Over all folds: Student's paired t, the same corrected for overlapping training sets, Wilcoxon's
signed ranks; paired t over the means of runs; and the bare sign of the difference of means."""


def cell_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """A row for each cell: published, measured, difference and honest value, in the paper's units.

    `frame` of `read_results`. `measured` is the mean over runs and folds of the reading that meets
    the paper, `honest` that of the reading without a leak; `note` says why a printed cell has
    none. Columns: table, dataset, method, measure, published, measured, difference, honest, note.
    """
    keys = ["measure", "method", "reading", "dataset"]
    means = frame.groupby(keys, sort=False)["value"].mean()
    means = {key: part.droplevel(keys[:-1]) for key, part in means.groupby(keys[:-1])}
    cells = paper.cells[~paper.cells["dataset"].isin([ALL, *paper.groups])]
    parts, none = [], pd.Series(dtype=float)
    for measure, (printed, factor) in paper.protocol.printed.items():
        for method in paper.methods:
            chosen = (cells["measure"] == printed) & (cells["method"] == method.name)
            numbers = {"published": cells[chosen].set_index("dataset")["value"]}
            for name, reading in {"measured": PUBLISHED, "honest": method.honest}.items():
                numbers[name] = factor * means.get((measure, method.name, reading), none)
            part = pd.concat(numbers, axis=1, sort=False).rename_axis("dataset").reset_index()
            known = part["dataset"].isin(numbers["measured"].index)
            reasons = part["dataset"].map(lambda name: paper.unavailable.get(name, ABSENT))
            part = part.assign(table=method.table, method=method.name, measure=printed)
            parts.append(part.assign(note=reasons.mask(known, "")))
    table = pd.concat(parts, ignore_index=True)
    table["difference"] = table["measured"] - table["published"]
    head = ["table", "dataset", "method", "measure", "published", "measured", "difference"]
    return table[[*head, "honest", "note"]]


def average_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """Means over data sets, of all and of each group, beside the published ones.

    `published` is the mean of the printed cells of the sets that are measured; a paper without
    cells printed it itself. Columns: group, method, measure, published, measured, honest, sets
    (how many are measured, of how many that the group has).
    """
    rows, cells, groups = [], cell_table(frame, paper), {ALL: tuple(paper.datasets), **paper.groups}
    printed = paper.cells.groupby(["dataset", "method", "measure"])["value"].mean().to_dict()
    for (method, measure), part in cells.groupby(["method", "measure"], sort=False):
        (only,) = (m.datasets for m in paper.methods if m.name == method)
        for group, names in groups.items():
            names = [name for name in names if only is None or name in only]
            measured = part[part["dataset"].isin(names) & part["measured"].notna()]
            published = measured["published"].mean()
            if np.isnan(published):
                published = printed.get((group, method, measure), np.nan)
            means = published, *measured[["measured", "honest"]].mean()
            rows.append((group, method, measure, *means, f"{len(measured)} of {len(names)}"))
    head = ["group", "method", "measure", "published", "measured", "honest", "sets"]
    return pd.DataFrame(rows, columns=head)


def size_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """Mean nodes and leaves of the trees (data sets x (method, size)), last row their average."""
    part = frame[frame["measure"].isin(list(SIZES))]
    table = part.pivot_table("value", "dataset", ["method", "measure"], sort=False)
    if len(table):
        table.loc["average"] = table.mean()
    return table


def missing_sets(frame: pd.DataFrame, paper: Paper) -> dict[str, str]:
    """Data sets of the paper without results, and the reason."""
    names, measured = [*paper.datasets, *paper.unavailable], set(frame["dataset"])
    return {n: paper.unavailable.get(n, ABSENT) for n in names if n not in measured}


# Wins, ties and losses


def verdict(a, b, k: int, test: str = "paired", alpha: float = 0.05) -> int:
    """1 where a (runs, folds) is significantly larger than b, -1 where smaller, else 0.

    Two-tailed; `k` folds give the corrected test its share of test cases. Folds in which either is
    NaN are left out; fewer than two leave a tie.
    """
    choose("test", test, TESTS)
    check_alpha(alpha)
    a, b = np.asarray(a, float), np.asarray(b, float)
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
    """A row for each printed entry: what the paper counts, and what each test counts here.

    `frame` of `read_results`; `reading` "as_published", or "honest" for methods that have it;
    `tests`: some of `TESTS`.
    Columns: table, group, measure, row, column, published, then a column a test, all as
    "wins/ties/losses" of the row's method against the column's; `sets` that were compared. Names
    are those of the methods: where a paper prints one for another, they are put right.
    """
    choose("reading", reading, (PUBLISHED, HONEST))
    for test in tests:
        choose("test", test, TESTS)
    measures = {printed: name for name, (printed, _) in paper.protocol.printed.items()}
    readings = {m.name: m.honest if reading == HONEST else PUBLISHED for m in paper.methods}
    groups, grids, rows = {ALL: tuple(paper.datasets), **paper.groups}, fold_grids(frame), []
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
        counts = []
        for test in tests:
            signs = [verdict(x, y, paper.protocol.k, test) for x, y in pairs]
            counts.append("/".join(str(signs.count(sign)) for sign in (1, 0, -1)))
        published = f"{entry.wins}/{entry.ties}/{entry.losses}"
        head = entry.table, entry.group, entry.measure, a, b, published
        rows.append((*head, *counts, len(pairs)))
    columns = ["table", "group", "measure", "row", "column", "published", *tests, "sets"]
    return pd.DataFrame(rows, columns=columns)


def agreement(wins: pd.DataFrame) -> pd.DataFrame:
    """For each table and test: entries that it meets exactly, and the mean difference of counts.

    `wins` of `win_tie_loss`. Columns: table, test, entries, met, off (mean of the absolute
    differences of wins and of losses).
    """
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


# Whole summaries


def write_summary(path) -> Path:
    """Write the cells of a results file beside it, as "<name>.summary.csv"."""
    settings, frame = read_results(path)
    target = Path(path).with_name(f"{Path(path).name.removesuffix('.csv')}.summary.csv")
    table = cell_table(frame, DECLARED[settings["paper"]]).round(4)
    replace_file(target, table.to_csv(index=False, lineterminator="\n"))
    return target


def report(path) -> str:
    """The summary of a results file as text."""
    settings, frame = read_results(path)
    paper = DECLARED[settings["paper"]]
    cells = cell_table(frame, paper).dropna(subset=["difference"])
    off = cells["difference"].abs().groupby([cells["measure"], cells["method"]], sort=False)
    sizes, missing = size_table(frame, paper), missing_sets(frame, paper)
    parts = [
        paper.title,
        _section("Averages over data sets", average_table(frame, paper).dropna(subset="measured")),
    ]
    if len(cells):
        table = off.agg(cells="size", mean="mean", largest="max").reset_index()
        parts.append(_section("Differences between measured and published cells", table))
    if len(sizes):
        last = sizes.loc["average"].rename("average").reset_index()
        parts.append(_section("Sizes of trees, average over data sets", last))
    for reason in dict.fromkeys(missing.values()):
        names = ", ".join(name for name in missing if missing[name] == reason)
        parts.append(f"Data sets without results ({reason}): {names}")
    if not missing and len(wins := win_tie_loss(frame, paper).query("sets > 0")):
        parts.append(_section("Which test meets the published wins/ties/losses", agreement(wins)))
    return "\n\n".join(parts) + "\n"


def _section(title, table):
    return f"{title}\n{table.to_string(index=False, float_format='{:.4f}'.format, na_rep='')}"


def listing() -> str:
    """The papers that can be repeated: name, title, size of the work, methods."""
    lines = []
    for paper in DECLARED.values():
        p = paper.protocol
        lines += [
            f"{paper.name}: {paper.title}",
            f"  {len(paper.datasets)} data sets, {p.runs} runs of {p.k} folds; methods "
            + ", ".join(method.name for method in paper.methods),
        ]
    return "\n".join(lines)
