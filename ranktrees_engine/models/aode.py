"""AODE: the mean of naive Bayes models in which all attributes also depend on one of them."""

from itertools import pairwise
from typing import NoReturn

import numpy as np

from ranktrees_engine.basics.arguments import integer, one_of, real
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Case, ClassWeight, Explanation, Input
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.bayes import tables
from ranktrees_engine.bayes.cpt import check_cells
from ranktrees_engine.estimator.params import param
from ranktrees_engine.explain.votes import explain_aode
from ranktrees_engine.models.naive_bayes import FactoredBayes
from ranktrees_engine.reading.bins import DISCRETIZERS, check_bins

MOST = 1 << 27  # cells of the table of pairs: a gigabyte; fitting takes three


class AODE(FactoredBayes):
    """Averaged one-dependence estimators (Webb, Boughton & Wang 2005, Machine Learning 58).

    P(c, x) is the mean, over the attributes i whose value is frequent enough, of P(c, x_i) times
    the product over all others of P(x_j | c, x_i). Laplace estimates are (n_ci + 1)/(N_i + C V_i),
    N_i the cases whose value of i is known, and (n_cij + 1)/(n_ci' + V_j), n_ci' those of the n_ci
    cases whose value of j is known. Formulas and default are those of Weka's AODE; the paper uses
    `min_count` 30. If no value is frequent enough, naive Bayes predicts.

    Parameters
    ----------
    min_count : least number (or weight) of cases with a value for its attribute to be a parent.
    discretize, n_bins, missing, class_weight, seed : as in `NaiveBayes`; numbers become bins.

    Attributes: those of `NaiveBayes`, `pairs_` (M, M, C) the cases with two values, and
    `pair_tables_` (M + 1, M + 1, C) log P(first | class, second), 0 where one takes no part, as in
    row M, and within an attribute; `parents_` (M + 1, C) log P(class, value), -inf where too rare.

    A missing value, or one not seen in `fit`, is neither parent nor child. Raises ValueError if the
    table of pairs would have more than 2**27 cells.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> AODE().fit(data.X, data.y).predict_proba(data.X[:2]).round(3).tolist()
    [[0.814, 0.186], [0.868, 0.132]]
    """

    learnt = "pairs_ pair_tables_ parents_"
    smoothing, m, numeric = "laplace", 0, "bins"  # no parameters here
    min_count: float = param(default=1, check=real(1))
    discretize: str = param(default="equal-width", check=one_of(*DISCRETIZERS))
    n_bins: int = param(default=10, check=lambda _, n_bins: check_bins(n_bins))
    missing: str = param(default="skip", check=one_of("skip", "impute", "value", "error"))
    class_weight: ClassWeight = param(default=None)
    seed: int = param(default=1, check=integer(0, most=np.inf))

    def _start_counts(self):
        super()._start_counts()
        sizes, (M, C) = np.diff(self.offsets_), self.counts_.shape
        widest = self.schema_[sizes.argmax()].name
        advice = f"leave {widest!r} out, which has {sizes.max():,} values, or put some together"
        check_cells("the table of pairs of values", (M, M, C), advice, MOST)
        self.pairs_ = np.zeros((M, M, C), np.int64)

    def _add_counts(self, values, y, weight=None):
        super()._add_counts(values, y, weight)
        C = len(self.classes_)
        self.pairs_ = self.pairs_.astype(self.counts_.dtype, copy=False)
        for codes, (start, end) in zip(values.T, pairwise(self.offsets_), strict=True):
            known = np.flatnonzero(codes >= 0)
            both = codes[known].astype(np.intp) * C + y[known]
            weights = None if weight is None else weight[known]
            counts = tables.count(values[known], both, self.offsets_, (end - start) * C, weights)
            self.pairs_[:, start:end] += counts.reshape(len(counts), end - start, C)

    def _set_tables(self):
        super()._set_tables()
        (M, C), sizes = self.counts_.shape, np.diff(self.offsets_)
        known = np.add.reduceat(self.counts_.sum(axis=1), self.offsets_[:-1])
        n, size = (np.repeat(of, sizes)[:, None] for of in (known, C * sizes))
        parents = log(tables.smoothed_shares(self.counts_, n, size, "laplace", 0))
        parents[self.counts_.sum(axis=1) < self.min_count] = -np.inf
        self.parents_ = np.concatenate([parents, np.full((1, C), -np.inf)])
        self.pair_tables_ = np.zeros((M + 1, M + 1, C))
        for part in blocks(M, M * C):  # parents, whose values and classes are columns
            shares = self.pairs_[:, part].reshape(M, -1)
            shares = tables.conditional_tables(shares, self.offsets_, "laplace", 0)
            self.pair_tables_[:M, part] = log(shares).reshape(M, -1, C)
        for start, end in pairwise(self.offsets_):
            self.pair_tables_[start:end, start:end] = 0  # no attribute is its own child
        return self

    def log_estimates(self, X: Input) -> np.ndarray:
        """Return log P(c, x) (n, A, C) with each attribute as the parent, -inf if it cannot be."""
        return self._estimates(self._read(X)[0])

    def _estimates(self, values):
        rows = tables.rows_of(values, self.offsets_)
        found = self.parents_[rows]
        for part in blocks(len(rows), rows.shape[1] * found[:1].size):
            child, parent = rows[part, :, None], rows[part, None]
            found[part] += self.pair_tables_[child, parent].sum(axis=1)
        return found

    def _proba(self, values, numbers):
        proba = super()._proba(values, numbers)
        for part in blocks(len(values), values.shape[1] * proba.shape[1]):
            joint = self._estimates(values[part])
            top = joint.max(axis=(1, 2))
            heard = np.flatnonzero(top > -np.inf)
            sums = np.exp(joint[heard] - top[heard, None, None]).sum(axis=1)
            proba[part][heard] = sums / sums.sum(axis=1, keepdims=True)
        return proba

    def explain(self, case: Case) -> Explanation:
        """Explain the probabilities of one case (a row as DataFrame, dict, Series, list, array).

        The `Explanation` has a row for each attribute: the estimate with it alone as the parent,
        and its share of the sum.
        """
        return explain_aode(self, case)

    @property
    def log_factors(self) -> NoReturn:
        """No factors, but an AttributeError: an attribute's factor also depends on the parent."""
        raise AttributeError(
            "AODE has no factor for each attribute, and Laplace alone: see log_estimates and "
            "explain, or take NaiveBayes"
        )

    with_smoothing = of_counts = log_factors
