"""Measures of one's own, scikit-learn's scorers and splitters, pairs of rows."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    cross_val_score,
)

import ranktrees as rt
from ranktrees_engine.evaluate import UndefinedMeasure

IRIS, CREDIT = rt.load("iris"), rt.load("credit-g")
TWO = rt.Dataset(CREDIT.X.iloc[:200], CREDIT.y[:200], name="two")


def profit(y, proba, classes):
    """Euros per case: a good payer gains 1, a bad one who is called good loses 5."""
    lent = proba[:, list(classes).index("good")] > 0.7
    return np.where(y == "good", 1, -5)[lent].sum() / len(y)


def test_a_function_gets_labels_probabilities_and_classes():
    given = []

    def seen(y, proba, classes):
        given.append((y, proba, classes))
        return 1.5

    found = rt.cross_validate(rt.NaiveBayes(), IRIS, k=3, measures=["auc", {"seen": seen}])
    assert list(found.columns[-2:]) == ["auc", "seen"]
    assert (found["seen"] == 1.5).all()
    (y, proba, classes), fold = given[0], rt.stratified_folds(IRIS.y, 3)
    assert y.tolist() == IRIS.y[fold == 0].tolist()
    assert (proba.shape, list(classes)) == ((50, 3), sorted(IRIS.y.categories))


def test_a_built_in_measure_as_a_function_gives_its_own_numbers():
    own = {
        "mine": lambda y, proba, classes: rt.brier(y, proba, classes),
        "m": lambda y, proba, classes: rt.hand_till(y, proba, classes),
        "brier": "brier",
    }
    found = rt.cross_validate(rt.C44(), IRIS, k=4, measures=[own, "auc"])
    assert found["mine"].tolist() == found["brier"].tolist()
    np.testing.assert_allclose(found["m"], found["auc"], atol=1e-15)


@pytest.mark.parametrize(
    "name", ["accuracy", "roc_auc_ovo", "neg_log_loss", "f1_macro", "balanced_accuracy"]
)
def test_scorers_give_what_they_give_in_scikit_learn(name):
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scorer, model = metrics.get_scorer(name), rt.C44()
    found = rt.cross_validate(model, IRIS, folds=folds, measures={name + "!": scorer})
    X, y = IRIS.X, np.asarray(IRIS.y)
    theirs = cross_val_score(model, X, y, cv=folds, scoring=scorer)
    np.testing.assert_allclose(found[name + "!"], theirs, atol=1e-12)


def test_a_scorer_with_a_positive_class_of_two():
    scorer = metrics.make_scorer(metrics.f1_score, pos_label="bad")
    found = rt.cross_validate(rt.NaiveBayes(), TWO, folds=KFold(4), measures={"f1": scorer})
    theirs = cross_val_score(rt.NaiveBayes(), TWO.X, np.asarray(TWO.y), cv=KFold(4), scoring=scorer)
    np.testing.assert_allclose(found["f1"], theirs, atol=1e-12)


def test_compare_and_repeated_take_them_and_larger_is_better():
    models = {"C4.4": rt.C44(), "NB": rt.NaiveBayes()}
    results = rt.compare(models, [TWO], k=5, measures={"profit": profit}, progress=False)
    assert results.measures == ["seconds", "profit"]
    assert results.ranks("profit").sum() == 3
    found = rt.repeated(models, TWO, n=4, measure={"profit": profit})
    again = rt.repeated(models, TWO, n=4, measure={"profit": lambda *given: -profit(*given)})
    np.testing.assert_allclose(found.table, -again.table, atol=1e-12)
    assert found.wins("NB", "C4.4") == again.wins("C4.4", "NB")
    assert "is better than C4.4 by profit in" in found.in_k_of("NB", "C4.4")
    value = rt.bootstrap_632(rt.C44(), TWO, runs=3, measure={"profit": profit})
    assert value.out_of_bag == pytest.approx(np.mean(value.runs))


def test_an_undefined_value_is_nan():
    def rare(y, proba, classes):
        raise UndefinedMeasure("too few")

    assert rt.cross_validate(rt.C44(), TWO, k=2, measures={"rare": rare})["rare"].isna().all()


def test_splitters_divide_as_they_say():
    folds, groups = StratifiedGroupKFold(4), np.arange(200) // 5
    found = rt.cross_validate(rt.C44(), TWO, folds=folds, groups=groups, measures="accuracy")
    y = np.asarray(TWO.y)
    sizes = [len(test) for _, test in folds.split(TWO.X, y, groups)]
    assert found["n_test"].tolist() == sizes
    theirs = cross_val_score(rt.C44(), TWO.X, y, groups=groups, cv=folds)
    np.testing.assert_allclose(found["accuracy"], theirs, atol=1e-12)
    often = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
    found = rt.cross_validate(rt.C44(), TWO, folds=often, measures="accuracy")
    np.testing.assert_allclose(
        found["accuracy"], cross_val_score(rt.C44(), TWO.X, y, cv=often), atol=1e-12
    )
    results = rt.compare({"a": rt.C44(), "b": rt.C45()}, [TWO], folds=often, measures="auc")
    assert len(results.frame) == 2 * 6 * 2
    curve = rt.learning_curve(rt.C44(), TWO, folds=KFold(4), sizes=[50], measures="auc")
    assert len(curve) == 4


def test_pairs_of_rows_are_folds_too():
    fold = rt.stratified_folds(TWO.y, 3)
    pairs = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(3)]
    expected = rt.cross_validate(rt.C44(), TWO, k=3)
    for given in (pairs, iter(pairs), [tuple(map(list, pair)) for pair in pairs]):
        found = rt.cross_validate(rt.C44(), TWO, folds=given)
        assert found.drop(columns="seconds").equals(expected.drop(columns="seconds"))
    proba = rt.cross_val_proba(rt.C44(), TWO, folds=pairs)
    assert (proba == rt.cross_val_proba(rt.C44(), TWO, k=3)).all()


def test_single_cases_are_measured_together_whoever_divides():
    data = rt.load("labor")
    found = rt.cross_validate(rt.C44(), data, folds=LeaveOneOut())
    expected = rt.cross_validate(rt.C44(), data, folds="leave-one-out")
    assert found.drop(columns="seconds").equals(expected.drop(columns="seconds"))


HALF = np.arange(100), np.arange(100, 200)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"measures": {"profit": 3}}, TypeError, "'profit' is 3"),
        ({"measures": {"auc": profit}}, ValueError, "give yours another name"),
        ({"measures": {"mine": "aucc"}}, ValueError, "unknown measure 'aucc'"),
        ({"measures": {3: profit}}, TypeError, "a measure's name must be text"),
        ({"measures": {}}, ValueError, "name at least one measure"),
        ({"measures": ["auc", {"auc": "auc"}]}, ValueError, "'auc' more than once"),
        ({"measures": {"bad": lambda *_: "high"}}, TypeError, "'bad' must give a number, not 'hi"),
        ({"folds": [HALF, (HALF[0], [200])]}, ValueError, "test rows of part 1 are not all from 0"),
        ({"folds": [(HALF[0], [3, 150])]}, ValueError, "case 3 is in both parts"),
        ({"folds": [(HALF[0], [])]}, ValueError, "test rows of part 0 must be whole numbers"),
        ({"folds": [HALF, HALF[0]]}, ValueError, "part 1 must be a pair"),
        ({"folds": KFold(3), "runs": 2}, ValueError, "same numbers: use runs=1"),
        ({"folds": [HALF], "groups": np.arange(200)}, ValueError, "or a splitter, not by pairs"),
    ],
)
def test_bad_measures_and_folds_are_named(settings, error, words):
    with pytest.raises(error, match=words):
        rt.cross_validate(rt.C44(), TWO, **settings)


def test_one_prediction_is_kept_of_each_case():
    for folds, times in ((RepeatedStratifiedKFold(), 10), ([HALF], 0)):
        with pytest.raises(ValueError, match=f"tests case 0 {times} times"):
            rt.cross_val_proba(rt.C44(), TWO, folds=folds)
    with pytest.raises(TypeError, match="a name or a splitter"):
        rt.compare({"a": rt.C44()}, [TWO], folds=[HALF])
    with pytest.raises(ValueError, match="a single one, not a, b"):
        rt.repeated({"x": rt.C44()}, TWO, measure={"a": profit, "b": profit})
