"""Adopting: the trees of a fitted model become trees of this package, over the same cases."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_flag, shown
from ranktrees_engine.basics.fitted import check_same_length
from ranktrees_engine.basics.kinds import Array, Classes, Frame, Weights
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.estimates.path_forest import without_gaps
from ranktrees_engine.models.grids import GRIDS
from ranktrees_engine.reading.columns import Column, check_same_names, read_columns
from ranktrees_engine.reading.encoder import Encoder
from ranktrees_engine.reading.frames import as_pandas
from ranktrees_engine.reading.labels import read_labels
from ranktrees_engine.reading.weights import case_weights
from ranktrees_files.adopted.accepted import Found, find_trees, refuse_unweighted
from ranktrees_files.adopted.models import AdoptedForest, AdoptedTree
from ranktrees_files.adopted.routes import as_tree, cuts_of, schema_of
from ranktrees_files.adopted.temperature import learn_temperature

OWNER = "rt.adopt"


@tiny_is_zero()
def adopt(
    fitted: Any,
    X: Frame,
    y: Classes,
    sample_weight: Weights = None,
    *,
    estimate: str = "path",
    estimate_params: dict | None = None,
    fresh: bool = False,
) -> AdoptedTree | AdoptedForest:
    """Take a fitted tree or forest of scikit-learn over, and give it another estimate.

    X (n, A), y (n,) and `sample_weight` (n,) are those of its fit; weights include the class
    weights with which it was grown. Every case goes the way that it goes in scikit-learn, in single
    precision; but a case whose value is missing, in a column that had no gap, stops at that node,
    while scikit-learn sends it to the larger branch. Counts are those of all cases, also in a
    forest, where each tree has seen a sample of them.

    `estimate`: "path", or a name in `rt.estimate.ESTIMATES`. "path" averages the tree's class
    shares over its prunings and pools them with a factor of each attribute. Of a single tree, a
    pruning goes on below a node with probability `further`, 1/(2A) by default; with `lam`
    hierarchical shrinkage takes the place of prunings. Other estimates of a forest are averaged
    over its trees; "temperature", for bootstrap samples, keeps the forest's average and learns its
    exponent. `fresh` allows other cases than those of the fit, of which estimates are then made; a
    branch that none of them reaches is left out, and a case stops above it. One tree is refused if
    the number of cases is not that of its fit; for a bootstrap forest it is not known, and not
    checked.

    The result predicts, explains, draws and stores, but does not fit: see `rt.Reestimated`. Raises
    TypeError or ValueError, which says what to do, for whatever cannot be adopted.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import ranktrees as rt
    >>> data = rt.load("iris")
    >>> fitted = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    >>> rt.adopt(fitted, data.X, data.y).predict_proba(data.X)[0].round(1).tolist()
    [1.0, 0.0, 0.0]
    """
    check_flag("fresh", fresh)
    found = find_trees(fitted)
    kind = AdoptedForest if found.is_forest else AdoptedTree
    model = kind(estimate=estimate, estimate_params=estimate_params)
    return _learn(model, found, X, y, sample_weight, fresh)


def _learn(model, found: Found, X, y, sample_weight, fresh: bool):
    """Let a model learn from the cases what it knows besides the trees, and return it."""
    if found.class_weight is not None and sample_weight is None:
        refuse_unweighted(found)
    model.missing = "value"
    with WarnOnce():
        columns = _columns(model, found, X)
        y = _classes(model, found, y, n := len(columns[0].values))
        _check_size(found, n, sample_weight, fresh)
        rows, y, weight = model._weigh(np.arange(n), y, sample_weight)
    columns = [column.take(rows) for column in columns]
    _learn_codes(model, found, columns, y, weight)
    if not found.is_forest:
        return _one_tree(model, found, columns, y, weight)
    drawn = None
    if model.estimate == "temperature":
        drawn = _drawn(found, n, rows, sample_weight, fresh)
    return _forest(model, found, columns, y, weight, drawn)


def _columns(model, found: Found, X) -> list[Column]:
    """Read the columns as numbers, as scikit-learn does; store their names in the model."""
    X, names = as_pandas(X), getattr(found.outer, "feature_names_in_", None)
    columns = read_columns(X, OWNER)
    if len(columns) != found.model.n_features_in_:
        raise ValueError(
            f"X has {len(columns)} columns, but {type(found.outer).__name__} was fitted on "
            f"{found.model.n_features_in_}: give those of its fit"
        )
    if names is not None and isinstance(X, pd.DataFrame):
        check_same_names(list(names), [column.name for column in columns])
    elif names is not None:
        X, pairs = pd.DataFrame(columns=names), zip(names, columns, strict=True)
        columns = [replace(column, name=name) for name, column in pairs]
    model._remember_names(X, columns)
    return [Column(column.name, "numeric", _numbers(column)) for column in columns]


def _numbers(column: Column) -> Array:
    """Return the numbers of a column; ValueError for text, which scikit-learn's trees refuse."""
    try:
        return column.numbers(truth=True)
    except ValueError as error:
        raise ValueError(
            f"column {column.name!r} holds {shown(column.categories[0])}, but a tree of "
            "scikit-learn reads numbers: give those of its fit, as pipe[:-1].transform(X) does"
        ) from error


def _classes(model, found: Found, y, n: int) -> Array:
    """Return the codes (n,) of classes y among those of the fitted model, and store these."""
    codes, given = read_labels(y, OWNER)
    check_same_length(n, len(codes))
    model.classes_ = np.array(found.outer.classes_)
    place = pd.Index(model.classes_).get_indexer(pd.Index(given))
    unknown = place[codes] < 0
    if unknown.any():
        known = ", ".join(map(repr, model.classes_.tolist()))
        raise ValueError(
            f"y holds {shown(given[codes[unknown.argmax()]])} in row {unknown.argmax()}, but "
            f"{type(found.outer).__name__} was fitted on the classes {known}"
        )
    return place[codes]


def _check_size(found: Found, n: int, sample_weight, fresh: bool) -> None:
    """Raise ValueError for another number of cases than the trees were grown on."""
    grown = found.n_grown_on
    some = n if sample_weight is None else np.count_nonzero(case_weights(sample_weight, n))
    if not fresh and grown not in (None, n, some):
        raise ValueError(
            f"{type(found.model).__name__} was grown on {grown} cases, but X has {some}: give the "
            "cases of its fit, or fresh=True for estimates from other cases"
        )


def _learn_codes(model, found: Found, columns, y, weight) -> None:
    """Learn the codes of the trees' cuts, in which the bins of each grid lie, and the grids."""
    model.grids_ = [Encoder("bins", how, n_bins, missing="value") for how, n_bins in GRIDS]
    for grid in model.grids_:
        grid.learn(columns, y, weight)
    cuts = cuts_of(found.routes, len(columns))
    if not found.is_forest:
        of_grids = [[info.cuts for info in grid.schema_] for grid in model.grids_]
        cuts = [np.unique(np.concatenate(some)) for some in zip(cuts, *of_grids, strict=True)]
    encoder = model.encoder_ = Encoder("thresholds", max_codes=None, missing="value")
    gaps = np.array([column.missing.any() for column in columns])
    encoder.schema_ = schema_of([column.name for column in columns], cuts, gaps)
    encoder.categories_, encoder.fill_ = [None] * len(columns), [0.0] * len(columns)


def _one_tree(model, found, columns, y, weight) -> AdoptedTree:
    """Return the adopted tree, with the parameters that it would have had here."""
    model.criterion, model.split = found.model.criterion, "threshold"
    model.numeric, model.max_codes = "thresholds", None
    codes = model.encoder_.apply(columns)
    classes = tuple(model.classes_.tolist())
    tree = as_tree(found.routes[0], codes.values, y, weight, codes.schema, classes)
    model.training_, model.weight_ = (codes.values, y), weight
    return model._set_tree(tree)


def _forest(model, found, columns, y, weight, drawn) -> AdoptedForest:
    """Return the adopted forest; `drawn` (n,) is what each tree's sample has of the cases."""
    codes, classes = model.encoder_.apply(columns), tuple(model.classes_.tolist())
    model.codes_, model.y_, model.weight_ = codes, y, weight
    model.known_ = [without_gaps(grid.apply(columns)) for grid in model.grids_]
    model.importances_ = found.importances
    trees = [
        as_tree(routes, codes.values, y, weight, codes.schema, classes) for routes in found.routes
    ]
    if drawn is not None:
        model.bags_, model.temperature_ = learn_temperature(trees, codes.values, y, drawn, weight)
    return model._set_trees(trees)


def _drawn(found: Found, n: int, rows, sample_weight, fresh) -> list[Array]:
    """Return what each of the cases `rows` of n weighs in the sample of each tree.

    Raises ValueError for a forest without samples of these cases.
    """
    samples = getattr(found.model, "estimators_samples_", None)
    if fresh or samples is None or getattr(found.model, "bootstrap", True) is False:
        raise ValueError(
            "the estimate 'temperature' judges each case by the trees that have not seen it: it "
            "needs a forest with bootstrap=True and the cases of its fit"
        )
    if max(sample.max() for sample in samples) >= n:
        raise ValueError(f"the forest was grown on more than the {n} cases of X: give those")
    weight, drawn = None if sample_weight is None else np.asarray(sample_weight, float), []
    for sample, tree in zip(samples, found.trees, strict=True):
        times = np.bincount(sample, minlength=n)
        if weight is not None and not np.isclose(times.sum(), _mass(tree)):
            times = times * weight  # they are weighed, and not drawn by weight
        drawn.append(times[rows])
    return drawn


def _mass(tree) -> float:
    return float(tree.tree_.weighted_n_node_samples[0])
