"""A path forest from files: the model of memory, in groups and parts that a budget forces."""

from dataclasses import replace
from functools import partial
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from databases import in_sqlite
from prunable import assert_same_tree
from scale_cases import (
    assert_close_tree,
    assert_same_encoder,
    batches_of,
    both,
    mixed,
    quiet,
    scanned,
)

import ranktrees as rt
from ranktrees_files.scale import forest_fit, forest_grow, in_parts
from ranktrees_files.scale.predictions import rows_at_once

N = 400
X = mixed(N).drop(columns="label")
WEIGHTS = {
    "none": None,
    "whole": np.random.default_rng(3).integers(0, 4, N),
    "parts": np.random.default_rng(4).random(N) + 0.5,
    "heavy": np.random.default_rng(5).integers(1, 3, N) * 200,
}
SETS = ["iris", "weather.numeric", "breast-cancer", "labor", "glass", "monks-2"]
MORE = ["credit-g", "vote", "diabetes", "ionosphere", "segment", "soybean", "balance-scale"]
MORE = [pytest.param(name, marks=pytest.mark.long) for name in MORE]


def assert_alike(model, memory, new):
    """The same trees, codes and weights, and the same answers for cases."""
    for one, other in zip(model.trees_, memory.trees_, strict=True):
        exact = memory.weight_ is None or memory.weight_.dtype.kind == "i"
        (assert_same_tree if exact else assert_close_tree)(one, other)
    assert_same_encoder(model.encoder_, memory.encoder_)
    for one, other in zip(model.grids_, memory.grids_, strict=True):
        assert_same_encoder(one, other)
    assert np.abs(model.pool_weights_ - memory.pool_weights_).max() < 1e-10
    for cases in (new, new.iloc[:1]):
        found, expected = quiet(model.predict_proba, cases), quiet(memory.predict_proba, cases)
        assert np.abs(found - expected).max() < 1e-12


def new_cases():
    """Cases with more gaps, and with values that were never seen."""
    new = mixed(100, seed=9, gaps=0.3).drop(columns="label")
    return new.assign(text=new["text"].where(new["text"] != "a", "never"))


@pytest.fixture
def small_parts(monkeypatch):
    """Parts of few cases, so that small files have many."""
    for module in (forest_grow, in_parts):
        plan = in_parts.IN_PARTS
        monkeypatch.setattr(module, "IN_PARTS", plan._replace(case_bytes=12_000))


@pytest.mark.parametrize("name", [*SETS, *MORE])
def test_sets_of_all_kinds(name, tmp_path):
    data = rt.load(name)
    frame = data.X.assign(label=pd.Categorical(data.y))
    make = partial(rt.PathForest, 3)
    model, memory = both(make, frame, tmp_path, budget=10**6)
    assert_alike(model, memory, data.X)


@pytest.mark.parametrize(
    ("how", "weight", "budget"),
    [
        ({}, "none", 10**8),
        ({"n_models": 4}, "none", 50_000),
        ({"class_weight": "balanced", "seed": 3, "n_models": 3}, "parts", 50_000),
        ({"n_models": 5}, "whole", 50_000),
        ({"n_models": 1, "weights": "equal"}, "heavy", 200_000),
    ],
    ids=str,
)
def test_gaps_weights_and_four_classes(how, weight, budget, small_parts, tmp_path):
    frame, moves = mixed(N), Mock(wraps=forest_grow.grow_below)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forest_grow, "grow_below", moves)
        make = partial(rt.PathForest, **how)
        model, memory = both(make, frame, tmp_path, WEIGHTS[weight], budget=budget)
    assert moves.called == (budget < 10**8)
    assert_alike(model, memory, new_cases())


def test_tops_that_collapse_above_their_parts(small_parts, tmp_path):
    """Few cases of one class: much of what grows makes no fewer errors than a leaf."""
    rng, cut = np.random.default_rng(0), []
    some = {name: rng.integers(0, 5, N).astype(str) for name in "abcd"}
    frame = pd.DataFrame(some | {name: rng.normal(size=N) for name in "ef"})
    rare = (rng.random(N) < 0.05) | ((frame["a"] == "1") & (frame["e"] > 0.5))
    frame["label"] = np.where(rare, "p", "q")

    def top(*given):
        found = in_parts.collapse_top(*given)
        cut.extend(found[1] < 0)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forest_grow, "PRUNING", in_parts.PRUNING._replace(top=top))
        model, memory = both(partial(rt.PathForest, 4), frame, tmp_path, budget=30_000)
    assert any(cut)
    assert not all(cut)
    assert max(map(len, memory.trees_)) > 5
    assert_alike(model, memory, frame.drop(columns="label"))


def test_it_is_saved_explained_and_asked_in_sql(tmp_path):
    frame = mixed(N)[["whole", "colour", "label"]].astype({"label": "str"})
    frame["colour"] = frame["colour"].astype(object)
    some = frame.drop(columns="label")
    memory = rt.PathForest(3).fit(some, frame["label"])
    scan = scanned(frame, tmp_path, kind="csv")
    model = rt.PathForest(3).fit(scan)
    assert_alike(model, memory, some)
    assert str(model.explain(some.iloc[3])) == str(memory.explain(some.iloc[3]))
    np.testing.assert_allclose(model.parts(some).log_p, memory.parts(some).log_p, atol=1e-12)
    new = new_cases()[["whole", "colour"]]
    found = in_sqlite(new, model.to_sql("cases"))
    assert np.abs(found - quiet(model.predict_proba, new)).max() < 1e-9
    rt.save(model, tmp_path / "model.json")
    with batches_of(64):
        again = rt.load_model(tmp_path / "model.json")
        found = np.concatenate([*again.predict_proba(scan)])
    assert np.abs(found - model.predict_proba(some)).max() < 1e-14
    assert model.score(scan) == np.mean(model.predict(some) == frame["label"])
    for use in (lambda: model.feature_importances_, lambda: rt.plot.attribute(model, "whole")):
        with pytest.raises(ValueError, match="training cases, which a PathForest of files does"):
            use()


def more(counts):
    counts[0, 0] += 400


def other_class(y):
    y[0] = 3 - y[0]


def turned(end):
    end[:] = end[::-1]


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("counts", more),
        ("y", other_class),
        ("end", turned),
        ("codes", lambda codes: np.put(codes, 0, 100)),
        ("end", lambda end: np.put(end, -1, 10**6)),
        ("nodes", lambda nodes: np.put(nodes, 0, 0)),
    ],
)
@pytest.mark.parametrize("weight", ["none", "whole", "parts"])
def test_stored_ends_that_are_not_the_trees_are_refused(field, change, weight, tmp_path):
    scan, path = scanned(mixed(N), tmp_path, WEIGHTS[weight]), tmp_path / "m.json"
    model = quiet(rt.PathForest(2).fit, scan)
    rt.save(model, path)
    assert isinstance(rt.load_model(path), rt.PathForest)
    array = getattr(model.ended_[0], field).astype(np.int64)
    change(array)
    model.ended_ = [replace(model.ended_[0], **{field: array}), model.ended_[1]]
    rt.save(model, path)
    with pytest.raises(ValueError, match="ended_ must be what ends at the trees' nodes"):
        rt.load_model(path)


@pytest.mark.parametrize(
    ("how", "given", "match"),
    [
        ({}, {"budget": 100}, r"budget: a block of cases takes [\d,]+ bytes, and 100 are given"),
        ({}, {"budget": 10_000}, "column 'number' has 357 different numbers, whose counts take"),
        ({}, {"budget": 16_000}, r"budget: the tables of one node take [\d,]+ bytes"),
        ({}, {"engine": "spark"}, "engine.*'spark'"),
        ({"missing": "error"}, {}, 'column .number. has 43 missing .*or use missing="value"'),
        ({"class_weight": {"q": 2}}, {}, "class_weight names 'q'"),
        ({}, {"sample_weight": np.ones(N)}, "a scan names the column of its weights"),
        ({}, {"y": np.ones(N)}, "a scan has its classes with it"),
    ],
)
def test_what_it_refuses_by_name(how, given, match, tmp_path):
    scan, model = scanned(mixed(N), tmp_path), rt.PathForest(2, **how)
    with batches_of(64), pytest.raises((TypeError, ValueError), match=match):
        quiet(model.fit, scan, **given)
    assert not model.is_fitted


def test_an_adopted_forest_stays_as_it_is(tmp_path):
    pytest.importorskip("sklearn")
    from sklearn.ensemble import RandomForestClassifier

    data = rt.load("iris")
    forest = RandomForestClassifier(2, random_state=0).fit(data.X, data.y)
    model = rt.adopt(forest, data.X, data.y, estimate="path")
    scan = scanned(data.X.assign(label=data.y), tmp_path)
    with pytest.raises(TypeError, match="adopted"):
        scan.fit(model)
    assert np.array_equal(np.concatenate([*model.predict_proba(scan)]), model.predict_proba(data.X))


def test_counts_of_a_column_that_exceed_the_budget_are_named(tmp_path):
    scan = scanned(mixed(N), tmp_path, WEIGHTS["heavy"])  # its 213 values by description length
    with batches_of(64), pytest.raises(ValueError, match=r"213 values of column 'number' and 4 cl"):
        quiet(rt.PathForest(1).fit, scan, budget=40_000)


def test_a_fit_that_fails_leaves_the_model_as_it_was_and_no_folder(tmp_path, monkeypatch):
    scan = scanned(mixed(N), tmp_path / "files")
    model = quiet(rt.PathForest(2, seed=5).fit, scan)
    before, places = vars(model).copy(), []

    def stopped(trees, *_):
        places.extend(tmp_path.glob("ranktrees-*"))
        raise KeyboardInterrupt

    monkeypatch.setattr(forest_fit, "end_all", stopped)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        quiet(model.set_params(seed=1).fit, scan)
    assert len(places) == 1
    assert not [*tmp_path.glob("ranktrees-*")]
    assert vars(model) == before | {"seed": 1}


def test_files_that_change_while_they_are_read_are_named(tmp_path, monkeypatch):
    scan, code = scanned(mixed(N), tmp_path), forest_fit.code

    def changing(*given):
        mixed(N, seed=2).to_parquet(scan.files[-1])
        return code(*given)

    monkeypatch.setattr(forest_fit, "code", changing)
    with pytest.raises(ValueError, match=f"{scan.files[-1].name} has changed while it was read"):
        quiet(rt.PathForest(2).fit, scan)


def test_one_scan_a_level_counts_for_all_trees(small_parts, tmp_path):
    """Groups of nodes are scanned one after another where their tables do not fit together."""
    scan, logs = scanned(mixed(N), tmp_path), [forest_fit.Log(), forest_fit.Log()]
    with batches_of(64):
        for log, budget in zip(logs, (2 * 10**6, 60_000), strict=True):
            quiet(forest_fit.fit_forest, rt.PathForest(4), scan, budget, log=log)
    scans = [log.table()["scans"].tolist() for log in logs]
    assert scans[0][0] == 1
    assert scans[1][0] > 1
    assert logs[1].table()["tables"].max() <= 60_000


def test_a_large_forest_is_asked_for_more_rows_at_a_time(tmp_path):
    frame = mixed(N)
    scan, some = scanned(frame, tmp_path), frame.drop(columns="label")
    tree, forest = (quiet(make().fit, scan) for make in (rt.DecisionTree, rt.PathForest))
    with batches_of(64):
        few, more = ([*model.predict_proba(scan)] for model in (tree, forest))
        assert forest.score(scan) == np.mean(forest.predict(some) == frame["label"])
    assert max(map(len, few)) == 64
    assert max(map(len, more)) > 64
    assert np.abs(np.concatenate(more) - forest.predict_proba(some)).max() < 1e-12
    two = frame["label"] == frame["label"].iloc[0]
    tuned = quiet(rt.TunedThreshold(rt.PathForest(2)).fit, some, two)
    assert rows_at_once(tuned, 7) == rows_at_once(tuned.model_, 7) > 0
