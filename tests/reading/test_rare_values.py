"""Path Bayes of columns in which nearly every value is another: pairs that occur, not tables."""

import time

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees.basics.warn import WarnOnce
from ranktrees.estimates import path_factors

N = 8000


@pytest.fixture(scope="module")
def keys():
    """8,000 cases of two columns of 4,000 values and one of four, with gaps in the first."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, N // 2, (2, N))
    X = pd.DataFrame({f"key{j}": [f"k{v}" for v in values[j]] for j in (0, 1)})
    y = np.where(values[0] * 7919 % 97 + rng.integers(0, 30, N) > 60, "p", "q")
    X["few"] = rng.choice([*"abcd"], N)
    return X.mask(rng.random(X.shape) < [0.01, 0, 0]), y


def fitted(X, y, **params):
    with WarnOnce(without=("",)):  # of identifiers, which they are on purpose
        return rt.C44(estimate="path-bayes", **params).fit(X, y, np.arange(len(y)) % 3 / 2)


@pytest.mark.parametrize("missing", ["impute", "value"])
def test_pairs_that_occur_say_what_a_table_says(keys, missing, monkeypatch):
    X, y = keys[0][:3000], keys[1][:3000]
    cases = X.assign(key1=["new" if v % 5 == 0 else key for v, key in enumerate(X["key1"])])
    rare = fitted(X, y, missing=missing)
    assert len(rare.tree_) > 1000
    assert rare.estimate_.factors.rare.keys() == {0, 1}
    monkeypatch.setattr(path_factors, "LIMIT", 1 << 60)
    full = fitted(X, y, missing=missing)
    assert not full.estimate_.factors.rare
    expected = full.predict_proba(cases)
    np.testing.assert_allclose(rare.predict_proba(cases), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        rare.estimate_.factors.stop, full.estimate_.factors.stop, rtol=0, atol=1e-9
    )
    for row in (0, 7):
        case = cases[row : row + 1]
        found, right = rare.explain(case).table, full.explain(case).table
        pd.testing.assert_frame_equal(found, right, rtol=0, atol=1e-9)


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def test_a_nearly_unique_column_takes_at_most_twenty_times_as_long_as_c44(keys):
    X, y = keys[0][["key0", "key1"]], keys[1]
    X = X.fillna("none")
    with WarnOnce(without=("",)):
        simple, bayes = rt.C44().fit(X, y), rt.PathBayes().fit(X, y)
        assert len(bayes.tree_) > 1000
        for ask in (lambda m: m.fit(X, y), lambda m: m.predict_proba(X)):
            limit = 20 * min(seconds(lambda: ask(simple)) for _ in range(3))  # noqa: B023
            assert min(seconds(lambda: ask(bayes)) for _ in range(3)) < limit  # noqa: B023
