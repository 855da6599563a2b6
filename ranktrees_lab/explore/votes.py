"""Explore WPE: how the training cases of a node vote on one case."""

import numpy as np

from ranktrees_engine.basics.kinds import ArrayLike, Dataset
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.models import C45
from ranktrees_lab import plot
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.controls import choice
from ranktrees_lab.explore.paths import CLASSES, Paths, one_case_of


def wpe_votes_explorer(
    data: Dataset, case: int = 0, model: GrownTree | None = None, train: ArrayLike | None = None
) -> Explorer:
    """Explore WPE: how the training cases of a node vote on a case, and the result.

    The tree of `model` (default: C4.5's) grows on the rows `train` (default: a random half, and a
    control for new ones); `case` is a number among the other rows, and a slider goes through the
    nodes of its path, at first the last one (Wang & Zhang 2006, Eqs. 5 and 6).
    """
    on, case, new = one_case_of(data, case, C45() if model is None else model, train)

    def node_slider(now):
        names = on(now.get("split", 1)).nodes(now["case"])[1:]
        places = [(name, i) for i, name in enumerate(names)]
        return choice("node", places, len(names) - 1, ("case", *new), slider=True)

    def draw(case, node, split=1):
        paths = on(split)
        similarity, classes = voters(paths, case, node)
        picture = plot.votes(similarity, classes, paths.codes.shape[1], paths.names)
        where = f"Case {case} is of class {paths.truth[case]}. At {paths.nodes(case)[node + 1]}"
        picture.alt = f"{where}, {picture.alt}"
        return picture, _table(similarity + 1, classes, paths.names)

    return Explorer(draw, {"paths": on(1)}, case=case, node=node_slider, **new)


def voters(paths: Paths, case: int, node: int) -> tuple[np.ndarray, np.ndarray]:
    """Return shared values (N,) and classes (N,) of training cases at a path's node, 0 the root."""
    (rows, classes), x, tree = paths.model.training_, paths.codes[case], paths.model.tree_
    inside = (tree.paths()[tree.apply(rows)] == paths.passed(case)[node]).any(axis=1)
    return ((rows[inside] == x) & (x >= 0)).sum(axis=1), classes[inside]


def _table(votes, classes, names):
    """Return, in HTML, how many cases voted for a class, the sum, and what a case gave."""
    cases, given = (np.bincount(classes, w, len(names)) for w in (np.ones(len(votes)), votes))
    order = [c for c in np.argsort(-given, kind="stable")[:CLASSES] if cases[c]]
    rows = [(names[c], cases[c], given[c], given[c] / cases[c]) for c in order]
    return table_html(["class", "cases", "votes", "votes per case"], rows, ("", "g", "g", ".2f"))
