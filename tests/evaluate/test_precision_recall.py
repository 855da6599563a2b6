"""Precision and recall: scikit-learn, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from ranktrees_engine import evaluate as ev
from ranktrees_engine.evaluate import UndefinedMeasure

# whole scores: ties are frequent
CASE = st.tuples(st.booleans(), st.integers(-5, 5))
RANKED = st.lists(CASE, min_size=2, max_size=30).filter(
    lambda cases: 0 < sum(hit for hit, _ in cases) < len(cases)
)


@settings(max_examples=60)
@given(RANKED, st.booleans())
def test_precision_and_recall_equal_those_of_scikit_learn(cases, weighted):
    hits = np.array([hit for hit, _ in cases])
    score = np.array([value for _, value in cases], float)
    weight = np.arange(len(hits)) % 3 + 1.0 if weighted else None
    ours = ev.pr_curve(hits, score, sample_weight=weight)
    theirs = metrics.precision_recall_curve(hits, score, sample_weight=weight)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    value = ev.average_precision(hits, score, sample_weight=weight)
    theirs = metrics.average_precision_score(hits, score, sample_weight=weight)
    assert value == pytest.approx(theirs, abs=1e-12)


def test_average_precision_by_hand_and_of_several_classes():
    """A hit first, then a tie of one hit and one miss: (1 + 2/3) / 2, whatever their order."""
    for y in ("++--", "+-+-"):
        assert ev.average_precision(list(y), [9, 5, 5, 1], "+") == pytest.approx((1 + 2 / 3) / 2)
    y, proba = np.array([0, 1, 2, 1, 0]), np.random.default_rng(0).dirichlet([1] * 4, 5)
    each = [ev.average_precision(y == c, proba[:, c]) for c in range(3)]
    found = ev.MEASURES["average_precision"]
    assert found(y, proba) == pytest.approx(np.mean(each)), "the class without a case is left out"
    assert np.isnan(found(np.zeros(3, int), proba[:3, :2]))
    with pytest.raises(UndefinedMeasure, match="no positive case has a weight"):
        ev.average_precision([0, 1], [1, 2], sample_weight=[1, 0])
