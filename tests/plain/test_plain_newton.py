"""Models against those that are read in `plain/`: the same trees, probabilities within 1e-12."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from newton_cases import assert_same

from ranktrees.plain import newton, newton_values
from ranktrees_engine.models import DistanceTree, NewtonTree

DECLARED = "hgfedcba"  # in an order that is not that of the text


@st.composite
def tables_of_any_type(draw):
    """A frame with numbers, names, ordered names, hours, words and sets; classes; new cases."""
    n, C = draw(st.integers(2, 40)), draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    y = rng.integers(0, C, n)
    y[:2] = 0, 1
    missing = draw(st.sampled_from([0.0, 0.2, 0.6]))

    def column(make):
        values = [make(int(rng.integers(0, 4)) + int(c) % 2) for c in [*y, *range(20)]]
        gaps = rng.random(len(values)) < missing
        values = [None if gap else v for v, gap in zip(values, gaps, strict=True)]
        return pd.Series(values, dtype=object)

    sizes = pd.CategoricalDtype(list("smlxy"), ordered=True)
    X = pd.DataFrame({
        "step": column(lambda k: k * 0.05 + 0.585).astype(float),
        "real": column(lambda k: k + rng.normal()).astype(float),
        "name": column(lambda k: "hgfedcba"[k]),
        "size": column(lambda k: "smlxy"[k]).astype(sizes),
        "code": column(lambda k: DECLARED[k]).astype(pd.CategoricalDtype([*DECLARED])),
        "hour": column(lambda k: (k * 5.0 + rng.integers(3)) % 24).astype(float),
        "word": column(lambda k: "abcabcab"[: k + 1] + "x" * int(rng.integers(2))),
        "set": column(lambda k: frozenset(rng.integers(0, k + 2, 2).tolist())),
    })  # fmt: skip
    # Cases with gaps go down each branch: with all columns a tree can have millions of nodes.
    columns = st.lists(st.sampled_from(list(X)), min_size=1, max_size=5, unique=True)
    some = draw(columns, "columns")
    return X[some][:n], y, X[some][n:]


def edit(a, b):
    """Of texts and lists: fewest items to insert, delete or replace (Levenshtein 1966)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row = row, [i]
        for j, y in enumerate(b):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (x != y)))
    return row[-1]


FAST = {"hour": ("cyclic", 24), "word": "levenshtein"}
DISTANCE = {
    **dict.fromkeys(("step", "real", "size"), newton_values.difference),
    **dict.fromkeys(("name", "code"), newton_values.unequal),
    "hour": newton_values.cyclic(24),
    "word": edit,
    "set": newton_values.jaccard,
}


def rows(X):
    """The cases as plain Newton trees take them: gaps are None, ordered names their ranks."""
    for name in {"size", "code"} & {*X}:
        X = X.assign(**{name: X[name].cat.codes.where(X[name].notna())})
    columns = [X[name].astype(object).where(X[name].notna(), None) for name in X]
    return list(zip(*columns, strict=True))


@pytest.mark.filterwarnings("ignore:column :UserWarning")
@pytest.mark.parametrize("reading", ["nearest", "talk"])
@settings(max_examples=20, deadline=None)
@given(tables_of_any_type())
def test_newton(reading, table):
    X, y, new = table
    options = {"distances": {name: how for name, how in FAST.items() if name in X}}
    model = NewtonTree(reading=reading, **options).fit(X, y)
    distances = [DISTANCE[name] for name in X]
    codes = np.unique(y, return_inverse=True)[1]
    root = newton.newton_tree(rows(X), codes, len(model.classes_), distances, reading=reading)
    value = {"size": "smlxy".index, "code": DECLARED.index}
    assert_same(model.tree_.root, root, list(X), value)
    slow = [newton.probabilities(root, case, distances) for case in rows(new)]
    np.testing.assert_allclose(model.predict_proba(new), slow, rtol=0, atol=1e-12)
    if reading == "nearest":
        crisp, nearest = DistanceTree(**options).fit(X, y), newton.to_the_nearest
        slow = [newton.probabilities(root, case, distances, nearest) for case in rows(new)]
        np.testing.assert_allclose(crisp.predict_proba(new), slow, rtol=0, atol=1e-12)


def test_values_that_cannot_be_keys():
    """Lists and sets, of which a dictionary would refuse some."""
    for kind, distance in ((list, edit), (set, newton_values.jaccard)):
        words = [kind(word) for word in ("ab", "abc", "abcd", "x", "xy", "xyz")]
        root = newton.newton_tree([[word] for word in words], [0, 0, 0, 1, 1, 1], 2, [distance])
        assert root.prototypes == [kind("abc"), kind("xy")]
        assert [child.counts.tolist() for child in root.children] == [[3, 0], [0, 3]]
