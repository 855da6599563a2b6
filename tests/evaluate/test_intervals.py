"""Intervals and tests of AUC: pROC, brute force over all pairs, repeated cases, and by hand."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_sets import SETS, rankings

from ranktrees_engine.evaluate import (
    UndefinedMeasure,
    auc,
    auc_interval,
    compare_auc,
    hand_till,
)

PROC = json.loads((Path(__file__).parents[1] / "golden/auc.json").read_text())["sets"]
SOME = settings(max_examples=40)
Y, SCORE = list("++-+-+--"), [0.9, 0.8, 0.7, 0.6, 0.6, 0.4, 0.3, 0.1]
ABC = np.eye(3)[[0, 1, 1, 2, 2, 0]]


@pytest.mark.parametrize("name", SETS)
def test_intervals_and_tests_equal_those_of_proc(name):
    hit, scores = rankings(name)
    a, b = scores.values()
    one, other = auc_interval(hit, a), auc_interval(hit, b, confidence_level=0.8)
    row = compare_auc(hit, {"a": a, "b": b}).iloc[0]
    of_difference = (row["difference"] / row["statistic"]) ** 2
    covariance = (one.se**2 + other.se**2 - of_difference) / 2
    ours = [one.low, one.auc, one.high, one.se**2, other.low, other.auc, other.high, covariance]
    ours += [row["statistic"], row["p"], row["low"], row["high"]]
    np.testing.assert_allclose(ours, list(PROC[name].values()), rtol=1e-10, atol=1e-12)


def brute(y, proba, classes):
    """M and its variance from every pair of cases: (M, {class: components of its cases})."""
    parts, areas = {c: np.zeros((y == c).sum()) for c in classes}, []
    for i, j in permutations(classes, 2):
        above, below = proba[y == i, i], proba[y == j, i]
        won = (np.sign(above[:, None] - below) + 1) / 2
        areas.append(won.mean())
        parts[i] += won.mean(axis=1)
        parts[j] += won.mean(axis=0)
    parts = {c: part / len(areas) for c, part in parts.items()}
    return np.mean(areas), parts


@SOME
@given(st.integers(2, 5), st.integers(0, 9999), st.integers(2, 9))
def test_the_interval_of_m_equals_brute_force_over_pairs(C, seed, levels):
    rng = np.random.default_rng(seed)
    y = np.append(np.repeat(np.arange(C), 2), rng.integers(0, C, 20))
    one, other = (rng.integers(0, levels, (len(y), C)) / 8 for _ in range(2))
    (m, parts), (m2, parts2) = (brute(y, p, range(C)) for p in (one, other))
    variance = sum(part.var(ddof=1) / len(part) for part in parts.values())
    found = auc_interval(y, one, classes=range(C)) if variance else None
    if found:
        assert found.auc == pytest.approx(m, abs=1e-12)
        assert found.auc == pytest.approx(hand_till(y, one, range(C)), abs=1e-12)
        assert found.se**2 == pytest.approx(variance, abs=1e-14)
    row = compare_auc(y, {"one": one, "other": other}, classes=range(C)).iloc[0]
    spread = sum((parts[c] - parts2[c]).var(ddof=1) / len(parts[c]) for c in parts)
    assert row["difference"] == pytest.approx(m - m2, abs=1e-12)
    if spread > 1e-20:
        assert row["statistic"] == pytest.approx((m - m2) / spread**0.5, abs=1e-9)


@SOME
@given(st.integers(0, 9999), st.booleans())
def test_a_weight_is_so_many_equal_cases(seed, several):
    rng = np.random.default_rng(seed)
    C = 3 if several else 2
    y, weight = np.tile(np.arange(C), 8), rng.integers(0, 4, 8 * C)
    weight[: 2 * C] += 1
    scores = [rng.integers(0, 6, (8 * C, C)) / 6 for _ in range(2)]
    scores = scores if several else [score[:, 1] for score in scores]
    rows, given = np.repeat(np.arange(8 * C), weight), dict(zip("ab", scores, strict=True))
    repeats = {name: score[rows] for name, score in given.items()}
    np.testing.assert_allclose(
        auc_interval(y, scores[0], sample_weight=weight),
        auc_interval(y[rows], scores[0][rows]),
        atol=1e-12,
    )
    weighted = compare_auc(y, given, sample_weight=weight).iloc[:, 2:].astype(float)
    repeated = compare_auc(y[rows], repeats).iloc[:, 2:].astype(float)
    np.testing.assert_allclose(weighted, repeated, rtol=1e-9, atol=1e-9)


def test_by_hand():
    """Positive cases beat 1, 1, 5/8 and 1/2 of four; negative ones lose to 1/2, 5/8, 1, 1."""
    found = auc_interval(Y, SCORE, "+")
    variance = 2 * np.var([1, 1, 0.625, 0.5], ddof=1) / 4
    assert found.auc == auc(Y, SCORE, "+") == 0.78125
    assert found.se**2 == pytest.approx(variance, abs=1e-15)
    assert found.low == pytest.approx(0.78125 - 1.959963984540054 * variance**0.5)
    assert found.high == 1
    A = 0.78125
    hanley = A * (1 - A) + 3 * (A / (2 - A) - A**2) + 3 * (2 * A**2 / (1 + A) - A**2)
    found = auc_interval(Y, SCORE, "+", method="hanley-mcneil")
    assert found.se**2 == pytest.approx(hanley / 16, abs=1e-15)


def test_hanley_and_mcneil_count_the_classes_apart():
    """With 1 + 2 positive and 1 negative case more, the sizes are 7 and 5."""
    y, score = [*Y, *"+++-"], [*SCORE, 0.5, 0.2, 0.95, 0.45]
    found, A = auc_interval(y, score, "+", method="hanley-mcneil"), auc(y, score, "+")
    of_pairs = 6 * (A / (2 - A) - A**2) + 4 * (2 * A**2 / (1 + A) - A**2)
    assert found.se**2 == pytest.approx((A * (1 - A) + of_pairs) / 35, abs=1e-15)


def test_intervals_hold_what_they_promise():
    """95 of 100 intervals hold the true AUC, which is .76 for normal scores one deviation apart."""
    rng, true, held, differ = np.random.default_rng(2), 0.7602499389065233, 0, 0
    for _ in range(1000):
        y = np.arange(240) < 80
        score = rng.normal(size=240) + y
        found = auc_interval(y, score)
        held += found.low <= true <= found.high
        others = {"a": score, "b": rng.normal(size=240) + y}
        differ += compare_auc(y, others)["p"].iloc[0] < 0.05
    assert 0.93 <= held / 1000 <= 0.97
    assert 0.03 <= differ / 1000 <= 0.07


def test_rankings_are_compared_by_pairs():
    rng = np.random.default_rng(1)
    y, scores = rng.random(80) < 0.4, {name: rng.random(80) for name in "abc"}
    table = compare_auc(y, scores | {"d": scores["a"] * 3})
    assert list(zip(table["a"], table["b"], strict=True)) == [
        ("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")
    ]  # fmt: skip
    same = table.iloc[2]
    assert (same["difference"], same["statistic"], same["p"]) == (0, 0, 1)
    np.testing.assert_allclose(table["auc_a"] - table["auc_b"], table["difference"])


def test_an_interval_without_width_is_said():
    with pytest.warns(UserWarning, match="the AUC is 1, and its interval has no width"):
        assert auc_interval([0, 0, 1, 1], [1, 2, 3, 4]) == (1, 1, 1, 0)
    never = compare_auc([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}).iloc[0]
    assert (never["statistic"], never["p"]) == (np.inf, 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: auc_interval([0, 1, 1], [1, 2, 3]), "a class has 1 cases of y"),
        (lambda: auc_interval([1, 1], [1, 2]), "AUC is undefined: all of the 2 cases"),
        (lambda: auc_interval(Y, SCORE, "x"), "pos_label 'x' does not occur"),
        (lambda: auc_interval(Y, SCORE, method="bootstrap"), "choose one of 'delong'"),
        (lambda: auc_interval(Y, SCORE, confidence_level=95), "between 0 and 1, as in 0.95"),
        (lambda: auc_interval(Y, SCORE, sample_weight=[1]), r"shape \(8,\)"),
        (lambda: auc_interval(Y, np.ones((8, 2)), "+"), "pos_label is for scores"),
        (lambda: auc_interval(list("aabbcc"), ABC, method="hanley-mcneil"), "for two classes"),
        (lambda: compare_auc(Y, {"a": SCORE}), "needs at least two"),
        (lambda: compare_auc(Y, {"a": SCORE, "new": SCORE[1:]}), "new: score has shape"),
        (lambda: auc_interval([0, 0, 1, 1], [1, 2, 3, 4], sample_weight=[1, 1, 0, 0]), "single"),
    ],
)
def test_bad_input_of_intervals_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_undefined_is_a_kind_of_its_own():
    with pytest.raises(UndefinedMeasure, match="a: the variance"):
        compare_auc([0, 1, 1], {"a": [1, 2, 3], "b": [1, 2, 3]})
    with pytest.raises(TypeError, match="scores: give a dict"):
        compare_auc(Y, SCORE)
