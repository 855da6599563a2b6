"""The value counts that CITree and NBTree keep, and when an attribute is left out."""

from dataclasses import replace

import numpy as np
import pytest

import ranktrees as rt


class TestTables:
    def test_too_many_cells_are_not_kept(self, monkeypatch):
        data = rt.load("vote")
        whole = rt.CITree().fit(data.X, data.y)
        monkeypatch.setattr("ranktrees.models.citree.MOST_KEPT", 100)
        model = rt.CITree().fit(data.X, data.y)
        assert whole.tree_.tables is not None
        assert model.tree_.tables is None
        same = np.abs(model.predict_proba(data.X) - whole.predict_proba(data.X)).max()
        assert same < 1e-12
        with pytest.raises(AttributeError, match="moderate size"):
            _ = model.tree_.root.model

    def test_tables_are_not_stored_but_counted_anew(self, tmp_path):
        data = rt.load("weather.nominal")
        model = rt.CITree(min_cases=2).fit(data.X, data.y)
        tables = model.tree_.tables
        model.tree_ = replace(model.tree_, tables=-tables.astype(int))
        rt.save(model, tmp_path / "model.json")
        assert "tables" not in (tmp_path / "model.json").read_text()
        twin = rt.load_model(tmp_path / "model.json")
        assert np.array_equal(twin.tree_.tables, tables)
        assert twin.tree_.tables.dtype == tables.dtype


def test_an_attribute_cut_in_two_still_speaks_in_the_leaf():
    data = rt.load("iris")
    model = rt.DecisionTree("gini", "binary", "leaf-naive-bayes", numeric="thresholds", max_depth=1)
    tree = model.fit(data.X, data.y).tree_
    assert not tree.settled.any()
    bins = rt.DecisionTree(max_depth=1).fit(data.X, data.y).tree_
    assert (bins.settled[1:].sum(axis=1) == 1).all()
    assert not bins.settled[0].any()


def test_nbtree_splits_by_the_log_loss_itself():
    data = rt.load("tic-tac-toe")
    sizes = [
        len(rt.NBTree(scoring="log_loss", min_reduction=r).fit(data.X, data.y).tree_)
        for r in (0.0, 0.05, 1.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2] == 1
