"""Models as JSON: estimates, training cases, odd values and parameters come back bit for bit."""

import numpy as np
import pandas as pd
import pytest
from model_cases import fitted, same

import ranktrees as rt
from ranktrees_engine.bayes import BayesNet, lung_cancer
from ranktrees_engine.estimates import ESTIMATES, estimate_names
from ranktrees_lab.papers.weka_bagging import WekaBagging


@pytest.fixture
def twin_of(tmp_path):
    """The model after a way through a file."""

    def there_and_back(model):
        rt.save(model, tmp_path / "model.json")
        return rt.load_model(tmp_path / "model.json")

    return there_and_back


class TestModels:
    @pytest.mark.parametrize("estimate", [*ESTIMATES])
    def test_every_estimate(self, twin_of, estimate):
        model, X, _ = fitted("DecisionTree", "labor")
        ours = model.with_estimate(estimate)
        twin = twin_of(ours)
        assert same(twin_of(twin), twin)
        assert np.array_equal(ours.predict_proba(X), twin.predict_proba(X))
        assert np.array_equal(ours.feature_importances_, twin.feature_importances_)
        if estimate in estimate_names("counts"):
            assert same(twin_of(model).with_estimate(estimate), twin)
        else:
            with pytest.raises(ValueError, match=r"needs the cases: .* saved .*: fit it again"):
                twin_of(model).with_estimate(estimate)

    @pytest.mark.parametrize(
        ("model", "least"), [(rt.PathBayes(), None), (rt.DecisionTree("gini", "binary"), 0.7)]
    )
    def test_training_cases_are_not_in_a_file_without_need(self, twin_of, tmp_path, model, least):
        rng = np.random.default_rng(0)
        X = pd.DataFrame(rng.integers(0, 3, (600, 20)).astype(str)).rename(columns="x{}".format)
        X = X.mask(rng.random(X.shape) < 0.1)
        y = np.where(X["x0"] == X["x1"], "yes", "no")
        weight = None if least is None else least * (1 + rng.integers(0, 4, len(y)))
        twin = twin_of(model.fit(X, y, weight))
        assert len(model.training_[1]) == 600
        assert not len(twin.training_[1])
        assert np.array_equal(model.predict_proba(X), twin.predict_proba(X))
        without = (tmp_path / "model.json").stat().st_size
        weight = None if least is None else np.ceil(weight)
        asks = twin_of(model.fit(X, y, weight).with_estimate("wpe"))
        assert (tmp_path / "model.json").stat().st_size > without + 2 * X.size
        assert len(asks.training_[1]) == 600
        assert (asks.weight_ is None) == (least is None)

    def test_codes_leaves_bags_and_belief_networks(self, twin_of):
        data = rt.load("iris")
        coded = rt.Encoder().fit_transform(data.X)
        model = rt.DecisionTree().fit(coded, data.y)
        leaf = fitted("CITree", "weather.nominal")[0].tree_.root.model
        bag = WekaBagging(n_models=2).fit(coded, data.y)
        frame = pd.DataFrame({"type": list("aab"), "id": [True, False, False]})
        net = BayesNet({"type": [], "id": ["type"]}).fit(frame)
        for one in (coded, model, leaf, bag, lung_cancer(), net):
            assert same(one, twin_of(one))

    @pytest.mark.parametrize(
        "values",
        [
            [True, False, True, None],
            pd.Categorical([3, 1, 2, 1], [3, 2, 1], ordered=True),
            pd.cut(pd.Series([1.0, 5.5, 9.1, 2.0]), 3),
            pd.Series(["\ud800", '"\\', "\n", "\u2028"], dtype=object),
            [1e300, 5e-324, -0.0, 0.1],
        ],
    )
    def test_odd_columns_and_classes(self, twin_of, values):
        X = pd.DataFrame({"odd": values})
        for classes in ([2**62, -1] * 2, [True, False] * 2):
            model = rt.DecisionTree().fit(X, np.array(classes))
            assert same(model, twin_of(model))

    def test_cached_properties_are_not_stored(self, twin_of, tmp_path):
        fresh = twin_of(fitted("DecisionTree")[0])
        before = (tmp_path / "model.json").read_bytes()
        assert fresh.tree_.path_words is vars(fresh.tree_)["path_words"]
        twin_of(fresh)
        assert (tmp_path / "model.json").read_bytes() == before
        with pytest.raises(ValueError, match="read-only"):
            fresh.tree_.counts[0] = 0


class TestParameters:
    @pytest.mark.parametrize(
        "value",
        [
            2**62,
            -0.0,
            "ä\ud800",
            [1, (2.5, None)],
            {"type": {"a": 1}, "": ()},
            pytest.param(frozenset(["b", "a"]), id="a frozenset"),
            np.array([[1.5, -0.0], [1e-45, 2]], np.float32),
            np.arange(6).reshape(2, 3).T,
            np.array(["a", "längere"]),
            np.zeros((0, 3), np.uint8),
            np.int8(-3),
            np.bool_(True),
            np.str_("ä"),
        ],
        ids=repr,
    )
    def test_what_they_may_be(self, twin_of, value):
        model = rt.Bagging(rt.DecisionTree(estimate_params={"m": value}))
        assert same(twin_of(model).model.estimate_params["m"], value)

    @pytest.mark.parametrize(
        "value",
        [
            print,
            b"bytes",
            np.array([1j]),
            np.array(["2020-01-01"], "M8[D]"),
            pd.DataFrame({"a": [1]}),
            type("DecisionTree", (rt.DecisionTree,), {})(),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_what_cannot_be_stored_is_named(self, tmp_path, value):
        model = rt.DecisionTree(estimate_params={"m": [1, value]})
        words = r"DecisionTree\.estimate_params\['m'\]\[1\].*: .*stored"
        with pytest.raises(TypeError, match=words):
            rt.save(model, tmp_path / "model.json")
        assert not list(tmp_path.iterdir())

    def test_what_contains_itself_and_what_is_no_model(self, tmp_path):
        model = rt.DecisionTree()
        model.estimate_params = {"m": model}
        for one, words in (model, "contains itself"), ({1}, r"set \{1\} is not a model that can"):
            with pytest.raises(TypeError, match=words):
                rt.save(one, tmp_path / "model.json")
