"""`AODE`: a case by hand, its limits, its explanation, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.models import AODE, aode


def test_two_attributes_by_hand():
    """P(c, x) P(q | c, x) and P(c, q) P(x | c, q); four cases, two classes, two values each."""
    X = pd.DataFrame({"a": list("xxyx"), "b": list("pqpp")})
    case = pd.DataFrame({"a": ["x"], "b": ["q"]})
    model = AODE().fit(X, list("++--"))
    expected = [[3 / 8 * 2 / 4, 2 / 8 * 1 / 3], [2 / 8 * 2 / 3, 1 / 8 * 1 / 2]]
    assert np.exp(model.log_estimates(case)[0]) == pytest.approx(np.array(expected))
    assert model.predict_proba(case)[0] == pytest.approx([17 / 24, 7 / 24])


def test_many_attributes_do_not_underflow():
    rng, y = np.random.default_rng(4), np.arange(20) % 2
    X = np.where(rng.random((20, 1200)) < 0.5, y[:, None], rng.integers(0, 2, (20, 1200)))
    codes = rt.Codes(X, schema_of([2] * 1200))
    proba = AODE().fit(codes, y).predict_proba(codes.take(np.arange(4)))
    assert (proba.argmax(axis=1) == y[:4]).all()


def test_blocks_change_nothing(monkeypatch):
    codes, y = coded(5, n=200)
    whole = AODE().fit(codes, y)
    proba = whole.predict_proba(codes)
    monkeypatch.setattr(aode, "blocks", lambda n, cells: blocks(n, cells, 100))
    parts = AODE().fit(codes, y)
    assert np.array_equal(parts.pair_tables_, whole.pair_tables_)
    assert np.array_equal(parts.predict_proba(codes), proba)


def test_an_explanation_has_parents_by_their_share_and_last_what_takes_no_part():
    data = rt.load("weather.nominal")
    model = AODE().fit(data.X, data.y)
    said = model.explain(data.X[:1])
    assert said.title == "no with probability 0.814"
    assert said.table["share"].sum() == pytest.approx(1)
    assert said.table["share"].is_monotonic_decreasing
    mean = said.table[["P(no)", "P(yes)"]].mul(said.table["share"], axis=0).sum()
    assert mean.tolist() == pytest.approx(model.predict_proba(data.X[:1])[0].tolist())
    assert said.lines[1] == "outlook sunny: P(no) = 0.928, 0.289 of the sum."
    model = AODE(min_count=6).fit(data.X, data.y)
    case = {"outlook": "sunny", "temperature": None, "windy": "FALSE", "humidity": "high"}
    said = model.explain(case)
    assert said.lines[0].startswith("2 of 4 attributes have a value of at least 6 cases")
    assert said.table.index.tolist() == ["windy", "humidity", "outlook", "temperature"]
    assert said.table["P(no)"].isna().tolist() == [False, False, True, True]
    none = AODE(min_count=99).fit(data.X, data.y).explain(data.X[:1])
    assert none.lines[1:] == ["So naive Bayes answers."]


FITTED = AODE().fit([[1.0], [2.0]], [0, 1])
WIDE = rt.Codes(np.zeros((4, 2), int), schema_of((2, 9000)))


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda: AODE(0).fit([[1.0], [2.0]], [0, 1]), "min_count must be at least 1"),
        (lambda: AODE("2").fit([[1.0], [2.0]], [0, 1]), "min_count must be a number"),
        (lambda: AODE(missing="drop").fit([[1.0], [2.0]], [0, 1]), "unknown missing 'drop'"),
        (lambda: AODE(discretize="eye").fit([[1.0], [2.0]], [0, 1]), "equal-width"),
        (lambda: AODE().fit(WIDE, [0, 0, 1, 1]), r"pairs .* leave 'a1' out.* 9,000 values"),
        (lambda: FITTED.log_factors([[1.0]]), "take NaiveBayes"),
        (lambda: FITTED.with_smoothing("none"), "take NaiveBayes"),
        (lambda: rt.plot.factors(FITTED, [[1.0]]), "a fitted NaiveBayes, not AODE"),
    ],
)
def test_what_it_refuses(use, words):
    with pytest.raises((TypeError, ValueError, AttributeError), match=words):
        use()
