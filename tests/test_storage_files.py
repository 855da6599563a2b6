"""Files of models: what is written, and what is said of files that are not what was written."""

import json
import sys

import numpy as np
import pytest

import ranktrees as rt
from ranktrees.storage import from_json, load_model, save, to_json

LABOR, WEATHER = rt.load("labor"), rt.load("weather.numeric")
TREE = rt.DecisionTree().fit(LABOR.X, LABOR.y)
SMALL = rt.DecisionTree().fit(WEATHER.X, WEATHER.y)


class TestFiles:
    def test_save_and_load(self, tmp_path):
        model, X = TREE, LABOR.X
        save(model, tmp_path / "model.json")
        save(model, str(tmp_path / "again.json"))
        twin = load_model(str(tmp_path / "model.json"))
        assert np.array_equal(model.predict_proba(X), twin.predict_proba(X))
        raw = (tmp_path / "model.json").read_bytes()
        assert raw == (tmp_path / "again.json").read_bytes()
        assert b"\r" not in raw
        assert raw.isascii()

    def test_a_short_list_takes_one_line(self):
        assert '"values": ["no", "yes"]' in to_json(SMALL)

    def test_what_cannot_be_stored_leaves_no_file(self, tmp_path):
        model = rt.DecisionTree(estimate_params={"m": print})
        with pytest.raises(TypeError, match=r"DecisionTree.estimate_params\['m'\].*builtin"):
            save(model, tmp_path / "model.json")
        assert not list(tmp_path.iterdir())

    def test_a_missing_and_a_binary_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            load_model(tmp_path / "none.json")
        (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(ValueError, match=r"binary: .*utf-8"):
            load_model(tmp_path / "binary")

    @pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.99])
    def test_a_truncated_file_names_file_and_line(self, tmp_path, share):
        text = to_json(TREE)
        part = text[: int(share * len(text))]
        (tmp_path / "cut.json").write_text(part, encoding="utf-8")
        line = part.count("\n") + 1
        with pytest.raises(ValueError, match=rf"cut\.json: not JSON, or cut off: line {line},"):
            load_model(tmp_path / "cut.json")


def broken(change):
    """The text of a fitted tree after `change` of its record."""
    record = json.loads(to_json(SMALL))
    return json.dumps(change(record) or record)


def at(*path, to):
    """A change of the model's attribute at a path of keys."""

    def change(record):
        part = record["model"]["attributes"]
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = to

    return change


PARTS = ("tree_", "attributes")
BROKEN = {
    "another format": (lambda r: r.update(format="x"), "not a model that ranktrees saved"),
    "a list": (lambda r: [1], "not a model that ranktrees saved"),
    "a later version": (
        lambda r: r.update(version=2, ranktrees="9.9"),
        "2 was written.*9.9.*newer",
    ),
    "no model": (lambda r: r.pop("model") and None, "'model' must be an object, not None"),
    "a model of a list": (lambda r: r.update(model=[]), "'model' must be an object"),
    "an unknown class": (lambda r: r["model"].update(type="Popen"), "type 'Popen'; the models are"),
    "a path": (lambda r: r["model"].update(type="os.system"), "unknown type 'os.system'"),
    "a value for a model": (lambda r: r.update(model={"type": "tuple", "items": []}), "'tuple'"),
    "an inner class": (at("seed", to={"type": "subprocess.Popen"}), r"Tree.seed: unknown type"),
    "a type that is a list": (at("seed", to={"type": []}), r"DecisionTree.seed: unknown type \[\]"),
    "a dunder": (at("__class__", to=1), "no attribute __class__"),
    "a hidden method": (at("_set_estimate", to=1), "no attribute _set_estimate"),
    "a new name": (at("predict", to=1), "no attribute predict"),
    "a lost parameter": (lambda r: r["model"]["attributes"].pop("tie") and None, "lacks tie"),
    "no attributes": (
        lambda r: r["model"].pop("attributes") and None,
        "'attributes' must be an obj",
    ),
    "a lost field": (
        lambda r: r["model"]["attributes"]["tree_"].update(attributes={}),
        "Tree lacks",
    ),
    "too few values": (at("classes_", "values", to=["yes"]), r"classes_: 1 values do not fill"),
    "a bad shape": (at("classes_", "shape", to=[-2]), r"classes_: the shape .* not \[-2\]"),
    "a bad dtype": (at("node_proba_", "dtype", to="V8"), "node_proba_: unknown type 'V8'"),
    "a bad order": (at("classes_", "order", to="X"), "'order' must be one of"),
    "half a count": (at(*PARTS, "counts", "values", 0, to=1.5), "1.5 is not a value of.*int64"),
    "text as number": (at("node_proba_", "values", 0, to="0.5"), "'0.5' is not a value of"),
    "a list as number": (at("node_proba_", "values", 0, to=[]), r"\[\] is not a value of"),
    "too large": (at(*PARTS, "parent", "values", 0, to=2**70), "tree_.parent: .*int"),
    "no array": (at(*PARTS, "parent", to="x"), "DecisionTree.tree_: .*setflags"),
    "a loop": (at(*PARTS, "child", "values", 0, to=0), "tree_: its arrays do not form a tree"),
    "a stranger": (at(*PARTS, "child", "values", 0, to=99), "its arrays do not form a tree"),
    "another's child": (at(*PARTS, "parent", "values", -1, to=0), "do not form a tree"),
    "a strange attribute": (at(*PARTS, "attribute", "values", 0, to=9), "do not form a tree"),
    "an index": (
        at("encoder_", "attributes", "categories_", 0, "dtype", to="M8"),
        "'M8' of an index",
    ),
    "an unknown id": (at("seed", to={"type": "same", "id": 99}), "nothing before it has the id 99"),
    "a float": (at("seed", to={"type": "float", "value": "1e5"}), "one of .*not '1e5'"),
    "a dict": (at("seed", to={"type": "dict", "items": [1]}), "DecisionTree.seed: "),
    "a key": (at("seed", to={"type": "dict", "items": [[[], 1]]}), "DecisionTree.seed: .*hash"),
    "a scalar": (at("seed", to={"type": "scalar", "dtype": "int8", "value": 999}), "seed: .*int8"),
    "an interval": (at("seed", to={"type": "interval", "closed": "x"}), "DecisionTree.seed: "),
}


class TestBadFiles:
    @pytest.mark.parametrize("name", BROKEN)
    def test_the_error_says_what_is_wrong(self, name):
        change, message = BROKEN[name]
        with pytest.raises(ValueError, match=message):
            from_json(broken(change))

    def test_an_unchanged_record_is_read(self):
        assert from_json(broken(lambda record: None)).classes_.tolist() == ["no", "yes"]

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
    def test_bare_numbers_that_json_does_not_know(self, number):
        text = to_json(rt.DecisionTree()).replace("1e-09", number, 1)
        with pytest.raises(ValueError, match=f"the bare number {number}"):
            from_json(text)

    def test_nested_too_deeply(self):
        text = to_json(rt.DecisionTree()).replace("1e-09", "[" * 10**5 + "]" * 10**5, 1)
        with pytest.raises(ValueError, match="nested too deeply"):
            from_json(text)

    def test_nothing_outside_the_package_is_imported(self):
        name = "this"  # a module of Python's that prints when it is imported
        assert name not in sys.modules
        with pytest.raises(ValueError, match="unknown type 'this'"):
            from_json(broken(lambda record: record["model"].update(type=name)))
        assert name not in sys.modules
