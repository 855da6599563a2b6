"""Published figures beside measured ones: cells, averages, sizes, and whole summaries."""

from pathlib import Path
from textwrap import fill

import numpy as np
import pandas as pd

from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_lab.papers.catalog import STUDIES
from ranktrees_lab.papers.files import read_results, replace_file
from ranktrees_lab.papers.paper import ALL, PUBLISHED, SIZES, Paper, check_rows
from ranktrees_lab.papers.seconds import beside, read_seconds
from ranktrees_lab.papers.wins import agreement, standing, study_table, win_tie_loss

REPORTED = ("auc", "log-loss-clipped")
ABSENT = "not among these results"


def cell_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """Return a row per cell: published, measured, difference, honest value, in the paper's units.

    `frame` of `read_results`. `measured` is the mean over runs and folds of the reading of the
    paper, `honest` that of the one without a leak; `note` says why a printed cell has no
    measurement. Columns: table, dataset, method, measure, published, measured, difference, honest,
    note.
    """
    check_rows(frame, paper)
    keys = ["measure", "method", "reading", "dataset"]
    means = frame.groupby(keys, sort=False)["value"].mean()
    means = {key: part.droplevel(keys[:-1]) for key, part in means.groupby(keys[:-1])}
    cells = paper.cells[~paper.cells["dataset"].isin([ALL, *paper.groups])]
    parts, none = [], pd.Series(dtype=float)
    for measure, (printed, factor) in paper.protocol.printed.items():
        for method in paper.methods:
            name = method.printed or method.name
            chosen = (cells["measure"] == printed) & (cells["method"] == name)
            numbers = {"published": cells[chosen].set_index("dataset")["value"]}
            for name, reading in {"measured": PUBLISHED, "honest": method.honest}.items():
                numbers[name] = factor * means.get((measure, method.name, reading), none)
            part = pd.concat(numbers, axis=1, sort=False).rename_axis("dataset").reset_index()
            known = part["dataset"].isin(numbers["measured"].index)
            reasons = part["dataset"].map(lambda name: paper.unavailable.get(name, ABSENT))
            part = part.assign(table=method.table, method=method.name, measure=printed)
            parts.append(part.assign(note=reasons.mask(known, "")))
    head = ["table", "dataset", "method", "measure", "published", "measured", "difference"]
    table = pd.concat(parts, ignore_index=True)
    table["difference"] = table["measured"] - table["published"]
    return table[[*head, "honest", "note"]]


def average_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """Compare means over data sets, of all and of each group, with the published ones.

    `published` is the mean of the printed cells of the sets that are measured; a paper without
    cells printed it itself. Columns: group, method, measure, published, measured, honest, sets
    (how many are measured, of how many that the group has).
    """
    rows, cells, groups = [], cell_table(frame, paper), paper.all_groups
    printed = paper.cells.groupby(["dataset", "method", "measure"])["value"].mean().to_dict()
    for (method, measure), part in cells.groupby(["method", "measure"], sort=False):
        (here,) = (m for m in paper.methods if m.name == method)
        for group, names in groups.items():
            names = [name for name in names if here.datasets is None or name in here.datasets]
            measured = part[part["dataset"].isin(names) & part["measured"].notna()]
            published = measured["published"].mean()
            if np.isnan(published):
                published = printed.get((group, here.printed or method, measure), np.nan)
            means = published, *measured[["measured", "honest"]].mean()
            rows.append((group, method, measure, *means, f"{len(measured)} of {len(names)}"))
    head = ["group", "method", "measure", "published", "measured", "honest", "sets"]
    return pd.DataFrame(rows, columns=head)


def size_table(frame: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """Return mean nodes and leaves of the trees (data sets x (method, size)), and their average."""
    check_rows(frame, paper)
    part = frame[frame["measure"].isin(list(SIZES))]
    table = part.pivot_table("value", "dataset", ["method", "measure"], sort=False)
    if len(table):
        table.loc["average"] = table.mean()
    return table


def missing_sets(frame: pd.DataFrame, paper: Paper) -> dict[str, str]:
    """Return the paper's data sets without results, and the reason."""
    check_rows(frame, paper)
    names, measured = [*paper.datasets, *paper.unavailable], set(frame["dataset"])
    return {n: paper.unavailable.get(n, ABSENT) for n in names if n not in measured}


# Whole summaries


def study_report(frame: pd.DataFrame, paper: Paper) -> list[str]:
    """Return each group's means of all measures, and the reference's standing by two of them."""
    table, parts = study_table(frame, paper), []
    for group, part in table.groupby("group", sort=False):
        where = f"{group} ({part['sets'].max()} of {len(paper.all_groups[group])} data sets)"
        means = part.pivot_table("mean", "method", "measure", sort=False)
        means.columns = [name.removesuffix("-error") for name in means]
        parts.append(_section(f"Means, {where}", means, index=True))
        for measure in [m for m in REPORTED if m in paper.protocol.measures]:
            won = standing(frame, paper, paper.reference, measure, group)
            won[["p", "holm"]] = won[["p", "holm"]].map("{:.2g}".format, na_action="ignore")
            title = f"{paper.reference} against each other method by {measure}, {where}"
            parts += [_section(title, won, index=True)] if len(won) else []
    return parts


def ratios(seconds: dict[tuple[str, str], float], paper: Paper) -> pd.Series:
    """Return the median over data sets of each method's seconds, divided by the reference's."""
    times = {
        method.name: [
            seconds[dataset, method.name] / seconds[dataset, paper.reference]
            for dataset in paper.datasets
            if {(dataset, method.name), (dataset, paper.reference)} <= seconds.keys()
        ]
        for method in paper.methods
    }
    return pd.Series({name: np.median(row) for name, row in times.items() if row})


def write_summary(path) -> Path:
    """Write the cells of a results file, or a study's table, beside it: "<name>.summary.csv"."""
    settings, frame = read_results(path)
    target = Path(path).with_name(f"{Path(path).name.removesuffix('.csv')}.summary.csv")
    paper = STUDIES[settings["paper"]]
    table = (study_table if paper.reference else cell_table)(frame, paper).round(4)
    replace_file(target, table.to_csv(index=False, lineterminator="\n"))
    return target


def report(path: AnyPath) -> str:
    """Return the summary of a results file as text."""
    settings, frame = read_results(path)
    paper = STUDIES[settings["paper"]]
    if paper.reference:
        parts = [paper.title, *study_report(frame, paper)]
        if seconds := read_seconds(beside(Path(path))):
            title = f"Processor time, median over data sets, as a multiple of {paper.reference}'s"
            parts.append(_section(title, ratios(seconds, paper).to_frame("time"), index=True))
        return "\n\n".join([*parts, *_gaps(frame, paper)]) + "\n"
    cells = cell_table(frame, paper).dropna(subset=["difference"])
    off = cells["difference"].abs().groupby([cells["measure"], cells["method"]], sort=False)
    sizes = size_table(frame, paper)
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
    parts += _gaps(frame, paper)
    if not missing_sets(frame, paper) and len(wins := win_tie_loss(frame, paper).query("sets > 0")):
        parts.append(_section("Which test meets the published wins/ties/losses", agreement(wins)))
    return "\n\n".join(parts) + "\n"


def _gaps(frame, paper):
    """Return a line for each reason why data sets have no results, and one of such methods."""
    missing, lines = missing_sets(frame, paper), []
    for reason in dict.fromkeys(missing.values()):
        names = ", ".join(name for name in missing if missing[name] == reason)
        lines.append(fill(f"Data sets without results ({reason}): {names}", 100))
    measured = set(frame["method"])
    if names := [method.name for method in paper.methods if method.name not in measured]:
        lines.append(fill(f"Methods without results ({ABSENT}): {', '.join(names)}", 100))
    return lines


def _section(title, table, index=False):
    text = table.rename_axis(None)
    how = {"index": index, "float_format": "{:.4f}".format, "na_rep": ""}
    return f"{title}\n{text.to_string(**how)}"


def listing() -> str:
    """List the papers that can be repeated: name, title, size of the work, methods."""
    lines = []
    for paper in STUDIES.values():
        p, methods = paper.protocol, ", ".join(method.name for method in paper.methods)
        about = f"{len(paper.datasets)} data sets, {p.runs} runs of {p.k} folds; methods {methods}"
        for text in (f"{paper.name}: {paper.title}", f"  {about}"):
            lines.append(fill(text, 100, subsequent_indent="  "))
    return "\n".join(lines)
