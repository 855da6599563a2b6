"""What `explain` says of estimates that differ from case to case: each node's word and weight."""

import re

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_engine.estimates import estimate_names

DATA = rt.load("breast-cancer")
TREE = rt.C45().fit(DATA.X, DATA.y)
MIXED = [name for name in estimate_names("cases") if name.startswith("shrinkage")]


def explained(name, row=0, **params):
    model = TREE.with_estimate(name, **params)
    case = DATA.X.iloc[[row]]
    found = model.explain(case)
    assert list(found.proba.values()) == model.predict_proba(case)[0].tolist()
    return found


@pytest.mark.parametrize("params", [{}, {"weights": "uniform"}])
@pytest.mark.parametrize("name", MIXED)
def test_the_table_gives_the_probabilities(name, params):
    for row in range(0, len(DATA), 80):
        found = explained(name, row, **params)
        table, mixed = found.table, {}
        assert table.index[:2].tolist() == [-1, 0]
        assert table.index[-1] == TREE.apply(DATA.X.iloc[[row]])[0]
        for label in found.proba:
            weights = table[f"w({label})"]
            assert weights.sum() == pytest.approx(1)
            assert table.loc[-1, f"P({label})"] == pytest.approx(1 / 286)
            mixed[label] = (weights * table[f"P({label})"]).sum()
        want = {label: one / sum(mixed.values()) for label, one in mixed.items()}
        assert found.proba == pytest.approx(want)


@pytest.mark.parametrize("name", MIXED)
def test_the_line_can_be_worked_out(name):
    found = explained(name)
    terms, mixed, total, said = re.search(
        r"is ([\d.*+ ]+) = (\S+) for .* classes, (\S+): P\(.*\) = (\S+)\.$", found.lines[-1]
    ).groups()
    assert terms.count("+") + 1 == len(found.table)
    assert pd.eval(terms) == pytest.approx(float(mixed), abs=3e-3)
    assert float(mixed) / float(total) == pytest.approx(float(said), abs=2e-3)


def test_the_reading_that_is_not_normalised():
    last = explained("shrinkage+wpe", reading="as_published").lines[-1]
    assert last.endswith("as published, it is not divided by the sum over all classes.")


def test_wpe_counts_agreements():
    """Node 4 has 30 cases: their agreements with the case, counted one by one."""
    case, inside = DATA.X.iloc[0], TREE.apply(DATA.X) == TREE.apply(DATA.X.iloc[[0]])[0]
    filled = DATA.X.fillna({name: DATA.X[name].mode()[0] for name in DATA.X})
    weight = (filled[inside] == case).sum(axis=1) + 1
    mine = weight[np.asarray(DATA.y)[inside] == "recurrence-events"].sum()
    found = explained("wpe")
    assert f"all weigh {weight.sum()}, those of recurrence-events {mine}:" in found.lines[-1]
    assert f"({mine} + 1/2) / ({weight.sum()} + 1) = 0.738." in found.lines[-1]


def test_an_early_end():
    case = DATA.X.iloc[[0]].astype(object)
    case.iloc[0] = "never seen"
    found = TREE.with_estimate("shrinkage").explain(case)
    assert found.table.index.tolist() == [-1, 0]
    assert "was never seen in training: the case stops here." in found.lines[-2]
