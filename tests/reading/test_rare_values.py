"""Path Bayes of columns in which nearly every value is another: pairs that occur, not tables."""

from functools import partial
from time import process_time
from timeit import repeat

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
    assert rare.estimate_.factors.rare.keys() == {0, 1}
    monkeypatch.setattr(path_factors, "LIMIT", 1 << 60)
    full = fitted(X, y, missing=missing)
    assert not full.estimate_.factors.rare
    expected = full.predict_proba(cases)
    np.testing.assert_allclose(rare.predict_proba(cases), expected, rtol=0, atol=1e-12)
    found, right = rare.explain(cases[7:8]).table, full.explain(cases[7:8]).table
    pd.testing.assert_frame_equal(found, right, rtol=0, atol=1e-9)


def test_a_nearly_unique_column_takes_at_most_twenty_times_as_long_as_c44(keys):
    X, y = keys[0][["key0", "key1"]], keys[1]
    X = X.fillna("none")
    with WarnOnce(without=("",)):
        simple, bayes = rt.C44().fit(X, y), rt.PathBayes().fit(X, y)
        for ask in (lambda m: m.fit(X, y), lambda m: m.predict_proba(X)):
            slow, fast = (
                min(repeat(partial(ask, m), timer=process_time, repeat=3, number=1))
                for m in (bayes, simple)
            )
            assert slow < 20 * fast
