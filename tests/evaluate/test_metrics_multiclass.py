"""Hand and Till's M in its three conventions: by hand, against all pairs and scikit-learn."""

import time
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from ranktrees.evaluate import CONVENTIONS, UndefinedMeasure, auc, hand_till, pairwise_auc
from ranktrees.plain import evaluate

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
    if of_one is None:
        with pytest.raises(UndefinedMeasure, match="the 4 cases of y hold only one of 3 classes"):
            hand_till(["a"] * 4, PROBA, ABC, convention)
    else:
        assert hand_till(["a"] * 4, PROBA, ABC, convention) == pytest.approx(of_one)


def hand_till_of_papers(y: np.ndarray, proba: np.ndarray, count_absent: bool) -> float:
    """The mean of A(i|j), i < j alone, of rounded scores: that of the ranking papers' tables.

    With `count_absent` (Wang & Zhang 2006) a pair that lacks a class counts 1, or 1/2 where the
    other's scores are all tied; without (Su & Zhang 2004) it takes no part.
    """
    proba, areas = proba.round(10), []
    for i, j in combinations(range(proba.shape[1]), 2):
        one, other = proba[y == i, i], proba[y == j, i]
        if len(one) and len(other):
            areas.append(evaluate.auc(one, other))
        elif count_absent:
            areas.append(1.0 if len({*one, *other}) > 1 else 0.5)
    return sum(areas) / len(areas)


@st.composite
def problems(draw):
    """Codes, few distinct scores (n, C) and C; two classes at least have cases."""
    C = draw(st.integers(2, 5))
    codes = st.lists(st.integers(0, C - 1), min_size=2, max_size=25)
    codes = draw(codes.filter(lambda y: len({*y}) > 1))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    return np.array(codes), rng.integers(0, draw(st.integers(1, 9)), (len(codes), C)) / 8, C


@pytest.mark.parametrize("convention", CONVENTIONS)
@settings(max_examples=60)
@given(problems())
def test_m_is_the_mean_over_pairs(convention, problem):
    codes, proba, C = problem
    if convention == "standard":
        expected = evaluate.hand_till(codes, proba)
    else:
        expected = hand_till_of_papers(codes, proba, convention == "wang2006")
    assert hand_till(codes, proba, range(C), convention) == pytest.approx(expected, abs=1e-12)
    if convention == "standard":
        turned = hand_till(codes[::-1], proba[::-1, ::-1], classes=[*range(C)][::-1])
        assert turned == pytest.approx(expected, abs=1e-12)


def test_every_pair_is_an_auc():
    rng = np.random.default_rng(8)
    y, proba = rng.choice(ABC, 90), np.round(rng.dirichlet(np.ones(3), 90), 1)
    found = pairwise_auc(y, proba)
    assert np.isnan(np.diag(found)).all()
    for i, j in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]:
        on = np.isin(y, [ABC[i], ABC[j]])
        assert found[i, j] == pytest.approx(auc(y[on], proba[on, i], ABC[i]), abs=1e-12)
    gaps = np.isnan(pairwise_auc(Y, PROBA, ABC))
    np.testing.assert_array_equal(gaps, [[1, 0, 1], [0, 1, 1], [1, 1, 1]])


def test_m_equals_scikit_learn_where_all_classes_occur_and_is_ten_times_as_fast():
    rng = np.random.default_rng(5)
    y, proba = rng.integers(0, 26, 20_000), rng.dirichlet(np.ones(26), 20_000).round(2) + 1e-3
    proba /= proba.sum(axis=1, keepdims=True)
    spent = []
    for measure in [hand_till] * 5 + [lambda y, p: metrics.roc_auc_score(y, p, multi_class="ovo")]:
        start = time.process_time()
        value = measure(y, proba)
        spent.append(time.process_time() - start)
    assert hand_till(y, proba) == pytest.approx(value, abs=1e-12)
    assert spent.pop() >= 10 * min(spent)


def test_classes_name_the_columns():
    value = hand_till(Y, PROBA, ABC)
    for classes in (ABC, [0, 1, 2], range(3)):
        assert hand_till(np.array([0, 0, 1, 1]), PROBA, classes) == value
    assert hand_till(pd.Categorical(Y, ABC), PROBA) == value
    assert hand_till(pd.Series(Y, index=[7, 5, 3, 1]), PROBA, ABC) == value
    frame = pd.DataFrame(PROBA, columns=ABC)[["c", "b", "a"]]
    assert hand_till(Y, frame) == pytest.approx(value)


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
def test_bad_input_is_named(y, proba, classes, words):
    with pytest.raises(ValueError, match=words):
        hand_till(y, proba, classes)
    with pytest.raises(ValueError, match="unknown convention 'weka': choose one of 'standard'"):
        hand_till(Y, PROBA, ABC, "weka")


@pytest.mark.parametrize("convention", ["wang2006", "su2004"])
def test_the_papers_conventions_tie_what_rounding_parts(convention):
    """0.1 + 0.2 is not 0.3 to a computer, but to the papers' tables it is."""
    proba = [[0.1 + 0.2, 0.7], [0.3, 0.7]]
    assert hand_till(["a", "b"], proba) == pytest.approx(0.75)
    assert hand_till(["a", "b"], proba[::-1]) == 0.25
    assert hand_till(["a", "b"], proba, convention=convention) == 0.5
    assert hand_till(["a", "b"], [[0.3 + 2e-11, 0], [0.3, 0]], convention=convention) == 0.5
    near = [[0.3 + 2e-10, 0.7], [0.3, 0.7]]
    assert hand_till(["a", "b"], near, convention=convention) == 1
