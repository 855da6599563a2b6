"""Rankings of two classes against scikit-learn, against all pairs, and by hand."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from ranktrees import evaluate as ev
from ranktrees.evaluate import auc, roc_curve
from ranktrees.plain.evaluate import auc as auc_by_pairs

SOME = settings(max_examples=60)
# whole scores: ties are frequent, and sums of them exact
RANKED = st.lists(st.tuples(st.booleans(), st.integers(-5, 5)), min_size=2, max_size=30).filter(
    lambda cases: 0 < sum(hit for hit, _ in cases) < len(cases)
)


def both(cases):
    return np.array([hit for hit, _ in cases]), np.array([s for _, s in cases], float)


@SOME
@given(RANKED, st.randoms(use_true_random=False))
def test_auc_is_the_share_of_pairs_ranked_right_and_knows_only_the_order(cases, random):
    hits, score = both(cases)
    value = auc(hits, score)
    assert value == pytest.approx(auc_by_pairs(score[hits], score[~hits]), abs=1e-12)
    assert ev.Blocks.of(hits, score).auc == pytest.approx(value, abs=1e-12)
    fpr, tpr, _ = roc_curve(hits, score)
    assert np.trapezoid(tpr, fpr) == pytest.approx(value, abs=1e-12)
    assert auc(hits, np.exp(score / 3)) == auc(hits, 7 * score - 2) == value
    assert auc(hits, 1 - score) == pytest.approx(1 - value, abs=1e-12)
    assert auc(hits, score, pos_label=False) == pytest.approx(1 - value, abs=1e-12)
    order = random.sample(range(len(hits)), len(hits))
    assert auc(hits[order], score[order]) == value


@pytest.mark.parametrize("decimals", [1, 15])
def test_auc_curve_and_midranks_equal_those_of_scikit_learn_and_scipy(decimals):
    rng = np.random.default_rng(4)
    y = np.where(rng.random(3000) < 0.2, "yes", "no")
    score = np.round(rng.random(3000) + 0.3 * (y == "yes"), decimals)
    assert auc(y, score) == pytest.approx(metrics.roc_auc_score(y, score), abs=1e-12)
    expected = metrics.roc_curve(y, score, pos_label="yes", drop_intermediate=False)
    for ours, theirs in zip(roc_curve(y, score), expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    np.testing.assert_array_equal(ev.midranks(score), stats.rankdata(score))
    assert auc([0, 1, 1], [-np.inf, 0, np.inf]) == 1
    assert auc([0, 1], [0.5, 0.5 + 1e-15]) == 1, "never rounded"


def test_eq_1_of_su_and_zhang_needs_the_number_of_positive_cases():
    """Ranks 3, 5, 6 of three positive cases among seven: 14 - 6 = 8 of 12 pairs."""
    y, score = np.array([0, 0, 1, 0, 1, 1, 0]), np.arange(1, 8)
    found = ev.auc_from_ranks(ev.midranks(score)[y == 1].sum(), 3, 4)
    assert found == auc(y, score) == pytest.approx(8 / 12)
    with pytest.raises(ev.UndefinedMeasure, match="0 against 4"):
        ev.auc_from_ranks(0, 0, 4)


def test_the_positive_class_is_the_last_of_the_sorted_ones():
    y, score = pd.Categorical(["good", "bad", "bad"], ["good", "bad"]), [0.1, 0.8, 0.9]
    assert auc(y, score) == auc(pd.Series(y), score) == auc(list(y), score) == 0
    assert auc(list(y), score, pos_label="bad") == 1
    assert auc(["a", "b", "c"], [1, 2, 0], pos_label="c") == 0


def test_a_roc_curve_and_a_hull_by_hand():
    """A corner for each distinct score: a tree with three of them is no single point."""
    fpr, tpr, thresholds = roc_curve(list("+-+--"), [0.9, 0.9, 0.6, 0.6, 0.1], pos_label="+")
    np.testing.assert_allclose(fpr, [0, 1 / 3, 2 / 3, 1])
    np.testing.assert_allclose(tpr, [0, 1 / 2, 1, 1])
    np.testing.assert_array_equal(thresholds, [np.inf, 0.9, 0.6, 0.1])
    corners = ev.convex_hull([0.4, 0.1, 0.5, 0.9], [0.5, 0.5, 0.9, 0.9])
    np.testing.assert_allclose(corners, [[0, 0.1, 0.5, 1], [0, 0.5, 0.9, 1]])
    for diagonal in ([], np.linspace(0, 1, 7), [0.3, 0.8]):
        np.testing.assert_array_equal(ev.convex_hull(diagonal, diagonal), [[0, 1], [0, 1]])
    with pytest.raises(ValueError, match=r"point 1 is \(40.0, 0.5\)"):
        ev.convex_hull([0.1, 40], [0.5, 0.5])
    with pytest.raises(ValueError, match="2 false and 1 true positive rates"):
        ev.convex_hull([0.1, 0.4], [0.5])


@SOME
@given(RANKED)
def test_the_hull_is_the_least_concave_curve_above_the_roc_curve(cases):
    fpr, tpr, _ = roc_curve(*both(cases))
    x, y = ev.convex_hull(fpr, tpr)
    corners, points = {*zip(x, y, strict=True)}, [*zip(fpr, tpr, strict=True)]
    assert corners <= {*points}, "every corner is a threshold's, the ends are"
    for at, height in points:
        chords = [
            a[1] + (b[1] - a[1]) * (at - a[0]) / (b[0] - a[0])
            for a, b in combinations(points, 2)
            if a[0] <= at <= b[0] and a[0] < b[0]
        ]
        highest = max([height, *(h for f, h in points if f == at), *chords])
        on_hull = max(np.interp(at, x, y), *(h for f, h in corners if f == at), 0)
        assert on_hull == pytest.approx(highest, abs=1e-12)
    slope = np.diff(y[x > 0]) / np.diff(x[x > 0])
    assert np.all(np.diff(slope) < 0), "each corner turns right"


def test_lift_of_a_mailing_by_hand():
    """Ten people, three respond; the best four hold two of them, and tie."""
    y, score = list("yynnnynnnn"), [9, 9, 9, 9, 5, 5, 1, 1, 1, 1]
    np.testing.assert_allclose(ev.gains_curve(y, score), [[0, 0.4, 0.6, 1], [0, 2 / 3, 1, 1]])
    np.testing.assert_allclose(ev.lift_curve(y, score), [[0.4, 0.6, 1], [5 / 3, 5 / 3, 1]])
    assert ev.lift(y, score, 0.2) == pytest.approx((1 / 3) / 0.2)
    assert ev.lift(y, score, 1) == pytest.approx(1)
    assert ev.expected_hits(np.array(y) == "y", np.array(score), 5) == pytest.approx(2.5)
    for share in (0, 1.5):
        with pytest.raises(ValueError, match="share must be above 0 and at most 1"):
            ev.lift(y, score, share)


@pytest.mark.parametrize(
    ("y", "score", "pos_label", "words"),
    [
        (["a", "a"], [1, 2], None, "is undefined: all of the 2 cases of y are of the class 'a'"),
        (pd.Categorical(["a"], ["a", "b"]), [1], None, "none of the 1 cases of y are of .* 'b'"),
        ([], [], None, "y is empty"),
        (["a", "b"], [1, np.nan], None, "score is NaN in row 1"),
        (["a", "b"], [1, 2, 3], None, r"score has shape \(3,\), but y has 2 cases"),
        (["a", "b"], [[0.1, 0.9]] * 2, None, r"score\[:, 1\]"),
        (["a", "b"], ["x", "y"], None, "score must hold numbers only"),
        (["a", "b"], [1, 2], "c", "pos_label 'c' does not occur in y: it has the classes 'a', 'b'"),
        (["a", "b", "c"], [1, 2, 3], None, "3 classes: name the positive one with pos_label="),
        (["a", None, "b"], [1, 2, 3], None, "lacks the class of 1 of its 3 cases, first in row 1"),
        (["a", 1], [1, 2], None, "y mixes text with other types, such as 1"),
        ([["a", "b"]], [1, 2], None, "one dimension"),
    ],
)
@pytest.mark.parametrize("measure", [auc, roc_curve])
def test_bad_input_is_named(measure, y, score, pos_label, words):
    with pytest.raises(ValueError, match=words):
        measure(y, score, pos_label)
