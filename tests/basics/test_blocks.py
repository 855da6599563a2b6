"""Blocks of bounded memory: all items once, in order, none over the limit but single ones."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ranktrees.basics.blocks import blocks


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 60), st.booleans())
def test_every_item_once_in_order(cells, limit, are_equal):
    cells = cells[:1] * len(cells) if are_equal else cells
    each = (cells or [0])[0] if are_equal else np.array(cells, int)
    parts = list(blocks(len(cells), each, limit))
    assert [i for b in parts for i in range(b.start, b.stop)] == list(range(len(cells)))
    assert all(b.stop > b.start for b in parts)
    for b in parts:
        assert sum(cells[b]) <= limit or b.stop - b.start == 1
