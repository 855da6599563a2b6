"""The plain form of a tree: written, read back, and written by hand or by other programs' lines."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from foreign_trees import some_cases
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt

LONG = "x" * 5000

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "plain-trees.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
IN_R = re.search(r"^(?: {4}.*\n)+", PAGE.partition("In R, ")[2], re.MULTILINE)[0]
MODELS = [
    rt.C45(), rt.C44(numeric="thresholds", missing="value"), rt.PathBayes(),
    rt.DecisionTree("gini", "binary"), rt.DecisionTree(split="threshold"),
]  # fmt: skip
NODES = [
    {"id": 7, "test": "hue", "counts": [5, 6]},
    {"id": 3, "parent": 7, "values": ["red", "blue"], "test": "size"},
    {"id": 2, "parent": 7, "values": ["green"], "counts": [1, 3], "condition": "= green"},
    {"id": 4, "parent": 3, "up_to": 2.5, "counts": [4, 0]},
    {"id": 5, "parent": 3, "above": 2.5, "missing": True, "counts": [0, 3]},
]


def written(change=None, nodes=NODES, **more):
    """The plain form of a small tree, with other keys of nodes by id."""
    nodes = [node | (change or {}).get(node["id"], {}) for node in nodes]
    nodes = [{k: v for k, v in node.items() if v != "gone"} for node in nodes]
    return {"version": 1, "classes": ["no", "yes"], "nodes": nodes} | more


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("name", ["labor", "iris", "weather.numeric"])
def test_what_is_written_is_read(tmp_path, model, name):
    data = rt.load(name)
    tree = model.fit(data.X, data.y).tree_
    (tmp_path / "tree.json").write_text(tree.to_json(), encoding="utf-8")
    for source in (tmp_path / "tree.json", json.loads(tree.to_json())):
        twin = rt.read_tree(source)
        assert (twin.schema, twin.classes) == (tree.schema, tree.classes)
        assert (twin.conditions, str(twin)) == (tree.conditions, str(tree))
        assert np.array_equal(twin.counts, tree.counts)
        assert all(
            np.array_equal(twin.branches_of(t), tree.branches_of(t)) for t in range(len(tree))
        )
        assert (
            json.loads(twin.to_json())["nodes"][1:] == json.loads(tree.to_json())["nodes"][1:]
            or (twin.cut != tree.cut).any()
        )  # two bins may be one cut


def test_adopted_trees_too():
    X, y = some_cases()
    tree = rt.adopt(DecisionTreeClassifier(random_state=0).fit(X, y), X, y).tree_
    twin, codes = rt.read_tree(json.loads(tree.to_json())), np.zeros((0, 5), int)
    assert twin.schema == tree.schema
    assert all(np.array_equal(twin.branches_of(t), tree.branches_of(t)) for t in range(len(tree)))
    assert len(twin.apply(codes)) == 0
    said = json.loads(tree.to_json())["nodes"]
    assert any(node.get("missing") for node in said)
    assert said[0]["cut"] == tree.schema[tree.attribute[0]].cuts[tree.cut[0]]


def test_by_hand():
    said = written()
    before = json.dumps(said)
    tree = rt.read_tree(said)
    assert json.dumps(said) == before  # what is given stays as it is
    assert tree.to_text().splitlines() == [
        "hue in {red, blue}",
        "|   size <= 2.5: no (4)",
        "|   size > 2.5 or missing: yes (3)",
        "hue = green: yes (4/1)",
    ]
    assert tree.counts.tolist() == [[5, 6], [4, 3], [1, 3], [4, 0], [0, 3]]
    weighed = rt.read_tree(written({2: {"counts": [0.5, 2]}, 7: {"counts": "gone"}}))
    assert weighed.counts[0].tolist() == [4.5, 5]
    alone = rt.read_tree(written(nodes=[{"id": 0, "counts": [1, 2]}]))
    assert (len(alone), alone.classes) == (1, ("no", "yes"))
    ordered = [{"name": "hue", "kind": "ordinal", "values": ["red", "blue", "green", "white"]}]
    ordered.append({"name": "size", "kind": "numeric", "cuts": [1, 2.5], "missing": True})
    assert rt.read_tree(written(attributes=ordered)).conditions[1] == "<= blue"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([1], "source must be"),
        (written(version=2), "version: it must be 1, not 2"),
        (written(classes=["no", "no"]), "classes: they must be different"),
        (written(nodes=[]), "nodes: give a list"),
        (written(root=1), "source: it has 'root'"),
        (written({4: {"id": 5}}), "node 5: its id must be .* no other"),
        (written({4: {"id": "4"}}), "node '4': its id"),
        (written({4: {"parent": 9}}), "node 4: there is no node 9"),
        (written({4: {"parent": None}}), "one has no parent, the root, but here 2"),
        (written({3: {"parent": 4}, 4: {"parent": 3}}), "node 3: its parents do not lead"),
        (written({4: {"colour": 1}}), "a node: it has 'colour'"),
        (written({4: {"counts": "gone"}}), "node 4: its counts must be 2 numbers"),
        (written({4: {"counts": [1, -1]}}), "node 4: its counts"),
        (written({4: {"counts": [0, 0]}}), "node 4: its counts"),
        (written({4: {"counts": [9, 9]}}), "counts must not be exceeded"),
        (written({3: {"test": "gone"}}), "node 3: it has children, so give its test"),
        (written({4: {"test": "hue"}}), "node 4: it has a test, but no node"),
        (written({5: {"above": 1.5}}), "node 5: values that lead here lead to another"),
        (written({5: {"above": "gone", "missing": "gone"}}), "node 5: no value of 'size'"),
        (written({5: {"values": ["x"]}}), "node 5: 'size' is numeric"),
        (written({2: {"up_to": 1}}), "node (2|3): 'hue' is numeric"),
        (written({2: {"values": ["red"]}}), "node 2: values that lead here"),
        (written({3: {"cut": 9}}), "node 3: its cut is 9"),
        (written({3: {"attribute": 0}}), "node 3: attribute 0 is not the position"),
        (written(attributes=[{"name": "hue"}]), "node 3: its test 'size' is not among"),
        (written(attributes=[{"name": "hue"}, {"name": "hue"}]), "'hue' must be a name, and given"),
        (
            written(attributes=[{"name": "hue", "kind": "odd"}, {"name": "size"}]),
            "attribute 'hue': its kind must be",
        ),
        (
            written(attributes=[{"name": "hue", "values": ["red"]}, {"name": "size"}]),
            "node 3: 'hue' has no value 'blue'",
        ),
        (
            written(attributes=[{"name": "hue"}, {"name": "size", "cuts": [3], "kind": "numeric"}]),
            "node 4: 2.5 is not one of the cuts",
        ),
        (
            written(attributes=[{"name": "hue"}, {"name": "size", "missing": False}]),
            "node 5: 'size' is declared without",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_named(said, words):
    with pytest.raises((TypeError, ValueError), match=words):
        rt.read_tree(said)


@pytest.mark.parametrize("text", ["{", '{"version": NaN}', "[]", ""])
def test_a_file_that_is_no_tree_is_named(tmp_path, text):
    (tmp_path / "odd.json").write_text(text)
    with pytest.raises(ValueError, match=r"odd\.json: "):
        rt.read_tree(tmp_path / "odd.json")


@pytest.fixture(scope="module")
def lines():
    """What the page's blocks define."""
    defined = {"rt": rt}
    for block in BLOCKS:
        if block.startswith(("import csv", "def ")):
            exec(block, defined)
    return defined


def test_the_lines_for_rpart_read_a_table_of_its_labels(lines, tmp_path):
    table = 'node,test,label,a,b\n1,Start,root,4,3\n2,G,"Start>=8.5",3,1\n'
    table += '4,<leaf>,"G=x,y",3,0\n5,<leaf>,"G=z",0,1\n3,<leaf>,"Start< 8.5",1,2\n'
    (tmp_path / "rpart.csv").write_text(table)
    tree = lines["of_rpart"](tmp_path / "rpart.csv", ["a", "b"])
    assert tree.conditions[1:] == ("> 8.5", "<= 8.5", "in {x, y}", "= z")
    assert tree.schema[0].cuts == (np.nextafter(8.5, 0),)


@pytest.mark.long
def test_rpart_itself(lines, tmp_path):
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    program = f"library(rpart)\n{IN_R}"
    program += 'write.csv(predict(fit), "said.csv")\nwrite.csv(kyphosis, "cases.csv")\n'
    done = subprocess.run(["Rscript", "-e", program], cwd=tmp_path, capture_output=True, text=True)
    if "no package called" in done.stderr:
        pytest.skip("rpart is not installed")
    assert done.returncode == 0, done.stderr
    tree = lines["of_rpart"](tmp_path / "rpart.csv", ["absent", "present"])
    cases, said = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("cases", "said"))
    codes = [np.searchsorted(info.cuts, cases[info.name]) for info in tree.schema]
    found = rt.estimate.frequency(tree)[tree.apply(np.stack(codes, axis=1))]
    assert np.allclose(found, said[["absent", "present"]])


@pytest.mark.long
@pytest.mark.parametrize("name", ["credit-g", "iris"])
def test_c50py_itself(lines, name):
    c50py = pytest.importorskip("c50py", reason="the page's lines alone need it")
    data = rt.load(name)
    X = data.X.astype(dict.fromkeys(data.X.select_dtypes("category"), str))
    fitted = c50py.C5Classifier().fit(X, np.asarray(data.y))
    tree = lines["of_c50py"](fitted, X)
    codes = [
        np.searchsorted(info.cuts, X[info.name])
        if info.kind == "numeric"
        else X[info.name].map({v: c for c, v in enumerate(info.values)}).to_numpy()
        for info in tree.schema
    ]
    found = rt.estimate.frequency(tree)[tree.apply(np.stack(codes, axis=1).astype(int))]
    assert np.allclose(found, fitted.predict_proba(X))


@pytest.mark.parametrize(
    "change",
    [
        {"version": LONG},
        {"attributes": [{"name": LONG, "kind": LONG}]},
        {"nodes": [{"id": 1, "parent": LONG, "counts": [1, 2]}]},
        {"nodes": [{"id": 1, LONG: 1, "counts": [1, 2]}]},
    ],
)
def test_a_message_stays_short_where_a_name_is_long(change):
    said = {"version": 1, "classes": ["no", "yes"], "nodes": [{"id": 1, "counts": [1, 2]}]}
    with pytest.raises(ValueError, match=r"x{30,}") as error:
        rt.read_tree({**said, **change})
    assert len(str(error.value)) < 700
