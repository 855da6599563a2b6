"""`tally` and the rows in memory against hand counts and brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schema_of

import ranktrees as rt
from ranktrees.growing import count
from ranktrees.growing.forest import TrainingSets
from ranktrees.growing.grow import Level
from ranktrees.growing.rows import Cases


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


@pytest.mark.parametrize("codes", [[0, 3], [-1, 0]])
def test_tally_refuses_codes_outside_and_names_the_range(codes):
    with pytest.raises(ValueError, match=rf"{min(codes)}\.\.{max(codes)}.*\(2, 3\)"):
        rt.tally((2, 3), [0, 1], codes) if max(codes) > 2 else rt.tally((2, 3), codes, [0, 1])


def open_nodes(rng, sizes, n_nodes, C, n=120):
    """Rows of which some are still on their way, and the level of their nodes."""
    X = np.stack([rng.integers(0, V, n) for V in sizes], axis=1)
    cases = np.sort(rng.choice(n, n * 2 // 3, replace=False))
    node = rng.permutation(np.arange(len(cases)) % n_nodes)
    y = np.zeros(n, int)
    present = [rng.choice(C, rng.integers(1, C + 1), replace=False) for _ in range(n_nodes)]
    y[cases] = [rng.choice(present[t]) for t in node]
    codes = rt.Codes(X, schema_of(tuple(sizes)))
    rows = Cases(TrainingSets.single(codes, y), C)
    rows.cases, rows.node = cases, node
    return rows, Level(np.zeros(n_nodes, int), rt.tally((n_nodes, C), node, y[cases]))


@pytest.mark.parametrize("limit", [1, 300, 1 << 18])
@pytest.mark.parametrize("many", [0, 1 << 20], ids=["one by one", "at once"])
@pytest.mark.parametrize("sizes", [(2, 3), (3, 700, 2, 16, 17), (1, 1, 4), (3000, 2)])
@pytest.mark.parametrize("n_nodes", [1, 5, 23])
def test_a_level_counts_as_each_node_and_attribute_alone(sizes, n_nodes, many, limit, monkeypatch):
    monkeypatch.setattr(count, "MANY", many)
    monkeypatch.setattr(count, "SMALL", min(limit, count.SMALL))
    monkeypatch.setattr("ranktrees.basics.blocks.LIMIT", limit)
    sizes = np.array(sizes)
    rows, level = open_nodes(np.random.default_rng(n_nodes), sizes, n_nodes, C=4)
    half = np.flatnonzero(sizes <= 16), np.flatnonzero(sizes > 16)
    groups = [members for members in half if len(members)]
    seen, n_blocks = [], 0
    for nodes, tables in rows.tables(level, groups):
        n_blocks += 1
        seen += nodes.tolist()
        for members, (s, t), table in (
            (m, pair, n) for m, n in zip(groups, tables, strict=True) for pair in enumerate(nodes)
        ):
            present = np.flatnonzero(level.counts[t])
            for position, a in enumerate(members):
                mine, y = rows.cases[rows.node == t], rows.sets.y
                want = rt.tally((sizes[a], y.max() + 1), rows.sets.values[mine, a], y[mine])
                want = want[:, present]
                got = table[s, position]
                at = present if got.shape[1] == 4 else np.arange(len(present))
                assert np.array_equal(got[: sizes[a], at], want)
                assert got.sum() == want.sum(), "padding must be empty"
    assert sorted(seen) == list(range(n_nodes))
    if limit == 1:
        assert n_blocks == n_nodes, "a tiny bound gives every node its own block"
