"""Explore what a budget of memory costs: scans and bytes, from the tree alone."""

from collections import Counter, defaultdict
from functools import partial

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_like
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Dataset
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.grow import Stop
from ranktrees_files.scale import ALGORITHMS, Growth
from ranktrees_files.scale.rainforest import DIVISIONS
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.controls import choice, named_choice, numbers
from ranktrees_lab.plot.inputs import check_place
from ranktrees_lab.plot.rainforest import RAINFOREST, passes, rainforest
from ranktrees_lab.plot.scale import in_bytes, traffic

LEAST = 100_000  # bytes: the first budget, doubled while the tables of a node take more
BUDGETS = [LEAST * 2**k for k in range(10)]
TIMES = (1, 10, 100, 1000)  # as many rows as the tree has grown from
ROOMS = 1, 2  # nodes whose tables fit in memory
CASE = 4  # bytes of a case's number in a list of SLIQ or SPRINT


class Bill:
    """The reads and writes of growing a tree, as `rt.scale.grow` would count them.

    `growth` is the result of that function for "rf-read" and a `DecisionTree`. With `times` as many
    rows the tree is assumed to stay the same.
    """

    def __init__(self, growth, times: int = 1):
        model = growth.model
        tree, stop = model.tree_, Stop(model.max_depth, model.min_parent)
        self.tree, self.rows = tree, times * tree.counts.sum(axis=1)
        self.open = [
            np.arange(level.start, level.stop)[stop.may_split(tree.counts[level], depth)]
            for depth, level in enumerate(tree.levels)
        ]
        self.open = [nodes for nodes in self.open if len(nodes)]
        self.node_bytes = int(growth.table["tables"].iloc[0])
        sizes = [info.size for info in tree.schema]
        self.code = np.min_scalar_type(max(*sizes, tree.counts.shape[1]) - 1).itemsize
        self.A, self.row_bytes = len(sizes), self.code * (len(sizes) + 1)

    def table(self, algorithm: str, budget: int) -> pd.DataFrame:
        """Count scans, and bytes read and written, level by level."""
        log = defaultdict(Counter)
        if algorithm in DIVISIONS:
            self._part(log, DIVISIONS[algorithm], budget, self.open[0], 0)
        else:
            self._lists(log, algorithm == "sprint", budget)
        counted = {"scans": "rows", "read": "read", "written": "written"}
        columns = {head: [log[d][name] for d in sorted(log)] for head, name in counted.items()}
        frame = pd.DataFrame(columns, pd.Index(sorted(log), name="level"))
        return frame.assign(scans=(frame["scans"] / self.rows[0]).round(2))

    def _blocks(self, n, budget):
        return len(list(blocks(n, self.node_bytes, budget)))

    def _part(self, log, plan, budget, nodes, depth):
        """Count RainForest's: a file whose roots are these open nodes, and the parts of it."""
        n, top = int(self.rows[nodes].sum()), depth

        def count(what, rows):
            log[depth][what] += rows * self.row_bytes
            log[depth]["rows"] += rows * (what == "read")

        if plan.fits(n, self.row_bytes, budget):
            return count("read", n)
        while len(nodes):
            if plan.is_full(len(nodes), depth - top, self.node_bytes, budget):
                count("read", n)
                count("written", int(self.rows[nodes].sum()))
                sizes = self.row_bytes, self.node_bytes, budget
                for part in plan.parts(self.rows[nodes], *sizes):
                    self._part(log, plan, budget, nodes[part], depth)
                return None
            count("read", n * self._blocks(len(nodes), budget))
            depth += 1
            below = self.open[depth] if depth < len(self.open) else nodes[:0]
            nodes = below[np.isin(self.tree.parent[below], nodes)]
        return None

    def _lists(self, log, sprint, budget):
        """Count SLIQ's or SPRINT's: entries of a code, a case and, with SPRINT, a class."""
        entry, n = CASE + self.code * (1 + sprint), int(self.rows[0])

        def count(depth, what, entries):
            log[depth][what] += entries * entry
            log[depth]["rows"] += entries / self.A * (what == "read")

        log[0].update(read=n * self.row_bytes * (2 - sprint), rows=n * (2 - sprint))
        count(0, "read", self.A * n)  # to sort the lists
        count(0, "written", 2 * self.A * n)
        for depth, nodes in enumerate(self.open):
            here = int(self.rows[nodes].sum()) if sprint else n
            count(depth, "read", self.A * here * self._blocks(len(nodes), budget))
            attribute = self.tree.attribute[nodes]
            tested = int(self.rows[nodes[attribute >= 0]].sum())
            count(depth, "read", tested if sprint else n * len(set(attribute[attribute >= 0])))
            if sprint:
                count(depth, "read", self.A * here)
                below = self.open[depth + 1] if depth + 1 < len(self.open) else []
                count(depth, "written", self.A * int(self.rows[below].sum()))


def budget_explorer(growth: Growth) -> Explorer:
    """Explore the memory budget: scans by level, and bytes of all algorithms.

    `growth`: what `rt.scale.grow(model, scan, "rf-read")` gave for a `DecisionTree`. Nothing is
    grown again: the counts of the tree's nodes determine what each algorithm reads and writes.
    """
    check_like("the growth that rt.scale.grow gives", growth, "model", "table")
    bills = {times: Bill(growth, times) for times in TIMES}
    n, least = int(bills[1].rows[0]), bills[1].node_bytes

    def tables(budget, times):
        return {name: bills[times].table(name, budget) for name in ALGORITHMS}

    def draw(algorithm, budget, times):
        shown = tables(budget, times)
        heading = f"{algorithm}: {times * n:,} rows, {in_bytes(budget)}"
        fig = traffic(shown, algorithm, heading)
        fits = budget // bills[times].node_bytes
        fig.alt = (
            f"{times * n:,} rows and a budget of {in_bytes(budget)}, room for the tables of {fits} "
            f"nodes. {fig.alt}"
        )
        levels = range(len(bills[times].open))
        head = ["level", *map(str, levels)]
        counts = [str(len(nodes)) for nodes in bills[times].open]
        return fig, table_html(head, [["open nodes", *counts]])

    budgets = [b * 2 ** max(0, (least - 1) // LEAST).bit_length() for b in BUDGETS]
    places = [(in_bytes(b), b) for b in budgets]
    rows = [(f"{times * n:,}", times) for times in TIMES]
    return Explorer(
        draw,
        {"tables": tables},
        algorithm=choice("algorithm", list(ALGORITHMS), "rf-read"),
        budget=choice("budget", places, places[0][1], slider=True),
        times=choice("rows", rows, 1),
    )


def rainforest_explorer(
    model: GrownTree, data: Dataset, algorithm: str = "RF-Read", room: int = 1, step: int = 0
) -> Explorer:
    """Explore RainForest's passes over the rows of a small Dataset, a row at each step.

    `model` is a fitted tree and `data` its at most twenty training cases; `room` is how many AVC
    groups fit in memory at first. Raises ValueError for an unknown algorithm, and for a step that
    does not exist.
    """
    check_place("step", step, len(passes(model, data, algorithm, room)))

    def draw(algorithm, room, step):
        return rainforest(model, data, algorithm, room, step), ""

    def steps(now):
        last = len(passes(model, data, now["algorithm"], now["room"])) - 1
        first = step if (now["algorithm"], now["room"]) == (algorithm, room) else 0
        return numbers("step", 0, last, 1, first, follows=("algorithm", "room"))

    return Explorer(
        draw,
        {"passes": partial(passes, model, data)},
        algorithm=named_choice("algorithm", RAINFOREST, algorithm),
        room=choice("room for", [(f"{n} node{'s' * (n > 1)}", n) for n in ROOMS], room),
        step=steps,
    )
