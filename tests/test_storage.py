"""Models as JSON: everything comes back bit for bit."""

import importlib
import json
import math
import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktrees as rt
from ranktrees.base import Classifier
from ranktrees.bayes import BayesNet, NaiveBayes, lung_cancer
from ranktrees.models import C44, C45, Bagging
from ranktrees.storage import CLASSES, from_json, to_json
from ranktrees.storage.classes import load_class
from ranktrees.storage.read import Reader
from ranktrees.storage.write import Writer

MODELS = {
    "tree": rt.DecisionTree(),
    "binary": rt.DecisionTree("gini", "binary", estimate="m", estimate_params={"m": 3}),
    "thresholds": rt.DecisionTree(numeric="thresholds", missing="value", max_depth=4),
    "casewise": rt.DecisionTree(estimate="ling-yan"),
    "C45": C45(),
    "C44": C44(rules="wang2006", numeric="thresholds"),
    "bayes": NaiveBayes(),
    "gaussian": NaiveBayes(numeric="gaussian"),
    "bagging": Bagging(C45(), n_models=3),
}
EVERY = pytest.mark.parametrize("kind", MODELS)


@cache
def fitted(kind, name="labor"):
    data = rt.load(name)
    model = MODELS[kind]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column .* has only one value", UserWarning)
        return type(model)(**model.get_params(deep=False)).fit(data.X, data.y), data.X


def there_and_back(value):
    """The value after a way through text."""
    text = json.dumps(Writer().encode(value, "value"), allow_nan=False)
    return Reader().decode(json.loads(text), "value")


def same(one, two):
    """Equal in type, values and order, bit for bit but for the payload of NaN."""
    if type(one) is not type(two):
        return False
    if isinstance(one, float) and not isinstance(one, np.generic):
        return (math.isnan(one) and math.isnan(two)) or one.hex() == two.hex()
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return same(list(one), list(two)) and same(list(one.values()), list(two.values()))
    if isinstance(one, np.ndarray):
        alike = (one.dtype, one.shape) == (two.dtype, two.shape)
        alike &= by_column(one) == by_column(two)
        if one.dtype == object:
            return alike and same(one.ravel().tolist(), two.ravel().tolist())
        return alike and np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
    if isinstance(one, pd.Index):
        return one.dtype == two.dtype and one.name == two.name and one.equals(two)
    if hasattr(one, "__dict__") and type(one).__module__.startswith("ranktrees"):
        attributes = [{k: v for k, v in vars(o).items() if not is_cached(o, k)} for o in (one, two)]
        return same(*attributes)
    return bool(one == two) or (one != one and two != two)


def by_column(array):
    return array.flags.f_contiguous and not array.flags.c_contiguous


def is_cached(value, name):
    return type(getattr(type(value), name, None)).__name__ == "cached_property"


class TestModels:
    @EVERY
    @pytest.mark.parametrize("name", ["labor", "weather.numeric", "soybean"])
    def test_the_same_model_comes_back(self, kind, name):
        model, X = fitted(kind, name)
        text = to_json(model)
        twin = from_json(text)
        assert same(model, twin)
        assert np.array_equal(model.predict_proba(X), twin.predict_proba(X))
        assert model.predict(X).tolist() == twin.predict(X).tolist()
        assert to_json(twin) == text

    @EVERY
    def test_unfitted_models_keep_their_parameters(self, kind):
        model = MODELS[kind]
        twin = from_json(to_json(model))
        assert same(model, twin)
        assert not hasattr(twin, "classes_")

    @pytest.mark.parametrize("kind", ["tree", "thresholds", "C44"])
    @pytest.mark.parametrize("estimate", ["laplace", "m", "m-branch", "ling-yan"])
    def test_another_estimate_on_a_loaded_tree(self, kind, estimate):
        model, X = fitted(kind)
        ours, twins = (m.with_estimate(estimate) for m in (model, from_json(to_json(model))))
        assert np.array_equal(ours.predict_proba(X), twins.predict_proba(X))

    def test_a_model_of_codes(self):
        coded = rt.Encoder().fit_transform(rt.load("iris").X)
        model = rt.DecisionTree().fit(coded, rt.load("iris").y)
        twin = from_json(to_json(model))
        assert same(model, twin)
        assert np.array_equal(model.predict_proba(coded), twin.predict_proba(coded))
        assert same(coded, from_json(to_json(coded)))

    def test_belief_networks(self):
        net = lung_cancer()
        assert same(net, from_json(to_json(net)))
        frame = pd.DataFrame({"type": list("aab"), "id": [True, False, False]})
        net = BayesNet({"type": [], "id": ["type"]}).fit(frame)
        twin = from_json(to_json(net))
        assert same(net, twin)
        assert twin.query("type").tolist() == net.query("type").tolist()

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
    def test_odd_columns_and_classes(self, values, classes):
        X = pd.DataFrame({"odd": values})
        model = rt.DecisionTree().fit(X, np.array(classes))
        twin = from_json(to_json(model))
        assert same(model, twin)
        assert twin.predict(X).tolist() == model.predict(X).tolist()

    def test_what_is_shared_is_stored_once(self):
        model, _ = fitted("tree")
        twin = from_json(to_json(model))
        assert twin.encoder_.schema_ is twin.tree_.schema or (
            twin.encoder_.schema_[0] is twin.tree_.schema[0]
        )
        bagging = Bagging(n_models=2)
        bagging.models_ = [model] * 50
        assert len(to_json(bagging)) < len(to_json(model)) + 5000
        again = from_json(to_json(bagging)).models_
        assert all(one is again[0] for one in again)

    def test_cached_properties_are_not_stored(self):
        model, _ = fitted("tree")
        fresh = from_json(to_json(model))
        before = to_json(fresh)
        assert fresh.tree_.to_text()
        assert len(fresh.tree_.path_words) == len(fresh.tree_.n_below)
        assert "path_words" in vars(fresh.tree_)
        assert to_json(fresh) == before

    def test_private_functions_are_not_stored(self):
        model = rt.DecisionTree()
        model._callback = print
        assert not hasattr(from_json(to_json(model)), "_callback")

    def test_a_loaded_tree_is_read_only(self):
        tree = from_json(to_json(fitted("tree")[0])).tree_
        with pytest.raises(ValueError, match="read-only"):
            tree.counts[0] = 0

    def test_every_class_of_the_table_exists_and_every_model_is_in_it(self):
        for name in CLASSES:
            assert load_class(name).__name__ == name
        for module in set(rt._HOME) | set(CLASSES.values()):
            importlib.import_module(module)
        pending, models = [Classifier], set()
        while pending:
            below = pending.pop().__subclasses__()
            pending += below
            own = [c.__name__ for c in below if c.__module__.startswith("ranktrees.")]
            models |= {name for name in own if not name.startswith("_")}
        assert "C44" in models
        assert models <= set(CLASSES)


keys = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4)
plain = keys | st.floats() | st.just(2**2000) | st.just("type")
nested = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(keys | st.just("type") | st.tuples(keys), inner, max_size=4)
    ),
    max_leaves=12,
)


class TestValues:
    @given(nested)
    @settings(max_examples=300, deadline=None)
    def test_plain_python(self, value):
        assert same(there_and_back(value), value)

    @pytest.mark.parametrize(
        "array",
        [
            np.array([[1.5, np.nan], [np.inf, -np.inf]]),
            np.array([np.nan, 0.1, 1e-45], np.float32),
            np.array([1, 2], np.float16),
            np.array([2**64 - 1, 0], np.uint64),
            np.array([-(2**63)]),
            np.zeros((0, 3), np.uint8),
            np.array(7),
            np.array([True, False]),
            np.array(["a", "längere"]),
            np.array(["", "b"], "<U9"),
            np.array(["a", 1, 2.5, None, True, (1, 2), [3], {"k": 4}], object),
            np.array([[1, "a"], [None, np.float64(2)]], object),
            np.arange(6.0).reshape(2, 3).T,
        ],
        ids=lambda array: f"{array.dtype}-{array.shape}",
    )
    def test_arrays(self, array):
        assert same(there_and_back(array), array)

    def test_an_object_array_of_lists_of_equal_length(self):
        array = np.empty(2, object)
        array[0], array[1] = [1, 2], [3, 4]
        assert same(there_and_back(array), array)

    @pytest.mark.parametrize(
        "index",
        [
            pd.Index(["b", "a"]),
            pd.Index([3, 1], name="three"),
            pd.RangeIndex(4),
            pd.Index([0.5, np.nan]),
            pd.Index([True, False]),
            pd.Index(["a", 1], dtype=object),
            pd.Index(["a", "b"], dtype="string"),
            pd.interval_range(0.0, 3.0),
        ],
        ids=lambda index: type(index).__name__ + str(index.dtype),
    )
    def test_indexes(self, index):
        twin = there_and_back(index)
        assert twin.equals(index)
        assert (twin.dtype, twin.name) == (index.dtype, index.name)

    @pytest.mark.parametrize(
        "value",
        [np.float64(0.1), np.float32("nan"), np.int8(-3), np.bool_(True), np.str_("ä")],
        ids=repr,
    )
    def test_scalars(self, value):
        twin = there_and_back(value)
        assert type(twin) is type(value)
        assert repr(twin) == repr(value)

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
            pd.DatetimeIndex(["2020-01-01"]),
            pd.MultiIndex.from_tuples([(1, 2)]),
            pd.DataFrame({"a": [1]}),
            np.random.default_rng(1),
            type("DecisionTree", (rt.DecisionTree,), {})(),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_what_cannot_be_stored_is_named(self, value):
        model = rt.DecisionTree(estimate_params={"m": [1, value]})
        with pytest.raises(TypeError, match=r"DecisionTree\.estimate_params\['m'\]\[1\]: .*stored"):
            to_json(model)

    def test_what_contains_itself(self):
        model = rt.DecisionTree()
        model.estimate_params = {"m": model}
        with pytest.raises(TypeError, match="contains itself"):
            to_json(model)

    def test_only_models_at_the_top(self):
        with pytest.raises(TypeError, match=r"dict: a value of type builtins\.dict cannot"):
            to_json({"a": 1})
