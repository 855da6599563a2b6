"""What the tests of adopted trees share: tables of numbers, and fitted models of scikit-learn."""

import numpy as np
import pandas as pd
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

TREES = {
    "grown": DecisionTreeClassifier(random_state=0),
    "leaves of five": DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=5, random_state=0
    ),
    "at random": ExtraTreeClassifier(random_state=0),
    "pruned": DecisionTreeClassifier(ccp_alpha=0.005, max_leaf_nodes=40, random_state=0),
}
FORESTS = {
    "random forest": RandomForestClassifier(12, random_state=0),
    "extra trees": ExtraTreesClassifier(12, random_state=0),
    "bag": BaggingClassifier(DecisionTreeClassifier(), 8, max_features=0.6, random_state=0),
}


def as_numbers(data):
    """A data set's columns as numbers: a column per category of names, gaps left as they are."""
    columns = {}
    for name, x in data.X.items():
        if x.dtype.kind in "fi":
            columns[name] = x.astype(float)
            continue
        for value in x.cat.categories:
            columns[f"{name}={value}"] = (x == value).astype(float).where(x.notna())
    return pd.DataFrame(columns)


def some_cases(n=400, seed=0):
    """Numbers with gaps, times of which single precision confuses many, and three classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=[*"abcd"])
    X["time"] = 1.7e9 + rng.integers(0, 4000, n) + rng.integers(0, 2, n) / 2
    X.loc[rng.random(n) < 0.3, "a"] = np.nan
    X.loc[rng.random(n) < 0.1, "time"] = np.nan
    late = (X["time"].fillna(0) > 1.7e9 + 2000) * 1.0
    score = X["a"].fillna(1) + X["b"] + late + rng.normal(size=n) / 2
    y = pd.cut(score, [-np.inf, 0, 1.5, np.inf], labels=["low", "middle", "high"]).astype(str)
    return X, y.to_numpy()


def apart(X, fitted, model):
    """How many rows of X (n, A) the two predict apart, to the last bit, with leaf frequencies."""
    ours = model.with_estimate("frequency").predict_proba(X)
    return int((ours != fitted.predict_proba(X)).any(axis=1).sum())


def near(X, seed=1):
    """Rows near those of X: neighbours in double and single precision, and gaps where X has any."""
    rng, values = np.random.default_rng(seed), X.to_numpy(float)
    with np.errstate(invalid="ignore"):
        single = values.astype(np.float32)
        moved = [np.nextafter(values, side) for side in (-np.inf, np.inf)]
        moved += [
            (single + np.nextafter(single, np.float32(side)).astype(float)) / 2
            for side in (-np.inf, np.inf)
        ]
        moved += [np.nextafter(part, side) for part in moved[2:] for side in (-np.inf, np.inf)]
    mixed = [part[rng.permutation(len(part))] for part in moved]
    shuffled = np.stack([rng.permutation(column) for column in values.T], axis=1)
    return pd.DataFrame(np.concatenate([values, shuffled, *moved, *mixed]), columns=X.columns)
