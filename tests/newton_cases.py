"""Cases of mixed types for the tests of Newton trees."""

import numpy as np
import pandas as pd
import pytest


def mixed(seed, n=60, classes=3, missing=0.0):
    """Cases with a number of few values, one of many, a nominal attribute and one of sets."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    small = (rng.integers(0, 4, n) + y % 2).astype(float)
    real = rng.normal(y, 1.5)
    word = np.array(list("abcde"))[(rng.integers(0, 3, n) + y) % 5].tolist()
    sets = [frozenset(rng.choice(5, rng.integers(0, 4), replace=False).tolist()) for _ in range(n)]
    X = pd.DataFrame({"small": small, "word": pd.Series(word, dtype=object), "real": real})
    X["set"] = pd.Series(sets, dtype=object)
    if missing:
        X = X.mask(rng.random(X.shape) < missing)
        X["set"] = [value if isinstance(value, frozenset) else None for value in X["set"]]
    return X, y


def assert_same(node, slow, names, value=None):
    """A node view and a plain node agree, and so do all below; `value` of names are compared."""
    assert node.counts == pytest.approx(slow.counts, abs=1e-9)
    assert node.is_leaf == slow.is_leaf
    if not node.is_leaf:
        name = names[slow.attribute]
        as_it_is = (value or {}).get(name, lambda v: v)
        assert node.name == name
        assert [as_it_is(node.tree.value(c.id)) for c in node.children] == slow.prototypes
        for child, other in zip(node.children, slow.branches, strict=True):
            assert_same(child, other, names, value)
