"""Splits against brute force over all cuts and all subsets."""

import itertools
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import fits, tables

import ranktrees as rt
from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.criteria import criteria as cr
from ranktrees_engine.criteria.split import (
    J48_TIE,
    c45_penalty,
    multiway,
    multiway_two,
    subset,
    threshold,
)
from ranktrees_engine.growing.cuts import best_cuts, count_cells


def merged(n, branch):
    """The table of the branches of one table's split."""
    return np.stack([n[branch == b].sum(axis=0) for b in (0, 1)])


def check(n, score, branch, sides, criterion, min_child=1):
    """The score is the best over 0/1 vectors `sides` of the values; the branches have it."""
    every = (merged(n, np.array(side)) for side in sides)
    scores = [float(criterion(t)) for t in every if t.sum(axis=1).min() >= min_child]
    assert score == pytest.approx(max(scores, default=-np.inf), abs=1e-9)
    if score > -np.inf:
        table = merged(n, branch)
        assert table.sum() == n.sum()
        assert table.sum(axis=1).min() >= min_child
        assert criterion(table) == pytest.approx(score, abs=1e-12)


def all_subsets(V):
    return [s for s in product((0, 1), repeat=V) if 0 < sum(s) < V]


@pytest.mark.parametrize("name", sorted(set(rt.CRITERIA) - {"gain_ratio"}))
@settings(max_examples=8)
@given(st.data())
def test_threshold_is_the_best_of_all_cuts(name, data):
    shape = {"rows": (1, 7), "classes": fits(name)["classes"]}
    n, min_child = data.draw(tables(**shape)), data.draw(st.integers(1, 6))
    score, branch = threshold(n, rt.CRITERIA[name], min_child)
    assert np.all(np.diff(branch) >= 0), "an order is cut, never torn"
    cuts = [[int(v > cut) for v in range(len(n))] for cut in range(len(n) - 1)]
    check(n, score, branch, cuts, rt.CRITERIA[name], min_child)


@pytest.mark.parametrize("name", ["gini", "twoing", "orthogonal"])
@settings(max_examples=12)
@given(st.data())
def test_subset_of_many_classes_is_the_best_of_all_subsets(name, data):
    n, min_child = data.draw(tables(rows=(1, 6), classes=(3, 4))), data.draw(st.integers(1, 6))
    assume(n.any(axis=0).sum() > 2)  # of fewer classes the cuts of one order are tried
    score, branch = subset(n, rt.CRITERIA[name], min_child)
    check(n, score, branch, all_subsets(len(n)), rt.CRITERIA[name], min_child)
    assert np.array_equal(branch < 0, ~n.any(axis=1)), "-1 exactly where no case is"


@pytest.mark.parametrize("name", ["gini", "information_gain"])
@settings(max_examples=20)
@given(tables(rows=(1, 8), classes=(2, 2)))
def test_breiman_theorem_two_classes(name, n):
    """Cutting the values in the order of their class share loses nothing."""
    score, branch = subset(n, rt.CRITERIA[name])
    check(n, score, branch, all_subsets(len(n)), rt.CRITERIA[name])


@settings(max_examples=20)
@given(tables(rows=(9, 12), classes=(3, 3)))
def test_subset_of_many_values_is_no_worse_than_a_pure_value_against_the_rest(n):
    score, branch = subset(n, cr.gini_gain)
    assume(score > -np.inf)
    assert cr.gini_gain(merged(n, branch)) == pytest.approx(score)
    for v in np.flatnonzero((n.max(axis=1) == n.sum(axis=1)) & (n.max(axis=1) == n.max())):
        side = (np.arange(len(n)) == v).astype(int)
        assert score >= cr.gini_gain(merged(n, side)) - 1e-9


@pytest.mark.parametrize("split", [threshold, subset])
@settings(max_examples=50)
@given(tables(rows=(2, 6), classes=(2, 4)), st.randoms(use_true_random=False))
def test_padding_or_permuted_classes_change_no_two_way_split(split, n, random):
    """As to the widest attribute of a group; nor may a sum's rounding decide between equals."""
    columns = list(range(n.shape[1]))
    random.shuffle(columns)
    score, branch = split(n, cr.gini_gain)
    for other in (np.pad(n, ((0, 7), (0, 2))), n[:, columns]):
        again, branches = split(other, cr.gini_gain)
        assert again == pytest.approx(score, abs=1e-12)
        if score > 1e-9:
            side, its = (each[: len(n)][n.any(axis=1)] for each in (branch, branches))
            assert np.array_equal(side, its) or (len(other) > len(n) and (side == 1 - its).all())


@settings(max_examples=20)
@given(tables(), st.integers(1, 5))
def test_every_value_that_occurs_has_its_branch(n, min_child):
    rows = n.sum(axis=1)
    occupied = (rows > 0).sum()
    for split, needed in ((multiway, occupied), (multiway_two, 2)):
        score, branch = split(n, cr.information_gain, min_child)
        used = branch[branch >= 0].tolist()
        assert len(set(used)) == len(used), "values never share a branch"
        assert (branch[rows > 0] >= 0).all()
        allowed = occupied >= 2 and (rows >= min_child).sum() >= needed
        assert score == (cr.information_gain(n) if allowed else -np.inf)


def judged_one_by_one(table, criterion, least, numbers=None):
    """Score and code of the best cut of a table (V, C), each that is allowed judged by itself."""
    occurs = np.flatnonzero(table.any(axis=1))
    found = []
    for low, high in itertools.pairwise(occurs):
        sides = np.stack([table[: low + 1].sum(axis=0), table[high:].sum(axis=0)])
        apart = numbers is None or not numbers[low] + 1e-5 >= numbers[high]  # NaN is above all
        if apart and sides.sum(axis=1).min() >= least:
            found.append((float(criterion(sides)), int(low), int(high)))
    if not found:
        return -np.inf, -1
    tie = TIE if numbers is None else J48_TIE
    best = max(score for score, *_ in found)
    score, low, high = next(cut for cut in found if cut[0] >= best - tie)
    if numbers is not None:
        middle = (numbers[low] + numbers[high]) / 2
        low = max(v for v in range(low, high) if v == low or not numbers[v] >= middle + 1e-6)
        score = float(c45_penalty(np.array(score), len(found), table.sum()))
    return score, low


@pytest.mark.parametrize("name", ["gini", "information_gain", "chi_squared"])
@pytest.mark.parametrize("weights", [None, int, float])
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_cuts_of_all_nodes_are_those_that_judging_each_cut_gives(name, weights, data):
    """Of all attributes and nodes at once, from tables or by sorting: ties, gaps, least cases."""
    ranges = (1, 3), (1, 4), (2, 4), (2, 40), (4, 60), (0, 1), (0, 1), (0, 1 << 20)
    A, S, C, V, m, by_c45, gaps, seed = (data.draw(st.integers(*each)) for each in ranges)
    rng = np.random.default_rng(seed)
    codes, node, y = rng.integers(0, V, (A, m)), rng.integers(0, S, m), rng.integers(0, C, m)
    codes[:, : m // 2] //= 2  # so that some values are common
    weight = None if weights is None else rng.integers(1, 8, m) * weights(1)
    if weights is float:
        weight /= 4  # sums of such parts are exact
    tables = np.zeros((A, S, V, C), float if weights is float else int)
    for a in range(A):
        np.add.at(tables[a], (node, codes[a], y), 1 if weight is None else weight)
    least = rng.integers(1, 5, S)
    numbers = np.cumsum(rng.choice([4e-6, 0.1, 2.0], (A, 1, V)), axis=2)
    if gaps:
        numbers[:, :, -1] = np.nan  # the code of missing values
    values = (numbers, np.zeros(S, int)) if by_c45 else ()
    cells = count_cells(codes, node, y, (S, C, V), weight)
    criterion, totals = rt.CRITERIA[name], tables[0].sum(axis=1)
    best = best_cuts(cells, totals, A, criterion, least, values)
    for a, s in np.ndindex(A, S):
        line = numbers[a, 0] if by_c45 else None
        score, code = judged_one_by_one(tables[a, s], criterion, least[s], line)
        assert best.score[a, s] == pytest.approx(score, abs=1e-9)
        assert best.code[a, s] == code
        assert np.array_equal(best.left[a, s], tables[a, s, : code + 1].sum(axis=0))


@pytest.mark.parametrize("weighted", [False, True])
def test_c45_takes_the_first_cut_within_a_millionth_of_the_best(weighted):
    n = np.array([[20_000, 0], [1, 1], [0, 20_500]])
    code, y = n.nonzero()
    weight = n[code, y] if weighted else None
    if not weighted:
        code, y = (np.repeat(part, n[n > 0]) for part in (code, y))
    cells = count_cells(code[None], np.zeros(len(y), int), y, (1, 2, 3), weight)
    values = np.arange(3.0)[None, None], np.zeros(1, int)
    gain = cr.information_gain(np.array([[n[:1].sum(0), n[1:].sum(0)], [n[:2].sum(0), n[2]]]))
    assert 1e-9 < gain[1] - gain[0] < 1e-6, "the second cut is better, but not by much"
    how = cells, n.sum(axis=0)[None], 1, cr.information_gain, 1
    assert best_cuts(*how, values).code.item() == 0
    assert best_cuts(*how).code.item() == 1
