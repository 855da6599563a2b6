"""Rankings of two classes and of many: scikit-learn, all pairs, and by hand."""

import warnings
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from ranktrees.plain import evaluate as plain
from ranktrees_engine import evaluate as ev
from ranktrees_engine.evaluate import CONVENTIONS, UndefinedMeasure, auc, hand_till, roc_curve

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
    assert value == pytest.approx(plain.auc(score[hits], score[~hits]), abs=1e-12)
    assert ev.Blocks.of(hits, score).auc == pytest.approx(value, abs=1e-12)
    fpr, tpr, _ = roc_curve(hits, score)
    assert np.trapezoid(tpr, fpr) == pytest.approx(value, abs=1e-12)
    corners = np.array(plain.roc(score[hits], score[~hits])).T
    np.testing.assert_allclose((fpr, tpr), corners, atol=1e-12)
    assert auc(hits, np.exp(score / 3)) == auc(hits, 7 * score - 2) == value
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
    with pytest.raises(UndefinedMeasure, match="0 against 4"):
        ev.auc_from_ranks(0, 0, 4)


def test_the_positive_class_is_the_last_of_the_sorted_ones():
    y, score = pd.Categorical(["good", "bad", "bad"], ["good", "bad"]), [0.1, 0.8, 0.9]
    assert auc(y, score) == auc(pd.Series(y), score) == auc(list(y), score) == 0
    assert auc(list(y), score, pos_label="bad") == 1


def test_a_roc_curve_and_a_hull_by_hand():
    """A corner for each distinct score: a tree with three of them is no single point."""
    fpr, tpr, thresholds = roc_curve(list("+-+--"), [0.9, 0.9, 0.6, 0.6, 0.1], pos_label="+")
    np.testing.assert_allclose([fpr, tpr], [[0, 1 / 3, 2 / 3, 1], [0, 1 / 2, 1, 1]])
    np.testing.assert_array_equal(thresholds, [np.inf, 0.9, 0.6, 0.1])
    corners = ev.convex_hull([0.4, 0.1, 0.5, 0.9], [0.5, 0.5, 0.9, 0.9])
    np.testing.assert_allclose(corners, [[0, 0.1, 0.5, 1], [0, 0.5, 0.9, 1]])
    np.testing.assert_array_equal(ev.convex_hull([0.3, 0.8], [0.3, 0.8]), [[0, 1], [0, 1]])
    with pytest.raises(ValueError, match=r"point 1 is \(40.0, 0.5\)"):
        ev.convex_hull([0.1, 40], [0.5, 0.5])
    with pytest.raises(ValueError, match="2 false and 1 true positive rates"):
        ev.convex_hull([0.1, 0.4], [0.5])


@SOME
@given(RANKED)
def test_the_hull_is_the_least_concave_curve_above_the_roc_curve(cases):
    fpr, tpr, _ = roc_curve(*both(cases))
    x, y = ev.convex_hull(fpr, tpr)
    corners, points = {*zip(x, y, strict=True)}, {*zip(fpr, tpr, strict=True)}
    assert corners <= points, "every corner is a threshold's, the ends are"
    slope = np.diff(y[x > 0]) / np.diff(x[x > 0])
    assert np.all(np.diff(slope) < 0), "each corner turns right"
    for at, height in points:
        assert height <= max(np.interp(at, x, y), *(h for f, h in corners if f == at), 0) + 1e-12


def test_gains_of_a_mailing_by_hand():
    """Ten people, three respond; the best four hold two of them, and tie."""
    y, score = list("yynnnynnnn"), [9, 9, 9, 9, 5, 5, 1, 1, 1, 1]
    np.testing.assert_allclose(ev.gains_curve(y, score), [[0, 0.4, 0.6, 1], [0, 2 / 3, 1, 1]])
    assert ev.expected_hits(np.array(y) == "y", np.array(score), 5) == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("y", "score", "pos_label", "words"),
    [
        (["a", "a"], [1, 2], None, "is undefined: all of the 2 cases of y are of the class 'a'"),
        (pd.Categorical(["a"], ["a", "b"]), [1], None, "none of the 1 cases of y are of .* 'b'"),
        ([], [], None, "y is empty"),
        (["a", "b"], [1, np.nan], None, "score is NaN in row 1"),
        (["a", "b"], [1, 2, 3], None, r"score has shape \(3,\), but y has 2 cases"),
        (["a", "b"], [[0.1, 0.9]] * 2, None, r"score\[:, 1\]"),
        (["a", "b"], [1, 2], "c", "pos_label 'c' does not occur in y: it has the classes 'a', 'b'"),
        (["a", "b", "c"], [1, 2, 3], None, "3 classes: name the positive one with pos_label="),
        (["a", None, "b"], [1, 2, 3], None, "lacks the class of 1 of its 3 cases, first in row 1"),
        ([["a", "b"]], [1, 2], None, "one dimension"),
    ],
)
def test_bad_input_is_named(y, score, pos_label, words):
    for measure in (auc, roc_curve, ev.pr_curve, ev.average_precision):
        with pytest.raises(ValueError, match=words):
            measure(y, score, pos_label)


# Classes a, b, c, and no case of c. On P(a), a's .6 .4 meet b's .4 .2: three and a half of four.
Y, ABC = ["a", "a", "b", "b"], ["a", "b", "c"]
PROBA = np.array([[0.6, 0.3, 0.1], [0.4, 0.2, 0.4], [0.4, 0.5, 0.1], [0.2, 0.5, 0.3]])


@pytest.mark.parametrize(
    ("convention", "expected", "turned", "of_one"),
    [
        ("standard", (0.875 + 1) / 2, (0.875 + 1) / 2, None),  # on P(b), b's .5 .5 beat .3 .2
        # (a, c): a's P(a) differ; (b, c): b's P(b) tie. Columns c, a, b: P(c) ranks pairs with c
        ("wang2006", (0.875 + 1 + 0.5) / 3, (1 + 1 + 0.875) / 3, (1 + 1 + 0.5) / 3),
        ("su2004", 0.875, 0.875, None),  # (a, c) and (b, c) are skipped
    ],
)
def test_an_absent_class_by_hand(convention, expected, turned, of_one):
    assert hand_till(Y, PROBA, ABC, convention) == pytest.approx(expected, abs=1e-15)
    found = hand_till(Y, PROBA[:, [2, 0, 1]], ["c", "a", "b"], convention)
    assert found == pytest.approx(turned)
    if of_one:
        assert hand_till(["a"] * 4, PROBA, ABC, convention) == pytest.approx(of_one)
        return
    with pytest.raises(UndefinedMeasure, match="the 4 cases of y hold only one of 3 classes"):
        hand_till(["a"] * 4, PROBA, ABC, convention)


def hand_till_of_papers(y, proba, count_absent):
    """The mean of A(i|j), i < j alone, of rounded scores: that of the ranking papers' tables.

    With `count_absent` (Wang & Zhang 2006) a pair that lacks a class counts 1, or 1/2 where the
    other's scores are all tied; without (Su & Zhang 2004) it takes no part.
    """
    proba, areas = proba.round(10), []
    for i, j in combinations(range(proba.shape[1]), 2):
        one, other = proba[y == i, i], proba[y == j, i]
        if len(one) and len(other):
            areas.append(plain.auc(one, other))
        elif count_absent:
            areas.append(1.0 if len({*one, *other}) > 1 else 0.5)
    return sum(areas) / len(areas)


@SOME
@given(st.integers(2, 5), st.integers(0, 9999), st.integers(1, 9))
def test_m_is_the_mean_over_pairs(C, seed, levels):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, C, rng.integers(0, 24)), [0, C - 1])
    proba = rng.integers(0, levels, (len(y), C)) / 8
    expected = {
        "standard": plain.hand_till(y, proba),
        "wang2006": hand_till_of_papers(y, proba, count_absent=True),
        "su2004": hand_till_of_papers(y, proba, count_absent=False),
    }
    found = {convention: hand_till(y, proba, range(C), convention) for convention in CONVENTIONS}
    assert found == pytest.approx(expected, abs=1e-12)


def test_every_pair_is_an_auc_and_m_equals_that_of_scikit_learn():
    rng = np.random.default_rng(8)
    y, proba = rng.choice(ABC, 900), np.round(rng.dirichlet(np.ones(3), 900), 1) + 1e-3
    proba /= proba.sum(axis=1, keepdims=True)
    found = ev.pairwise_auc(y, proba)
    for i, j in permutations(range(3), 2):
        on = np.isin(y, [ABC[i], ABC[j]])
        assert found[i, j] == pytest.approx(auc(y[on], proba[on, i], ABC[i]), abs=1e-12)
    theirs = metrics.roc_auc_score(y, proba, multi_class="ovo")
    assert hand_till(y, proba) == pytest.approx(theirs, abs=1e-12)
    gaps = np.isnan(ev.pairwise_auc(Y, PROBA, ABC))
    np.testing.assert_array_equal(gaps, [[1, 0, 1], [0, 1, 1], [1, 1, 1]])


def test_classes_name_the_columns():
    value = hand_till(Y, PROBA, ABC)
    for classes in (ABC, [0, 1, 2], range(3)):
        assert hand_till(np.array([0, 0, 1, 1]), PROBA, classes) == value
    assert hand_till(pd.Categorical(Y, ABC), PROBA) == value
    assert hand_till(pd.Series(Y, index=[7, 5, 3, 1]), PROBA, ABC) == value
    assert hand_till(Y, pd.DataFrame(PROBA, columns=ABC)[["c", "b", "a"]]) == pytest.approx(value)


@pytest.mark.parametrize(
    ("y", "proba", "classes", "words"),
    [
        (Y, PROBA, None, "3 columns, but there are 2 classes.*name all of its columns"),
        (Y, PROBA, ["a", "c", "d"], "y holds 'b', which is none of the classes 'a', 'c', 'd'"),
        (Y, PROBA, ["a", "b", "a"], "classes names 'a' more than once"),
        (Y[:3], PROBA, ABC, "proba has 4 rows, but y has 3 cases"),
        (Y, PROBA[:, 0], ABC, "a row per case and a column per class"),
        ([0, 1, 3, 1], PROBA, ABC, "row 2 of y is 3, no code of 3 classes: 0 to 2"),
        (np.array([0, -1, 1, 1]), PROBA, range(3), "row 1 of y is -1"),
        (Y, np.where(PROBA == 0.3, np.nan, PROBA), ABC, "NaN in row 0, column 1"),
    ],
)
def test_bad_input_of_many_classes_is_named(y, proba, classes, words):
    with pytest.raises(ValueError, match=words):
        hand_till(y, proba, classes)


@pytest.mark.parametrize("convention", ["wang2006", "su2004"])
def test_the_papers_conventions_tie_what_rounding_parts(convention):
    """0.1 + 0.2 is not 0.3 to a computer, but to the papers' tables it is."""
    for more, expected in ((0.1 + 0.2, 0.5), (0.3 + 2e-11, 0.5), (0.3 + 2e-10, 1)):
        proba = [[more, 0.7], [0.3, 0.7]]
        assert hand_till(["a", "b"], proba, convention=convention) == expected
        assert hand_till(["a", "b"], proba) == 0.75


Y01, PREDICTED = np.array([0, 1, 0, 1, 1]), np.array([0, 1, 1, 1, 0])
NAMES = np.array(["no", "yes"])
CLASSES = [  # classes, what predict gives of them, which has no rank
    (Y01, PREDICTED),
    (Y01.tolist(), PREDICTED.tolist()),
    (Y01 + 1, PREDICTED + 1),
    (Y01 + 1.0, PREDICTED + 1.0),
    (pd.Series(Y01, dtype="Int64"), pd.Series(PREDICTED)),
    (Y01 == 1, PREDICTED == 1),
    (NAMES[Y01], PREDICTED == 1),
    (pd.Categorical(Y01 * 7), PREDICTED * 7),
    (Y01.astype(str), PREDICTED.astype(str)),
    (Y01, np.zeros(5, int)),
]
SCORES = [  # what ranks, even with two values
    (Y01, PREDICTED.astype(float)),  # the probabilities of pure leaves
    (Y01 * 1.0, PREDICTED * 1.0),
    (Y01, PREDICTED * 2),
    (Y01, PREDICTED - 1),
    (NAMES[Y01], PREDICTED),
    (Y01, [0.2, 0.2, 0.7, 0.7, 0.7]),
    (Y01 == 1, PREDICTED * 0.5),
    (Y01 + 1, np.array([1, 2, 3, 2, 1])),
    (Y01, np.array([np.inf, 1, 1, 0, -np.inf])),
]
RANKINGS = [auc, roc_curve, ev.gains_curve, ev.pr_curve, ev.average_precision]


@pytest.mark.parametrize("measure", RANKINGS)
def test_classes_in_place_of_scores_are_doubted(measure):
    for y, score in CLASSES:
        with pytest.warns(UserWarning, match=r"look like classes: .*give it predict_proba\(X\)\["):
            measure(y, score)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for y, score in SCORES:
            measure(y, score)
    for score in (NAMES[PREDICTED], NAMES[PREDICTED].tolist(), pd.Categorical(NAMES[PREDICTED])):
        with pytest.raises(ValueError, match=r"score holds names such as 'no'; .*predict_proba"):
            measure(NAMES[Y01], score)
    with pytest.raises(ValueError, match="as predict_proba gives them, not shape"):
        hand_till(Y01, PREDICTED)
