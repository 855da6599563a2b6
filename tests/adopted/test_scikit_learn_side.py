"""`rt.Reestimated` in scikit-learn's hands, and leaves that hold our probabilities."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from foreign_trees import FORESTS, TREES, some_cases
from oracles import assert_every_check_passes
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt

X, Y = some_cases()
NEW = some_cases(seed=5)[0]
SAME_FOR_ALL = {
    "frequency": {}, "laplace": {}, "m-branch": {"m": 2}, "prunings": {}, "shrinkage": {},
    "hierarchical-shrinkage": {"lam": 20},
}  # fmt: skip
DRAWS = {
    "check_sample_weight_equivalence_on_dense_data": "a forest draws a weighted case otherwise "
    "than its copies"
}


class TestReestimated:
    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
    @pytest.mark.filterwarnings("default:::ranktrees")
    @pytest.mark.parametrize(
        ("estimator", "estimate", "not_meant"),
        [
            (None, "path", {}),
            pytest.param(None, "laplace", {}, marks=pytest.mark.long),
            pytest.param(
                RandomForestClassifier(3, random_state=0), "path", DRAWS, marks=pytest.mark.long
            ),
        ],
    )
    def test_every_check_passes(self, estimator, estimate, not_meant):
        assert_every_check_passes(rt.Reestimated(estimator, estimate), **not_meant)

    @pytest.mark.parametrize("title", [*TREES, *FORESTS])
    def test_is_a_fit_and_an_adoption(self, title):
        kind = (TREES | FORESTS)[title]
        ours = rt.Reestimated(clone(kind), "hierarchical-shrinkage", {"lam": 5}).fit(X, Y)
        fitted = clone(kind).fit(X, Y)
        how = {"estimate": "hierarchical-shrinkage", "estimate_params": {"lam": 5}}
        model = rt.adopt(fitted, X, Y, **how)
        assert np.array_equal(ours.predict_proba(NEW), model.predict_proba(NEW))
        assert np.array_equal(ours.estimator_.predict(NEW), fitted.predict(NEW))
        assert ours.classes_.tolist() == ["high", "low", "middle"]
        assert ours.feature_names_in_.tolist() == X.columns.tolist()

    def test_searches_and_pipelines(self):
        grid = {"reestimated__estimate": ["laplace", "path"]}
        grid["reestimated__estimator__max_depth"] = [2, 6]
        pipe = make_pipeline(SimpleImputer(), rt.Reestimated(DecisionTreeClassifier()))
        search = GridSearchCV(pipe, grid, scoring="roc_auc_ovr", cv=3).fit(X, Y)
        assert search.best_params_["reestimated__estimate"] == "path"
        alone = cross_val_score(rt.Reestimated(), X, Y, scoring="neg_log_loss", cv=3)
        assert (alone > cross_val_score(TREES["grown"], X, Y, scoring="neg_log_loss", cv=3)).all()
        twin = pickle.loads(pickle.dumps(search.best_estimator_))
        assert np.array_equal(twin.predict_proba(NEW), search.predict_proba(NEW))

    def test_a_frozen_tree_is_not_fitted_again(self):
        fitted = DecisionTreeClassifier(random_state=0).fit(X, Y)
        frozen = rt.Reestimated(FrozenEstimator(fitted)).fit(NEW, some_cases(seed=5)[1])
        assert frozen.estimator_.estimator is fitted
        assert frozen.model_.tree_.counts[0].sum() == len(NEW)

    @pytest.mark.parametrize("weights", ["balanced", {"low": 3}])
    def test_class_weights_are_counted(self, weights):
        kind = DecisionTreeClassifier(class_weight=weights, min_samples_leaf=9, random_state=0)
        ours = rt.Reestimated(kind, "frequency").fit(X, Y, np.full(len(Y), 2.0))
        assert np.allclose(ours.predict_proba(NEW), ours.estimator_.predict_proba(NEW))

    def test_weights_are_routed(self):
        weight = np.random.default_rng(0).integers(1, 4, len(Y))
        with sklearn.config_context(enable_metadata_routing=True):
            tree = TREES["leaves of five"]
            both = rt.Reestimated(clone(tree).set_fit_request(sample_weight=True), "frequency")
            both.fit(X, Y, sample_weight=weight)
            assert np.allclose(both.predict_proba(NEW), both.estimator_.predict_proba(NEW))
            ours = rt.Reestimated(clone(tree).set_fit_request(sample_weight=False))
            ours.fit(X, Y, sample_weight=weight)
            assert np.array_equal(ours.estimator_.predict(NEW), clone(tree).fit(X, Y).predict(NEW))
            assert ours.model_.tree_.counts[0].sum() == weight.sum()
            with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sample_weight"):
                rt.Reestimated(clone(tree)).fit(X, Y, sample_weight=weight)


class TestWrittenBack:
    @pytest.mark.parametrize("estimate", SAME_FOR_ALL)
    @pytest.mark.parametrize("title", [*TREES, *FORESTS])
    def test_the_copy_predicts_what_we_predict(self, title, estimate):
        fitted = clone((TREES | FORESTS)[title]).fit(X, Y)
        before = fitted.predict_proba(NEW)
        model = rt.adopt(fitted, X, Y)
        written = rt.write_back(model, fitted, estimate, **SAME_FOR_ALL[estimate])
        ours = model.with_estimate(estimate, **SAME_FOR_ALL[estimate])
        assert np.abs(written.predict_proba(NEW) - ours.predict_proba(NEW)).max() < 1e-15
        assert np.array_equal(fitted.predict_proba(NEW), before)
        again = rt.write_back(ours, fitted)
        assert np.array_equal(again.predict_proba(NEW), written.predict_proba(NEW))

    def test_twenty_is_the_default_and_a_clone_forgets(self):
        fitted = DecisionTreeClassifier(random_state=0).fit(X, Y)
        model = rt.adopt(fitted, X, Y)
        written = rt.write_back(model, fitted, "hierarchical-shrinkage")
        ours = model.with_estimate("hierarchical-shrinkage", lam=20)
        assert np.array_equal(written.predict_proba(NEW), ours.predict_proba(NEW))
        assert (written.predict(X) != fitted.predict(X)).any()
        assert np.array_equal(clone(written).fit(X, Y).predict_proba(X), fitted.predict_proba(X))

    def test_leaves_that_no_fresh_case_reaches(self):
        fitted = DecisionTreeClassifier(random_state=0).fit(X, Y)
        model = rt.adopt(fitted, X[:50], Y[:50], estimate="laplace", fresh=True)
        written = rt.write_back(model, fitted)
        assert np.array_equal(written.predict_proba(NEW), model.predict_proba(NEW))

    def test_a_loaded_model_and_a_frozen_one(self, tmp_path):
        fitted = FrozenEstimator(DecisionTreeClassifier(random_state=0).fit(X, Y))
        rt.save(rt.adopt(fitted, X, Y, estimate="laplace"), tmp_path / "model.json")
        written = rt.write_back(rt.load_model(tmp_path / "model.json"), fitted)
        assert isinstance(written, FrozenEstimator)
        assert (written.predict_proba(NEW) > 0).all()


def test_a_practitioners_pipeline(tmp_path):
    data = rt.load("credit-g")
    named = data.X.select_dtypes("category").columns.tolist()
    table = data.X.astype(dict.fromkeys(named, str))
    ones = (OneHotEncoder(sparse_output=False), named)
    prepared = make_column_transformer(
        ones, remainder="passthrough", verbose_feature_names_out=False
    )
    pipe = make_pipeline(prepared, RandomForestClassifier(20, min_samples_leaf=3, random_state=0))
    pipe.fit(table, data.y)
    names = pipe[:-1].get_feature_names_out()
    seen = pd.DataFrame(pipe[:-1].transform(table), columns=names).astype(float)
    model = rt.adopt(pipe[-1], seen, data.y)
    assert {*model.explain(seen.iloc[0]).table.index} == {"the trees", *names}
    written = rt.write_back(model, pipe[-1], "hierarchical-shrinkage")
    pipe.steps[-1] = pipe.steps[-1][0], written
    ours = model.with_estimate("hierarchical-shrinkage", lam=20).predict_proba(seen)
    assert np.abs(pipe.predict_proba(table) - ours).max() < 1e-15
    rt.save(model, tmp_path / "model.json")
    assert (tmp_path / "model.json").stat().st_size < 40e6
