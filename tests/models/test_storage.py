"""Models as JSON: everything comes back bit for bit."""

import math
import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees.bayes import BayesNet, lung_cancer
from ranktrees.estimates import ESTIMATES, estimate_names
from ranktrees.estimator.classifier import Classifier
from ranktrees.models import C44, C45, Bagging, NaiveBayes
from ranktrees.models.storage import FIELDS
from ranktrees_lab.papers.weka_bagging import WekaBagging

MODELS = {
    "tree": rt.DecisionTree(),
    "binary": rt.DecisionTree("gini", "binary", estimate="m", estimate_params={"m": 3}),
    "thresholds": rt.DecisionTree(numeric="thresholds", missing="value", max_depth=4),
    "casewise": rt.DecisionTree(estimate="ling-yan"),
    "C45": C45(),
    "C44": C44(rules="wang2006", numeric="thresholds"),
    "CITree": rt.CITree(min_cases=2),
    "NBTree": rt.NBTree(min_parent=4),
    "newton": rt.NewtonTree(),
    "crisp": rt.DistanceTree(missing="impute"),
    "centres": rt.CentreSplitting(),
    "bayes": NaiveBayes(),
    "AODE": rt.AODE(min_count=2),
    "path Bayes": rt.PathBayes(),
    "path forest": rt.PathForest(n_models=3),
    "gaussian": NaiveBayes(numeric="gaussian"),
    "bagging": Bagging(C45(), n_models=3),
    "Weka's bagging": WekaBagging(n_models=3),
}
EVERY = pytest.mark.parametrize("kind", MODELS)


@cache
def fitted(kind, name="labor"):
    data = rt.load(name)
    X, y = (data.X[::5], data.y[::5]) if len(data) > 100 else (data.X, data.y)
    model = MODELS[kind]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column .* has only one value", UserWarning)
        return type(model)(**model.get_params(deep=False)).fit(X, y), X


@pytest.fixture
def twin_of(tmp_path):
    """The model after a way through a file."""

    def there_and_back(model):
        rt.save(model, tmp_path / "model.json")
        return rt.load_model(tmp_path / "model.json")

    return there_and_back


def same(one, two):
    """Equal in type, values and order, bit for bit."""
    if type(one) is not type(two):
        return False
    if isinstance(one, float) and not isinstance(one, np.generic):
        return (math.isnan(one) and math.isnan(two)) or one.hex() == two.hex()
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return same(list(one), list(two)) and same(list(one.values()), list(two.values()))
    if isinstance(one, np.ndarray):
        if one.dtype == object:
            return one.shape == two.shape and same(one.ravel().tolist(), two.ravel().tolist())
        alike = (one.dtype, one.shape) == (two.dtype, two.shape)
        return alike and np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
    if isinstance(one, pd.Index):
        text = pd.api.types.is_string_dtype(one.dtype)  # whose type depends on pandas' version
        alike = two.dtype == (object if text else one.dtype) and one.name == two.name
        return alike and same(one.tolist(), two.tolist())
    if hasattr(one, "__dict__") and type(one).__module__.startswith("ranktrees"):
        left_out = CASES if without_cases(two) else set()
        attributes = [
            {k: v for k, v in vars(o).items() if not is_cached(o, k) and k not in left_out}
            for o in (one, two)
        ]
        names = [set(part) for part in attributes]
        return names[0] == names[1] and all(
            same(attributes[0][k], attributes[1][k]) for k in names[0]
        )
    return bool(one == two)


CASES = {"training_", "weight_", "gaps_", "ended_", "cases_", "cases"}  # of a tree, its estimate


def without_cases(value):
    """Whether a tree was saved without its training cases, or belongs to one that was."""
    cases = getattr(value, "cases_", getattr(value, "cases", None))
    return cases is not None and hasattr(cases, "y") and not len(cases.y)


def is_cached(value, name):
    return type(getattr(type(value), name, None)).__name__ == "cached_property"


class TestModels:
    @EVERY
    @pytest.mark.parametrize("name", ["labor", "weather.numeric", "soybean"])
    def test_the_same_model_comes_back(self, twin_of, tmp_path, kind, name):
        model, X = fitted(kind, name)
        twin = twin_of(model)
        assert same(model, twin)
        assert np.array_equal(model.predict_proba(X), twin.predict_proba(X))
        assert model.predict(X).tolist() == twin.predict(X).tolist()
        rt.save(twin, tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()

    @EVERY
    def test_unfitted_models_keep_their_parameters(self, twin_of, kind):
        model = MODELS[kind]
        twin = twin_of(model)
        assert same(model, twin)
        assert not hasattr(twin, "classes_")

    @pytest.mark.parametrize("kind", ["tree", "thresholds", "C44"])
    @pytest.mark.parametrize("estimate", [*ESTIMATES])
    def test_every_estimate(self, twin_of, kind, estimate):
        model, X = fitted(kind)
        if estimate in estimate_names("tables") and (model.tree_.cut >= 0).any():
            pytest.skip("path Bayes is for a branch per value")
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

    @pytest.mark.parametrize("weight", [None, 3, 0.7])
    @pytest.mark.parametrize("model", [rt.PathBayes(), C44(), rt.DecisionTree("gini", "binary")])
    def test_training_cases_are_not_in_a_file_without_need(self, twin_of, tmp_path, model, weight):
        rng = np.random.default_rng(0)
        X = pd.DataFrame(rng.integers(0, 3, (3000, 30)).astype(str)).rename(columns="x{}".format)
        X = X.mask(rng.random(X.shape) < 0.1)
        y = np.where(X["x0"] == X["x1"], "yes", "no")
        weight = None if weight is None else weight * (1 + rng.integers(0, 4, len(y)))
        model.fit(X, y, weight)
        twin = twin_of(model)
        assert len(model.training_[1]) == 3000
        assert not len(twin.training_[1])
        assert np.array_equal(model.predict_proba(X), twin.predict_proba(X))
        assert (tmp_path / "model.json").stat().st_size < 300_000
        if weight is None:
            rt.save(C44().fit(X, y).with_estimate("wpe"), tmp_path / "cases.json")
            assert (tmp_path / "cases.json").stat().st_size > 3 * X.size

    def test_a_model_of_codes(self, twin_of):
        coded = rt.Encoder().fit_transform(rt.load("iris").X)
        for kind in (rt.DecisionTree, NaiveBayes):
            model = kind().fit(coded, rt.load("iris").y)
            twin = twin_of(model)
            assert same(model, twin)
            assert np.array_equal(model.predict_proba(coded), twin.predict_proba(coded))
        assert same(coded, twin_of(coded))

    def test_the_model_of_a_leaf(self, twin_of):
        leaf = fitted("CITree", "weather.nominal")[0].tree_.root.model
        assert same(leaf, twin_of(leaf))

    def test_belief_networks(self, twin_of):
        net = lung_cancer()
        assert same(net, twin_of(net))
        frame = pd.DataFrame({"type": list("aab"), "id": [True, False, False]})
        net = BayesNet({"type": [], "id": ["type"]}).fit(frame)
        twin = twin_of(net)
        assert same(net, twin)
        assert twin.query("type").tolist() == net.query("type").tolist()
        net = BayesNet({"a": [], "b": ["a"]})
        net.set_cpt("a", {"x": 0.25, "y": 0.75})
        assert same(net, twin_of(net))

    @pytest.mark.parametrize(
        "values",
        [
            [True, False, True, None],
            pd.Categorical([3, 1, 2, 1], [3, 2, 1], ordered=True),
            pd.cut(pd.Series([1.0, 5.5, 9.1, 2.0]), 3),
            pd.array(["ä", "b", None, "b"], dtype="string"),
            pd.Series(["\ud800", '"\\', "\n", "\u2028"], dtype=object),
            [1e300, 5e-324, -0.0, 0.1],
        ],
    )
    @pytest.mark.parametrize("classes", [["no", "yes"] * 2, [2**62, -1] * 2, [True, False] * 2])
    def test_odd_columns_and_classes(self, twin_of, values, classes):
        X = pd.DataFrame({"odd": values})
        model = rt.DecisionTree().fit(X, np.array(classes))
        twin = twin_of(model)
        assert same(model, twin)
        assert twin.predict(X).tolist() == model.predict(X).tolist()

    def test_cached_properties_are_not_stored(self, twin_of, tmp_path):
        fresh = twin_of(fitted("tree")[0])
        before = (tmp_path / "model.json").read_bytes()
        assert fresh.tree_.to_text()
        assert len(fresh.tree_.path_words) == len(fresh.tree_.n_below)
        assert "path_words" in vars(fresh.tree_)
        twin_of(fresh)
        assert (tmp_path / "model.json").read_bytes() == before

    def test_private_functions_are_not_stored(self, twin_of):
        model = rt.DecisionTree()
        model._callback = print
        assert not hasattr(twin_of(model), "_callback")

    def test_a_loaded_tree_is_read_only(self, twin_of):
        tree = twin_of(fitted("tree")[0]).tree_
        with pytest.raises(ValueError, match="read-only"):
            tree.counts[0] = 0

    def test_every_model_is_declared(self):
        public = [getattr(rt, name) for name in rt.__all__]
        models = {one for one in public if isinstance(one, type) and issubclass(one, Classifier)}
        assert C44 in models
        assert models <= set(FIELDS)


class TestParameters:
    @pytest.mark.parametrize(
        "value",
        [
            None,
            2**62,
            -0.0,
            "ä\ud800",
            [1, [2.5, None]],
            ("cyclic", 24),
            {"type": {"a": 1}, "": ()},
            pytest.param(frozenset(["b", "a"]), id="a frozenset"),
            np.array([[1.5, -0.0], [1e-45, 2]], np.float32),
            np.arange(6).reshape(2, 3).T,
            np.array(["a", "längere"]),
            np.zeros((0, 3), np.uint8),
            np.float64(0.1),
            np.int8(-3),
            np.bool_(True),
            np.str_("ä"),
        ],
        ids=repr,
    )
    def test_what_they_may_be(self, twin_of, value):
        assert same(
            twin_of(Bagging(rt.DecisionTree(estimate_params={"m": value}))).model.estimate_params[
                "m"
            ],
            value,
        )

    @pytest.mark.parametrize(
        "value",
        [
            print,
            {1, 2},
            b"bytes",
            1j,
            np.array([1j]),
            np.array(["2020-01-01"], "M8[D]"),
            pd.Timestamp("2020-01-01"),
            pd.DataFrame({"a": [1]}),
            np.random.default_rng(1),
            type("DecisionTree", (rt.DecisionTree,), {})(),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_what_cannot_be_stored_is_named(self, tmp_path, value):
        model = rt.DecisionTree(estimate_params={"m": [1, value]})
        with pytest.raises(
            TypeError, match=r"DecisionTree\.estimate_params\['m'\]\[1\].*: .*stored"
        ):
            rt.save(model, tmp_path / "model.json")
        assert not list(tmp_path.iterdir())

    def test_what_contains_itself(self, tmp_path):
        model = rt.DecisionTree()
        model.estimate_params = {"m": model}
        with pytest.raises(TypeError, match="contains itself"):
            rt.save(model, tmp_path / "model.json")

    def test_only_models_at_the_top(self, tmp_path):
        with pytest.raises(TypeError, match=r"set \{1\} is not a model that can be stored"):
            rt.save({1}, tmp_path / "model.json")
