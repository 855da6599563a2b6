"""Cross-validation and learning curves."""

import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_engine import evaluate as ev
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.evaluate import cross_val_proba, cross_validate, learning_curve


class Shares:
    """Predicts the classes' shares in its training data; keeps what it was trained on."""

    trained = []  # noqa: RUF012

    def fit(self, X, y):
        self.classes_, counts = np.unique(np.asarray(y), return_counts=True)
        self.share_ = counts / counts.sum()
        Shares.trained.append((X, y))
        return self

    def predict_proba(self, X):
        return np.tile(self.share_, (len(X), 1))


def table(counts):
    """X and y with so many cases of class a, b, ..."""
    y = np.repeat(list("abcdefg")[: len(counts)], counts)
    return pd.DataFrame({"x": np.arange(len(y), dtype=float)}), pd.Categorical(y)


@pytest.mark.parametrize("scheme", ["stratified", "weka"])
def test_cross_validation_equals_single_fits(scheme):
    data, model, names = rt.load("iris"), rt.DecisionTree(), ["accuracy", "auc", "log_loss"]
    found = cross_validate(model, data, k=5, runs=2, seed=7, folds=scheme, measures=names)
    draw, rows = ev.weka_folds if scheme == "weka" else ev.stratified_folds, []
    for seed in (7, 8):
        for train, test in ev.fold_rows(draw(data.y, 5, seed)):
            proba = rt.DecisionTree().fit(data.X.iloc[train], data.y[train]).predict_proba(data.X)
            rows.append([ev.MEASURES[name](data.y.codes[test], proba[test]) for name in names])
    np.testing.assert_allclose(found[names].to_numpy(), rows, atol=1e-12)
    assert found["run"].tolist() == [0] * 5 + [1] * 5
    assert found["fold"].tolist() == [0, 1, 2, 3, 4] * 2
    assert (found["n_train"] + found["n_test"] == 150).all()
    assert not hasattr(model, "classes_")


def test_data_come_as_a_set_a_pair_or_apart_without_identifiers():
    data = rt.load("iris")
    one, two = (
        cross_val_proba(rt.DecisionTree(), *given, k=3) for given in [(data,), (data.X, data.y)]
    )
    assert (one == two).all()
    X, y = table([6, 6])
    Shares.trained.clear()
    cross_validate(Shares(), rt.Dataset(X.assign(number=range(12)), y, ids=("number",)), k=3)
    assert [list(X.columns) for X, _ in Shares.trained] == [["x"]] * 3
    assert all(isinstance(y, pd.Categorical) for _, y in Shares.trained)


@pytest.mark.filterwarnings("ignore:the smallest class has 1 case:UserWarning")
def test_a_class_that_a_fold_lacks_keeps_its_column():
    X, y = table([1, 9, 9])
    y = y.add_categories(["never"])
    proba, fold = cross_val_proba(Shares(), X, y, k=3), ev.stratified_folds(y, 3)
    together = fold == fold[0]  # tested with the only case of class a, so trained without it
    expected = np.column_stack([~together, [True] * 19, [True] * 19, [False] * 19])
    np.testing.assert_array_equal(proba > 0, expected)
    np.testing.assert_allclose(proba.sum(axis=1), 1)


def test_other_libraries_models_take_part():
    data = rt.load("iris")
    X, y = data.X.to_numpy(float), np.asarray(data.y)
    for model in (DecisionTreeClassifier(random_state=0), LogisticRegression(max_iter=200)):
        assert (cross_val_proba(model, X, y, k=5).argmax(axis=1) == data.y.codes).mean() > 0.9


def test_leave_one_out_is_measured_over_all_predictions_together():
    data = rt.load("labor")
    found = cross_validate(rt.DecisionTree(), data, folds="leave-one-out")
    proba = cross_val_proba(rt.DecisionTree(), data, folds="leave-one-out")
    assert found[["run", "fold", "n_train", "n_test"]].to_numpy().tolist() == [[0, 0, 56, 57]]
    assert found["auc"][0] == ev.MEASURES["auc"](data.y.codes, proba)
    assert (proba == cross_val_proba(rt.DecisionTree(), data, folds=np.arange(57))).all()
    X, y = table([5, 1])
    for model in (Shares(), rt.DecisionTree()):
        with pytest.raises(ValueError, match="training set 5 holds class 'a' alone"):
            cross_validate(model, X, y, folds="leave-one-out")


def test_own_folds_are_renumbered_and_a_measure_that_one_leaves_undefined_is_nan():
    found = cross_validate(Shares(), *table([4, 4]), folds=np.array([3, 3, 7, 9, 7, 7, 9, 9]))
    assert found["fold"].tolist() == [0, 1, 2]
    assert found["n_test"].tolist() == [2, 3, 3]
    assert found["auc"].tolist() == pytest.approx([np.nan, 0.5, 0.5], nan_ok=True)


def test_equal_warnings_are_given_once_and_to_the_caller():
    class Complaining(Shares):
        def fit(self, X, y):
            warn("this model complains", RuntimeWarning)
            return super().fit(X, y)

    for call in (cross_validate, cross_val_proba, learning_curve):
        with warnings.catch_warnings(record=True) as kept:
            warnings.simplefilter("always")
            call(Complaining(), *table([10, 10]), k=5)
        (once,) = kept
        assert (str(once.message), once.filename) == ("this model complains", __file__)


def test_bad_settings_data_and_models_are_named():
    X, y = table([4, 4])
    for given, settings, error, message in [
        ((Shares(), X, y), {"folds": [0, 1]}, ValueError, "8 whole numbers, one for each case"),
        ((Shares(), X, y), {"folds": [0] * 8}, ValueError, "two different numbers"),
        ((Shares(), X, y), {"folds": range(8), "runs": 2}, ValueError, "same numbers: use runs=1"),
        ((Shares(), X, y), {"folds": "leave-one-out", "runs": 2}, ValueError, "same numbers"),
        ((Shares(), X, y[:7]), {}, ValueError, "X has 8 cases, but y has 7"),
        ((Shares(), X), {}, TypeError, "classes are missing"),
        ((Shares(), X, 10), {}, TypeError, "name settings, as in k=10"),
        ((Shares(), rt.load("labor"), 10), {}, TypeError, "name settings, as in k=10"),
        ((rt.DecisionTree, X, y), {"k": 2}, TypeError, r"write DecisionTree\(\)"),
    ]:
        with pytest.raises(error, match=message):
            cross_validate(*given, **settings)


def test_sizes_by_name_and_checked():
    assert ev.training_sizes("arithmetic", 100).tolist() == list(range(10, 101, 10))
    assert ev.training_sizes("geometric", 100).tolist() == [12, 25, 50, 100]
    assert ev.training_sizes([9, 3, 9], 10).tolist() == [3, 9]
    for bad in ([1], [11], [2.5]):
        with pytest.raises(ValueError, match="whole numbers of cases from 2 to 10"):
            ev.training_sizes(bad, 10)


def test_smaller_training_sets_lie_in_larger_ones_and_keep_the_shares():
    (X, y), sizes = table([30, 15, 15]), [4, 8, 20, 40]
    Shares.trained.clear()
    assert learning_curve(Shares(), X, y, sizes=sizes, k=3)["size"].tolist() == sizes * 3
    for f in range(0, 12, 4):
        rows = [set(X["x"]) for X, _ in Shares.trained[f : f + 4]]
        assert rows[0] < rows[1] < rows[2] < rows[3]
        for size, (_, drawn) in zip(sizes, Shares.trained[f : f + 4], strict=True):
            counts = np.bincount(drawn.codes, minlength=3)
            assert (np.abs(counts - size * np.array([0.5, 0.25, 0.25])) <= 1).all()


def test_a_curve_ends_in_the_cross_validation_and_begins_where_there_are_two_classes():
    data, model = rt.load("iris"), rt.DecisionTree()
    curve = learning_curve(model, data, k=5, seed=3)
    whole = cross_validate(model, data, k=5, seed=3)
    assert curve[curve["size"] == 120]["accuracy"].tolist() == whole["accuracy"].tolist()
    X, y = table([95, 5])
    assert learning_curve(Shares(), X, y, k=5, sizes="geometric")["size"].min() >= 10
    with pytest.raises(ValueError, match="hold a single class: begin at 11"):
        learning_curve(Shares(), X, y, k=5, sizes=[5, 40])


def test_a_bar_appears_only_when_asked(capsys):
    X, y = table([5, 5])
    for progress in (False, None):
        cross_validate(Shares(), X, y, k=2, progress=progress)
    assert capsys.readouterr().err == ""
    for call, how in ((cross_validate, {}), (learning_curve, {"sizes": [2]})):
        call(Shares(), X, y, k=2, runs=2, progress=True, **how)
        assert "2/2" in capsys.readouterr().err


KINDS = (rt.DecisionTree, rt.CITree, rt.NaiveBayes, rt.AODE, rt.NewtonTree, rt.CentreSplitting)
STRICT = [kind(missing="error") for kind in KINDS]
STRICT += [rt.NaiveBayes(numeric="gaussian", missing="value")]
WAYS = {
    "fit": lambda model, X, y: model.fit(X, y),
    "cross_validate": lambda model, X, y: cross_validate(model, X, y, k=3),
    "learning_curve": lambda model, X, y: learning_curve(model, X, y, k=3),
    "bootstrap_632": lambda model, X, y: ev.bootstrap_632(model, X, y, runs=3),
    "bagging": lambda model, X, y: rt.Bagging(model, 2).fit(X, y),
    "bags in folds": lambda model, X, y: cross_validate(rt.Bagging(model, 2), X, y, k=3),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_row_whose_value_is_refused_is_named(way):
    """Rows count from the first of what the user gave, whatever a fold is made of."""
    X = pd.DataFrame({"b": np.arange(60.0) % 7, "a": np.arange(60.0) % 11}, range(100, 160))
    for model, value in product(STRICT, (np.nan, np.inf)):
        X.iloc[37, 1] = value
        with pytest.raises(ValueError, match=r"column 'a' contains .* in row 37\b"):
            WAYS[way](model, X, np.arange(60) % 2)


def test_rows_that_no_fold_holds_or_whose_class_is_missing_are_named():
    X = pd.DataFrame({"a": np.where(np.arange(60) == 37, np.nan, np.arange(60.0))})
    with pytest.raises(ValueError, match=r"'a' contains NaN \(missing\) in row 37: fill it"):
        rt.C44(missing="error").fit_folds(X, np.arange(60) % 2, [np.arange(30)])
    y = ["p", "q"] * 30
    y[37] = None
    for way in ("cross_validate", "bagging"):
        with pytest.raises(ValueError, match="first in row 37: drop"):
            WAYS[way](rt.NaiveBayes(), X, y)


def test_what_may_be_missing_is_let_through():
    X = pd.DataFrame({"a": np.where(np.arange(60) % 9, np.arange(60.0) % 7, np.nan)})
    sets = pd.DataFrame({"s": [{"u"}, {"u", "v"}, {"w"}] * 20})
    for model, cases in [
        (rt.NaiveBayes(), X),
        (rt.Bagging(rt.NewtonTree(missing="error")), sets),
        (rt.NaiveBayes(missing="error"), rt.Encoder().fit_transform(X)),
    ]:
        assert len(cross_validate(model, cases, np.arange(60) % 2, k=3)) == 3
