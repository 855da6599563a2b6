"""The path forest: its plain form, a case by hand, a sum that explains, and a model's habits."""

import math
import re
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import LineCollection
from matplotlib.text import Text
from oracles import quietly
from prunable import assert_same_tree

import ranktrees as rt
from ranktrees.plain import path_forest as plain
from ranktrees_engine.estimates import nested_counts
from ranktrees_engine.estimates import path_forest as estimate
from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.explain.forests import forest_looks
from ranktrees_engine.models import subspaces


def cases(seed, n, sizes, C, gaps=0.1):
    """Numbers and codes (n, A), NaN where missing, and classes that depend on two of them."""
    rng = np.random.default_rng(seed)
    columns = [
        rng.integers(0, V, n) if V else np.round(rng.normal(size=n), rng.integers(0, 4))
        for V in sizes
    ]
    X = np.stack(columns, axis=1).astype(float)
    y = ((X[:, 0] > 0).astype(int) + (X[:, -1] > 0)) % C
    y = np.where(rng.random(n) < 0.2, rng.integers(0, C, n), y)
    y[:2] = 0, 1
    return np.where(rng.random(X.shape) < gaps, np.nan, X), y


def framed(X, sizes):
    """The cases as columns: categories of codes, of which -1 is a word that was never seen."""
    columns = {}
    for j, (x, V) in enumerate(zip(X.T, sizes, strict=True)):
        if V:
            words = pd.Index([*(f"v{v}" for v in range(V)), *["new"] * bool((x == -1).any())])
            codes = np.where(x == -1, V, np.nan_to_num(x, nan=-1)).astype(int)
            x = pd.Categorical.from_codes(codes, words)
        columns[f"x{j}"] = x
    return pd.DataFrame(columns)


class TestThePlainForm:
    @given(
        seed=st.integers(0, 10**6),
        sizes=st.sampled_from([(0, 3), (0, 0, 2, 3), (3, 2, 4), (0, 0, 0), (0,), (2, 0, 5, 0, 3)]),
        C=st.integers(2, 4),
        gaps=st.sampled_from([0, 0.15]),
        weighted=st.booleans(),
        how=st.sampled_from(["learnt", "equal"]),
    )
    @settings(max_examples=15)
    def test_equals_the_package(self, seed, sizes, C, gaps, weighted, how):
        """Gaps, values never seen, classes that do not occur, weights."""
        rng = np.random.default_rng(seed)
        X, y = cases(seed, int(rng.integers(12, 60)), sizes, C, gaps)
        new, _ = cases(seed + 1, 20, sizes, 2, 0.2)
        new = np.where((rng.random(new.shape) < 0.1) & (np.array(sizes) > 0), -1, new)
        weight = rng.integers(1, 4, len(y)) if weighted else np.ones(len(y), int)
        E, rows = int(rng.integers(1, 6)), np.repeat(np.arange(len(y)), weight)
        model = rt.PathForest(n_models=E, seed=seed % 5, weights=how)
        quietly(model.fit, framed(X, sizes), pd.Categorical(y, range(C)), weight)
        found = quietly(model.predict_proba, framed(new, sizes))
        said = plain.path_forest(X[rows], y[rows], sizes, C, new, E, seed % 5, how)
        assert np.abs(found - said).max() < (1e-12 if how == "equal" else 1e-10)

    @pytest.mark.parametrize(("n_values", "n_cuts"), [(256, 255), (257, 254)])
    def test_numbers_of_many_values(self, n_values, n_cuts):
        """256 numbers have a cut between all of them, of more there are 254."""
        rng = np.random.default_rng(n_values)
        X = (rng.permutation(np.arange(n_values)) ** 1.5)[:, None]
        y = (np.sin(X[:, 0] / 500) + rng.normal(size=n_values) / 2 > 0).astype(int)
        cuts = plain.tree_cuts(X[:, 0])
        assert len(cuts) == n_cuts
        model = rt.PathForest(1, weights="equal").fit(X, y)
        assert model.schema_[0].cuts == tuple(cuts)
        said = plain.path_forest(X, y, (0,), 2, X[:10], 1, 1, "equal")
        assert np.abs(model.predict_proba(X[:10]) - said).max() < 1e-12


def test_one_attribute_by_hand():
    """Four cases a 0, four b 1: T and f are mixed at the root and below, by evidence."""
    X = pd.DataFrame({"x": list("aaaabbbb")})
    model = rt.PathForest(n_models=2, weights="equal").fit(X, [0] * 4 + [1] * 4)
    four = 1 / 2 * 3 / 4 * 5 / 6 * 7 / 8  # evidence of four cases alike
    root = math.prod(i + 0.5 for i in range(4)) ** 2 / math.factorial(8)  # of four and four
    stop = root / 2 / (root / 2 + four**2 / 2)
    T = stop * 0.5 + (1 - stop) * 4.5 / 5  # P(0 | a): 4.5/5 below
    f = np.array([4.5 / 5, 0.5 / 5])  # the root ends for x, whose counts are (4, 0), (0, 4)
    odds = (T / (1 - T)) ** (2 / 3) * (f[0] / f[1]) ** (1 / 3)  # the prior is even
    found = model.predict_proba(X)[0]
    assert found[0] / found[1] == pytest.approx(odds)


@pytest.mark.parametrize("name", [pytest.param("credit-g", marks=pytest.mark.long), "diabetes"])
@pytest.mark.parametrize("kind", [rt.PathForest, rt.PathBayes])
def test_nothing_is_learnt_of_permuted_classes(kind, name):
    data = rt.load(name)
    areas = [
        rt.cross_validate(kind(), rt.papers.permuted(data, seed), k=5, folds="weka")["auc"].mean()
        for seed in range(3)
    ]
    assert np.mean(areas) == pytest.approx(0.5, abs=0.05)


@pytest.fixture(scope="module")
def credit():
    data = rt.load("credit-g")
    X = data.X.copy()
    X.loc[::7, "duration"] = np.nan
    return X, data.y, rt.PathForest().fit(X, data.y)


class TestTheSum:
    def test_it_adds_up_to_the_log_odds(self, credit):
        X, _, model = credit
        for row in (0, 1, 7):
            case = X.iloc[[row]]
            told, proba = model.explain(case), model.predict_proba(case)[0]
            assert list(told.proba.values()) == proba.tolist()
            prior = float(re.search(r": ([+-][\d.]+) from the prior", told.lines[2])[1])
            exact = forest_looks(model, *model.encode(case)).odds(proba)[1]
            assert prior == pytest.approx(exact, abs=5e-4)
            odds = exact + told.table["log odds"].sum()
            assert odds == pytest.approx(math.log(proba.max() / proba.min()), abs=1e-9)
            assert (told.table["least"] <= told.table["log odds"] + 1e-12).all()
            assert (told.table["most"] >= told.table["log odds"] - 1e-12).all()
            if pd.isna(X["duration"].iloc[row]):  # it takes no part
                assert told.table.index[-1] == "duration"
                assert told.table.loc["duration", "log odds"] == 0

    def test_its_picture(self, credit):
        """A bar for the prior, the trees and 15 attributes, one for the rest, and what they say."""
        X, _, model = credit
        told = model.explain(X.iloc[[0]])
        figure = rt.plot.explanation(told)
        texts = [text.get_text() for text in figure.findobj(Text)]
        assert {"prior", "the trees", "4 others", "log odds together"} <= {*texts}
        assert "1 without a known value take no part." in texts
        for value in told.table["log odds"].iloc[:3]:
            assert f"{value:+.2f}" in texts
            assert f"{value:+.2f}" in figure.alt
        assert len(figure.findobj(LineCollection)[0].get_segments()) == 18
        assert figure.alt.startswith(f"{told.title}. 12 trees, each of which may test 10 of 20")


class TestTreesTogether:
    @pytest.mark.parametrize("name", ["labor", "soybean", "vote"])
    def test_trees_alone_and_in_several_forests(self, name, monkeypatch):
        """One forest of all trees, forests of some trees of two sets, and each tree alone."""
        data = rt.load(name)
        rows, few = np.arange(len(data.y)), np.arange(0, len(data.y), 2)
        weight = np.random.default_rng(1).choice([1, 2, 3], len(rows))
        model = rt.PathForest(5, weights="equal")
        whole = [quietly(model.fit, data.X, data.y, w).trees_ for w in (None, weight)]
        folds = [fold.trees_ for fold in quietly(model.fit_folds, data.X, data.y, [few, rows])]
        cells = data.X.shape[1] * len(rows)
        for together in (0, 3 * cells):
            monkeypatch.setattr(subspaces, "TOGETHER", together)
            again = [quietly(model.fit, data.X, data.y, w).trees_ for w in (None, weight)]
            again += [f.trees_ for f in quietly(model.fit_folds, data.X, data.y, [few, rows])]
            for trees, expected in zip(again, [*whole, *folds], strict=True):
                for tree, other in zip(trees, expected, strict=True):
                    assert_same_tree(tree, other)

    @pytest.mark.parametrize("n_jobs", [2, 3])
    def test_processes_grow_the_same_and_the_bar_counts_trees(self, n_jobs, capsys):
        data = rt.load("iris")
        expected = rt.PathForest(5).fit(data.X, data.y)
        model = rt.PathForest(5, n_jobs=n_jobs).fit(data.X, data.y, progress=True)
        assert "5/5" in capsys.readouterr().err
        assert np.array_equal(model.predict_proba(data.X), expected.predict_proba(data.X))


class TestFewCases:
    @pytest.mark.parametrize(
        ("name", "few"), [("soybean", 64), ("labor", 64), ("glass", 1), ("breast-cancer", 9)]
    )
    @pytest.mark.parametrize("kind", [rt.PathForest, rt.PathBayes])
    def test_one_by_one_as_all_together(self, kind, name, few, monkeypatch):
        """One case mixes the counts on its paths, all look into tables: no digit differs.

        Nodes of more than `few` cases have tables of their own; in others cases are compared.
        """
        monkeypatch.setattr(estimate, "KEPT", 0)
        monkeypatch.setattr(nested_counts, "FEW", few)
        data = rt.load(name)
        model = quietly(kind().fit, data.X, data.y, np.arange(len(data.y)) % 3 + 1)
        asked = Mock(wraps=PathFactors._along)
        monkeypatch.setattr(PathFactors, "_along", lambda *args: asked(*args))
        X, last = data.X.iloc[:40].copy(), data.X.columns[-1]
        if isinstance(X.dtypes.iloc[-1], pd.CategoricalDtype):
            X[last] = [*["new"] * 9, *X[last].tolist()[9:]]
        X.iloc[::2, 1] = np.nan
        whole = quietly(model.predict_proba, pd.concat([X] * 200))[:40]
        assert not asked.called
        each = [quietly(model.predict_proba, X.iloc[[i]])[0] for i in range(40)]
        assert asked.called == (kind is rt.PathForest)  # one tree's tables are kept
        assert np.array_equal(each, whole)


class TestHabits:
    def test_wrong_parameters(self):
        data = rt.load("iris")
        for params, message in (
            ({"n_models": 0}, "n_models must be at least 1"),
            ({"missing": "impute"}, "unknown missing 'impute'.*'value', 'error'"),
            ({"n_jobs": 0}, "n_jobs must be at least 1, or -1"),
        ):
            with pytest.raises(ValueError, match=message):
                rt.PathForest(**params).fit(data.X, data.y)

    @pytest.mark.long
    def test_memory_of_many_classes(self):
        """26 classes: the tables of a tree's factors are made, used and left, block by block."""
        import tracemalloc

        rng = np.random.default_rng(1)
        X, y = rng.integers(0, 16, (3000, 16)).astype(float), rng.integers(0, 26, 3000)
        y = np.where(rng.random(3000) < 0.7, (X[:, 0] + X[:, 1]).astype(int) % 26, y)
        tracemalloc.start()
        rt.PathForest(2).fit(X, y).predict_proba(X)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 400e6
