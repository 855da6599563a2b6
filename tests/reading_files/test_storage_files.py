"""Files of models: what is written, what is refused, and that versions of pandas agree."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from edited import signed

import ranktrees as rt
from ranktrees_files.storage import LATER, as_text, load_model, save

WEATHER = rt.load("weather.numeric")
SMALL = rt.DecisionTree().fit(WEATHER.X, WEATHER.y)
# `save(columns_tree()[0], GOLDEN)` writes it; pandas 2.2.3 and 3.1.1 wrote the same.
GOLDEN = Path(__file__).parents[1] / "golden" / "columns_tree.json"
DAMAGED = "SHA-256 is not that of the content, .* take another copy of it, or fit the model again"


@pytest.fixture
def read(tmp_path):
    """The model of a text, by way of a file."""

    def model_of(text):
        (tmp_path / "model.json").write_text(text, encoding="utf-8")
        return load_model(tmp_path / "model.json")

    return model_of


def test_any_system_reads_and_writes_the_same(tmp_path):
    save(rt.Bagging(SMALL, n_jobs=2), str(tmp_path / "model.json"))
    raw = (tmp_path / "model.json").read_bytes()
    assert b"\r" not in raw
    assert raw.isascii()
    assert b"n_jobs" not in raw
    assert b'"array": ["object", [2], ["no", "yes"]]},\n' in raw, "a field takes a line"
    (tmp_path / "model.json").write_bytes(raw.replace(b"\n", b"\r\n"))
    twin = load_model(str(tmp_path / "model.json"))
    assert repr(twin.model) == repr(SMALL)
    assert twin.n_jobs is None
    with pytest.raises(TypeError, match=r"DecisionTree cannot be stored as JSON: Out of range"):
        as_text(rt.DecisionTree(min_gain=float("nan")))


class TestRefusedFiles:
    @pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"a,b\n1,2\n", b"[1]", b"{}"])
    def test_other_files(self, tmp_path, content):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(ValueError, match=r"other: no file that rt\.save wrote"):
            load_model(tmp_path / "other")

    def test_one_character_changed_anywhere(self, read):
        text = as_text(rt.AODE())
        for i, old in enumerate(text):
            for new in {"", "0"} - {old}:
                with pytest.raises(ValueError, match=r"model\.json: "):
                    read(text[:i] + new + text[i + 1 :])

    def test_a_truncated_file_and_classes_that_changed_places(self, read):
        text = as_text(SMALL)
        swapped = text.replace('["no", "yes"]', '["yes", "no"]')
        for damaged in (swapped, text[: len(text) // 2]):
            with pytest.raises(ValueError, match=rf"model\.json: .*{DAMAGED}"):
                read(damaged)
        assert repr(read(signed(text))) == repr(SMALL)

    @pytest.mark.parametrize("version", [2, 4])
    def test_other_versions_of_the_format(self, read, version):
        head = {"format": "ranktrees model", "version": version, "ranktrees": "0.9", "model": 1}
        message = rf"ranktrees 0\.9 wrote .* version {version} .* reads version 3: load it with"
        with pytest.raises(ValueError, match=rf"model\.json: {message} that one, or fit the model"):
            read(json.dumps(head, indent=1))


def forged(*path, to=None):
    """The text of a model whose part at a path of keys is another, or is gone."""
    record = json.loads(as_text(SMALL))
    part = record["model"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    if to is None:
        del part[path[-1]]
    return signed(json.dumps(record))


CLASSES = "classes_", "array"
FORGED = {
    "no model": (signed(as_text(SMALL).replace("DecisionTree", "Codes", 1)), "a Codes lacks gaps"),
    "a class": (forged("class", to="os.system"), "'os.system' is not a class that is stored"),
    "an inner class": (forged("tree_", "class", to="Popen"), "'Popen' is not a class"),
    "a kind": (forged("seed", to={"eval": ["1"]}), "'eval' is not a kind of value"),
    "two kinds": (forged("seed", to={"tuple": [], "set": []}), "too many values"),
    "a dunder": (forged("__class__", to=1), "has no __class__"),
    "a lost parameter": (forged("tie"), "a DecisionTree lacks tie"),
    "a field of a tree": (forged("tree_", "parent"), "a Tree lacks parent"),
    "records": (forged(*CLASSES, 0, to="V8"), r"values of type \|V8 cannot"),
    "no type": (forged(*CLASSES, 0, to="eval"), "'eval' not understood"),
    "a bad shape": (forged(*CLASSES, 1, to=[3]), "cannot reshape"),
    "a bad estimate": (forged("estimate", to="x"), "estimate 'x'"),
    "a deep part": (signed(as_text(SMALL).replace("1e-09", "[" * 10**5 + "]" * 10**5)), "depth"),
}
AUDITED = """
import sys, ranktrees as rt
def load(path):
    try:
        rt.load_model(path)
    except ValueError:
        pass
seen, paths = [], sys.argv[1:]
load(paths[0])  # imports what loading needs
sys.addaudithook(lambda event, _: seen.append(event))
for path in paths:
    load(path)
code = "compile exec import marshal.loads os.system pickle.find_class subprocess.Popen"
print(sorted({*seen} & {*code.split()}))
"""


class TestForgedFiles:
    """Files that were edited and signed again may hold anything, but no code that is run."""

    @pytest.mark.parametrize("name", FORGED)
    def test_what_no_model_has_is_refused(self, read, name):
        text, message = FORGED[name]
        with pytest.raises(ValueError, match=rf"model\.json: .*{message}.* fit the model again"):
            read(text)

    def test_nothing_is_imported_compiled_or_started(self, tmp_path):
        paths = [tmp_path / f"{i}.json" for i in range(1 + len(FORGED))]
        texts = [as_text(SMALL), *(text for text, _ in FORGED.values())]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        done = subprocess.run(
            [sys.executable, "-c", AUDITED, *paths], capture_output=True, text=True, check=True
        )
        assert done.stdout == "[]\n"


def columns_tree():
    """A tree, and columns whose types differ between versions of pandas."""
    words = ["ä", "b", "no", "b"] * 3
    texts = pd.Series(words)
    X = pd.DataFrame(
        {
            "native": texts,
            "str": texts.astype("str"),
            "object": texts.astype(object),
            "string": texts.astype("string"),
            "arrow": texts.astype(pd.ArrowDtype(pa.string())),
            "category": texts.astype("category"),
            "string categories": texts.astype("string").astype("category"),
            "arrow categories": texts.astype(pd.ArrowDtype(pa.string())).astype("category"),
            "ordered": pd.Categorical(words, ["no", "ä", "b"], ordered=True),
            "interval": pd.cut(pd.Series(range(12)), 3),
            "number": pd.Series(range(12), dtype="Int64").astype("category"),
            "truth": pd.Series([True, None, False] * 4, dtype="boolean"),
            "gap": [1.5, np.nan, 2.5, 0] * 3,
        }
    )
    y = pd.Series(["yes", "no", "no"] * 4)
    return rt.DecisionTree(min_gain=0, max_depth=3).fit(X, y), X


def test_every_version_of_pandas_reads_and_writes_the_same():
    model, X = columns_tree()
    written, golden = (json.loads(text)["model"] for text in (as_text(model), GOLDEN.read_text()))
    assert {name: part for name, part in written.items() if name not in LATER} == golden
    twin = load_model(GOLDEN)
    assert np.array_equal(twin.predict_proba(X), model.predict_proba(X))
    for one in (model, twin):
        assert one.classes_.dtype == one.predict(X).dtype == object
    types = {"interval": "interval[float64, right]", "number": "int64", "truth": "bool"}
    for column, known in zip(X, twin.encoder_.categories_, strict=True):
        assert known is None or known.dtype == types.get(column, object), column
