"""Published figures beside measured ones: cells, averages, sizes, and wins by several tests."""

from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees.papers.disk import replace_file
from ranktrees.papers.paper import PUBLISHED, SIZES, Paper
from ranktrees.papers.stored import read_results
from ranktrees.papers.wins import agreement, win_tie_loss

ALL = "all"


def cell_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """A row for each cell: published, measured, difference and honest value, in the paper's units.

    `frame` of `read_results`. `measured` is the mean over runs and folds of the reading that meets
    the paper, `honest` that of the reading without a leak; `note` says why a printed cell has
    none. Columns: table, dataset, method, measure, published, measured, difference, honest, note.
    """
    rows = []
    for own, (printed, factor) in paper.protocol.printed.items():
        means = _means(frame, own) * factor
        cells = paper.cells[paper.cells["measure"] == printed]
        cells = cells[~cells["dataset"].isin([ALL, *paper.groups])]
        published = cells.set_index(["dataset", "method"])["value"]
        keys = list(dict.fromkeys([*published.index, *means.index.droplevel("reading")]))
        published, means = published.to_dict(), means.to_dict()
        for method in paper.methods:
            for dataset, name in keys:
                if name == method.name:
                    value = published.get((dataset, name))
                    rows.append(_cell(paper, method, dataset, printed, value, means))
    head = ["table", "dataset", "method", "measure", "published", "measured"]
    table = pd.DataFrame(rows, columns=[*head, "honest", "note"])
    table.insert(6, "difference", table["measured"] - table["published"])
    return table.astype(dict.fromkeys(["published", "measured", "difference", "honest"], float))


def _means(frame, measure):
    part = frame[frame["measure"] == measure]
    return part.groupby(["dataset", "method", "reading"], sort=False)["value"].mean()


def _cell(paper, method, dataset, printed, published, means):
    measured = means.get((dataset, method.name, PUBLISHED))
    honest = means.get((dataset, method.name, method.honest))
    note = ""
    if measured is None:
        note = paper.unavailable.get(dataset, "not among these results")
    return method.table, dataset, method.name, printed, published, measured, honest, note


def average_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """Means over data sets, of all and of each group, beside the published ones.

    `published` is the mean of the printed cells of the sets that are measured; a paper without
    cells printed it itself. Columns: group, method, measure, published, measured, honest, sets
    (how many are measured, of how many that the group has).
    """
    rows, cells = [], cell_table(frame, paper)
    groups = {ALL: tuple(paper.datasets), **paper.groups}
    for (method, measure), part in cells.groupby(["method", "measure"], sort=False):
        only = next(m.datasets for m in paper.methods if m.name == method)
        for group, names in groups.items():
            names = [name for name in names if only is None or name in only]
            mine = part[part["dataset"].isin(names) & part["measured"].notna()]
            published = mine["published"].mean() if len(mine) else np.nan
            if np.isnan(published):
                published = _printed_average(paper, group, method, measure)
            row = group, method, measure, published, *mine[["measured", "honest"]].mean()
            rows.append((*row, f"{len(mine)} of {len(names)}"))
    head = ["group", "method", "measure", "published", "measured", "honest", "sets"]
    return pd.DataFrame(rows, columns=head)


def _printed_average(paper, group, method, measure):
    cells = paper.cells
    chosen = (cells["dataset"] == group) & (cells["method"] == method)
    return cells.loc[chosen & (cells["measure"] == measure), "value"].mean()


def size_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """Mean nodes and leaves of the trees (data sets x (method, size)), last row their average."""
    part = frame[frame["measure"].isin(SIZES)]
    table = part.pivot_table("value", "dataset", ["method", "measure"], sort=False)
    if len(table):
        table.loc["average"] = table.mean()
    return table


def missing_sets(frame: pd.DataFrame, paper: Paper) -> dict[str, str]:
    """Data sets of the paper without results, and the reason."""
    names = [*paper.datasets, *paper.unavailable]
    gone = [name for name in names if name not in set(frame["dataset"])]
    return {name: paper.unavailable.get(name, "not among these results") for name in gone}


def write_summary(path) -> Path:
    """Write the cells of a results file beside it, as "<name>.summary.csv"."""
    frame, paper = _of_file(path)
    name = Path(path).name.removesuffix(".gz").removesuffix(".csv")
    target = Path(path).with_name(f"{name}.summary.csv")
    text = cell_table(frame, paper).round(4).to_csv(index=False, lineterminator="\n")
    replace_file(target, text.encode())
    return target


def report(path) -> str:
    """The summary of a results file as text."""
    frame, paper = _of_file(path)
    cells = cell_table(frame, paper)
    averages = average_table(frame, paper).dropna(subset=["measured"])
    parts = [paper.title, _section("Averages over data sets", averages)]
    close = cells.dropna(subset=["difference"])
    if len(close):
        off = close["difference"].abs().groupby([close["measure"], close["method"]], sort=False)
        table = off.agg(cells="size", mean="mean", largest="max").reset_index()
        parts.append(_section("Differences between measured and published cells", table))
    sizes = size_table(frame, paper)
    if len(sizes):
        last = sizes.loc["average"].rename("average").reset_index()
        parts.append(_section("Sizes of trees, average over data sets", last))
    missing = missing_sets(frame, paper)
    for reason in dict.fromkeys(missing.values()):
        names = ", ".join(name for name in missing if missing[name] == reason)
        parts.append(f"Data sets without results ({reason}): {names}")
    wins = win_tie_loss(frame, paper) if not missing else pd.DataFrame({"sets": []})
    if len(wins := wins[wins["sets"] > 0]):
        parts.append(_section("Which test meets the published wins/ties/losses", agreement(wins)))
    return "\n\n".join(parts) + "\n"


def _section(title, table):
    return f"{title}\n{table.to_string(index=False, float_format='{:.4f}'.format, na_rep='')}"


def _of_file(path):
    from ranktrees.papers.reproduce import find_paper

    settings, frame = read_results(path)
    return frame, find_paper(settings["paper"])


def listing() -> str:
    """The papers that can be repeated: name, title, size of the work, methods."""
    from ranktrees.papers.catalog import PAPERS

    lines = []
    for paper in PAPERS.values():
        p = paper.protocol
        lines += [
            f"{paper.name}: {paper.title}",
            f"  {len(paper.datasets)} data sets, {p.runs} runs of {p.k} folds; methods "
            + ", ".join(method.name for method in paper.methods),
        ]
    return "\n".join(lines)
