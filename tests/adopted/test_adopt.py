"""Adopted trees and forests do what a fitted model does, except to be fitted."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from databases import in_duckdb, in_sqlite
from foreign_trees import FORESTS, TREES, as_numbers, some_cases
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_engine.estimates import ESTIMATES
from ranktrees_engine.growing import grow as growing
from ranktrees_files.adopted.path import bins_of

X, Y = some_cases()
NEW = some_cases(seed=5)[0]
FITTED = {
    title: clone(kind).fit(X, Y)
    for title, kind in {"tree": TREES["leaves of five"], **FORESTS}.items()
}
MODELS = {title: rt.adopt(fitted, X, Y) for title, fitted in FITTED.items()}
TREE, FOREST = MODELS["tree"], MODELS["random forest"]
NOT_FOR_CUTS = "path-bayes", "path-bayes-em"


class TestOneTree:
    @pytest.mark.parametrize("name", [*ESTIMATES])
    def test_any_estimate(self, name):
        if name in NOT_FOR_CUTS:
            with pytest.raises(ValueError, match="a branch per value"):
                TREE.with_estimate(name)
            return
        ours = TREE.with_estimate(name)
        assert np.allclose(ours.predict_proba(NEW).sum(axis=1), 1)
        assert np.allclose(ours.feature_importances_, FITTED["tree"].feature_importances_)

    def test_parts_add_up_to_what_is_predicted(self):
        table = rt.explain_table(TREE, NEW[:20])
        proba = TREE.predict_proba(NEW[:20])
        ordered = np.sort(proba, axis=1)
        assert np.allclose(table.sum(axis=1), np.log(ordered[:, -1] / ordered[:, -2]))
        said = TREE.explain(NEW.iloc[3])
        assert "600" not in said.title
        assert said.table["log odds"].sum() == pytest.approx(
            np.log(np.sort(proba[3])[-1] / np.sort(proba[3])[-2])
            - prior_odds(TREE, said.proba), abs=1e-9,
        )  # fmt: skip
        assert any("or missing" in line for line in TREE.explain(NEW.iloc[2]).lines)

    def test_its_grids_are_those_of_the_values(self):
        codes, estimate = TREE.encode(NEW), TREE.estimate_
        each = estimate.in_grids(codes.values, TREE.tree_.schema)
        for found, encoder in zip(each, TREE.grids_, strict=True):
            right, info = encoder.transform(NEW).values, encoder.schema_
            missing = np.array([i.missing for i in info]) & (right == [i.size - 1 for i in info])
            assert np.array_equal(found, np.where(missing, -1, right))
        assert bins_of(TREE.tree_.schema[1], TREE.grids_[1].schema_[1])[-1] == -1

    def test_a_case_alone_a_dict_and_an_array(self):
        whole = TREE.predict_proba(NEW)
        assert np.array_equal(TREE.predict_proba(NEW.iloc[[7]]), whole[[7]])
        assert TREE.explain(NEW.iloc[7].to_dict()).proba == TREE.explain(NEW.iloc[[7]]).proba
        bare = rt.adopt(FITTED["tree"], X.to_numpy(), Y)
        assert np.array_equal(bare.predict_proba(NEW), whole)
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            assert np.array_equal(bare.predict_proba(NEW.to_numpy()), whole)

    def test_pruned_it_has_the_estimate_of_what_is_left(self):
        cut = TREE.with_tree(rt.prune.cost_complexity(TREE.tree_).trees[3])
        assert len(cut.tree_) < len(TREE.tree_)
        assert np.allclose(cut.predict_proba(NEW).sum(axis=1), 1)

    @pytest.mark.parametrize("params", [{"further": 0.5}, {"lam": 50}])
    def test_parameters_of_path(self, params):
        other = rt.adopt(FITTED["tree"], X, Y, estimate_params=params)
        assert np.array_equal(
            other.predict_proba(NEW), TREE.with_estimate("path", **params).predict_proba(NEW)
        )
        assert not np.allclose(other.predict_proba(NEW), TREE.predict_proba(NEW))

    @pytest.mark.parametrize("params", [{"further": 0}, {"further": 1}, {"lam": -1}, {"m": 2}])
    def test_parameters_that_cannot_be(self, params):
        with pytest.raises(ValueError, match=next(iter(params))):
            TREE.with_estimate("path", **params)


def prior_odds(model, proba):
    """Log odds that the prior adds for the two likeliest classes."""
    first, second = sorted(proba, key=proba.get, reverse=True)[:2]
    counts = dict(zip(model.classes_, model.tree_.counts[0], strict=True))
    weight = model.estimate_.pool_weights[0]
    return weight * np.log((counts[first] + 0.5) / (counts[second] + 0.5))


class TestForests:
    @pytest.mark.parametrize("title", FORESTS)
    def test_explained_and_weighed(self, title):
        model = MODELS[title]
        assert isinstance(model, rt.PathForest)
        assert f"{len(model.trees_)} adopted trees" in str(model.explain(NEW.iloc[0]))
        assert rt.explain_table(model, NEW[:3]).shape == (3, X.shape[1] + 2)
        theirs = FITTED[title]
        if title == "bag":  # it has none of its own
            total = np.zeros(X.shape[1])
            for tree, some in zip(theirs.estimators_, theirs.estimators_features_, strict=True):
                total[some] += tree.feature_importances_
            assert np.allclose(model.feature_importances_, total / len(theirs.estimators_))
        else:
            assert np.array_equal(model.feature_importances_, theirs.feature_importances_)

    @pytest.mark.parametrize("name", ["laplace", "hierarchical-shrinkage", "shrinkage+wpe"])
    def test_other_estimates_are_averaged(self, name):
        other = FOREST.with_estimate(name)
        proba = other.predict_proba(NEW)
        assert np.allclose(proba.sum(axis=1), 1)
        assert "12 adopted trees" in other.explain(NEW.iloc[0]).lines[0]
        with pytest.raises(TypeError, match="not a sum over attributes"):
            rt.explain_table(other, NEW)
        with pytest.raises(ValueError, match="SQL of a forest"):
            other.to_sql("cases")
        back = other.with_estimate("path")
        assert np.array_equal(back.predict_proba(NEW), FOREST.predict_proba(NEW))

    @pytest.mark.parametrize("weighed", [False, True])
    @pytest.mark.parametrize("title", ["random forest", "bag"])
    def test_temperature_has_what_each_tree_drew(self, title, weighed):
        weight = np.random.default_rng(3).integers(1, 4, len(Y)) if weighed else None
        fitted = clone(FORESTS[title]).fit(X, Y, weight)
        model = rt.adopt(fitted, X, Y, weight, estimate="temperature")
        for tree, bag, theirs in zip(model.trees_, model.bags_, fitted.estimators_, strict=True):
            assert len(tree) == len(bag)
            mine = np.sort(bag.sum(axis=1))
            assert np.allclose(mine, np.sort(theirs.tree_.weighted_n_node_samples))
        assert 0.2 < model.temperature_ < 4.5
        q = model.estimates_.each(model.encode(NEW)[0]).sum(axis=0) + 1 / 3
        power = (q / q.sum(axis=1, keepdims=True)) ** model.temperature_
        assert np.allclose(model.predict_proba(NEW), power / power.sum(axis=1, keepdims=True))
        assert f"exponent {model.temperature_:.3f}" in model.explain(NEW.iloc[0]).lines[0]
        with pytest.raises(ValueError, match="needs the sample of each tree"):
            MODELS[title].with_estimate("temperature")


class TestNothingIsFittedAgain:
    @pytest.fixture(autouse=True)
    def no_tree_grows(self, monkeypatch):
        def grow(*args, **kwargs):
            raise AssertionError("a tree grew")

        for module in (growing, __import__("ranktrees_engine.estimator.tree").estimator.tree):
            monkeypatch.setattr(module, "grow", grow)

    @pytest.mark.parametrize("title", MODELS)
    @pytest.mark.parametrize(
        "refit",
        [
            lambda model: model.fit(X, Y),
            clone,
            lambda model: rt.cross_validate(model, X, Y),
            lambda model: rt.cross_val_proba(model, X, Y),
            lambda model: rt.compare({"a": model, "b": model}, [rt.Dataset(X, pd.Categorical(Y))]),
            lambda model: rt.learning_curve(model, X, Y),
            lambda model: rt.Bagging(model).fit(X, Y),
            lambda model: cross_val_score(model, X, Y),
            lambda model: CalibratedClassifierCV(model).fit(X, Y),
        ],
    )
    def test_it_is_refused(self, title, refit):
        with pytest.raises(TypeError, match=r"not refitted: use rt.Reestimated\(estimator\)"):
            refit(MODELS[title])


class TestStoredAndAsked:
    @pytest.mark.parametrize("title", MODELS)
    def test_saved(self, tmp_path, title):
        rt.save(MODELS[title], tmp_path / "model.json")
        twin = rt.load_model(tmp_path / "model.json")
        assert np.array_equal(twin.predict_proba(NEW), MODELS[title].predict_proba(NEW))
        assert np.array_equal(twin.feature_importances_, MODELS[title].feature_importances_)
        again = twin.with_estimate("shrinkage").predict_proba(NEW)
        assert np.array_equal(again, MODELS[title].with_estimate("shrinkage").predict_proba(NEW))

    def test_saved_with_less(self, tmp_path):
        rt.save(TREE.with_estimate("laplace"), tmp_path / "model.json")
        twin = rt.load_model(tmp_path / "model.json")
        assert not len(twin.training_[1])
        with pytest.raises(ValueError, match="needs the cases"):
            twin.with_estimate("path")
        model = rt.adopt(FITTED["random forest"], X, Y, estimate="temperature")
        rt.save(model, tmp_path / "model.json")
        twin = rt.load_model(tmp_path / "model.json")
        assert np.array_equal(twin.predict_proba(NEW), model.predict_proba(NEW))

    @pytest.mark.parametrize("few", [DecisionTreeClassifier, RandomForestClassifier])
    @pytest.mark.parametrize("run", [in_sqlite, in_duckdb])
    def test_as_a_query(self, few, run):
        kind = few(max_depth=4, random_state=0)
        if few is RandomForestClassifier:
            kind.set_params(n_estimators=3)
        model = rt.adopt(kind.fit(X, Y), X, Y)
        found = run(NEW[:80], model.to_sql("cases"))
        assert np.abs(found - model.predict_proba(NEW[:80])).max() < 1e-9

    def test_leaves_as_a_query(self):
        ours = TREE.with_estimate("laplace")
        found = in_duckdb(NEW, ours.to_sql("cases"))
        assert np.abs(found - ours.predict_proba(NEW)).max() < 1e-12


class TestWhatIsTaken:
    @pytest.mark.parametrize(
        "labels", [[0, 1, 2], [-1.0, 0.0, 5.0], [False, True, True], ["a", "b", "ä"]]
    )
    def test_classes_of_any_type(self, labels):
        y = np.array(labels)[np.searchsorted(["high", "low", "middle"], Y)]
        fitted = DecisionTreeClassifier(random_state=0).fit(X, y)
        for given in (y, pd.Series(y), y.tolist(), pd.Categorical(y)):
            model = rt.adopt(fitted, X, given, estimate="frequency")
            assert model.classes_.dtype == fitted.classes_.dtype
            assert np.array_equal(model.predict(NEW), fitted.predict(NEW))

    def test_truth_and_whole_numbers(self):
        table = X.assign(b=X["b"] > 0, c=X["c"].round().astype(int))
        fitted = DecisionTreeClassifier(random_state=0).fit(table, Y)
        model = rt.adopt(fitted, table, Y, estimate="frequency")
        assert np.array_equal(model.predict_proba(table), fitted.predict_proba(table))

    def test_frozen_ones_and_fresh_cases(self):
        fitted = FITTED["tree"]
        assert len(rt.adopt(FrozenEstimator(fitted), X, Y).tree_) == len(TREE.tree_)
        few = rt.adopt(fitted, X[:60], Y[:60], fresh=True)
        assert few.tree_.counts[0].sum() == 60
        assert len(few.tree_) < len(TREE.tree_)
        assert np.allclose(few.predict_proba(NEW).sum(axis=1), 1)
        assert (few.tree_.counts.sum(axis=1) > 0).all()

    def test_class_weights_that_are_given(self):
        fitted = DecisionTreeClassifier(class_weight="balanced", random_state=0).fit(X, Y)
        weight = sklearn.utils.class_weight.compute_sample_weight("balanced", Y)
        model = rt.adopt(fitted, X, Y, weight, estimate="frequency")
        assert np.allclose(model.predict_proba(NEW), fitted.predict_proba(NEW), atol=1e-12)

    def test_names_from_the_table_of_a_nameless_fit(self):
        fitted = RandomForestClassifier(3, random_state=0).fit(X.to_numpy(), Y)
        model = rt.adopt(fitted, X, Y)
        assert "time" in model.explain(NEW.iloc[0]).table.index

    def test_wide_tables(self):
        data = rt.load("labor")
        X, y = as_numbers(data), np.asarray(data.y)
        fitted = ExtraTreesClassifier(3, bootstrap=True, random_state=0).fit(X, y)
        assert rt.adopt(fitted, X, y).predict_proba(X).shape == (57, 2)
        bag = BaggingClassifier(TREES["grown"], 3, bootstrap_features=True, random_state=0)
        assert rt.adopt(bag.fit(X, y), X, y).predict_proba(X).shape == (57, 2)
