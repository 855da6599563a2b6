"""Explore the search of a CITree: choose the root's test yourself, and see what it does."""

import html

import ipywidgets as widgets
import numpy as np
import pandas as pd

from ranktrees.arguments import choose
from ranktrees.citree import SCORINGS, Candidates
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.choices import choices
from ranktrees.teach.plot.dependence import dependence_beyond_chance, mean_of_pairs
from ranktrees.teach.plot.inputs import frame_and_classes, unknown
from ranktrees.teach.plot.picture import Picture
from ranktrees.ties import TIE


def citree(data, root=None, scoring: str = "auc", seed: int = 1, min_cases: int = 5):
    """An explorer of the root of a CITree: every candidate's score, dependence and ROC curve.

    `data` a Dataset; `root` the attribute to test, by default the algorithm's choice; `scoring`
    "auc", "accuracy" or "log_loss"; `seed` deals the inner folds; a branch with fewer cases than
    `min_cases` gives 1/C. Numbers are in bins.
    """
    return CITreeExplorer(data, root, scoring, seed, min_cases)


class CITreeExplorer(Explorer):
    """The widget behind `rt.explore.citree`."""

    def __init__(self, data, root=None, scoring="auc", seed=1, min_cases=5):
        choose("scoring", scoring, SCORINGS)
        self.data, self.figure, self.found = data, Picture(), {}
        start = self.candidates(scoring, seed, min_cases)
        names = list(start.frame.index)
        root = start.best if root is None else root
        if root not in names:
            raise unknown("attribute", root, names)
        self.dependence = self._dependence(start)
        size = {"description": "min_cases", "min": 1, "max": max(50, min_cases, len(start.y) // 2)}
        super().__init__(
            {
                "root": widgets.Dropdown(options=names, value=root, description="root"),
                "scoring": widgets.Dropdown(
                    options=list(SCORINGS), value=scoring, description="scoring"
                ),
                "seed": widgets.IntSlider(min=0, max=30, value=seed, description="seed"),
                "min_cases": widgets.IntSlider(value=min_cases, **size),
            }
        )

    def candidates(self, scoring, seed, min_cases) -> Candidates:
        """The candidates of these settings, searched once."""
        key = scoring, seed, min_cases
        if key not in self.found:
            self.found[key] = Candidates(*frame_and_classes(self.data), *key)
        return self.found[key]

    def _dependence(self, found):
        """Mean bits between the pairs of the other attributes, before and after each split."""
        values, rows = found.codes.values, []
        before = dependence_beyond_chance(values, found.y)
        for a in found.known:
            rest = np.delete(np.arange(values.shape[1]), a)
            if len(rest) < 2:
                rows.append((0.0, 0.0))
                continue
            group = found.y * (int(values[:, a].max()) + 1) + values[:, a].astype(np.intp)
            after = dependence_beyond_chance(values[:, rest], group)
            rows.append((mean_of_pairs(before[np.ix_(rest, rest)]), mean_of_pairs(after)))
        return pd.DataFrame(rows, found.frame.index, ["before", "after"])

    def draw(self, root, scoring, seed, min_cases):
        """All candidates with the root marked, dependence beside them, and the ROC curves."""
        found = self.candidates(scoring, seed, min_cases)
        scores = {"unsplit": found.proba(None)[:, -1], root: found.proba(root)[:, -1]}
        positive = found.y == len(found.classes) - 1
        words = {"auc": "AUC", "accuracy": "accuracy", "log_loss": "log likelihood a case"}
        picture = choices(
            found.frame,
            found.alone,
            self.dependence,
            root,
            found.best,
            (positive, scores, str(found.classes[-1])),
            words[scoring],
            self.figure,
        )
        kept = found.frame["pruning"][root] > found.alone[1] + TIE
        verdict = "the split stays" if kept else "the split is pruned away"
        whose = "" if root == found.best else f" (the algorithm takes {found.best})"
        picture.alt = f"Root {root}{whose}: {verdict}. {picture.alt}"
        return picture, f"<p>{html.escape(picture.alt)}</p>" + self._table(found, root)

    def _table(self, found, root):
        """Your root beside the algorithm's and the unsplit node."""
        rows = []
        for who, name in {"yours": root, "the algorithm's": found.best}.items():
            scores = [f"{s:.3f}" for s in found.frame.loc[name]]
            bits = [f"{b:.3f}" for b in self.dependence.loc[name]]
            rows.append([who, name, *scores, *bits])
        rows.append(["no split", "", *[f"{s:.3f}" for s in found.alone], "", ""])
        head = ["", "root", "first folds (choose)", "second folds (prune)"]
        return table_html([*head, "dependence before", "after (bits)"], rows, bold=0)
