"""`tally` against brute force, blocks of bounded memory, and how a level is counted."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import coded

import ranktrees as rt
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.growing import count


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 1)), min_size=1))
def test_tally_is_a_brute_force_count(cases):
    counts = rt.tally((3, 4, 2), *np.array(cases).T)
    for cell in product(range(3), range(4), range(2)):
        assert counts[cell] == cases.count(cell)


@pytest.mark.parametrize("codes", [[0, 3], [-1, 0]])
def test_tally_refuses_codes_outside_and_names_the_range(codes):
    with pytest.raises(ValueError, match=rf"{min(codes)}\.\.{max(codes)}.*\(2, 3\)"):
        rt.tally((2, 3), [0, 1], codes)


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 60), st.booleans())
def test_blocks_hold_every_item_once_in_order(cells, limit, are_equal):
    cells = cells[:1] * len(cells) if are_equal else cells
    each = (cells or [0])[0] if are_equal else np.array(cells, int)
    parts = list(blocks(len(cells), each, limit))
    assert [i for b in parts for i in range(b.start, b.stop)] == list(range(len(cells)))
    assert all(b.stop > b.start for b in parts)
    for b in parts:
        assert sum(cells[b]) <= limit or b.stop - b.start == 1


@pytest.mark.parametrize("limit", [1, 300])
@pytest.mark.parametrize("many", [0, 1 << 20], ids=["one by one", "at once"])
@pytest.mark.parametrize("split", ["multiway", "threshold"])
def test_however_a_level_is_counted_the_tree_is_the_same(split, many, limit, monkeypatch):
    codes, y = coded(2, n=300, sizes=(3, 70, 2, 16, 17), classes=4)
    weight = np.arange(300) % 3 + 0.5
    trees = [rt.DecisionTree("gini", split).fit(codes, y, w).tree_ for w in (None, weight)]
    assert min(map(len, trees)) > 100
    monkeypatch.setattr(count, "MANY", many)
    monkeypatch.setattr(count, "SMALL", min(limit, count.SMALL))
    monkeypatch.setattr("ranktrees_engine.basics.blocks.LIMIT", limit)
    for tree, w in zip(trees, (None, weight), strict=True):
        again = rt.DecisionTree("gini", split).fit(codes, y, w).tree_
        for name in ("parent", "attribute", "child", "counts"):
            assert np.array_equal(getattr(again, name), getattr(tree, name)), name
