"""Blocks of bounded memory: all items once, in order, none over the limit but single ones."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ranktrees.basics.blocks import blocks


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 60))
def test_every_item_once_in_order(cells, limit):
    parts = list(blocks(len(cells), np.array(cells, int), limit))
    assert [i for b in parts for i in range(b.start, b.stop)] == list(range(len(cells)))
    assert all(b.stop > b.start for b in parts)
    for b in parts:
        assert sum(cells[b]) <= limit or b.stop - b.start == 1


@given(st.integers(0, 50), st.integers(0, 30), st.integers(1, 60))
def test_items_of_one_size(n, cells, limit):
    parts = list(blocks(n, cells, limit))
    assert [i for b in parts for i in range(b.start, b.stop)] == list(range(n))
    assert all((b.stop - b.start) * cells <= limit or b.stop - b.start == 1 for b in parts)
