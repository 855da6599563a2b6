"""Rules for printed means, cells, sizes, tables and conclusions: each states its thresholds."""

from collections.abc import Callable
from itertools import product

import pandas as pd

from ranktrees_lab.data.files import folder
from ranktrees_lab.papers.evidence import Evidence
from ranktrees_lab.papers.paper import SIZES
from ranktrees_lab.papers.rules import FAILS, HOLDS, PARTLY, Finding, better, entries, margins
from ranktrees_lab.papers.wins import verdict

MET, NEAR = 0.5, 1.0  # points of a printed mean or cell: it holds within, or partly
SIZE = 0.1  # share of a printed size


def columns(ev: Evidence, table: str) -> list[Finding]:
    """Judge the mean of each printed column: full within 0.5 points, partly within 1, else not."""
    findings = []
    for method in [m.name for m in ev.paper.methods if m.table == table]:
        cells, texts, off = ev.cells(method), [], 0.0
        if cells.empty:  # measured, but not printed
            continue
        for way in (False, True):
            means = ev.means(method, honest=way)
            met = int(((means - cells[means.index]).abs() <= MET).sum())
            off = abs(means.mean() - cells[means.index].mean())
            texts.append(f"{means.mean():.2f}, {met} of {len(means)} cells within {MET}")
        rests = f"mean of {len(means)} sets within {MET}, partly within {NEAR} points"
        findings.append(Finding(method, f"{cells.mean():.2f}", *texts, _within(off), rests))
    return findings


def average(
    ev: Evidence, method: str, measure: str = "auc", printed: float = 0, also: tuple = ()
) -> list[Finding]:
    """Judge a printed mean over all sets: points as in `columns`; sizes hold within a tenth.

    `also` other (method, measure) that the paper may have meant: if one is as near, partly.
    """
    mine = [ev.means(method, measure, honest=way).mean() for way in (False, True)]
    others = {f"{m}, {what}": ev.means(m, what).mean() for m, what in also}
    texts = [ev.text(value, measure) for value in (printed, *mine)]
    texts[1] += "".join(f"; {name} {ev.text(value, 'nodes')}" for name, value in others.items())
    if measure not in SIZES:
        said = _within(abs(mine[1] - printed))
        return [Finding("", *texts, said, f"within {MET}, partly within {NEAR} points")]
    near = [abs(value - printed) <= SIZE * printed for value in (mine[1], *others.values())]
    said = HOLDS if near[0] else PARTLY if any(near) else FAILS
    rests = f"within {SIZE:.0%}" + "; partly if another reading of the size is" * bool(also)
    return [Finding("", *texts, said, rests)]


def cell(ev: Evidence, method: str, dataset: str, printed: float) -> list[Finding]:
    """Judge a printed value of one set: thresholds as in `columns`."""
    mine = [ev.means(method, group=dataset, honest=way).mean() for way in (False, True)]
    texts = [f"{value:.2f}" for value in (printed, *mine)]
    rests = f"{dataset}: within {MET}, partly within {NEAR} points"
    return [Finding("", *texts, _within(abs(mine[1] - printed)), rests)]


def no_gain(ev: Evidence, steps: list[str], dataset: str, printed: str) -> list[Finding]:
    """Judge whether the last of several steps is no significant gain over the first on one set.

    Holds unless the corrected resampled t-test finds it better, alpha = 0.05.
    """
    ways = [
        [ev.measured(step, group=dataset, honest=way)[dataset] for step in steps] for way in (0, 1)
    ]
    texts = [", ".join(f"{grid.mean():.2f}" for grid in grids) for grids in ways]
    first, *_, last = ways[1]
    said = FAILS if verdict(last, first, ev.paper.protocol.k, "corrected") > 0 else HOLDS
    rests = f"corrected resampled t-test, {dataset}, {last.size} folds ({', '.join(steps)})"
    return [Finding("", printed, *texts, said, rests)]


def possible(ev: Evidence, table: str, of: str) -> list[Finding]:
    """Judge if each entry has no more wins, or losses, than table `of` prints higher, lower cells.

    Holds if all are possible, partly if they are with corrected names.
    """
    rows = [e for e in ev.paper.wins.itertuples(index=False) if e.table == table]
    bad = []
    for right in (False, True):
        gaps = [
            ev.cells(a) - ev.cells(b)
            for a, b in (ev.named(e) if right else (e.row, e.column) for e in rows)
        ]
        both = zip(rows, gaps, strict=True)
        bad.append(sum(e.wins > (d > 0).sum() or e.losses > (d < 0).sum() for e, d in both))
    texts = [f"{n} of {len(rows)} impossible" for n in bad]
    if ev.paper.swapped and bad[0]:
        texts[1] += ", labels exchanged"
    said = FAILS if bad[1] else PARTLY if bad[0] else HOLDS
    rests = f"printed cells of Table {of} alone, no experiment"
    return [Finding("", f"{len(rows)} entries", *texts, said, rests)]


def tests(ev: Evidence, table: str, named: str) -> list[Finding]:
    """Judge if the `named` test gives over half of the counts exactly; partly if another does."""
    rows = [e for e in ev.paper.wins.itertuples(index=False) if e.table == table]
    met = {test: [0, 0] for test in ("paired", "corrected")}
    for e, test, way in product(rows, met, (False, True)):
        found = ev.compare(*ev.named(e), e.measure, e.group, way, test)
        met[test][way] += found.counts == (e.wins, e.ties, e.losses)
    n = len(rows)
    most = {test: counts[0] > n / 2 for test, counts in met.items()}
    texts = ["; ".join(f"{test} t meets {c[way]}" for test, c in met.items()) for way in (0, 1)]
    said = HOLDS if most[named] else PARTLY if any(most.values()) else FAILS
    rests = "entries met to the last count: more than half of them by the reading as published"
    return [Finding("", f"{n} entries", *texts, said, rests)]


def _concluded(claim):
    """Return what was measured of a conclusion of the slides on Newton trees."""
    rows = pd.read_csv(folder() / "results" / "martinez2010.conclusions.csv")
    return rows[rows["claim"] == claim]


def any_datatype(ev: Evidence) -> list[Finding]:
    """Judge if trees of sets and texts rank better by a distance than by names: corrected t, 0.05.

    Holds if so on each set of `tools/conclusions.py`, partly on some.
    """
    rows = _concluded("datatype")
    texts, signs = [], []
    for name, part in rows.groupby("dataset", sort=False):
        grids = {k: some.pivot_table("value", "run", "fold") for k, some in part.groupby("variant")}
        means = {way: grid.to_numpy().mean() for way, grid in grids.items()}
        texts.append(f"{name} {means['distance']:.3f}, as names {means['names']:.3f}")
        signs.append(verdict(grids["distance"], grids["names"], 10, "corrected"))
    won = sum(sign > 0 for sign in signs)
    said = HOLDS if won == len(signs) else PARTLY if won else FAILS
    shown, rests = "; ".join(texts), "AUC of Newton trees; corrected resampled t-test, 50 folds"
    return [Finding("", "any kind of datatype", shown, shown, said, rests)]


def splits(ev: Evidence) -> list[Finding]:
    """Judge whether each node evaluates a split per attribute, however many cases there are."""
    rows, texts, met = _concluded("splits"), [], True
    for name, part in rows.groupby("dataset", sort=False):
        ways = part.groupby("variant", sort=False)["value"]
        newton, midpoints, attributes = (values for _, values in ways)
        span = f"{newton.min():.0f} to {newton.max():.0f}"
        texts.append(f"{name} cases: {span} ({midpoints.sum():.0f} midpoints)")
        met &= bool((newton == attributes.item()).all())
    shown, rests = "; ".join(texts), "splits counted in each node of the plain Newton tree"
    printed = f"{attributes.item():.0f}, the attributes"
    return [Finding("", printed, shown, shown, HOLDS if met else FAILS, rests)]


def _within(off):
    return HOLDS if off <= MET else PARTLY if off <= NEAR else FAILS


RULES: dict[str, Callable[..., list[Finding]]] = {
    rule.__name__: rule
    for rule in (
        better,
        entries,
        margins,
        columns,
        average,
        cell,
        no_gain,
        possible,
        tests,
        any_datatype,
        splits,
    )
}
