"""The search at the root, laid open: every candidate, its scores and its probabilities."""

import numpy as np
import pandas as pd

from ranktrees.arguments import choose
from ranktrees.citree.propose import BestRanking, InnerFolds, Rule
from ranktrees.citree.scoring import log_proba
from ranktrees.encode import Encoder
from ranktrees.forest import TrainingSets
from ranktrees.labels import read_classes
from ranktrees.ties import first_best


class Candidates:
    """The attributes that a root may test, and what naive Bayes in their branches says.

    X (n, A) and y (n,) as for `CITree`, and parameters of the same names; numbers are in bins.

    Every case gets its probabilities from the cases of other folds: of the first deal (`which` 0),
    which chooses, or of the second (1), which decides whether the split stays. `frame` has both
    scores by attribute, `alone` (2,) those of the root's own naive Bayes. Raises ValueError for a
    single class, and where every attribute is constant.
    """

    def __init__(self, X, y, scoring="auc", seed=1, min_cases=5, inner_folds=5, folds="global"):
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
        first, second = (self.search.scores(self.level, which)[0] for which in (0, 1))
        self.known = np.flatnonzero(first > -np.inf)
        if not len(self.known):
            raise ValueError("every attribute is constant: there is no candidate to test")
        columns = {"choosing": first[self.known], "pruning": second[self.known]}
        self.frame = pd.DataFrame(columns, [self.names[a] for a in self.known])
        self.alone = np.array([self._score(self.joint(None, t)) for t in (0, 1)])

    @property
    def best(self) -> str:
        """The algorithm's choice: the first attribute of the best score."""
        score = self.frame["choosing"].to_numpy()
        return self.frame.index[int(first_best(score))]

    def fold(self, which: int) -> np.ndarray:
        """Fold (n,) of each case at the root, in the first deal (0) or the second (1)."""
        return self.search.folds.deal(which, self.level.cases, self.level.node)

    def joint(self, attribute, which: int) -> np.ndarray:
        """Log joint probabilities (n, 1, R) from the branches of an attribute; None: unsplit."""
        if attribute is None:
            return self.search.as_leaves(self.level, which)
        choose("attribute", attribute, self.names)
        some = np.array([self.names.index(attribute)])
        return self.search.branches(self.level, some, ~self.level.path, which)

    def proba(self, attribute, which: int = 1) -> np.ndarray:
        """Cross-validated probabilities (n, C) from the branches of an attribute, or unsplit."""
        return np.exp(log_proba(self.joint(attribute, which)))[:, 0]

    def _score(self, joint):
        level = self.level
        return float(self.search.score_of(joint, level.y, level.node, level.counts)[0, 0])
