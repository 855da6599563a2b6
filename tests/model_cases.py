"""What the tests of all models share: the models, a table of every kind, equality bit for bit."""

import math
from functools import cache

import numpy as np
import pandas as pd
from oracles import quietly

import ranktrees as rt
from ranktrees_engine.estimates import CountedCases
from ranktrees_engine.evaluate.fitting import unfitted

MODELS = {
    "DecisionTree": rt.DecisionTree(),
    "binary": rt.DecisionTree("gini", "binary", estimate="m", estimate_params={"m": 3}),
    "thresholds": rt.DecisionTree(numeric="thresholds", missing="value", max_depth=4),
    "casewise": rt.DecisionTree(estimate="ling-yan"),
    "C45": rt.C45(class_weight="balanced"),
    "C44": rt.C44(),
    "C44 on numbers": rt.C44(numeric="thresholds"),
    "PathBayes": rt.PathBayes(),
    "PathForest": rt.PathForest(n_models=2),
    "CITree": rt.CITree(min_cases=2, inner_folds=2),
    "NBTree": rt.NBTree(min_parent=4, inner_folds=2),
    "NewtonTree": rt.NewtonTree(max_depth=3),
    "DistanceTree": rt.DistanceTree(missing="impute", max_depth=3),
    "CentreSplitting": rt.CentreSplitting(max_depth=3),
    "NaiveBayes": rt.NaiveBayes(),
    "gaussian": rt.NaiveBayes(numeric="gaussian"),
    "AODE": rt.AODE(min_count=2),
    "Bagging": rt.Bagging(rt.C45(), n_models=3),
}


def table(n=60, seed=0):
    """Cases with numbers, names, an order and truth, some missing, and classes they decide."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "real": rng.normal(size=n).round(1),
            "whole": rng.integers(0, 6, n),
            "word": rng.choice(list("pqr"), n).astype(object),
            "kind": pd.Categorical(rng.choice(list("abc"), n), list("abcd")),
            "size": pd.Categorical(rng.choice(list("SML"), n), list("SML"), ordered=True),
            "truth": rng.random(n) < 0.5,
        }
    )
    y = (X["real"] > 0) ^ (X["word"] == "p") ^ (rng.random(n) < 0.15)
    gaps = rng.random(X.shape) < 0.1 * X.columns.isin(["real", "word", "kind"])
    return X.mask(gaps), np.where(y, "yes", "no")


@cache
def fitted(kind, name=None):
    """A model of the table, or of a data set, and the cases X and classes y it learnt from."""
    if name is None:
        X, y = table()
    else:
        data = rt.load(name)
        step = 5 if len(data) > 100 else 1
        X, y = data.X[::step], data.y[::step]
    return quietly(unfitted(MODELS[kind]).fit, X, y), X, y


def same(one, two):
    """Equal in type, values and order, bit for bit."""
    if type(one) is not type(two):
        return False
    if isinstance(one, float) and not isinstance(one, np.generic):
        return (math.isnan(one) and math.isnan(two)) or one.hex() == two.hex()
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return same(list(one), list(two)) and same(list(one.values()), list(two.values()))
    if isinstance(one, np.ndarray):
        if one.dtype == object:
            return one.shape == two.shape and same(one.ravel().tolist(), two.ravel().tolist())
        alike = (one.dtype, one.shape) == (two.dtype, two.shape)
        return alike and np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
    if isinstance(one, pd.Index):
        text = pd.api.types.is_string_dtype(one.dtype)  # whose type depends on pandas' version
        alike = two.dtype == (object if text else one.dtype) and one.name == two.name
        return alike and same(one.tolist(), two.tolist())
    if hasattr(one, "__dict__") and type(one).__module__.startswith("ranktrees"):
        parts = [kept(o, CASES if without_cases(two) else ()) for o in (one, two)]
        return parts[0].keys() == parts[1].keys() and all(
            same(value, parts[1][name]) for name, value in parts[0].items()
        )
    return bool(one == two)


CASES = {"training_", "weight_", "gaps_", "ended_", "cases_", "cases"}  # of a tree, its estimate


def without_cases(value):
    """Whether a tree was saved without its training cases, or belongs to one that was."""
    cases = getattr(value, "cases_", getattr(value, "cases", None))
    return isinstance(cases, CountedCases)


def kept(value, left_out):
    """What a file keeps of a value: all but what is computed when it is asked for."""
    cached = [
        name
        for name in vars(value)
        if type(getattr(type(value), name, None)).__name__ == "cached_property"
    ]
    return {k: v for k, v in vars(value).items() if k not in cached and k not in left_out}
