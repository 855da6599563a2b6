"""What cannot be adopted is refused in a sentence that says what to do."""

import numpy as np
import pandas as pd
import pytest
from foreign_trees import some_cases
from scipy.sparse import csr_array
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import ranktrees as rt

X, Y = some_cases(120)
FULL, CODES = X.fillna(0), (Y == "low").astype(int)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
FITTED = DecisionTreeClassifier(random_state=0).fit(X, Y)
FOREST = RandomForestClassifier(3, random_state=0).fit(X, Y)
KINDS = {
    "several outputs": (
        DecisionTreeClassifier().fit(X, np.stack([CODES, 1 - CODES], 1)), "2 outputs at once",
    ),
    "a regressor": (DecisionTreeRegressor().fit(X, CODES), "rt.cut_classes"),
    "a forest of regressors": (RandomForestRegressor(2).fit(X, CODES), "rt.cut_classes"),
    "gradient boosting": (GradientBoostingClassifier(n_estimators=2).fit(FULL, Y), "hold steps"),
    "histograms": (HistGradientBoostingClassifier(max_iter=2).fit(X, Y), "hold steps"),
    "AdaBoost": (AdaBoostClassifier(n_estimators=2).fit(FULL, Y), "hold steps"),
    "constraints": (
        DecisionTreeClassifier(monotonic_cst=[1, 0, 0, 0, 0]).fit(FULL, CODES), "monotonic_cst",
    ),
    "constraints of a forest": (
        ExtraTreesClassifier(2, monotonic_cst=[1, 0, 0, 0, 0]).fit(FULL, CODES), "monotonic_cst",
    ),
    "not fitted": (DecisionTreeClassifier(), "not fitted yet"),
    "a forest not fitted": (RandomForestClassifier(), "not fitted yet"),
    "a class": (DecisionTreeClassifier, r"DecisionTreeClassifier\(\)\.fit"),
    "a pipeline": (make_pipeline(StandardScaler(), TREE).fit(X, Y), r"rt.adopt\(pipe\[-1\]"),
    "a search": (GridSearchCV(TREE, {"max_depth": [1]}, cv=2).fit(X, Y), "search.best_estimator_"),
    "another model": (LogisticRegression().fit(FULL, Y), "takes a fitted DecisionTree"),
    "a bag of others": (BaggingClassifier(GaussianNB(), 2).fit(FULL, Y), "must hold trees"),
    "one of ours": (rt.C45().fit(FULL, Y), "with_estimate"),
    "nothing": (None, "takes a fitted DecisionTree"),
}  # fmt: skip


@pytest.mark.parametrize("what", KINDS)
def test_of_models(what):
    fitted, said = KINDS[what]
    with pytest.raises((TypeError, ValueError), match=said):
        rt.adopt(fitted, FULL, CODES)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"X": csr_array(FULL.to_numpy())}, r"sparse .* use X.toarray\(\)"),
        ({"X": FULL[["b", "a", "c", "d", "time"]]}, "must be in the same order"),
        ({"X": FULL.rename(columns={"a": "z"})}, "unseen at fit time"),
        ({"X": FULL[["a", "b"]]}, "X has 2 columns, but DecisionTreeClassifier was fitted on 5"),
        ({"X": FULL.assign(a=np.inf)}, "infinity"),
        ({"X": FULL.assign(a="warm")}, r"'a' holds 'warm', but .* pipe\[:-1\].transform"),
        ({"X": X[:60], "y": Y[:60]}, r"grown on 120 cases, but X has 60: .* fresh=True"),
        ({"y": Y[:60]}, "X has 120 cases, but y has 60"),
        ({"y": np.where(Y == "low", "new", Y)}, r"y holds 'new' in row \d+, but .* 'high', 'low'"),
        ({"y": None}, "requires y"),
        ({"y": CODES}, "y holds 0|y holds 1"),
        ({"sample_weight": np.full(120, -1)}, "sample_weight is -1"),
        ({"estimate": "best"}, "estimate .*'best'"),
        ({"estimate": "temperature"}, "estimate .*'temperature'"),
        ({"estimate": "laplace", "estimate_params": {"m": 1}}, "no parameter 'm'"),
        ({"fresh": 1}, "fresh must be True or False"),
    ],
)
def test_of_cases_and_arguments(changed, said):
    given = {"X": X, "y": Y} | changed
    with pytest.raises((TypeError, ValueError), match=said):
        rt.adopt(FITTED, **given)


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, RandomForestClassifier])
@pytest.mark.parametrize("weights", ["balanced", {"low": 2, "middle": 1, "high": 1}])
def test_class_weights_that_are_not_given(kind, weights):
    fitted = kind(class_weight=weights, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"grown with class_weight=.*compute_sample_weight\("):
        rt.adopt(fitted, X, Y)


@pytest.mark.parametrize(
    ("forest", "how"),
    [
        (ExtraTreesClassifier(2, random_state=0).fit(X, Y), {}),
        (FOREST, {"fresh": True}),
        (FOREST, {"estimate_params": {"lam": 1}}),
    ],
)
def test_temperature_without_samples(forest, how):
    with pytest.raises(ValueError, match=r"bootstrap=True|has no parameters"):
        rt.adopt(forest, X, Y, estimate="temperature", **how)


def test_fewer_cases_than_a_forest_drew_from():
    with pytest.raises(ValueError, match="more than the 60 cases of X"):
        rt.adopt(FOREST, X[:60], Y[:60], estimate="temperature")
    with pytest.raises(ValueError, match="'path' has no parameters"):
        rt.adopt(FOREST, X, Y, estimate_params={"lam": 50})
    assert rt.adopt(FOREST, X[:60], Y[:60]).class_count_.sum() == 60  # not known, as is said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (lambda model: rt.write_back(model, FITTED), 'give estimate="hierarchical-shrinkage"'),
        (lambda model: rt.write_back(model, FITTED, "wpe"), "differs from case to case"),
        (lambda model: rt.write_back(model, TREE.fit(X, Y), "laplace"), "nodes|tests|cuts"),
        (lambda model: rt.write_back(model, FOREST, "laplace"), "3 trees, the model 1"),
        (lambda model: rt.write_back(FITTED, FITTED), r"what rt.adopt\(fitted, X, y\) returns"),
        (lambda model: rt.write_back(model, None), "takes a fitted DecisionTree"),
    ],
)
def test_of_writing_back(written, said):
    with pytest.raises((TypeError, ValueError), match=said):
        written(rt.adopt(FITTED, X, Y))


def test_a_temperature_is_not_of_leaves():
    model = rt.adopt(FOREST, X, Y, estimate="temperature")
    with pytest.raises(ValueError, match="differs from case to case"):
        rt.write_back(model, FOREST)


def test_a_bag_whose_trees_lack_a_class_cannot_be_written():
    X, y = make_classification(60, n_classes=2, random_state=0)
    y[:2] = 2
    pasted = BaggingClassifier(DecisionTreeClassifier(), 6, max_samples=0.2, random_state=0)
    pasted.fit(X, y)
    lacking = [len(tree.classes_) < 3 for tree in pasted.estimators_]
    model = rt.adopt(pasted, pd.DataFrame(X).to_numpy(), y)
    if any(lacking):
        with pytest.raises(ValueError, match=r"has seen . of 3 classes"):
            rt.write_back(model, pasted, "laplace")
    else:
        assert rt.write_back(model, pasted, "laplace").predict_proba(X).shape == (60, 3)
