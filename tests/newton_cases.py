"""Cases of mixed types for the tests of Newton trees."""

import numpy as np
import pandas as pd


def jaccard(a, b):
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def different(a, b):
    return float(a != b)


def apart(a, b):
    return abs(a - b)


DISTANCE = {"set": jaccard, "word": different, "small": apart, "real": apart}


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
