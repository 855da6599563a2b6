"""The search in the open: every candidate, its scores and its probabilities, node by node."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number, check_seed, choose
from ranktrees_engine.basics.kinds import ArrayLike, Frame
from ranktrees_engine.basics.ties import TIE, first_best
from ranktrees_engine.citree.propose import FOLDS, BestRanking, InnerFolds, Rule
from ranktrees_engine.citree.scoring import SCORINGS, log_proba
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.reading.encoder import Encoder
from ranktrees_engine.reading.labels import read_classes


class Opened(NamedTuple):
    """A node that is tried: `path` of pairs (attribute, code) from the root, and its `cases` (n,).

    `frame` and `alone` as in `Candidates`; `best` is the attribute that was chosen, and `stays`
    says whether its split ranks better on the second folds than the node alone.
    """

    path: tuple
    cases: np.ndarray
    frame: pd.DataFrame
    alone: np.ndarray
    best: str
    stays: bool


class Candidates:
    """The attributes that a root may test, and the results of naive Bayes in their branches.

    X (n, A) and y (n,) as for `CITree`, and parameters of the same names; numbers are in bins.

    Every case gets its probabilities from the cases of other folds: those of the first deal
    (`which` 0), which chooses, or of the second (1), which decides whether the split stays. `frame`
    has both scores by attribute, `alone` (2,) those of the root's own naive Bayes. Raises
    ValueError for a single class, and if every attribute is constant.
    """

    def __init__(
        self,
        X: Frame,
        y: ArrayLike,
        scoring: str = "auc",
        seed: int = 1,
        min_cases: int = 5,
        inner_folds: int = 5,
        folds: str = "global",
    ):
        choose("scoring", scoring, SCORINGS)
        choose("folds", folds, FOLDS)
        check_seed(seed)
        check_number("min_cases", min_cases, 1, whole=True)
        check_number("inner_folds", inner_folds, 2, whole=True)
        self.codes = Encoder().fit_transform(X, y)
        self.y, self.classes = read_classes(y, "Candidates")
        self.names = [info.name for info in self.codes.schema]
        n, C = len(self.y), len(self.classes)
        sets = TrainingSets.single(self.codes, self.y)
        dealt = InnerFolds(sets.root, self.y, inner_folds, folds, seed)
        rule = Rule(scoring, inner_folds, folds, min_cases)
        self.search = BestRanking(sets, C, dealt, rule)
        counts = np.bincount(self.y, minlength=C)[None]
        levels = self.search.levels(np.arange(n), np.zeros(n, np.intp), counts)
        _, self.level = next(levels)
        self.frame, self.alone = self._judged(self.level)
        if self.frame.empty:
            raise ValueError("every attribute is constant: there is no candidate to test")

    @property
    def best(self) -> str:
        """Attribute of the best score, the first of several: the algorithm's choice."""
        return _best(self.frame)

    def fold(self, which: int) -> np.ndarray:
        """Return each case's fold (n,) at the root, in the first deal (0) or the second (1)."""
        check_number("which", which, 0, whole=True, most=1)
        return self.search.folds.deal(which, self.level.cases, self.level.node)

    def joint(self, attribute: str | None, which: int) -> np.ndarray:
        """Return log joint probabilities (n, 1, R) from an attribute's branches, or unsplit."""
        check_number("which", which, 0, whole=True, most=1)
        if attribute is None:
            return self.search.as_leaves(self.level, which)
        choose("attribute", attribute, self.names)
        some = np.array([self.names.index(attribute)])
        return self.search.branches(self.level, some, ~self.level.path, which)

    def proba(self, attribute: str | None, which: int = 1) -> np.ndarray:
        """Return cross-validated probabilities (n, C) from an attribute's branches, or unsplit."""
        return np.exp(log_proba(self.joint(attribute, which)))[:, 0]

    def opened(self) -> Iterator[Opened]:
        """Yield the nodes that a CITree tries, depth first: a removed split ends its path."""
        waiting = [((), np.arange(len(self.y)))]
        while waiting:
            path, cases = waiting.pop()
            node = self._open(path, cases)
            if node is None:
                continue
            yield node
            if node.stays:
                a = self.names.index(node.best)
                code = self.codes.values[cases, a]
                for v in np.unique(code)[::-1].tolist():
                    waiting.append(((*path, (node.best, v)), cases[code == v]))

    def _open(self, path, cases):
        search, counts = self.search, np.bincount(self.y[cases], minlength=len(self.classes))
        if len(cases) < search.rule.min_cases or np.count_nonzero(counts) < 2:
            return None
        search.on_path[:, [self.names.index(name) for name, _ in path]] = True
        _, level = next(search.levels(cases, np.zeros(len(cases), np.intp), counts[None]))
        search.on_path[:] = False
        frame, alone = self._judged(level)
        if frame.empty:
            return None
        best = _best(frame)
        return Opened(path, cases, frame, alone, best, frame["pruning"][best] > alone[1] + TIE)

    def _judged(self, level):
        """Return a node's candidates with scores, and the node's own scores, on both deals."""
        scores = np.array([self.search.scores(level, which)[0] for which in (0, 1)])
        known = np.flatnonzero(scores[0] > -np.inf)
        names, deals = [self.names[a] for a in known], ["choosing", "pruning"]
        told = level.y, level.node, level.counts
        alone = [self.search.score_of(self.search.as_leaves(level, t), *told) for t in (0, 1)]
        return pd.DataFrame(scores[:, known].T, names, deals), np.ravel(alone)


def _best(frame):
    return frame.index[int(first_best(frame["choosing"].to_numpy()))]
