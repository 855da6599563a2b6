"""Ten sets of two classes, each ranked by two of its own attributes: what pROC was asked about."""

import numpy as np

import ranktrees as rt

SETS = {  # two attributes each: many ties, few, none; missing values are left out
    "breast-cancer": ("deg-malig", "inv-nodes"),
    "credit-g": ("duration", "credit_amount"),
    "diabetes": ("plas", "mass"),
    "ionosphere": ("a05", "a08"),
    "labor": ("wage-increase-first-year", "working-hours"),
    "vote": ("physician-fee-freeze", "el-salvador-aid"),
    "monks-1": ("a5", "a1"),
    "tic-tac-toe": ("middle-middle-square", "top-left-square"),
    "weather.numeric": ("temperature", "humidity"),
    "agrawal": ("salary", "loan"),
}


def rankings(name):
    """Return which cases are of the last class (n,), and two rankings {attribute: (n,)}."""
    data = rt.agrawal(5000, function=2, seed=1) if name == "agrawal" else rt.load(name)
    frame = data.X[list(SETS[name])]
    known = frame.notna().all(axis=1).to_numpy()
    scores = {}
    for column in frame:
        values = frame[column][known]
        numeric = values.dtype.kind in "iuf"
        scores[column] = values.to_numpy(float) if numeric else in_order(values.astype(str))
    return (data.y == data.y.categories[-1])[known], scores


def in_order(words):
    """Return the places (n,) of words in their sorted order."""
    return np.unique(words, return_inverse=True)[1].astype(float)
