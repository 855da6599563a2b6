"""Cross-validation and learning curves."""

import copy
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees.basics.warn import warn
from ranktrees.evaluate import (
    MEASURES,
    cross_val_proba,
    cross_validate,
    fold_rows,
    learning_curve,
    stratified_folds,
    training_sizes,
    weka_folds,
)

labels = st.lists(st.integers(0, 4), min_size=4, max_size=60).filter(lambda y: len(set(y)) > 1)
few = pytest.mark.filterwarnings("ignore:the smallest class has:UserWarning")


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


class Complaining(Shares):
    """Warns at every fit."""

    def fit(self, X, y):
        warn("this model complains", RuntimeWarning)
        return super().fit(X, y)


def table(counts):
    """X and y with so many cases of class a, b, ..."""
    y = np.repeat(list("abcdefg")[: len(counts)], counts)
    return pd.DataFrame({"x": np.arange(len(y), dtype=float)}), pd.Categorical(y)


def single_fits(model, X, y, fold, measures):
    """Rows of measures by one plain fit for each fold."""
    for train, test in fold_rows(fold):
        fitted = copy.deepcopy(model).fit(X.iloc[train], y[train])
        proba = fitted.predict_proba(X.iloc[test])
        yield [MEASURES[name](y.codes[test], proba) for name in measures]


@pytest.mark.parametrize("scheme", ["stratified", "weka"])
def test_cross_validation_equals_single_fits(scheme):
    data, model, names = rt.load("iris"), rt.DecisionTree(), ["accuracy", "auc", "log_loss"]
    found = cross_validate(model, data, k=5, runs=2, seed=7, folds=scheme, measures=names)
    draw = weka_folds if scheme == "weka" else stratified_folds
    rows = [
        row
        for seed in (7, 8)
        for row in single_fits(model, data.X, data.y, draw(data.y, 5, seed), names)
    ]
    np.testing.assert_allclose(found[names].to_numpy(), rows, atol=1e-12)
    assert found["run"].tolist() == [0] * 5 + [1] * 5
    assert found["fold"].tolist() == [0, 1, 2, 3, 4] * 2
    assert (found["n_train"] + found["n_test"] == 150).all()
    assert (found["seconds"] > 0).all()
    assert not hasattr(model, "classes_")


def test_data_come_as_a_set_a_pair_or_apart():
    data = rt.load("iris")
    given = [(data,), (data.X, data.y), ((data.X, np.asarray(data.y)),)]
    found = [cross_val_proba(rt.DecisionTree(), *one, k=3) for one in given]
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()
    codes = rt.Encoder().fit_transform(data.X)
    assert cross_val_proba(rt.DecisionTree(), codes, data.y, k=3).shape == (150, 3)


def test_identifiers_are_dropped():
    X, y = table([6, 6])
    data = rt.Dataset(X.assign(number=range(12)), y, ids=("number",))
    Shares.trained.clear()
    cross_validate(Shares(), data, k=3, measures="accuracy")
    assert [list(X.columns) for X, _ in Shares.trained] == [["x"]] * 3
    assert all(isinstance(y, pd.Categorical) for _, y in Shares.trained)


def test_a_class_that_a_fold_lacks_keeps_its_column():
    X, y = table([1, 9, 9])
    y = y.add_categories(["never"])
    with pytest.warns(UserWarning, match="smallest class has 1 case"):
        proba = cross_val_proba(Shares(), X, y, k=3)
    fold = stratified_like(y, 3)
    together = fold == fold[0]  # tested with the only case of class a, so trained without it
    assert proba.shape == (19, 4)
    assert (proba[:, 3] == 0).all()
    assert (proba[together, 0] == 0).all()
    assert (proba[~together, 0] > 0).all()
    assert (proba[:, 1:3] > 0.3).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1)


def stratified_like(y, k):
    with pytest.warns(UserWarning, match="smallest class"):
        return stratified_folds(y, k)


def test_other_libraries_models_take_part():
    data = rt.load("iris")
    X = data.X.to_numpy(float)
    tree = cross_validate(DecisionTreeClassifier(random_state=0), X, data.y, measures="auc")
    assert tree["auc"].mean() > 0.9
    proba = cross_val_proba(LogisticRegression(max_iter=500), X, np.asarray(data.y), k=5)
    assert (proba.argmax(axis=1) == data.y.codes).mean() > 0.93


def test_leave_one_out_is_measured_over_all_predictions_together():
    data = rt.load("labor")
    found = cross_validate(rt.DecisionTree(), data, folds="leave-one-out")
    proba = cross_val_proba(rt.DecisionTree(), data, folds="leave-one-out")
    assert found[["run", "fold", "n_train", "n_test"]].to_numpy().tolist() == [[0, 0, 56, 57]]
    assert found["auc"][0] == MEASURES["auc"](data.y.codes, proba)
    assert (proba == cross_val_proba(rt.DecisionTree(), data, folds=np.arange(57))).all()


def test_leave_one_out_of_shares_is_always_wrong():
    """Without its own case a class of half the data is the rarer one: the textbook's paradox."""
    X, y = table([10, 10])
    assert cross_validate(Shares(), X, y, folds="leave-one-out")["accuracy"].tolist() == [0]
    assert cross_validate(Shares(), X, y, folds="leave-one-out")["auc"].tolist() == [0]


@pytest.mark.parametrize("model", [Shares(), rt.DecisionTree()])
def test_training_sets_of_one_class_are_refused(model):
    X, y = table([5, 1])
    with pytest.raises(ValueError, match="training set 5 holds class 'a' alone"):
        cross_validate(model, X, y, folds="leave-one-out")


def test_own_folds_are_renumbered_in_order():
    X, y = table([4, 4])
    found = cross_validate(Shares(), X, y, folds=np.array([7, 7, 3, 3] * 2), measures="brier")
    assert found["fold"].tolist() == [0, 1]
    assert found["n_test"].tolist() == [4, 4]


def test_a_measure_that_a_fold_leaves_undefined_is_nan():
    X, y = table([4, 4])
    found = cross_validate(Shares(), X, y, folds=np.array([0, 0, 1, 2, 1, 1, 2, 2]))
    assert np.isnan(found["auc"][0])
    assert found["auc"][1:].tolist() == [0.5, 0.5]


def test_equal_warnings_are_given_once_and_to_the_caller():
    X, y = table([10, 10])
    for call in (cross_validate, cross_val_proba, learning_curve):
        with warnings.catch_warnings(record=True) as kept:
            warnings.simplefilter("always")
            call(Complaining(), X, y, k=5)
        assert [str(w.message) for w in kept] == ["this model complains"]
        assert kept[0].category is RuntimeWarning
        assert kept[0].filename == __file__


BAD = [
    ({"seed": None}, TypeError, "seed must be a whole number"),
    ({"seed": -1}, ValueError, "seed must be at least 0"),
    ({"folds": "strat"}, ValueError, "unknown folds 'strat'.*'stratified', 'weka'"),
    ({"folds": [0, 1]}, ValueError, "8 whole numbers, one for each case"),
    ({"folds": np.zeros(8, int)}, ValueError, "two different numbers"),
    ({"folds": np.arange(8), "runs": 2}, ValueError, "same numbers: use runs=1"),
    ({"folds": "leave-one-out", "runs": 2}, ValueError, "same numbers: use runs=1"),
    ({"runs": 0}, ValueError, "runs must be at least 1"),
    ({"k": 9}, ValueError, "k=9 folds need at least 9 cases"),
    ({"k": 1}, ValueError, "k must be at least 2"),
    ({"measures": ("auc", "AUC")}, ValueError, "unknown measure 'AUC'.*'accuracy', 'auc'"),
    ({"measures": ()}, ValueError, "at least one measure"),
]


@pytest.mark.parametrize(("settings_", "error", "message"), BAD)
def test_bad_settings_are_named(settings_, error, message):
    X, y = table([4, 4])
    with pytest.raises(error, match=message):
        cross_validate(Shares(), X, y, **settings_)


def test_bad_data_and_models_are_named():
    X, y = table([4, 4])
    data = rt.load("labor")
    with pytest.raises(TypeError, match="name settings, as in k=10"):
        cross_validate(Shares(), data, 10)
    with pytest.raises(TypeError, match="name settings, as in k=10"):
        cross_validate(Shares(), X, 10)
    with pytest.raises(TypeError, match="classes are missing"):
        cross_validate(Shares(), X)
    with pytest.raises(ValueError, match="X has 8 cases, but y has 7"):
        cross_validate(Shares(), X, y[:7])
    with pytest.raises(TypeError, match=r"write DecisionTree\(\)"):
        cross_validate(rt.DecisionTree, data)
    with pytest.raises(TypeError, match="has no fit"):
        cross_validate("tree", data)


def test_sizes_by_name_and_checked():
    assert training_sizes("arithmetic", 100).tolist() == list(range(10, 101, 10))
    assert training_sizes("geometric", 100).tolist() == [12, 25, 50, 100]
    assert training_sizes("geometric", 7).tolist() == [7]
    assert training_sizes([9, 3, 9], 10).tolist() == [3, 9]
    for bad in ([1], [11], [2.5], []):
        with pytest.raises(ValueError, match="whole numbers of cases from 2 to 10"):
            training_sizes(bad, 10)
    with pytest.raises(ValueError, match="unknown sizes"):
        training_sizes("linear", 10)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 50))
def test_smaller_training_sets_lie_in_larger_ones_and_keep_the_shares(seed):
    X, y = table([30, 15, 15])
    Shares.trained.clear()
    found = learning_curve(Shares(), X, y, sizes=[4, 8, 20, 40], k=3, seed=seed)
    assert found["size"].tolist() == [4, 8, 20, 40] * 3
    for f in range(3):
        rows = [set(X["x"]) for X, _ in Shares.trained[4 * f : 4 * f + 4]]
        assert rows[0] < rows[1] < rows[2] < rows[3]
        for size, (_, labels_) in zip(
            [4, 8, 20, 40], Shares.trained[4 * f : 4 * f + 4], strict=True
        ):
            counts = np.bincount(labels_.codes, minlength=3)
            assert (np.abs(counts - size * np.array([0.5, 0.25, 0.25])) <= 1).all()


def test_the_last_point_of_a_curve_is_the_cross_validation():
    data, model = rt.load("iris"), rt.DecisionTree()
    curve = learning_curve(model, data, k=5, seed=3)
    whole = cross_validate(model, data, k=5, seed=3)
    last = curve[curve["size"] == 120]
    assert last["accuracy"].tolist() == whole["accuracy"].tolist()
    assert curve.groupby("size")["accuracy"].mean().iloc[[0, -1]].is_monotonic_increasing


def test_a_curve_begins_where_there_are_two_classes():
    X, y = table([95, 5])
    curve = learning_curve(Shares(), X, y, k=5, sizes="geometric")
    assert curve["size"].min() >= 10
    with pytest.raises(ValueError, match="hold a single class: begin at 11"):
        learning_curve(Shares(), X, y, k=5, sizes=[5, 40])


def test_a_bar_appears_only_when_asked(capsys):
    X, y = table([5, 5])
    cross_validate(Shares(), X, y, k=2, runs=2)
    assert capsys.readouterr().err == ""
    cross_validate(Shares(), X, y, k=2, runs=2, progress=True)
    assert "2/2" in capsys.readouterr().err
    learning_curve(Shares(), X, y, k=2, runs=2, sizes=[2], progress=True)
    assert "2/2" in capsys.readouterr().err
    cross_validate(Shares(), X, y, k=2, runs=2, progress=None)
    assert capsys.readouterr().err == ""


STRICT = [
    rt.DecisionTree(missing="error"),
    rt.C45(missing="error"),
    rt.CITree(missing="error"),
    rt.NaiveBayes(missing="error"),
    rt.AODE(missing="error"),
    rt.NaiveBayes(numeric="gaussian", missing="value"),
    rt.NewtonTree(missing="error"),
    rt.CentreSplitting(missing="error"),
]
WAYS = {
    "fit": lambda model, X, y: model.fit(X, y),
    "cross_validate": lambda model, X, y: rt.cross_validate(model, X, y, k=3),
    "learning_curve": lambda model, X, y: learning_curve(model, X, y, k=3),
    "bootstrap_632": lambda model, X, y: rt.evaluate.bootstrap_632(model, X, y, runs=3),
    "bagging": lambda model, X, y: rt.Bagging(model, 2).fit(X, y),
    "bags in folds": lambda model, X, y: rt.cross_validate(rt.Bagging(model, 2), X, y, k=3),
}


class TestRowsInMessages:
    """They count from the first row of what the user gave, whatever rows a fold is made of."""

    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize("model", STRICT, ids=repr)
    @pytest.mark.parametrize("value", [np.nan, np.inf])
    def test_of_a_value_that_is_refused(self, model, way, value):
        X = pd.DataFrame({"b": np.arange(60.0) % 7, "a": np.arange(60.0) % 11}, range(100, 160))
        X.iloc[37, 1] = value
        with pytest.raises(ValueError, match=r"column 'a' contains .* in row 37\b"):
            WAYS[way](model, X, np.arange(60) % 2)

    def test_of_folds_that_do_not_hold_the_row(self):
        X = np.where(np.arange(60) == 37, np.nan, np.arange(60.0))[:, None]
        with pytest.raises(ValueError, match=r"'x0' contains NaN \(missing\) in row 37: fill it"):
            rt.C44(missing="error").fit_folds(X, np.arange(60) % 2, [np.arange(30)])

    def test_of_a_class_that_is_missing(self):
        y = ["p", "q"] * 30
        y[37] = None
        for way in ("cross_validate", "bagging"):
            with pytest.raises(ValueError, match="first in row 37: drop"):
                WAYS[way](rt.NaiveBayes(), pd.DataFrame({"a": np.arange(60.0)}), y)

    def test_what_may_be_missing_is_let_through(self):
        """Sets and codes, too, which are not read as other columns are."""
        X = pd.DataFrame({"a": np.where(np.arange(60) % 9, np.arange(60.0) % 7, np.nan)})
        sets = pd.DataFrame({"s": [{"u"}, {"u", "v"}, {"w"}] * 20})
        tried = [(rt.NaiveBayes(), X), (rt.NewtonTree(), sets), (rt.Bagging(), X)]
        tried += [(rt.Bagging(rt.NewtonTree(missing="error")), sets)]
        tried += [(rt.NaiveBayes(missing="error"), rt.Encoder().fit_transform(X))]
        for model, cases in tried:
            assert len(rt.cross_validate(model, cases, np.arange(60) % 2, k=3)) == 3
