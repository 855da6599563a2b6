"""The published columns S, W and C of Wang & Zhang (2006), and what a leaked class does to them."""

import numpy as np
import pandas as pd
import pytest
from oracles import prepared, quietly
from strategies import as_plain, coded

import ranktrees as rt
from ranktrees.plain.shrinkage import diw, local_estimates, wpe
from ranktrees.plain.tree import Cases, training_cases
from ranktrees_lab.papers import label_leak, leaked_proba, permuted

# AUC x 100 of the columns S, W and C in Table 3 (C4.5) and Table 4 (C4.4); tests/test_papers.py
# has iris and labor.
COLUMNS = [f"{model}-{estimate}" for model in ("C45", "C44") for estimate in "SWC"]
PUBLISHED = pd.DataFrame(
    {
        "breast-cancer": (62.89, 92.21, 92.28, 61.01, 62.60, 76.51),
        "credit-g": (72.90, 75.35, 82.49, 73.06, 69.67, 79.21),
        "diabetes": (77.69, 85.47, 93.68, 78.91, 77.74, 89.04),
        "glass": (81.93, 84.60, 89.61, 83.11, 80.29, 88.77),
        "ionosphere": (84.29, 94.25, 96.32, 88.86, 93.18, 94.28),
        "soybean": (98.95, 99.15, 99.73, 99.08, 98.93, 99.76),
        "vote": (96.20, 98.60, 98.69, 96.53, 98.50, 98.72),
        "balance-scale": (56.01, 63.34, 88.00, 57.76, 66.79, 79.50),
    },
    index=COLUMNS,
)
MODELS = {"C45": rt.C45(), "C44": rt.C44(rules="wang2006")}
SHRINKAGE = {"estimate": "shrinkage", "estimate_params": {"reading": "as_published"}}
LEAKED = {"W": "wpe", "C": "shrinkage+wpe"}
WITHIN = {"C45-S": 0.25, "C44-S": 0.02, "C45-W": 0.1, "C44-W": 0.1, "C45-C": 0.4, "C44-C": 0.4}
LABELS_LEAK = [name for name in PUBLISHED if name not in ("soybean", "credit-g")]  # they take long


def some_are_long(names, *long):
    """Parameters of a test, of which make test-long alone runs these."""
    return [pytest.param(name, marks=[pytest.mark.long] * (name in long)) for name in names]


def means(data, model, **settings):
    """Mean AUC x 100, a row an estimate, columns honest and leaked."""
    frame = quietly(label_leak, data, model, **settings)
    return 100 * frame.groupby("estimate")[["honest", "leaked"]].mean()


class TestThePublishedCells:
    @pytest.mark.parametrize("column", MODELS)
    @pytest.mark.parametrize("name", some_are_long(PUBLISHED, "credit-g", "diabetes"))
    def test_shrinkage_is_honest(self, name, column):
        data, model = prepared(name), type(MODELS[column])(**MODELS[column].get_params())
        settings = {"k": 10, "runs": 5, "seed": 1, "folds": "weka", "measures": ["auc-wang2006"]}
        pair = data.X, data.y
        frame = quietly(rt.cross_validate, model.set_params(**SHRINKAGE), pair, **settings)
        want, within = PUBLISHED.loc[f"{column}-S", name], WITHIN[f"{column}-S"]
        assert 100 * frame["auc-wang2006"].mean() == pytest.approx(want, abs=within)

    @pytest.mark.parametrize("column", MODELS)
    @pytest.mark.parametrize("name", some_are_long(LABELS_LEAK, "diabetes", "ionosphere"))
    def test_wpe_and_the_combination_are_met_with_the_leak_alone(self, name, column):
        found = means(prepared(name), MODELS[column], runs=5)
        for letter, estimate in LEAKED.items():
            cell = f"{column}-{letter}"
            want = PUBLISHED.loc[cell, name]
            assert found.leaked[estimate] == pytest.approx(want, abs=WITHIN[cell]), cell
            assert found.honest[estimate] < found.leaked[estimate], cell


class TestPermutedClasses:
    @pytest.mark.parametrize("name", some_are_long(["breast-cancer", "diabetes"], "diabetes"))
    def test_honest_is_chance_and_leaked_is_not(self, name):
        """Twenty permutations; with ten folds of Weka's each."""
        data = prepared(name)
        one, other = permuted(data, 4), permuted(data, 5)
        assert one.X is data.X
        assert one.source.endswith(", classes permuted")
        assert one.y.value_counts().tolist() == data.y.value_counts().tolist()
        assert (permuted(data, 4).y == one.y).all()
        assert 0.4 < (one.y == data.y).mean() < 0.8
        assert (one.y != other.y).any()
        each = [means(permuted(data, s), rt.C45(), seed=s + 1) for s in range(20)]
        mean = sum(each) / len(each)
        assert mean.honest.between(47, 53).all()
        assert (mean.leaked[list(LEAKED.values())] > 95).all()


class TestTheLeak:
    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize("estimate", LEAKED.values())
    def test_equals_one_match_more_case_by_case(self, seed, estimate):
        """Eq. 5 with the class as one more attribute, of the test case, too."""
        codes, y = coded(seed, n=45, sizes=(3, 4, 2), noise=0.4)
        train, test = np.arange(30), np.arange(30, 45)
        model = rt.DecisionTree("gini")
        model.fit(codes.take(train), pd.Categorical(y[train], [0, 1, 2]))
        found = leaked_proba(model, codes.take(test), y[test], estimate)
        root, known = as_plain(model.tree_), Cases(codes.values[train], y[train], (3, 4, 2), 3)
        cases = training_cases(root, known.X)
        for row, e, label in zip(found, codes.values[test], y[test], strict=True):
            D = [cases[node] for node in root.path(e)]
            P = local_estimates(known, D, wpe, e, label)
            want = P[-1]
            if estimate == "shrinkage+wpe":
                want = (diw(known, D, wpe, leave_out=True, iterations=1) * P).sum(axis=0)
            assert row == pytest.approx(want, abs=1e-12)

    def test_the_tree_is_as_before_and_bad_input_is_named(self):
        data = prepared("labor")
        model = quietly(rt.C45().fit, data.X, data.y)
        schema, honest = model.tree_.schema, model.with_estimate("wpe").predict_proba(data.X)
        leaked = leaked_proba(model, data.X, data.y.codes, "wpe")
        assert model.tree_.schema is schema
        assert np.array_equal(model.with_estimate("wpe").predict_proba(data.X), honest)
        own = np.arange(len(data)), data.y.codes
        assert (leaked[own] > honest[own] - 1e-12).all()
        assert leaked[own].mean() > honest[own].mean() + 0.005
        with pytest.raises(ValueError, match="unknown estimate 'shrinkage': choose one of 'wpe'"):
            leaked_proba(model, data.X, data.y.codes, "shrinkage")
        for y in (np.zeros(5, int), np.array(["good"] * 57)):
            with pytest.raises(ValueError, match="y must be 57 class codes, one a case, not "):
                leaked_proba(model, data.X, y)


class TestTheFrame:
    @pytest.mark.parametrize("folds", ["weka", "stratified"])
    def test_the_honest_side_is_plain_cross_validation(self, folds):
        data, measure = prepared("labor"), "auc"
        settings = {"k": 5, "runs": 2, "seed": 3, "folds": folds}
        frame = quietly(label_leak, data, rt.C44(), measure=measure, **settings)
        assert list(frame) == ["run", "fold", "estimate", "honest", "leaked"]
        assert len(frame) == 2 * 5 * 3
        assert frame.leaked.isna().tolist() == (frame.estimate == "none").tolist()
        reading = {"reading": "as_published"}
        for name, params in (("none", None), ("wpe", {}), ("shrinkage+wpe", reading)):
            model = rt.C44() if params is None else rt.C44(estimate=name, estimate_params=params)
            want = quietly(
                rt.cross_validate, model, (data.X, data.y), measures=[measure], **settings
            )
            found = frame.honest[frame.estimate == name]
            assert found.to_numpy() == pytest.approx(want[measure].to_numpy(), nan_ok=True)

    @pytest.mark.parametrize(
        ("how", "error", "message"),
        [
            ({"runs": 0}, ValueError, "runs must be at least 1"),
            ({"measure": "auk"}, ValueError, "measure"),
            ({"model": rt.Bagging()}, TypeError, "model must be a decision tree such as C45"),
            ({"model": "C45"}, TypeError, "model must be a decision tree such as C45"),
        ],
    )
    def test_bad_arguments(self, how, error, message):
        with pytest.raises(error, match=message):
            label_leak(rt.load("iris"), **how)
