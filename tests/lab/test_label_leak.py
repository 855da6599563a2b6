"""The published columns S, W and C of Wang & Zhang (2006), and what a leaked class does to them."""

import numpy as np
import pandas as pd
import pytest
from oracles import prepared, quietly
from sklearn.base import clone
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


def daily(names, *few):
    """Parameters of a test, of which make test runs these few, and make test-long all."""
    return [pytest.param(name, marks=[pytest.mark.long] * (name not in few)) for name in names]


def means(data, model, **settings):
    """Mean AUC x 100, a row an estimate, columns honest and leaked."""
    frame = quietly(label_leak, data, model, **settings)
    return 100 * frame.groupby("estimate")[["honest", "leaked"]].mean()


class TestThePublishedCells:
    @pytest.mark.parametrize("column", MODELS)
    @pytest.mark.parametrize("name", daily(PUBLISHED, "breast-cancer", "glass", "vote"))
    def test_shrinkage_is_honest(self, name, column):
        data, model = prepared(name), clone(MODELS[column]).set_params(**SHRINKAGE)
        settings = {"runs": 5, "seed": 1, "folds": "weka", "measures": ["auc-wang2006"]}
        frame = quietly(rt.cross_validate, model, (data.X, data.y), **settings)
        want, within = PUBLISHED.loc[f"{column}-S", name], WITHIN[f"{column}-S"]
        assert 100 * frame["auc-wang2006"].mean() == pytest.approx(want, abs=within)

    @pytest.mark.parametrize("column", MODELS)
    @pytest.mark.parametrize("name", daily(LABELS_LEAK, "breast-cancer"))
    def test_wpe_and_the_combination_are_met_with_the_leak_alone(self, name, column):
        found = means(prepared(name), MODELS[column], runs=5)
        for letter, estimate in LEAKED.items():
            cell = f"{column}-{letter}"
            want = PUBLISHED.loc[cell, name]
            assert found.leaked[estimate] == pytest.approx(want, abs=WITHIN[cell]), cell
            assert found.honest[estimate] < found.leaked[estimate], cell


class TestPermutedClasses:
    @pytest.mark.parametrize("name", daily(["breast-cancer", "diabetes"], "breast-cancer"))
    def test_honest_is_chance_and_leaked_is_not(self, name):
        """Ten permutations, with ten folds of Weka's each."""
        data = prepared(name)
        one, other = permuted(data, 4), permuted(data, 5)
        assert one.y.value_counts().tolist() == data.y.value_counts().tolist()
        assert (permuted(data, 4).y == one.y).all()
        assert (one.y != other.y).any()
        each = [means(permuted(data, s), rt.C45(), seed=s + 1) for s in range(10)]
        mean = sum(each) / len(each)
        assert mean.honest.between(47, 53).all()
        assert (mean.leaked[list(LEAKED.values())] > 95).all()


class TestTheLeak:
    @pytest.mark.parametrize("seed", range(2))
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

    def test_the_model_is_as_before(self):
        data = prepared("labor")
        model = quietly(rt.C45().fit, data.X, data.y)
        schema, honest = model.tree_.schema, model.with_estimate("wpe").predict_proba(data.X)
        leaked = leaked_proba(model, data.X, data.y.codes, "wpe")
        assert model.tree_.schema is schema
        assert np.array_equal(model.with_estimate("wpe").predict_proba(data.X), honest)
        own = np.arange(len(data)), data.y.codes
        assert (leaked[own] > honest[own] - 1e-12).all()

    def test_the_honest_side_is_plain_cross_validation(self):
        data, settings = prepared("labor"), {"k": 5, "runs": 2, "seed": 3, "folds": "weka"}
        frame = quietly(label_leak, data, rt.C44(), measure="auc", **settings)
        assert frame.leaked.isna().tolist() == (frame.estimate == "none").tolist()
        reading = {"estimate": "shrinkage+wpe", "estimate_params": {"reading": "as_published"}}
        for name, how in {"none": {}, "wpe": {"estimate": "wpe"}, "shrinkage+wpe": reading}.items():
            want = quietly(
                rt.cross_validate, rt.C44(**how), (data.X, data.y), measures=["auc"], **settings
            )
            found = frame.honest[frame.estimate == name]
            assert found.to_numpy() == pytest.approx(want["auc"].to_numpy(), nan_ok=True)

    def test_bad_arguments_are_named(self):
        data, unknown = prepared("labor"), "unknown estimate 'shrinkage': choose one of 'wpe'"
        model = quietly(rt.C45().fit, data.X, data.y)
        good, codes = np.array(["good"] * 57), data.y.codes
        for call, message in [
            (lambda: leaked_proba(model, data.X, codes, "shrinkage"), unknown),
            (lambda: leaked_proba(model, data.X, codes[:5]), "y must be 57 class codes, one a cas"),
            (lambda: leaked_proba(model, data.X, good), "y must be 57 class codes, one a case"),
            (lambda: label_leak(data, runs=0), "runs must be at least 1"),
            (lambda: label_leak(data, measure="auk"), "measure"),
            (lambda: label_leak(data, rt.Bagging()), "model must be a decision tree such as C45"),
        ]:
            with pytest.raises((TypeError, ValueError), match=message):
                call()
