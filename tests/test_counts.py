"""`tally` and `LevelCounter` against hand counts and brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktrees as rt
from ranktrees.level import LevelCounter


def test_tally_of_the_weather_by_hand():
    data = rt.load("weather.nominal")
    outlook = data.X["outlook"].cat
    assert outlook.categories.tolist() == ["sunny", "overcast", "rainy"]
    counts = rt.tally((3, 2), outlook.codes, data.y.codes)
    assert counts.tolist() == [[2, 3], [4, 0], [3, 2]]
    assert counts.dtype == np.int64


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 1)), min_size=1))
def test_tally_is_a_brute_force_count(cases):
    counts = rt.tally((3, 4, 2), *np.array(cases).T)
    for cell in product(range(3), range(4), range(2)):
        assert counts[cell] == cases.count(cell)


def test_tally_broadcasts():
    X, y = np.array([[0, 1], [1, 1], [0, 0]]), np.array([1, 0, 1])
    counts = rt.tally((2, 2, 2), np.arange(2), X, y[:, None])
    for j in range(2):
        assert counts[j].tolist() == rt.tally((2, 2), X[:, j], y).tolist()
    assert rt.tally((2,), 1).tolist() == [0, 1]


@pytest.mark.parametrize("codes", [[0, 3], [-1, 0]])
def test_tally_refuses_codes_outside_and_names_the_range(codes):
    with pytest.raises(ValueError, match=rf"{min(codes)}\.\.{max(codes)}.*\(2, 3\)"):
        rt.tally((2, 3), [0, 1], codes) if max(codes) > 2 else rt.tally((2, 3), codes, [0, 1])


def test_tally_of_no_case_is_zero():
    none = np.zeros(0, int)
    assert rt.tally((2, 3), none, none).tolist() == [[0, 0, 0], [0, 0, 0]]


def level(rng, sizes, n_nodes, C, n=120):
    """Cases of a level: codes, classes, the cases that still move, and their nodes."""
    X = np.stack([rng.integers(0, V, n) for V in sizes], axis=1)
    cases = np.sort(rng.choice(n, n * 2 // 3, replace=False))
    node = rng.permutation(np.arange(len(cases)) % n_nodes)
    y = np.zeros(n, int)
    present = [rng.choice(C, rng.integers(1, C + 1), replace=False) for _ in range(n_nodes)]
    y[cases] = [rng.choice(present[t]) for t in node]
    return X, y, cases, node, rt.tally((n_nodes, C), node, y[cases])


def by_brute_force(X, y, cases, node, t, a, V, present):
    mine = cases[node == t]
    table = rt.tally((V, y.max() + 1), X[mine, a], y[mine])
    return table[:, present]


@pytest.mark.parametrize("max_cells", [1, 300, 1 << 17])
@pytest.mark.parametrize("sizes", [(2, 3), (3, 700, 2, 16, 17), (1, 1, 4), (3000, 2)])
@pytest.mark.parametrize("n_nodes", [1, 5, 23])
def test_a_level_counts_as_each_node_and_attribute_alone(sizes, n_nodes, max_cells):
    sizes = np.array(sizes)
    X, y, cases, node, counts = level(np.random.default_rng(n_nodes), sizes, n_nodes, C=4)
    half = np.flatnonzero(sizes <= 16), np.flatnonzero(sizes > 16)
    groups = [members for members in half if len(members)]
    counter = LevelCounter(X, y, sizes, groups, max_cells=max_cells)
    seen, blocks = [], 0
    for nodes, tables in counter(cases, node, counts):
        blocks += 1
        seen += nodes.tolist()
        for members, (s, t), table in (
            (m, pair, n) for m, n in zip(groups, tables, strict=True) for pair in enumerate(nodes)
        ):
            present = np.flatnonzero(counts[t])
            for position, a in enumerate(members):
                want = by_brute_force(X, y, cases, node, t, a, sizes[a], present)
                got = table[s, position]
                at = present if got.shape[1] == counts.shape[1] else np.arange(len(present))
                assert np.array_equal(got[: sizes[a], at], want)
                assert got.sum() == want.sum(), "padding must be empty"
    assert sorted(seen) == list(range(n_nodes))
    if max_cells == 1:
        assert blocks == n_nodes, "a tiny bound gives every node its own block"


def test_blocks_keep_to_the_bound():
    rng, bound = np.random.default_rng(0), 4000
    sizes = np.array([2, 3, 40])
    X, y, cases, node, counts = level(rng, sizes, 60, C=5, n=900)
    groups = [np.array([2]), np.array([0, 1])]
    cells = [
        sum(n.size for n in tables)
        for _, tables in LevelCounter(X, y, sizes, groups, max_cells=bound)(cases, node, counts)
    ]
    assert len(cells) > 1
    assert max(cells) <= bound
