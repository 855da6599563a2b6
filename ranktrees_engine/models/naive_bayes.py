"""Naive Bayes: the class's prior times one factor for each attribute."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Self

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import choose, integer, one_of, real
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import (
    Budget,
    Case,
    Classes,
    ClassWeight,
    Explanation,
    Input,
    Names,
    Weights,
)
from ranktrees_engine.basics.logarithms import log, normalised, tiny_is_zero
from ranktrees_engine.bayes import tables
from ranktrees_engine.estimator.classifier import Classifier, fits_whole
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.refusals import IN_FILES, refuse_of_scans, refuse_weights
from ranktrees_engine.estimator.summary import Summary
from ranktrees_engine.explain.many import Sum, naive_parts
from ranktrees_engine.explain.sql_bayes import bayes_to_sql
from ranktrees_engine.explain.votes import explain_naive
from ranktrees_engine.growing.count import offsets_of
from ranktrees_engine.reading.bins import DISCRETIZERS, check_bins
from ranktrees_engine.reading.columns import is_scan
from ranktrees_engine.reading.encoder import Codes, Encoder
from ranktrees_engine.reading.schema import AttributeInfo
from ranktrees_engine.reading.weights import bincount


class FactoredBayes(Classifier):
    """The common part of naive Bayes and AODE: columns, codes, and counts of values by class."""

    learnt = "schema_ gaussian_ offsets_ class_count_ class_prior_ counts_ tables_ fill_ "
    learnt += "means_ deviations_"
    _takes_unseen = True

    @fits_whole
    def fit(
        self, X: Input, y: Classes = None, sample_weight: Weights = None, *, budget: Budget = None
    ) -> Self:
        """Count the tables of cases X (n, A) with classes y (n,); X may be a `Codes`, too.

        Codes are used as they are, also those of bins; -1 is ignored. `sample_weight` (n,) and
        `class_weight` weigh the cases, see `rt.weights`. X may also be an `rt.scan` of files, which
        brings its classes; `budget` is then the memory for cuts ("256MB").
        """
        if is_scan(X):
            refuse_weights(self, IN_FILES, sample_weight=sample_weight)
            return X.fit(self, y, budget)
        refuse_of_scans(self, budget=budget)
        cases, y = self._read_training(X, y)
        cases, y, weight = self._weigh(cases, y, sample_weight)
        if isinstance(cases, Codes):
            values, numbers = self._read(cases)
        else:
            self._learn_columns(cases, y, weight)
            values, numbers = self._values(cases)
        C = len(self.classes_)
        moments = [tables.class_moments(x, y, C, weight) for x in numbers.T]
        self.means_, self.deviations_ = np.reshape(moments, (-1, 2, C)).swapaxes(0, 1).copy()
        self.class_count_ = bincount(y, weight, C)
        self._start_counts()
        self._add_counts(values, y, weight)
        return self._set_tables()

    def summary(self) -> Summary:
        """Return what the model was fitted on and what it learnt."""
        said = super().summary()
        return said._replace(attributes=self.schema_, n_cases=self.class_count_.sum())

    def _start_counts(self):
        sizes = [info.size for info in compress(self.schema_, ~self.gaussian_)]
        self.offsets_ = offsets_of(sizes)
        self.counts_ = np.zeros((self.offsets_[-1], len(self.classes_)), np.int64)

    def _add_counts(self, values, y, weight=None):
        """Count cases with codes (n, coded attributes) and classes y (n,), of these weights."""
        more = tables.count(values, y, self.offsets_, len(self.classes_), weight)
        self.counts_ = self.counts_ + more  # whole, until a weight is not

    def _set_tables(self):
        kind = "laplace" if self.smoothing == "laplace" else "none"
        n, C = self.class_count_.sum(), len(self.classes_)
        self.class_prior_ = tables.smoothed_shares(self.class_count_, n, C, kind, 0)
        rule = self.smoothing, self.m
        self.tables_ = log(tables.conditional_tables(self.counts_, self.offsets_, *rule))
        return self

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Return class probabilities (n, C), one column for each of `classes_`.

        For an `rt.scan` of files, return an iterator over its batches.
        """
        if is_scan(X):
            return X.predict_proba(self)
        return self._proba(*self._read(X))

    def _proba(self, values, numbers):
        joint = tables.gathered_sum(self.tables_, values, self.offsets_)
        joint += log(self.class_prior_)
        for part in blocks(len(numbers), self.means_.size):
            joint[part] += tables.log_density(numbers[part], self.means_, self.deviations_).sum(
                axis=0
            )
        return normalised(joint, self.class_prior_)

    def conditional(self, name: str) -> pd.DataFrame:
        """Return P(value | class) of one attribute, a row per value and a column per class.

        For a Gaussian the rows are the mean and the deviation.
        """
        check_fitted(self, "classes_")
        names = [info.name for info in self.schema_]
        choose("attribute", name, names)
        j = names.index(name)
        k = int(np.count_nonzero(self.gaussian_[:j] == self.gaussian_[j]))
        if self.gaussian_[j]:
            table, index = [self.means_[k], self.deviations_[k]], ["mean", "deviation"]
        else:
            table = np.exp(self.tables_[self.offsets_[k] : self.offsets_[k + 1]])
            index = self.schema_[j].labels
        return pd.DataFrame(table, pd.Index(index, name=name), pd.Index(self.classes_))

    def _read_codes(self, codes, y):
        y = super()._read_codes(codes, y)
        self._set_schema(codes.schema)
        return y

    def _set_schema(self, schema):
        self.schema_, self.gaussian_ = schema, np.zeros(len(schema), bool)
        self._names = [info.name for info in schema]

    def _refuse_missing(self, columns):
        for column in columns if self.numeric == "gaussian" else ():
            if column.kind == "numeric":
                tables.known_numbers(column, self.missing, 0.0)
        super()._refuse_missing(columns)

    def _learn_columns(self, columns, y, weight):
        gaussian = self.numeric == "gaussian"
        self.gaussian_ = np.array([gaussian and column.kind == "numeric" for column in columns])
        coded = list(compress(columns, ~self.gaussian_))
        self.encoder_ = self._encoder() if coded else None
        infos, normal, fill = {}, compress(columns, self.gaussian_), Encoder().fill_value
        self.fill_ = np.array([fill(column, weight) for column in normal], float)
        if coded:
            self.encoder_.learn(coded, y, weight)
            infos = {info.name: info for info in self._known_values(self.encoder_)}
        names = [column.name for column in columns]
        self.schema_ = tuple(infos.get(name, AttributeInfo(name, "numeric")) for name in names)

    def _encoder(self):
        missing = "value" if self.missing == "skip" else self.missing
        return Encoder("bins", self.discretize, self.n_bins, missing=missing)

    def _known_values(self, encoder):
        """Return the schema of a fitted encoder; missing="skip" codes a missing value as -1."""
        if self.missing == "skip":
            encoder.schema_ = tuple(replace(info, missing=False) for info in encoder.schema_)
        return encoder.schema_

    def _values(self, columns):
        """Return codes (n, coded attributes) and numbers (n, G) of these columns."""
        n, coded = len(columns[0].values), list(compress(columns, ~self.gaussian_))
        normal = zip(compress(columns, self.gaussian_), self.fill_, strict=True)
        numbers = [tables.known_numbers(column, self.missing, fill) for column, fill in normal]
        values = self.encoder_.apply(coded).values if coded else np.zeros((n, 0), np.int8)
        return values, np.reshape(numbers, (len(numbers), n)).T

    def _read(self, X):
        """Return codes (n, coded attributes) and numbers (n, G) of new data."""
        check_fitted(self, "classes_")
        if isinstance(X, Codes):
            if self.gaussian_.any():
                raise TypeError("Codes hold no numbers, but this NaiveBayes uses them: give it X")
            X.check(self.schema_, unseen=True)
            return X.values, np.zeros((len(X), 0))
        self._check_read()
        return self._values(self._read_new(X))


class NaiveBayes(FactoredBayes):
    """P(c | x) proportional to P(c) times the product of P(x_j | c) (Yang 2008, slides).

    Parameters
    ----------
    smoothing : "laplace": prior (n_c + 1)/(n + C), conditionals (n_cv + 1)/(n_c + V) with V
        declared values (as in Weka; n_c counts cases whose value is known); "none": plain shares;
        "m": (n_cv + m/V)/(n_c + m) with the plain prior. For a class without cases, "none" gives
        its limit, 1/V.
    m : imagined cases of the m-estimate, spread evenly over the values.
    numeric : "bins" (`discretize`, `n_bins`) or "gaussian" (mean and sample standard deviation of
        the class, with a floor: see `class_moments`).
    discretize, n_bins : as in `DecisionTree`.
    missing : "skip" (ignored in training and prediction), "impute" (mean, most frequent), "value"
        (a value of its own; not for a Gaussian) or "error".
    class_weight : as in `DecisionTree`.
    seed : part of every model's interface; naive Bayes uses no random numbers.

    Attributes: `classes_`, `class_count_` and `class_prior_` (C,), `counts_` and `tables_` (M, C),
    the counts and log conditionals of all coded attributes end to end, `offsets_` their first rows,
    `schema_`, `gaussian_` (A,) which attributes are normal, `means_` and `deviations_` (G, C).

    A value not seen in `fit` is ignored. If every class has probability zero (only without
    smoothing, or for numbers too far away for a double), the prediction is the class prior.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> NaiveBayes().fit(data.X, data.y).conditional("windy").round(2).to_numpy().tolist()
    [[0.57, 0.36], [0.43, 0.64]]
    """

    smoothing: str = param(default="laplace", check=one_of(*tables.SMOOTHINGS))
    m: float = param(default=2.0, check=real(0))
    numeric: str = param(default="bins", check=one_of("bins", "gaussian"))
    discretize: str = param(default="equal-width", check=one_of(*DISCRETIZERS))
    n_bins: int = param(default=10, check=lambda _, n_bins: check_bins(n_bins))
    missing: str = param(default="skip", check=one_of("skip", "impute", "value", "error"))
    class_weight: ClassWeight = param(default=None)
    seed: int = param(default=1, check=integer(0, most=np.inf))

    @classmethod
    def of_counts(
        cls,
        counts: np.ndarray,
        class_count: np.ndarray,
        schema: Sequence[AttributeInfo],
        classes: np.ndarray,
    ) -> "NaiveBayes":
        """Make a model with Laplace estimates from counts: (M, C) of values, (C,) of classes.

        `schema` has the attributes, whose values lie end to end in `counts`. The model predicts
        `Codes`.
        """
        model = cls()
        model._set_schema(tuple(schema))
        model.classes_, model.n_features_in_ = np.asarray(classes), len(schema)
        model.means_ = model.deviations_ = np.zeros((0, len(classes)))
        model.offsets_ = offsets_of([info.size for info in schema])
        model.counts_, model.class_count_ = counts.astype(np.int64), np.asarray(class_count)
        return model._set_tables()

    def log_factors(self, X: Input) -> np.ndarray:
        """Return log P(x_j | c) (n, A, C) by case, attribute, class; 0 for an ignored value."""
        values, numbers = self._read(X)
        factors = np.empty((len(self.schema_), len(values), len(self.classes_)))
        factors[~self.gaussian_] = tables.gather(self.tables_, values, self.offsets_)
        factors[self.gaussian_] = tables.log_density(numbers, self.means_, self.deviations_)
        return factors.swapaxes(0, 1)

    def with_smoothing(self, smoothing: str, m: float = 2.0) -> "NaiveBayes":
        """Return a fitted copy that smooths the same counts in another way."""
        check_fitted(self, "classes_")
        tables.check_smoothing(smoothing, m)
        return self._copy(smoothing=smoothing, m=m)._set_tables()

    def parts(self, X: Input) -> Sum:
        """Return the sum that each prediction is: the prior and a factor per attribute."""
        return naive_parts(self, X)

    def to_sql(self, table: str, keep: Names = ()) -> str:
        """Return a SELECT of `predict_proba` for each row of a table, otherwise as `rt.to_sql`.

        Raises ValueError for a Gaussian and for probabilities of 0.
        """
        check_fitted(self, "classes_")
        return bayes_to_sql(self, table, keep)

    def explain(self, case: Case) -> Explanation:
        """Explain the probabilities of one case (a row as DataFrame, dict, Series, list, array).

        The `Explanation` has the prior odds of the most probable class against the next, each
        attribute's P(x | c), the weightiest first, and the posterior.
        """
        return explain_naive(self, case)


def node_bayes(tree, t: int) -> NaiveBayes:
    """Return naive Bayes of node t's cases over unsettled attributes; the tree needs `tables`."""
    rest = np.flatnonzero(~tree.settled[t])
    sizes = [info.size for info in tree.schema]
    taking = np.isin(np.repeat(np.arange(len(sizes)), sizes), rest)
    schema = [tree.schema[j] for j in rest]
    return NaiveBayes.of_counts(tree.tables[t][taking], tree.counts[t], schema, tree.classes)
