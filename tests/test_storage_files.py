"""Files of models: what is written, and what is said of files that are not what was written."""

import json
import sys
import warnings

import damage
import numpy as np
import pytest

import ranktrees as rt
from ranktrees.models.storage import VERSION, load_model, save

LABOR, WEATHER = rt.load("labor"), rt.load("weather.numeric")
TREE = rt.DecisionTree().fit(LABOR.X, LABOR.y)
SMALL = rt.DecisionTree().fit(WEATHER.X, WEATHER.y)


@pytest.fixture
def text(tmp_path):
    """The text of a stored model."""

    def of(model):
        save(model, tmp_path / "whole.json")
        return (tmp_path / "whole.json").read_text(encoding="utf-8")

    return of


@pytest.fixture
def read(tmp_path):
    """The model of a text, by way of a file."""

    def model_of(text):
        (tmp_path / "model.json").write_text(text, encoding="utf-8")
        return load_model(tmp_path / "model.json")

    return model_of


class TestFiles:
    def test_save_and_load(self, tmp_path):
        save(TREE, tmp_path / "model.json")
        save(TREE, str(tmp_path / "again.json"))
        twin = load_model(str(tmp_path / "model.json"))
        assert np.array_equal(TREE.predict_proba(LABOR.X), twin.predict_proba(LABOR.X))
        raw = (tmp_path / "model.json").read_bytes()
        assert raw == (tmp_path / "again.json").read_bytes()
        assert b"\r" not in raw
        assert raw.isascii()

    def test_a_field_takes_a_line(self, text):
        lines = [line.strip() for line in text(SMALL).splitlines()]
        assert '"criterion": "gain_ratio",' in lines
        assert '"array": ["object", [2], ["no", "yes"]]},' in lines

    @pytest.mark.parametrize(
        "model",
        [rt.C44(), rt.CITree(), rt.NaiveBayes(), rt.NewtonTree(), rt.CentreSplitting()],
        ids=str,
    )
    def test_files_of_version_0_2_0(self, model, text, read):
        """They know no class weights, and trees of prototypes keep no values of attributes."""
        record = json.loads(text(model.fit(WEATHER.X, WEATHER.y)))
        (parts,) = record["model"].values()
        for name in ("class_weight", "weight_", "gaps_"):
            parts.pop(name, None)
        for attribute in parts.get("attributes_", {"tuple": []})["tuple"]:
            if attribute["Attribute"]["distance"] == "zero-one":
                attribute["Attribute"]["values"] = {"tuple": []}
        older, proba = read(json.dumps(record)), model.predict_proba(WEATHER.X)
        for X in (WEATHER.X, WEATHER.X.assign(windy=WEATHER.X["windy"] == "TRUE")):
            assert np.array_equal(older.predict_proba(X), proba)

    def test_a_missing_and_a_binary_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            load_model(tmp_path / "none.json")
        for content, words in {
            b"\xff\xfe\x00": "utf-8",
            b"": "line 1",
            b"a,b\n1,2\n": "line 1",
        }.items():
            (tmp_path / "binary").write_bytes(content)
            with pytest.raises(ValueError, match=f"binary: no file that rt.save wrote.*{words}"):
                load_model(tmp_path / "binary")

    @pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.99])
    def test_a_truncated_file_names_file_and_line(self, read, text, share):
        whole = text(TREE)
        part = whole[: int(share * len(whole))]
        line = part.count("\n") + 1
        with pytest.raises(ValueError, match=rf"model\.json: .*: line {line} column"):
            read(part)

    def test_what_is_not_as_declared_is_not_written(self, tmp_path):
        model = SMALL._copy(classes_=np.array(["yes", "yes"]))
        with pytest.raises(ValueError, match=r"DecisionTree\.classes_ is not what it must be"):
            save(model, tmp_path / "model.json")
        assert not list(tmp_path.iterdir())


def change(*path, to):
    """A change of the model's field at a path of keys."""

    def changed(record):
        part = record["model"]["DecisionTree"]
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = to

    return changed


def lose(*path):
    """A change that takes the field at a path of keys away."""

    def changed(record):
        part = record["model"]["DecisionTree"]
        for key in path[:-1]:
            part = part[key]
        del part[path[-1]]

    return changed


TREE_ = ("tree_", "Tree")
COUNTS, CHILD, PARENT = ((*TREE_, name, "array") for name in ("counts", "child", "parent"))
BROKEN = {
    "another format": (lambda r: r.update(format="x"), "not a model that ranktrees saved"),
    "a list": (lambda r: [1], "not a model that ranktrees saved"),
    "a later version": (lambda r: r.update(version=3, ranktrees="9.9"), "3 was written.*9.9.*use"),
    "the first version": (lambda r: r.update(version=1), "1 was written by ranktrees .* anew"),
    "no model": (lambda r: r.pop("model") and None, "it holds no model.*stored: None"),
    "a model of a list": (lambda r: r.update(model=[]), "nothing that is stored"),
    "a value for a model": (lambda r: r.update(model={"tuple": []}), "nothing that is stored"),
    "an unknown class": (lambda r: r.update(model={"Popen": {}}), "type 'Popen'; known are"),
    "a path": (lambda r: r.update(model={"os.system": {}}), "unknown type 'os.system'"),
    "an inner class": (change("seed", to={"subprocess.Popen": {}}), r"Tree.seed: .*unknown type"),
    "two types": (change("seed", to={"tuple": [], "set": []}), r"DecisionTree.seed: "),
    "a dunder": (change("__class__", to=1), "has no __class__"),
    "a hidden method": (change("_set_estimate", to=1), "has no _set_estimate"),
    "a method": (change("predict", to=1), "has no predict"),
    "a lost parameter": (lose("tie"), "lacks tie"),
    "a bad parameter": (change("criterion", to="x"), "unknown criterion 'x'"),
    "a bad estimate": (change("estimate_params", to={"dict": [["m", 1]]}), "has no parameter 'm'"),
    "no fields": (change("tree_", to={"Tree": {}}), "DecisionTree.tree_: .*a Tree lacks"),
    "no number": (change("min_gain", to=float("nan")), "DecisionTree: min_gain must be .* nan"),
    "too few values": (change("classes_", "array", 2, to=["yes"]), r"classes_: cannot reshape"),
    "a bad shape": (change("classes_", "array", 1, to=[-1]), r"classes_: no array is made of"),
    "a bad dtype": (change("classes_", "array", 0, to="V8"), "classes_: unknown type 'V8'"),
    "huge texts": (change("classes_", "array", 0, to="<U400000000"), "unknown type '<U400000000'"),
    "a class twice": (change("classes_", "array", 2, to=["no", "no"]), "classes_ is not what"),
    "half a count": (change(*COUNTS, 2, 0, to=1.5), r"Tree.counts: no array is made of"),
    "a text for a number": (change(*COUNTS, 2, 0, to="5"), r"Tree.counts: no array is made of"),
    "a list for a number": (change(*COUNTS, 2, 0, to=[]), r"Tree.counts: "),
    "a negative count": (change(*COUNTS, 2, 0, to=-5), r"Tree.counts is not what"),
    "too large": (change(*PARENT, 2, 0, to=2**70), "Tree.parent: .*int"),
    "no array": (change(*TREE_, "parent", to="x"), "Tree.parent is not what"),
    "a loop": (change(*CHILD, 2, 0, to=0), "Tree.parent is not what"),
    "a stranger": (change(*CHILD, 2, 0, to=99), "Tree.child is not what"),
    "another's child": (change(*PARENT, 2, -1, to=0), "Tree.parent is not what"),
    "a strange attribute": (change(*TREE_, "attribute", "array", 2, 0, to=9), "attribute is not"),
    "a strange code": (
        change("training_", "tuple", 0, "array", 2, 0, to=9),
        "training_: .*outside",
    ),
    "a strange class": (change("training_", "tuple", 1, "array", 2, 0, to=2), "training_ is not"),
    "categories": (change("encoder_", "Encoder", "categories_", to=[None] * 4), "Encoder.fill_ is"),
    "an index": (
        change("encoder_", "Encoder", "categories_", 0, "index", 0, to="M8"),
        "categories_: unknown type 'M8'",
    ),
    "a key twice": (change("seed", to={"dict": [["a", 1], ["a", 1]]}), "seed: no dict is made of"),
    "no key": (change("seed", to={"dict": [[[], 1]]}), "DecisionTree.seed: .*hash"),
    "no pairs": (change("seed", to={"dict": [1]}), "DecisionTree.seed: "),
    "a scalar": (change("seed", to={"scalar": ["int8", 999]}), "seed: "),
    "an interval": (change("seed", to={"interval": [0, 1, "x"]}), "DecisionTree.seed: "),
}


class TestBadFiles:
    @pytest.mark.parametrize("name", BROKEN)
    def test_the_error_says_what_is_wrong(self, read, text, name):
        broken, message = BROKEN[name]
        record = json.loads(text(SMALL))
        record = broken(record) or record
        with pytest.raises(ValueError, match=rf"(?s)model\.json: .*{message}"):
            read(json.dumps(record))

    def test_an_unchanged_record_is_read(self, read, text):
        assert (
            read(json.dumps(json.loads(text(SMALL)))).classes_.tolist() == SMALL.classes_.tolist()
        )

    def test_a_key_twice(self, read, text):
        twice = text(SMALL).replace('"seed": 1', '"seed": 1, "seed": 2')
        with pytest.raises(
            ValueError, match=r"model\.json: a key stands twice among .*, seed, seed"
        ):
            read(twice)

    @pytest.mark.parametrize("depth", [200, 10**5])
    def test_nested_too_deeply(self, read, text, depth):
        deep = text(rt.DecisionTree()).replace("1e-09", "[" * depth + "]" * depth, 1)
        with pytest.raises(ValueError, match="nested too deeply"):
            read(deep)

    def test_a_centre_without_a_value_among_others(self, read, text):
        model, _ = damage.fitted("CentreSplitting")
        record = json.loads(text(model))
        tree = record["model"]["CentreSplitting"]["tree_"]["PrototypeTree"]
        tree["schema"]["tuple"][0]["PrototypeInfo"]["values"]["tuple"][0]["tuple"][0] = None
        with pytest.raises(ValueError, match=r"model\.json: .*CentreSplitting\.fill_ is not what"):
            read(json.dumps(record))

    def test_nothing_outside_the_package_is_imported(self, read):
        name = "this"  # a module of Python's that prints when it is imported
        assert name not in sys.modules
        with pytest.raises(ValueError, match="unknown type 'this'"):
            read(json.dumps({"format": FORMAT, "version": VERSION, "model": {name: {}}}))
        assert name not in sys.modules

    @pytest.mark.parametrize("kind", damage.KINDS)
    def test_damage_at_any_place_is_refused_or_harmless(self, tmp_path, kind):
        model, X = damage.fitted(kind)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for where, text in damage.trials(model, 12):
                (tmp_path / "model.json").write_text(text)
                what, words = damage.outcome(tmp_path / "model.json", X)
                assert what in damage.GENTLE, (where, what, words)
