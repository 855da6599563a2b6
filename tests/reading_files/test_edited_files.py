"""Files that were edited and signed again are refused, naming the field, or predict."""

import json
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from edited import SAVED, edited, outcome, signed
from model_cases import MODELS, fitted
from scale_cases import mixed, quiet, scanned

import ranktrees as rt
from ranktrees_files.storage import FIELDS, NOT_STORED, as_text, load_model
from ranktrees_files.stored_checks import CHECKS

TREE, LEAF = "C44_on_numbers", {"array": ["int64", [1], [-1]]}  # a name in SAVED, and an array
NUMBER = "schema_", "tuple", 0, "cuts", "tuple"
GREAT = 10**12


def changed(name, *path, to):
    """The text of a saved model whose part at a path of keys is another."""
    record = json.loads(SAVED[name])
    part = record["model"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return signed(json.dumps(record))


def numbers(name, field, place, to):
    """The text of a saved model with another number at a place of an array of its tree."""
    return changed(name, "tree_", field, "array", 2, place, to=to)


def zeros(*shape):
    """An array of zeros, but for the first number, as a file has it."""
    one = {"array": ["int64", [1], [0]]}
    return {"sparse": [one, {"array": ["int64", [1], [1]]}, [*shape]]}


FORGED = {
    "a parent after its child": (numbers(TREE, "parent", 1, 5), "Tree.parent must be -1 at"),
    "a root with a parent": (numbers(TREE, "parent", 0, 0), "Tree.parent must be -1 at"),
    "a parent too far": (numbers(TREE, "parent", 24, 99), "Tree.parent must be -1 at"),
    "an unknown attribute": (numbers(TREE, "attribute", 0, 6), "Tree.attribute .* below A"),
    "a cut beyond the codes": (numbers(TREE, "cut", 1, 99), "Tree.cut must lie between codes"),
    "a cut in a leaf": (numbers(TREE, "cut", 3, 0), "Tree.cut must lie between codes"),
    "a child that is none": (numbers(TREE, "child", 0, 25), "Tree.child .* below T"),
    "a child of another": (numbers(TREE, "child", 0, 9), "Tree.child must lead to"),
    "a lost child": (numbers(TREE, "child", 0, -1), "Tree.child must lead to"),
    "an offset beyond": (numbers(TREE, "offset", 25, 99), "Tree.offset must give each test"),
    "an offset too low": (numbers(TREE, "offset", 1, 1), "Tree.offset must give each test"),
    "a negative count": (numbers(TREE, "counts", 0, -1), "Tree.counts must be .* from 0"),
    "an infinite count": (
        changed(TREE, "tree_", "counts", "array", to=["float64", [1, 1], [1e999]]),
        "Infinity is not a number",
    ),
    "a count of more than all": (numbers(TREE, "counts", 2, 99), "Tree.counts must not be"),
    "a short array": (
        changed(TREE, "tree_", "cut", to=LEAF),
        r"Tree.cut .* shape \(1,\); .*T is 25",
    ),
    "classes in another order": (
        changed(TREE, "classes_", "array", 2, to=["yes", "no"]),
        "C44.classes_ must ascend",
    ),
    "classes of another tree": (
        changed(TREE, "classes_", "array", to=["U1", [2], ["a", "b"]]),
        "C44.tree_ must have the classes of classes_",
    ),
    "a third class": (
        changed("NaiveBayes", "classes_", "array", to=["U1", [3], ["a", "b", "c"]]),
        "NaiveBayes.class_count_ .* C is 3",
    ),
    "a lower cut": (changed(TREE, "encoder_", *NUMBER, 1, to=-9.5), "AttributeInfo.cuts must"),
    "cuts of another tree": (
        changed(TREE, "encoder_", *NUMBER, 0, to=-9.5),
        "C44.encoder_ must read",
    ),
    "a category": (
        changed(TREE, "encoder_", "categories_", 2, "index", 2, 0, to="new"),
        "Encoder.fill_ .* categories_",
    ),
    "a filled value": (changed(TREE, "encoder_", "fill_", 2, to=3), "Encoder.fill_ must be a code"),
    "a training code": (
        changed("CITree", "training_", "tuple", 0, "array", 2, 0, to=100),
        "CITree.training_ must be codes",
    ),
    "a training class": (
        changed("CITree", "training_", "tuple", 1, "array", 2, 0, to=2),
        "CITree.training_ .* below C",
    ),
    "a weight": (
        changed("PathForest", "pool_weights_", "array", 2, 0, to=-1.0),
        "PathForest.pool_weights_ must be .* from 0",
    ),
    "a code": (changed("PathForest", "codes_", "values", "array", 2, 0, to=120), "Codes.values"),
    "a prototype": (numbers("NewtonTree", "prototype", 1, 9), "prototype is none of the values"),
    "a distance": (
        changed("NewtonTree", "attributes_", "tuple", 2, "distance", to="jaccard"),
        "is one of sets|NewtonTree.tree_ must have prototypes",
    ),
    "shares that exceed 1": (
        changed("BayesNet", "cpts_", "dict", 0, 1, "array", 2, 0, to=0.9),
        "BayesNet.cpts_ must have .* sum to 1",
    ),
    "a model that is none": (changed("Bagging", "models_", 1, to=3), "Bagging.models_ must be"),
    "a model of other columns": (
        changed("Bagging", "models_", 1, to=json.loads(SAVED["BayesNet"])["model"]),
        "Bagging.models_ must be",
    ),
    "a deviation of 0": (
        changed("gaussian", "deviations_", "array", 2, 0, to=0.0),
        "NaiveBayes.deviations_ must be",
    ),
    "a gap": (changed(TREE, "n_features_in_", to=5), "C44._names .* A is 5"),
    "too large a number": (
        changed(TREE, "tree_", "counts", "array", to=["float32", [1, 1], [1e200]]),
        "Tree.counts: .* not finite",
    ),
    "no number": (changed(TREE, "min_child", to=float("nan")), "NaN is not a number"),
    "a whole number with a fraction": (
        numbers(TREE, "cut", 0, 0.5),
        "C44.tree_: Tree.cut: .*int64",
    ),
}
LARGE = {
    "zeros": (zeros(GREAT), "more than 268,435,456 cells"),
    "many zeros": (zeros(*[10**4] * 30), "more than 268,435,456 cells"),
    "wide texts": ({"array": [f"U{10**8}", [3], ["a", "b", "c"]]}, "more than 268,435,456 cells"),
    "an endless text": ({"array": [f"U{GREAT}", [1], ["a"]]}, "not understood"),
    "a wide text": ({"scalar": [f"U{5 * 10**8}", "a"]}, "more than 268,435,456 cells"),
    "a long array": ({"array": ["int64", [GREAT], [1]]}, "cannot reshape 1 values"),
    "a negative shape": ({"array": ["int64", [-1], [1]]}, "whole numbers of 0 or more"),
    "an inner array": ({"array": ["(99999999,)f8", [1], [1.0]]}, "values of type"),
}


@pytest.fixture
def refused(tmp_path):
    """Check that a file of this text is refused with these words, and say what to do."""

    def check(text, words):
        (tmp_path / "model.json").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=rf"model\.json: .*{words}.*; fit the model again"):
            load_model(tmp_path / "model.json")

    return check


@pytest.mark.parametrize("what", FORGED)
def test_a_wrong_field_is_named(refused, what):
    refused(*FORGED[what])


@pytest.mark.parametrize("what", LARGE)
def test_a_size_is_checked_before_memory_is_taken(refused, what):
    part, words = LARGE[what]
    text = changed(TREE, "weight_", to=part)
    tracemalloc.start()
    refused(text, words)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


def test_many_arrays_are_counted_together(refused):
    text = changed(TREE, "estimate_params", to={"dict": [[i, zeros(1 << 20)] for i in range(300)]})
    tracemalloc.start()
    refused(text, "more than 268,435,456 cells of memory in all")
    tracemalloc.stop()


def test_what_could_not_be_loaded_is_not_saved(monkeypatch, tmp_path):
    model = rt.Bagging(rt.C45(estimate_params={"a": [np.zeros(600), np.zeros(500)]}))
    monkeypatch.setattr("ranktrees_files.stored_values.MOST_CELLS", 1_100)
    rt.save(model, tmp_path / "model.json")
    monkeypatch.setattr("ranktrees_files.stored_values.MOST_CELLS", 1_099)
    with pytest.raises(
        TypeError, match="its arrays have 1,100 cells, more than the 1,099 that are"
    ):
        rt.save(model, tmp_path / "other.json")
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_every_stored_field_has_a_rule():
    for cls, listed in FIELDS.items():
        fields = {name.rstrip("?") for name in listed.split()}
        records = {*getattr(cls, "__dataclass_fields__", ())} - NOT_STORED
        assert fields <= {*CHECKS[cls].fields}, cls
        assert fields or records <= {*CHECKS[cls].fields}, cls


def behaviour(texts, n, seed, tmp_path):
    """How n edited files behave: how many of them are refused, predict, or do something else."""
    rng, seen, path = np.random.default_rng(seed), Counter(), tmp_path / "model.json"
    for i in range(n):
        path.write_text(edited(texts[i % len(texts)], rng), encoding="utf-8")
        seen[outcome(path)] += 1
    return seen


def test_2000_edited_files_are_refused_or_predict(tmp_path):
    seen = behaviour([*SAVED.values()], 2_000, 0, tmp_path)
    assert {*seen} == {"refused", "predicts"}
    assert min(seen.values()) > 150


@pytest.mark.parametrize(
    ("name", "path", "to"),
    [
        ("NewtonTree", (0,), "float32"),  # bounds that this type does not hold
        ("CentreSplitting", (2, 2), 5e-324),  # distances that are infinitely many spans
    ],
)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_spans_at_the_ends_of_their_type_predict(name, path, to, tmp_path):
    (tmp_path / "model.json").write_text(changed(name, "span_", "array", *path, to=to))
    assert outcome(tmp_path / "model.json") == "predicts"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 5))
def test_edited_files_of_new_models(tmp_path, seed):
    data = rt.load("iris")
    coded = rt.Encoder().fit_transform(data.X)
    models = [fitted(kind)[0] for kind in MODELS]
    models += [rt.DecisionTree().fit(coded, data.y), rt.Bagging(rt.AODE(), n_models=2)]
    scan = scanned(mixed(200), tmp_path / "files")
    models.append(quiet(rt.PathForest(2).fit, scan))
    texts = [as_text(model) for model in models]
    assert {*behaviour(texts, 3_000, seed, tmp_path)} == {"refused", "predicts"}
