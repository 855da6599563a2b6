"""What every model promises, whatever it learns: one contract, asked of all of them."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from model_cases import MODELS, fitted, same, table
from oracles import quietly
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import ranktrees as rt
from ranktrees_engine import models
from ranktrees_engine.evaluate.fitting import take_rows, unfitted

EVERY = pytest.mark.parametrize("kind", MODELS)
PROTOTYPES = {"NewtonTree", "DistanceTree", "CentreSplitting"}  # which measure values
UNWEIGHTED = PROTOTYPES | {"CITree", "NBTree"}
WEIGHTED = pytest.mark.parametrize("kind", [kind for kind in MODELS if kind not in UNWEIGHTED])


def test_every_model_is_asked():
    assert {type(model).__name__ for model in MODELS.values()} >= {*models.__all__}


class TestPrediction:
    @EVERY
    def test_unseen_and_missing_values_get_probabilities(self, kind):
        model, X, _ = fitted(kind)
        new = X[:4].astype({"kind": object}).reset_index(drop=True)
        new["word"], new["kind"] = ["never", None, "p", None], ["z", None, "a", "b"]
        new["real"] = [np.nan, 1e300, -1e300, 0.1]
        new = new.reindex(range(5))  # of the last all is missing
        for cases in (new, new[4:]):
            proba = model.predict_proba(cases)
            assert proba.shape == (len(cases), 2)
            assert proba.sum(axis=1) == pytest.approx(1)
            assert (model.predict(cases) == model.classes_[proba.argmax(axis=1)]).all()
            assert np.exp(model.predict_log_proba(cases)) == pytest.approx(proba)

    @pytest.mark.parametrize("kind", [kind for kind in MODELS if kind != "Bagging"])
    def test_missing_values_can_be_refused_by_name(self, kind):
        (X, y), model = table(), unfitted(MODELS[kind]).set_params(missing="error")
        first = X["real"].isna().to_numpy().argmax()
        with pytest.raises(ValueError, match=rf"'real' contains NaN .* row {first}: .*missing="):
            model.fit(X, y)
        quietly(model.fit, X[["whole", "size"]], y)
        gap = X[["whole", "size"]].assign(whole=np.where(np.arange(60) == 7, np.nan, 1.0))
        with pytest.raises(ValueError, match=r"'whole' contains NaN .* row 7"):
            model.predict(gap)

    @EVERY
    def test_a_model_without_a_fit_says_so(self, kind):
        model, (X, y) = unfitted(MODELS[kind]), table()
        asked = {"score": (X, y), "with_estimate": ("laplace",), "explain": (X[:1],)}
        names = "predict predict_proba predict_log_proba apply decision_path unseen encode"
        for name in (*names.split(), *asked):
            if hasattr(type(model), name):
                with pytest.raises(NotFittedError, match=r"is not fitted yet: call fit\(X, y\)"):
                    getattr(model, name)(*asked.get(name, (X,)))
        assert not hasattr(model, "feature_importances_")

    @EVERY
    def test_codes_are_taken_and_kept_apart_from_frames(self, kind):
        X, y = table()
        codes, model = rt.Encoder(missing="value").fit_transform(X), unfitted(MODELS[kind])
        if kind in PROTOTYPES:
            with pytest.raises(TypeError, match="measures values, not Codes: give it X"):
                model.fit(codes, y)
            return
        if kind == "gaussian":
            model.fit(X, y)
            with pytest.raises(TypeError, match="hold no numbers"):
                model.predict(codes)
            return
        quietly(model.fit, codes, y)
        assert model.predict_proba(codes).sum(axis=1) == pytest.approx(1)
        with pytest.raises(TypeError, match="was fitted on Codes: give it Codes again"):
            model.predict_proba(X)
        codes.values[3, 3] = 9
        with pytest.raises(ValueError, match=r"'kind' has codes outside its values, 0 to \d"):
            model.predict_proba(codes)

    @EVERY
    def test_columns_have_names_and_an_order(self, kind):
        model, X, y = fitted(kind)
        with pytest.raises(ValueError, match="same order"):
            model.predict(X[X.columns[::-1]])
        with pytest.raises(ValueError, match=r"unseen at fit time:\n- new\n.*missing:\n- size"):
            model.predict(X.rename(columns={"size": "new"}))
        with pytest.raises(ValueError, match="now missing:\n- truth"):
            model.predict(X.iloc[:, :-1])
        array = quietly(unfitted(MODELS[kind]).fit, X[["real", "whole"]].to_numpy(), y)
        with pytest.raises(ValueError, match=r"3 features.*expecting 2"):
            array.predict(np.eye(3))


class TestClasses:
    @EVERY
    def test_labels_of_every_kind_come_back(self, kind):
        X, y = table()
        for labels in ([False, True], [10, -3], ["b", "a"]):
            given = [labels[c == "yes"] for c in y]
            model = quietly(unfitted(MODELS[kind]).fit, X, pd.Series(given, dtype=object))
            assert model.classes_.tolist() == sorted(labels)
            assert {*model.predict(X).tolist()} <= {*given}
            assert model.score(X, given) > 0.6
        model = quietly(unfitted(MODELS[kind]).fit, X, pd.Categorical(y, ["yes", "may", "no"]))
        assert model.classes_.tolist() == ["may", "no", "yes"], "a declared class has a column"
        assert "may" not in model.predict(X)

    @EVERY
    def test_labels_of_another_kind_have_no_score(self, kind):
        model, X, y = fitted(kind)
        with pytest.raises(ValueError, match="none of the classes 'no', 'yes'"):
            model.score(X, [0, 1] * 30)
        with pytest.raises(ValueError, match="60 cases, but y has 59"):
            model.score(X, y[1:])
        right = model.predict(X) == y
        assert model.score(X, y, np.arange(60)) == pytest.approx(right @ np.arange(60) / 1770)


class TestParameters:
    @EVERY
    def test_a_clone_has_them_and_nothing_that_was_learnt(self, kind, tmp_path):
        model = fitted(kind)[0]
        twin = clone(model)
        assert repr(twin) == repr(model) == repr(MODELS[kind])
        assert not [name for name in vars(twin) if name.endswith("_")]
        assert same(twin.get_params(deep=False), MODELS[kind].get_params(deep=False))
        rt.save(twin, tmp_path / "model.json")
        assert same(MODELS[kind], rt.load_model(tmp_path / "model.json"))

    @EVERY
    def test_others_are_refused_by_name(self, kind):
        made = type(MODELS[kind])
        with pytest.raises(TypeError, match="nonsense"):
            made(nonsense=1)
        with pytest.raises(ValueError, match=rf"'nonsense' for {made.__name__}: choose one of"):
            made().set_params(nonsense=1)
        for give in (made, made().set_params):
            with pytest.raises((TypeError, ValueError), match="it is called seed"):
                give(random_state=0)
        if kind in UNWEIGHTED:
            with pytest.raises(TypeError, match="has no class_weight: DecisionTree, C45, C44"):
                made(class_weight="balanced")


class TestWeights:
    @EVERY
    def test_a_whole_weight_is_so_many_rows(self, kind):
        (X, y), model = table(), unfitted(MODELS[kind])
        weight = np.random.default_rng(1).integers(0, 4, 60)
        if kind in UNWEIGHTED:
            words = r"takes no sample_weight, since (its|a) .*; DecisionTree"
            with pytest.raises(TypeError, match=words):
                model.fit(X, y, sample_weight=weight)
            with pytest.raises(TypeError, match="has no argument 'weights'"):
                model.fit(X, y, weights=None)
            return
        rows = np.repeat(np.arange(60), weight)
        proba = quietly(model.fit, X, y, weight).predict_proba(X)
        again = quietly(model.fit, X.iloc[rows], y[rows]).predict_proba(X)
        np.testing.assert_allclose(again, proba, rtol=0, atol=1e-12)

    @WEIGHTED
    def test_inverse_frequencies_balance_classes(self, kind):
        """Though they add up to little: their mean becomes 1, and trees grow as before."""
        X, y = table()
        each = {label: 1 / np.sum(y == label) for label in ("no", "yes")}
        model = unfitted(MODELS[kind])
        balanced = clone(model).set_params(class_weight="balanced")
        weighed = clone(model).set_params(class_weight=each)
        proba = quietly(balanced.fit, X, y).predict_proba(X)
        assert quietly(weighed.fit, X, y).predict_proba(X) == pytest.approx(proba, abs=1e-9)
        for share in (1, 0.01, 30):
            found = quietly(model.fit, X, y, share * np.array([each[c] for c in y]))
            assert found.predict_proba(X) == pytest.approx(proba, abs=1e-9)

    @WEIGHTED
    @pytest.mark.parametrize(
        ("weight", "message"),
        [
            ([1, 2], r"one number per case: shape \(60,\), not \(2,\)"),
            (np.ones((60, 1)), "one number per case"),
            ([-1.0] + [1] * 59, r"is -1.0 in row 0: weights are finite and at least 0"),
            ([1] * 59 + [np.nan], "is nan in row 59"),
            (np.zeros(60), "zero in all rows"),
            (["a"] * 60, "sample_weight must hold numbers only"),
        ],
    )
    def test_what_is_no_weight(self, kind, weight, message):
        model, X, y = fitted(kind)
        for use in (unfitted(model).fit, model.score):
            with pytest.raises(ValueError, match=message):
                use(X, y, weight)


X60, Y60 = table()
NONSENSE = {
    "no cases": (X60[:0], Y60[:0], "X is empty"),
    "no columns": (X60[[]], Y60, "X is empty"),
    "infinity": (X60.assign(real=np.inf), Y60, "'real'.*inf"),
    "dates": (X60.assign(real=pd.Timestamp("2020-01-01")), Y60, "'real'.*dates"),
    "two columns of one name": (X60.set_axis([0, "0", *"abcd"], axis=1), Y60, "more than once"),
    "one class": (X60, pd.Categorical(["a"] * 60, ["a", "b"]), "only one class, 'a'"),
    "a gap among words": (X60, [np.nan, *Y60[1:]], "of 1 of its 60 cases, first in row 0"),
    "a gap in a Categorical": (X60, pd.Categorical([None, *Y60[1:]]), "first in row 0"),
    "a gap among numbers": (X60, [0, 1, np.nan] + [0] * 57, "first in row 2"),
    "measurements": (X60, np.arange(60) / 7, "continuous"),
    "infinite classes": (X60, [0, np.inf] * 30, "inf"),
    "no classes": (X60, None, "y"),
    "three classes": (X60, [0, 1, 0], "60 cases, but y has 3"),
    "a matrix": (X60, np.zeros((60, 2)), r"1d array.*\(60, 2\)"),
    "words and numbers": (X60, np.array(["a", 1] * 30, dtype=object), "mixes"),
}


class TestFits:
    @EVERY
    @pytest.mark.parametrize(("X", "y", "message"), NONSENSE.values(), ids=list(NONSENSE))
    def test_nonsense_is_refused_and_the_model_stays(self, kind, X, y, message):
        model = copy.copy(fitted(kind)[0])
        before = dict(vars(model))
        with pytest.raises((ValueError, TypeError), match=message):
            model.fit(X, y)
        assert vars(model) == before
        if X is not X60 and "more" not in message:
            with pytest.raises((ValueError, TypeError), match=message):
                model.predict(X)

    @EVERY
    def test_a_refit_leaves_nothing_of_what_was_learnt_before(self, kind):
        X, y = table()
        model = quietly(unfitted(MODELS[kind]).fit, X, y)
        model.note = "of mine"
        array = X[["real", "whole"]].to_numpy()
        quietly(model.fit, array, y == "yes")
        fresh = quietly(unfitted(MODELS[kind]).fit, array, y == "yes")
        assert vars(model).keys() == vars(fresh).keys() | {"note"}
        assert np.array_equal(model.predict_proba(array), fresh.predict_proba(array))

    @pytest.mark.parametrize("kind", [k for k in MODELS if hasattr(MODELS[k], "fit_folds")])
    @pytest.mark.parametrize("coded", [False, True])
    def test_folds_together_are_single_fits(self, kind, coded):
        (X, y), model = table(), unfitted(MODELS[kind])
        coded = coded and kind not in PROTOTYPES
        X = rt.Encoder().fit_transform(X) if coded else X.astype({"word": "category"})
        rows = [np.arange(40), np.arange(20, 60), np.repeat(np.arange(30), 2)]
        together = quietly(model.fit_folds, X, y, rows)
        alone = [quietly(unfitted(model).fit, take_rows(X, some), y[some]) for some in rows]
        for one, other in zip(together, alone, strict=True):
            assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
        if hasattr(model, "predict_folds"):
            tests = quietly(model.predict_folds, together, X, rows[::-1])
            for proba, other, some in zip(tests, alone, rows[::-1], strict=True):
                assert np.array_equal(proba, other.predict_proba(take_rows(X, some)))
        assert not [name for name in vars(model) if name.endswith("_")]

    @pytest.mark.parametrize("kind", ["PathForest", "Bagging"])
    def test_two_processes_fit_the_same(self, kind):
        model, X, y = fitted(kind)
        other = quietly(unfitted(model).set_params(n_jobs=2).fit, X, y)
        assert np.array_equal(other.predict_proba(X), model.predict_proba(X))


class TestStorage:
    @EVERY
    @pytest.mark.parametrize("name", [None, "soybean"])
    def test_a_saved_model_comes_back_bit_for_bit(self, kind, name, tmp_path):
        model, X, _ = fitted(kind, name)
        rt.save(model, tmp_path / "model.json")
        twin = rt.load_model(tmp_path / "model.json")
        assert same(model, twin)
        assert np.array_equal(model.predict_proba(X), twin.predict_proba(X))
        rt.save(twin, tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
        if hasattr(model, "explain"):
            assert str(twin.explain(X[:1])) == str(model.explain(X[:1]))

    @EVERY
    def test_pickled_and_copied_models_predict_the_same(self, kind):
        model, X, _ = fitted(kind)
        for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
            assert np.array_equal(twin.predict_proba(X), model.predict_proba(X))
