"""A column of weights in files: the models that memory gives for the same weights."""

import numpy as np
import pandas as pd
import pytest
from prunable import assert_same_tree
from scale_cases import (
    ALGORITHMS,
    FIT,
    assert_same_encoder,
    assert_same_model,
    batches_of,
    mixed,
    quiet,
    write,
)

import ranktrees as rt

N = 240
RNG = np.random.default_rng(7)
WEIGHTS = {
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


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The folder of each kind of weights, and X, y."""
    frame = mixed(N)
    folders = {
        name: write(frame.assign(w=weight), tmp_path_factory.mktemp("w"), [100, 0, 37])
        for name, weight in WEIGHTS.items()
    }
    return folders, frame.drop(columns="label"), frame["label"]


def fit_both(make, files, name, algorithm="rf-hybrid"):
    """The model of files and that of memory."""
    folders, X, y = files
    memory = quiet(make().fit, X, y, WEIGHTS[name])
    scan = rt.scan(folders[name], "label", weight="w")
    with batches_of(64):
        return quiet(FIT.fit_tree, make(), scan, 60_000, algorithm=algorithm), memory


def assert_close(model, memory):
    """The same, but for the last digits of weights that are no whole numbers."""
    assert model.tree_.counts.dtype == memory.tree_.counts.dtype
    if memory.tree_.counts.dtype.kind == "i":
        assert_same_model(model, memory)
        return
    assert_same_encoder(model.encoder_, memory.encoder_)
    for name in ("parent", "attribute", "cut", "child", "offset"):
        assert np.array_equal(getattr(model.tree_, name), getattr(memory.tree_, name)), name
    np.testing.assert_allclose(model.tree_.counts, memory.tree_.counts, rtol=1e-12)
    np.testing.assert_allclose(model.node_proba_, memory.node_proba_, rtol=1e-12)


@pytest.mark.parametrize("how", SETTINGS, ids=str)
@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_teach_and_grow_what_they_do_in_memory(name, how, files):
    algorithm = ALGORITHMS[(list(WEIGHTS).index(name) + len(how)) % len(ALGORITHMS)]
    model, memory = fit_both(lambda: rt.DecisionTree("gini", **how), files, name, algorithm)
    assert_close(model, memory)
    assert len(memory.tree_) > 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", ["whole", "parts and zeros"])
def test_every_algorithm_counts_weights(name, algorithm, files):
    assert_close(*fit_both(lambda: rt.C44(min_child=3), files, name, algorithm))


@pytest.mark.parametrize("make", [rt.NaiveBayes, rt.AODE])
@pytest.mark.parametrize("name", WEIGHTS)
def test_tables_of_weights(name, make, files):
    folders, X, y = files
    for how in ({}, {"class_weight": "balanced", "missing": "value"}):
        memory = quiet(make(**how).fit, X, y, WEIGHTS[name])
        with batches_of(64):
            model = quiet(make(**how).fit, rt.scan(folders[name], "label", weight="w"))
        np.testing.assert_allclose(model.counts_, memory.counts_, rtol=1e-12)
        np.testing.assert_allclose(model.predict_proba(X), memory.predict_proba(X), rtol=1e-12)


def test_weights_of_classes_alone_and_of_one(files):
    folders, X, y = files
    memory = quiet(rt.DecisionTree(class_weight="balanced").fit, X, y)
    plain = rt.scan(write(X.assign(label=y), folders["whole"].parent / "plain"), "label")
    assert_close(quiet(rt.DecisionTree(class_weight="balanced").fit, plain), memory)
    model, memory = fit_both(rt.DecisionTree, files, "ones")
    assert_same_tree(model.tree_, memory.tree_)
    assert model.tree_.counts.dtype.kind == "i"


def test_weights_in_csv_files(tmp_path):
    frame = mixed(N).assign(w=WEIGHTS["parts"])[["w", "whole", "colour", "label"]]
    frame = frame.astype({"colour": "str", "label": "str"})
    frame["colour"] = mixed(N)["colour"].astype(object)
    folder = write(frame, tmp_path, [50], "csv")
    memory = rt.DecisionTree().fit(frame[["whole", "colour"]], frame["label"], frame["w"])
    assert_close(rt.DecisionTree().fit(rt.scan(folder, "label", weight="w")), memory)


def test_values_and_classes_that_weigh_nothing_stay_known(tmp_path):
    frame = pd.DataFrame(
        {"t": list("abcabc"), "x": [1.0, 2, 9, 1, 2, 9], "y": list("nyznyz"), "w": [1, 1, 0] * 2}
    )
    scan = rt.scan(write(frame, tmp_path), "y", weight="w")
    model = rt.DecisionTree().fit(scan)
    assert model.classes_.tolist() == ["n", "y", "z"]
    assert model.tree_.schema[0].values == ("a", "b", "c")
    assert_same_model(model, rt.DecisionTree().fit(frame[["t", "x"]], frame["y"], frame["w"]))


def test_a_score_of_files_is_that_of_memory(files):
    folders, X, y = files
    model = rt.DecisionTree(max_depth=2).fit(X, y)
    for name in ("whole", "parts and zeros"):
        scan = rt.scan(folders[name], "label", weight="w")
        with batches_of(50):
            assert model.score(scan) == pytest.approx(model.score(X, y, WEIGHTS[name]), rel=1e-12)
    plain = rt.scan(write(X.assign(label=y), folders["whole"].parent / "again"), "label")
    assert model.score(plain) == model.score(X, y)
    with pytest.raises(ValueError, match="a scan has its classes with it, in the column it names"):
        model.score(plain, y)
    with pytest.raises(TypeError, match="a scan names the column of its weights"):
        model.score(plain, sample_weight=WEIGHTS["whole"])
    with pytest.raises(TypeError, match="score needs the classes y of the cases"):
        model.score(X)
    other = rt.scan(write(X.assign(label="new"), folders["whole"].parent / "other"), "label")
    with pytest.raises(ValueError, match="hold no case of the classes 'v', 'w'"):
        model.score(other)


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        ([1, np.nan] * 30, r"000\.parquet, rows 0 to 59: the weight 'w' is nan in row 1: weights"),
        ([1, -1.0] * 30, "the weight 'w' is -1.0 in row 1: weights are finite and at least 0"),
        ([0.0] * 60, "the weight 'w' is zero in all rows: some must not be zero"),
        (["a"] * 60, "the weight 'w' is text: weights are numbers"),
        ([2.0**53] * 60, "weights add up to .*, but no more than"),
    ],
)
def test_columns_that_hold_no_weights(weights, match, tmp_path):
    folder = write(mixed(60).assign(w=weights), tmp_path)
    with pytest.raises(ValueError, match=match):
        rt.DecisionTree().fit(rt.scan(folder, "label", weight="w"))


def test_weights_that_leave_one_class_and_little_weight(tmp_path):
    frame = mixed(60)
    folder = write(frame.assign(w=(frame["label"] == "v") * 1.5), tmp_path / "one")
    with pytest.raises(ValueError, match="at least two classes need a weight that is not zero"):
        rt.DecisionTree().fit(rt.scan(folder, "label", weight="w"))
    folder = write(frame.assign(w=[2.0, 1.5] * 30), tmp_path / "little")
    with pytest.warns(
        UserWarning, match="the weights add up to 105 cases, but splitting a node needs"
    ):
        rt.DecisionTree(min_parent=120).fit(rt.scan(folder, "label", weight="w"))


def test_columns_of_weights_that_are_not_there(tmp_path):
    folder = write(mixed(60).assign(w=1.0), tmp_path)
    with pytest.raises(ValueError, match=r"000\.parquet has no column 'v': it has number"):
        rt.scan(folder, "label", weight="v")
    for wrong in ("label", 3, ["w"]):
        with pytest.raises(TypeError, match="weight names a column beside the class, not"):
            rt.scan(folder, "label", weight=wrong)
    scan = rt.scan(folder, "label", weight="w")
    assert repr(scan) == "<Scan of 1 file: 7 attributes, class 'label', weight 'w'>"
    with pytest.raises(ValueError, match=r"a sample would lose the weights 'w': scan the files wi"):
        scan.sample(10)
    with pytest.raises(ValueError, match="class_weight names 'q', but the classes are 'v', 'w'"):
        rt.DecisionTree(class_weight={"q": 2}).fit(scan)


def test_weights_that_are_called_as_the_argument(tmp_path):
    folder = write(mixed(60).assign(sample_weight=2), tmp_path)
    scan = rt.scan(folder, "label", weight="sample_weight")
    memory = rt.DecisionTree().fit(mixed(60).drop(columns="label"), mixed(60)["label"], [2] * 60)
    assert_same_model(rt.DecisionTree().fit(scan), memory)
