"""What must come out alike on 32 bits: rows of work, each a title and the numbers that it gives."""

import sys
import warnings

import numpy as np
import pandas as pd

import ranktrees as rt
from ranktrees import plain
from ranktrees_engine.estimates import ESTIMATES
from ranktrees_engine.evaluate.fitting import fit_each
from ranktrees_engine.growing.count import tally
from ranktrees_engine.reading.encoder import Codes
from tools.processors import models

LARGE, SMALL = 100_000, 300  # cases: a product of two counts of the first is beyond 32 bits
TWO_BRANCHES = "twoing", "orthogonal", "kolmogorov_smirnov"
SLOW = "CITree", "NBTree", "PathForest", "PathForest learnt"
SOME = "information_gain", "gini", "chi_squared"  # of the criteria
PLAIN = {"gini": "gini_gain"}  # other names there


def cases(n, seed=1):
    """Cases with two numbers and a category, of two classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 4, n).astype(float), "b": rng.random(n).round(3)})
    X["c"] = pd.Categorical(rng.choice(list("xyz"), n))
    return X, np.where(rng.random(n) < 0.2 + 0.5 * (X["b"] > 0.5), "p", "n")


def fits():
    """Yield each model's probabilities: few cases, whole weights of them, and many cases."""
    (X, y), (many, of_many) = cases(SMALL), cases(LARGE)
    weight = np.random.default_rng(5).integers(1, 400, SMALL)
    for title, model in models().items():
        criterion, split = (*title.split(), "")[:2]
        if split == "multiway" and criterion in TWO_BRANCHES:
            continue
        yield f"{title}, few", model.fit(X, y).predict_proba(X)
        is_tree = title.endswith("binary thresholds") and criterion in SOME
        if is_tree or title[0].isupper():
            yield f"{title}, weights", _weighed(model, X, y, weight)
        if is_tree or (title[0].isupper() and title not in SLOW):
            yield f"{title}, many", model.fit(many, of_many).predict_proba(many[:SMALL])


def _weighed(model, X, y, weight):
    try:
        return model.fit(X, y, sample_weight=weight).predict_proba(X)
    except (TypeError, ValueError) as error:  # a model that takes none says so on any processor
        return np.frombuffer(str(error).encode(), np.uint8)


def tables():
    """Yield criteria of tables whose counts, and whose integers, are large and narrow."""
    n = np.array([[60_000, 50_000], [10_000, 90_000]])
    for name, criterion in rt.CRITERIA.items():
        yield f"criterion {name}, counts of 32 bits", criterion(n.astype(np.int32))
        yield f"criterion {name}, of many tables", criterion(np.tile(n, (2000, 1, 1)))[:3]
        yield f"plain {name}", getattr(plain.criteria, PLAIN.get(name, name))(_default(n))
    codes = np.arange(LARGE) % 2
    yield "counts that are multiplied", tally((2, 2), codes, codes) ** 2
    yield "a fit with rows of 64 bits", _with_rows()
    yield "codes of 64 bits", _with_codes()
    bagging = rt.Bagging(rt.C44(), n_models=3)
    X, y = cases(SMALL)
    fitted = rt.C44().fit(X, y)
    for name in ESTIMATES:
        yield f"estimate {name}", fitted.with_estimate(name).predict_proba(X)
    votes = rt.load("vote")  # whose tree has several levels: keys of node, score and class
    X, y = votes.X.iloc[::2], votes.y[::2]
    yield "sort keys", rt.CITree().fit(X, y).predict_proba(X)
    yield "rows drawn", bagging.fit(X, y).predict_proba(X)


def _default(n):
    """Return a table of NumPy's default integers, as code of 32 bits makes it."""
    return n.astype(np.int32) if "bits32" in sys.modules else n


def _with_rows():
    X, y = cases(SMALL)
    rows = np.arange(0, SMALL, 2, dtype=np.int64)
    (model,) = fit_each(rt.C45(), X, y, [rows])
    return model.predict_proba(X)


def _with_codes():
    X, y = cases(SMALL)
    codes = rt.Encoder().fit_transform(X)
    codes = Codes(codes.values.astype(np.int64), codes.schema)
    return rt.DecisionTree().fit(codes, y).predict_proba(codes)


def measures():
    """Yield measures of as many cases as a class has in a large table."""
    rng, n = np.random.default_rng(3), 2 * LARGE
    y = rng.integers(0, 3, n)
    score = rng.random((n, 3)).round(3)
    ranks = rt.evaluate.midranks(score[:, 0])
    positive, negative = (np.count_nonzero(y == c) for c in (1, 0))
    two = y < 2
    yield "AUC", rt.auc(y[two], score[two, 1])
    yield (
        "AUC from ranks",
        rt.evaluate.auc_from_ranks(
            rt.evaluate.midranks(score[two, 1])[y[two] == 1].sum(),
            np.int32(positive),
            np.int32(negative),
        ),
    )
    yield "ranks", ranks[:SMALL]
    yield "M of three classes", rt.evaluate.hand_till(y, score)
    yield "M of class codes", rt.evaluate.hand_till(y, score, range(3))
    yield "A of each pair", rt.evaluate.pairwise_auc(y, score)
    yield "hold-out", rt.evaluate.holdout(y.astype(str), 1 / 3)[1][:SMALL]
    yield "folds", rt.evaluate.stratified_folds(y.astype(str))[:SMALL]
    bins = rt.Encoder(discretize="equal-frequency", n_bins=40_000)
    yield "many bins", bins.fit_transform(pd.DataFrame({"x": rng.random(n)})).values[:SMALL]


def main(file):
    """Write all rows."""
    warnings.simplefilter("ignore")
    rows = {title: each for part in (fits, tables, measures) for title, each in part()}
    np.savez(file, **rows)
