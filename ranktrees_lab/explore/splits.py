"""Explore one split: of any data set by any criterion, and a CITree's splits node by node."""

import math
from functools import cache, cached_property

import numpy as np

from ranktrees_engine.basics.arguments import DATASET, check_like, check_seed
from ranktrees_engine.basics.kinds import Dataset
from ranktrees_engine.criteria.criteria import CRITERIA
from ranktrees_engine.criteria.split import subset
from ranktrees_engine.growing.count import tally
from ranktrees_engine.reading.bins import exact
from ranktrees_lab import plot
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.candidates import Candidates
from ranktrees_lab.explore.controls import Control, named_choice, numbers
from ranktrees_lab.plot.dependence import candidates_and_tree
from ranktrees_lab.plot.inputs import frame_and_classes, one_attribute
from ranktrees_lab.plot.splits import Cuts, judged
from ranktrees_lab.plot.style import LETTERS, cases

LINES = 24 if LETTERS == 1 else 17  # of a tree in words that fit a window
SIDE_BY_SIDE = "<div style='display:flex'><div>{}</div><div style='margin-left:2em'>{}</div></div>"


def split_explorer(
    data: Dataset, attribute: str | None = None, criterion: str = "information_gain"
) -> Explorer:
    """Explore all splits of a data set's root: attribute, threshold, criterion.

    It shows the table, the children, every criterion's score and where each would cut. Numbers and
    ordered attributes are cut in two; a nominal attribute has a branch per value.
    """
    check_like(DATASET, data, "X", "y")
    names = [str(name) for name in data.X]
    splits = cache(lambda attribute: Splits(data, attribute))

    def draw(attribute, threshold, criterion):
        known = splits(attribute)
        if not known.drawable:
            picture = plot.Picture((4.0, 0.4))
            why = "missing or too far apart: nothing can be drawn"
            picture.alt = f"The values of {attribute} are {why}."
            return picture, ""
        cut = known.snap(threshold, criterion)
        picture = plot.split(data, attribute, threshold=cut, criterion=criterion)
        return picture, known.describe(threshold if cut is None else cut, criterion)

    return Explorer(
        draw,
        attribute=named_choice("attribute", names, attribute, none=True),
        threshold=lambda now: splits(now["attribute"]).slider(now["criterion"]),
        criterion=named_choice("criterion", CRITERIA, criterion),
    )


class Splits:
    """The splits of one attribute: its known `values` (n,) and their classes `y` (n,)."""

    def __init__(self, data, attribute):
        column, self.values, self.y, self.classes = one_attribute(data, attribute)
        self.name = column.name
        self.nominal = column.kind == "nominal"
        self.texts = None if column.kind == "numeric" else [str(v) for v in column.categories]
        with np.errstate(over="ignore"):
            self.drawable = bool(len(self.values) and np.isfinite(np.ptp(self.values)))
        self.cuts = cache(self._cuts)

    def _cuts(self, criterion) -> Cuts:
        """Return all cuts in two, scored by a criterion."""
        values = self.values.astype(float)
        return Cuts.of(values, self.y, len(self.classes), criterion, self.texts)

    def slider(self, criterion) -> Control:
        """Offer a slider over the cuts in steps of a power of ten, from the criterion's best."""
        cuts, step, follows = self.midpoints, self.step, ("attribute",)
        if not step:
            return numbers("threshold", 0.0, 1.0, 0.1, 0.0, False, follows)
        best = self.cuts(criterion).best
        low, high = math.floor(cuts[0] / step) * step, math.ceil(cuts[-1] / step) * step
        start = cuts[0] if best is None else best
        return numbers("threshold", low, high, step, start, True, follows, readout_format=".4g")

    @cached_property
    def midpoints(self) -> np.ndarray:
        """Cuts (K,) between neighbouring values; empty if nothing can be cut."""
        return np.zeros(0) if self.nominal or not self.drawable else exact(self.values)

    @property
    def step(self) -> float:
        """Step of the slider, a fiftieth of the cuts' span or less; 0 without cuts."""
        cuts = self.midpoints
        span = (float(np.ptp(cuts)) or abs(float(cuts[0])) or 1.0) / 50 if len(cuts) else 0.0
        return 10.0 ** math.floor(math.log10(span)) if span > np.finfo(float).tiny else 0.0

    def snap(self, threshold, criterion) -> float | None:
        """Return the best cut if within half a step, else the threshold; None without cuts."""
        if not len(self.midpoints):
            return None
        best = self.cuts(criterion).best
        return best if best is not None and abs(best - threshold) < self.step / 2 else threshold

    def describe(self, threshold, criterion) -> str:
        """Describe, in HTML, the children's table and the scores of all criteria."""
        if self.nominal:
            code, names = self.values, [f"= {v}" for v in self.texts]
        else:
            below = self.cuts(criterion).words(threshold)
            code, names = self.values > threshold, [below, below.replace("<=", ">", 1)]
        table = tally((len(names), len(self.classes)), code.astype(np.intp), self.y)
        rows = [(name, *row, row.sum()) for name, row in zip(names, table, strict=True)]
        children = table_html([self.name, *self.classes, "cases"], rows)
        head, which = ["criterion", "score here", "its best cut", "score there"], list(CRITERIA)
        scores = [(name, *self.judge(name, table)) for name in which]
        scores = table_html(head, scores, ".3g", bold=which.index(criterion))
        return SIDE_BY_SIDE.format(children, scores)

    def judge(self, criterion, table) -> tuple:
        """Return a criterion's score of a table, the best cut in two, and the score of that."""
        score = judged(table, criterion)[0]
        shown = "-" if score is None else score
        if self.nominal:
            if judged(table[:2], criterion)[0] is None:
                return "-", "two classes only", ""
            best, branch = subset(table, CRITERIA[criterion])
            side = [v for v, b in zip(self.texts, branch, strict=True) if b == 0]
            return shown, "{" + ", ".join(side) + "} | rest", best
        cuts = self.cuts(criterion)
        if cuts.best is None:
            return shown, "two classes only" if len(cuts.tables) else "nothing to cut", ""
        return shown, cuts.words(cuts.best), cuts.score.max()


def citree_growth_explorer(data: Dataset, seed: int = 1) -> Explorer:
    """Explore a CITree's growth, node by node: candidates, the split, whether it stays.

    `data` a Dataset; `seed` deals the inner folds. Each node that is tried has three steps; it
    opens with the whole tree.
    """
    check_seed(seed)
    X_y = frame_and_classes(data)

    @cache
    def grown(seed):
        found = Candidates(*X_y, seed=seed)
        return found, list(found.opened())

    def draw(step, seed):
        return draw_growth(*grown(seed), *divmod(step - 1, 3))

    def steps(now):
        last = 3 * len(grown(now["seed"])[1])
        return numbers("step", 1, last, 1, last, follows=("seed",))

    deal = numbers("deal of folds", 0, max(30, seed), 1, seed)
    return Explorer(draw, {"nodes": lambda seed=seed: grown(seed)[1]}, step=steps, seed=deal)


def draw_growth(found, nodes, place, stage):
    """Draw node number `place` of those opened, in stage 0, 1 or 2, beside the tree so far."""
    node = nodes[place]
    lines, words = outline(found, nodes[: place + 1], stage), ["the root"]
    if node.path:
        words = [_test(found, name, code) for name, code in node.path]
    rows = min(max(len(outline(found, nodes, 2)) + 2, min(len(nodes[0].frame), 20)), LINES)
    here = next(k for k, (_, _, look) in enumerate(lines) if look == "here")
    lines = lines[max(0, min(here - LINES // 2, len(lines) - LINES)) :][:LINES]
    fig = candidates_and_tree(node.frame, node.alone, node.best, stage, lines, rows)
    (first, second), last = node.frame.loc[node.best], "stays" if node.stays else "goes"
    worst = node.frame["choosing"].min()
    said = (
        f"on the first folds {len(node.frame)} candidates have from {worst:.3f} to {first:.3f}, "
        f"the node alone {node.alone[0]:.3f}",
        f"best on the first folds is {node.best} with {first:.3f}, alone {node.alone[0]:.3f}",
        f"on the second folds {node.best} has {second:.3f}, alone {node.alone[1]:.3f}: it {last}",
    )
    n = cases(len(node.cases))
    head = f"Node {place + 1} of {len(nodes)} that are tried, {' and '.join(words)}, {n}"
    fig.alt = f"{head}. Step {stage + 1}: {said[stage]}."
    return fig, ""


def outline(found, nodes, stage) -> list[tuple[int, str, str]]:
    """List the tree after these `nodes`, the last one in this stage: (depth, text, look) by line.

    The look is "here" for the last node, "new" or "gone" for its branches, and else "".
    """
    known, lines = {node.path: node for node in nodes}, []

    def add(path, rows, look):
        name = _test(found, *path[-1]) if path else "all"
        node = known.get(path)
        here = node is nodes[-1]
        lines.append((len(path), f"{name}: {len(rows)}", "here" if here else look))
        if node is None or not (stage > 0 if here else node.stays):
            return
        look = "" if not here else "new" if stage == 1 or node.stays else "gone"
        code = found.codes.values[rows, found.names.index(node.best)]
        for v in np.unique(code).tolist():
            add((*path, (node.best, v)), rows[code == v], look)

    add((), np.arange(len(found.y)), "")
    return lines


def _test(found, name, code):
    return f"{name} {found.codes.schema[found.names.index(name)].describe([code])}"
