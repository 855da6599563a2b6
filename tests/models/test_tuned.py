"""A threshold chosen by inner folds: brute force, scikit-learn's model of the same kind."""

import numpy as np
import pandas as pd
import pytest
from oracles import assert_every_check_passes
from sklearn.metrics import balanced_accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV
from sklearn.naive_bayes import GaussianNB

import ranktrees as rt

CREDIT = rt.load("credit-g")
COST = [[0, 5], [1, 0]]  # a bad payer who is called good costs five


def mean_cost(y, called, cost=COST):
    return rt.expected_cost(rt.confusion_matrix(y, called, ["bad", "good"]), cost)


def test_it_is_the_cheapest_of_all_thresholds_on_cases_not_seen():
    model = rt.TunedThreshold(rt.NaiveBayes(), cost=COST, k=4, seed=3).fit(CREDIT.X, CREDIT.y)
    score = rt.cross_val_proba(rt.NaiveBayes(), CREDIT, k=4, seed=3)[:, 1]
    every = {t: mean_cost(CREDIT.y, np.where(score >= t, "good", "bad")) for t in {*score, np.inf}}
    assert model.cost_ == pytest.approx(min(every.values()))
    assert every[model.threshold_] == pytest.approx(model.cost_)
    whole = rt.NaiveBayes().fit(CREDIT.X, CREDIT.y)
    assert np.array_equal(model.predict_proba(CREDIT.X), whole.predict_proba(CREDIT.X))
    called = whole.predict_proba(CREDIT.X)[:, 1] >= model.threshold_
    assert (model.predict(CREDIT.X) == np.where(called, "good", "bad")).all()


def test_without_a_cost_balanced_accuracy_is_the_best():
    model = rt.TunedThreshold(rt.NaiveBayes()).fit(CREDIT.X, CREDIT.y)
    score = rt.cross_val_proba(rt.NaiveBayes(), CREDIT, k=5)[:, 1]
    hit = CREDIT.y == "good"
    best = max(balanced_accuracy_score(hit, score >= t) for t in np.unique(score))
    assert 1 - model.cost_ == pytest.approx(best)


def test_it_costs_no_more_than_scikit_learns_on_the_same_folds():
    X, y = CREDIT.X.select_dtypes("number").to_numpy(float), np.asarray(CREDIT.y)
    fold = rt.stratified_folds(CREDIT.y, 5)
    folds = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(5)]
    scorer = make_scorer(lambda y, called: -mean_cost(y, called))
    theirs = TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, cv=folds).fit(X, y)
    ours = rt.TunedThreshold(GaussianNB(), cost=COST).fit(X, y)
    score = rt.cross_val_proba(GaussianNB(), X, y, folds=fold)[:, 1]
    called = np.where(score >= theirs.best_threshold_, "good", "bad")
    assert ours.cost_ <= mean_cost(y, called) + 1e-12, "best_score_ is interpolated, and lower"
    assert abs(ours.threshold_ - theirs.best_threshold_) < 0.1
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.95


def test_it_is_cheaper_than_one_half_on_fresh_cases():
    gains = []
    for train, test in rt.random_subsampling(CREDIT.y, 10, 0.5):
        X, y = CREDIT.X.iloc[train], CREDIT.y[train]
        tuned = rt.TunedThreshold(rt.PathBayes(), cost=COST).fit(X, y)
        usual = tuned.model_.predict(CREDIT.X.iloc[test])
        cost = mean_cost(CREDIT.y[test], tuned.predict(CREDIT.X.iloc[test]))
        gains.append(mean_cost(CREDIT.y[test], usual) - cost)
    assert min(gains) > 0.1


def test_weights_are_repeats_in_the_cost_and_in_the_model():
    X, y = CREDIT.X.iloc[:200], CREDIT.y[:200]
    even = rt.TunedThreshold(rt.NaiveBayes(), COST).fit(X, y, np.full(200, 2))
    twice = rt.NaiveBayes().fit(pd.concat([X, X]), np.append(y, y))
    assert np.allclose(even.predict_proba(X), twice.predict_proba(X))
    weight = np.where(y == "bad", 5, 1)
    dear = rt.TunedThreshold(rt.NaiveBayes(), [[0, 1], [1, 0]]).fit(X, y, weight)
    light = rt.TunedThreshold(rt.NaiveBayes(), [[0, 1], [1, 0]]).fit(X, y)
    assert (dear.predict(X) == "bad").sum() > (light.predict(X) == "bad").sum()


def test_a_cost_by_label_and_a_grid_of_the_inner_models_parameters():
    labelled = pd.DataFrame([[0, 1], [5, 0]], ["good", "bad"], ["good", "bad"])
    models = [rt.TunedThreshold(rt.C44(), cost=cost) for cost in (labelled, COST)]
    one, two = (model.fit(CREDIT.X, CREDIT.y).threshold_ for model in models)
    assert one == two
    grid = GridSearchCV(rt.TunedThreshold(rt.C44(), COST), {"model__min_child": [2, 20]}, cv=3)
    assert grid.fit(CREDIT.X, CREDIT.y).best_params_["model__min_child"] in (2, 20)
    assert rt.TunedThreshold(rt.C44()).get_params()["model__min_child"] == 2


def test_it_explains_compares_and_is_stored_as_its_model(tmp_path):
    model = rt.TunedThreshold(rt.C44(), COST).fit(CREDIT.X, CREDIT.y)
    case = CREDIT.X.iloc[[3]]
    assert str(model.explain(case)) == str(model.model_.explain(case))
    assert "on 'good', cost" in str(model.summary())
    rt.save(model, tmp_path / "tuned.json")
    again = rt.load_model(tmp_path / "tuned.json")
    assert (again.predict(CREDIT.X) == model.predict(CREDIT.X)).all()
    assert repr(again) == repr(model)
    models = model, rt.C44()
    found = [rt.cross_validate(one, CREDIT, k=3, measures="auc")["auc"] for one in models]
    assert found[0].tolist() == found[1].tolist()


def test_scikit_learns_checks_pass():
    folds = "copies of a case are of different folds, as in scikit-learn's own"
    assert_every_check_passes(
        rt.TunedThreshold(rt.C44(), k=2),
        check_sample_weight_equivalence_on_dense_data=folds,
        check_classifiers_train="predict is by the threshold, and not by the largest probability",
    )


@pytest.mark.parametrize(
    ("model", "y", "error", "words"),
    [
        (rt.TunedThreshold(), list("abc") * 10, ValueError, "between two classes, but y has 3"),
        (rt.TunedThreshold(cost=[[0, 1]]), list("ab") * 15, ValueError, "cost must have one row"),
        (rt.TunedThreshold(rt.C44), list("ab") * 15, TypeError, "a classifier such as C44"),
        (rt.TunedThreshold(k=1), list("ab") * 15, ValueError, "k must be at least 2"),
        (rt.TunedThreshold(), [*"a" * 29, "b"], ValueError, "holds class 'a' alone"),
    ],
)
def test_what_cannot_be_tuned_is_named(model, y, error, words):
    with pytest.raises(error, match=words):
        model.fit(pd.DataFrame({"x": np.arange(30) % 7}), y)
