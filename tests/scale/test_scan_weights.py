"""A column of weights in files: the models that memory gives for the same weights."""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scale_cases import (
    ALGORITHMS,
    assert_close_tree,
    assert_same_encoder,
    assert_same_model,
    batches_of,
    both,
    mixed,
    quiet,
    scanned,
    write,
)

import ranktrees as rt

N = 240
X, Y = mixed(N).drop(columns="label"), mixed(N)["label"]
RNG = np.random.default_rng(7)
WEIGHTS = {
    "none": None,
    "whole": RNG.integers(1, 5, N),
    "parts": RNG.random(N) + 0.5,
    "parts and zeros": RNG.random(N) * RNG.integers(0, 3, N) + RNG.integers(0, 2, N),
    "shares": np.exp(RNG.normal(size=N)) / 1000,
    "ones": np.ones(N, int),
}
SETTINGS = [
    *({"discretize": d} for d in ("equal-width", "equal-frequency", "entropy-mdl", "k-means")),
    {"numeric": "thresholds", "max_codes": 20},
    {"numeric": "thresholds", "max_codes": 255, "class_weight": "balanced"},
    {"class_weight": {"v": 2.5, "w": 0.3}},
]


def assert_close(model, memory):
    """The same, but for the last digits of weights that are no whole numbers."""
    assert model.tree_.counts.dtype == memory.tree_.counts.dtype
    if memory.tree_.counts.dtype.kind == "i":
        assert_same_model(model, memory)
        return
    assert_same_encoder(model.encoder_, memory.encoder_)
    assert_close_tree(model.tree_, memory.tree_)
    np.testing.assert_allclose(model.node_proba_, memory.node_proba_, rtol=1e-12)


@pytest.mark.parametrize(("name", "how"), [*product(WEIGHTS, SETTINGS)][::3], ids=str)
def test_weights_teach_and_grow_what_they_do_in_memory(name, how, tmp_path):
    weight = WEIGHTS[name]
    make = partial(rt.DecisionTree, "gini", **how)
    model, memory = both(make, mixed(N), tmp_path, weight, budget=60_000)
    assert_close(model, memory)
    assert len(memory.tree_) > 1


@pytest.mark.parametrize("name", ["whole", "parts and zeros"])
def test_every_algorithm_and_model_counts_weights(name, tmp_path):
    memory = quiet(rt.C44(min_child=3).fit, X, Y, WEIGHTS[name])
    scan = scanned(mixed(N), tmp_path, WEIGHTS[name])
    for algorithm in ALGORITHMS:
        with batches_of(64):
            grown = quiet(rt.scale.grow, rt.C44(min_child=3), scan, algorithm, 60_000)
        assert_close(grown.model, memory)
    for make, missing in product((rt.NaiveBayes, rt.AODE), ("impute", "value")):
        make = partial(make, missing=missing, class_weight="balanced")
        model, memory = both(make, mixed(N), tmp_path, WEIGHTS[name])
        np.testing.assert_allclose(model.counts_, memory.counts_, rtol=1e-12)
        np.testing.assert_allclose(model.predict_proba(X), memory.predict_proba(X), rtol=1e-12)


def test_weights_in_csv_files_whatever_their_column_is_called(tmp_path):
    name, frame = "sample_weight", mixed(N)[["whole", "colour", "label"]]
    frame = frame.assign(colour=frame["colour"].astype(object), label=frame["label"].astype(str))
    folder = write(frame.assign(**{name: WEIGHTS["parts"]}), tmp_path, [50], "csv")
    memory = rt.DecisionTree().fit(frame[["whole", "colour"]], frame["label"], WEIGHTS["parts"])
    assert_close(rt.DecisionTree().fit(rt.scan(folder, "label", weight=name)), memory)


def test_values_and_classes_that_weigh_nothing_stay_known(tmp_path):
    frame = pd.DataFrame(
        {"t": list("abcabc"), "x": [1.0, 2, 9, 1, 2, 9], "y": list("nyznyz"), "w": [1, 1, 0] * 2}
    )
    scan = rt.scan(write(frame, tmp_path), "y", weight="w")
    model = rt.DecisionTree().fit(scan)
    assert model.classes_.tolist() == ["n", "y", "z"]
    assert model.tree_.schema[0].values == ("a", "b", "c")
    assert_same_model(model, rt.DecisionTree().fit(frame[["t", "x"]], frame["y"], frame["w"]))


def test_a_score_of_files_is_that_of_memory(tmp_path):
    weight = WEIGHTS["parts and zeros"]
    model, scan = rt.DecisionTree(max_depth=2).fit(X, Y), scanned(mixed(N), tmp_path / "a", weight)
    with batches_of(50):
        assert model.score(scan) == pytest.approx(model.score(X, Y, weight), rel=1e-12)
    other = scanned(X.assign(label="new"), tmp_path / "b")
    for given, error, match in [
        ((scan, Y), ValueError, "a scan has its classes with it, in the column it names"),
        ((scan, None, Y), TypeError, "a scan names the column of its weights"),
        ((X,), TypeError, "score needs the classes y of the cases"),
        ((other,), ValueError, "hold no case of the classes 'v', 'w'"),
    ]:
        with pytest.raises(error, match=match):
            model.score(*given)


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        ([1, np.nan] * 30, r"000\.parquet, rows 0 to 59: the weight 'w' is nan in row 1: weights"),
        ([1, -1.0] * 30, "the weight 'w' is -1.0 in row 1: weights are finite and at least 0"),
        ([0.0] * 60, "the weight 'w' is zero in all rows: some must not be zero"),
        (["a"] * 60, "the weight 'w' is text: weights are numbers"),
        ([2.0**53] * 60, "weights add up to .*, but no more than"),
        ((mixed(60)["label"] == "v") * 1.5, "at least two classes need a weight that is not zero"),
    ],
)
def test_columns_that_hold_no_weights(weights, match, tmp_path):
    folder = write(mixed(60).assign(w=weights), tmp_path)
    with pytest.raises(ValueError, match=match):
        rt.DecisionTree().fit(rt.scan(folder, "label", weight="w"))


def test_little_weight_and_columns_that_are_not_there(tmp_path):
    folder = write(mixed(60).assign(w=[2.0, 1.5] * 30), tmp_path)
    scan = rt.scan(folder, "label", weight="w")
    assert repr(scan) == "<Scan of 1 file: 7 attributes, class 'label', weight 'w'>"
    with pytest.warns(UserWarning, match="add up to 105 cases, but splitting a node needs"):
        rt.DecisionTree(min_parent=120).fit(scan)
    with pytest.raises(ValueError, match=r"000\.parquet has no column 'v': it has number"):
        rt.scan(folder, "label", weight="v")
    for wrong in ("label", 3, ["w"]):
        with pytest.raises(TypeError, match="weight names a column beside the class, not"):
            rt.scan(folder, "label", weight=wrong)
    with pytest.raises(ValueError, match="a sample would lose the weights 'w'"):
        scan.sample(10)
    with pytest.raises(ValueError, match="class_weight names 'q', but the classes are 'v', 'w'"):
        rt.DecisionTree(class_weight={"q": 2}).fit(scan)
