"""Lesson 11: what it develops in view, its checks, its explorer and the picture of a path."""

import doctest
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of, run
from pictures import widths_of
from strategies import by_estimate

import ranktrees as rt
from ranktrees import plain
from ranktrees.estimates import shrinkage as casewise
from ranktrees.evaluate import MEASURES
from ranktrees_lab.ask.questions import read_guess
from ranktrees_lab.explore.paths import own_weights

ROOT = Path(__file__).parents[2]
STEPS = "C45-C", "C45-C x10", "C45-C x100"


@pytest.fixture(scope="module")
def lesson():
    """What the set-up and the cells tagged by-hand define, as names."""
    cells = [cell for cell in cells_of("11") if cell["cell_type"] == "code"]
    names = ("l11-02", "l11-05", "l11-14", "l11-14b", "l11-16", "l11-25")
    return run([cell for cell in cells if cell["id"] in names], {})


def deep_leaf(seed):
    """(path's rows, cases, counts, end): a leaf at depth 3 of a tree of forty random cases."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (40, 5)).astype(str), columns=list("abcde"))
    y = pd.Categorical(np.where(rng.random(40) < 0.4, "late", "on time"))
    tree = (model := rt.DecisionTree(max_depth=3).fit(X, y)).tree_
    ends = np.flatnonzero(tree.is_leaf & (tree.depths == 3) & (tree.counts.sum(axis=1) > 1))
    codes, classes = model.training_
    passed = tree.paths()[tree.apply(codes)]
    rows = [np.flatnonzero((passed == t).any(axis=1)).tolist() for t in tree.paths()[ends[0]]]
    cases = plain.tree.Cases(codes, classes, [2] * 5, 2)
    return rows, cases, casewise.PathCounts(tree, codes, classes), ends[:1]


class TestInView:
    @pytest.mark.parametrize("seed", range(5))
    @pytest.mark.parametrize("rounds", [1, 3])
    def test_diw_is_the_packages_on_other_trees_too(self, seed, rounds):
        rows, cases, counts, end = deep_leaf(seed)
        expected = casewise.diw_weights(counts, casewise.class_share, end, rounds)[0]
        share = plain.shrinkage.class_share
        assert np.allclose(plain.shrinkage.diw(cases, rows, share, True, rounds), expected)

    @pytest.mark.parametrize("rounds", [1, 2, 5])
    def test_without_removal_rounds_raise_the_estimates_to_a_power(self, rounds):
        _, _, counts, end = deep_leaf(0)
        x = counts.X[counts.below(end)[1][:1]]
        local = casewise.along_path(counts, casewise.full_share, end, x)[0]
        weights = casewise.diw_weights(counts, casewise.full_share, end, rounds)[0]
        assert np.allclose(weights, local**rounds / (local**rounds).sum(axis=0))

    def test_the_best_weight_of_the_toy_s_leaf(self, lesson):
        late, chance, leaf = lesson["late"], lesson["chance"], lesson["leaf"]
        assert len(late) == 4
        tried = np.arange(101) / 100
        errors = [chance @ np.square(w * leaf + (1 - w) * 0.3 - 0.5) for w in tried]
        assert np.argmin(errors) == 46
        assert "is 0.46" in read_guess("11.nearest")["says"]


class TestNote:
    def test_two_estimates_of_the_leaf_s_trains(self, lesson):
        D, train, share = lesson["D"], lesson["train"], plain.shrinkage.class_share
        left = [[i for i in D[-1] if i != x] for x in D[-1]]
        given = {round(float(share(train.take(rows), train.X[0])[0]), 9) for rows in left}
        assert sorted(given) == pytest.approx([5.5 / 7, 6.5 / 7])


def words_of(cell):
    (found,) = ["".join(c["source"]) for c in cells_of("11") if c["id"] == cell]
    return found


def without_uniform_node(share, monkeypatch):
    """From now on N_0 gives each class this share."""
    along = casewise.along_path

    def changed(*arguments):
        proba = along(*arguments)
        proba[:, 0] = share
        return proba

    monkeypatch.setattr(casewise, "along_path", changed)


def mean_auc(data, seed, **how):
    """The mean AUC of C4.5's tree, shrunk, on twenty halves."""
    found = []
    for train, test in rt.random_subsampling(data.y, 20, test=0.5, seed=seed):
        model = rt.C45(estimate="shrinkage", estimate_params=how)
        P = model.fit(data.X.iloc[train], data.y[train]).predict_proba(data.X.iloc[test])
        codes = [list(model.classes_).index(c) for c in data.y[test]]
        found.append(MEASURES["auc"](np.array(codes), P))
    return np.mean(found)


class TestWhatTheLessonSays:
    def test_the_first_case_of_algorithm_diw(self):
        first = [1 / 40, 14.5 / 40, 12.5 / 23, 8.5 / 13, 5.5 / 7]
        assert sum(first) == pytest.approx(2.371, abs=5e-4)
        assert first[-1] / sum(first) == pytest.approx(0.331, abs=5e-4)

    def test_what_is_claimed_and_what_comes_true(self):
        credit = rt.prepare(rt.load("credit-g"), "papers")
        models = {e: rt.C44(collapse=False, estimate=e) for e in ("frequency", "shrinkage")}
        table = rt.plot.fresh_shares(models, credit).table.xs("all", level="group").round(2)
        text = words_of("l11-06")
        for words, name in (("frequencies claim", "frequency"), ("DIW claims", "shrinkage")):
            claimed, true = (f"{v:.2f}"[1:] for v in table.loc[name, ["claimed", "true"]])
            assert f"{words} {claimed}, and {true} comes true" in text

    @pytest.mark.long
    @pytest.mark.parametrize("seed", [101, 201])
    def test_the_switches_on_fresh_splits(self, seed):
        for name in ("credit-g", "breast-cancer", "diabetes", "glass", "vote"):
            data = rt.prepare(rt.load(name), "papers")
            usual, kept = mean_auc(data, seed), mean_auc(data, seed, reading="as_published")
            assert abs(usual - kept) <= 0.003, name

    @pytest.mark.long
    @pytest.mark.parametrize("seed", [101, 201])
    def test_the_uniform_node_on_fresh_splits(self, seed, monkeypatch):
        sets = {n: rt.prepare(rt.load(n), "papers") for n in ("credit-g", "diabetes", "glass")}
        usual = {name: mean_auc(data, seed) for name, data in sets.items()}
        without_uniform_node(0, monkeypatch)
        lost = {name: usual[name] - mean_auc(data, seed) for name, data in sets.items()}
        assert max(map(abs, lost.values())) == abs(lost["glass"]) <= 0.0035
        monkeypatch.undo()
        without_uniform_node(1 / 7, monkeypatch)  # glass has seven declared classes
        assert 0.015 < usual["glass"] - mean_auc(sets["glass"], seed) < 0.03

    def test_more_iterations_with_and_without_the_leak(self):
        frame = pd.read_csv(ROOT / "data" / "results" / "wang2006.csv", skiprows=2)
        wide = frame[(frame["dataset"] == "vehicle") & (frame["measure"] == "auc-wang2006")]
        text = words_of("l11-63")
        folds = [
            c for c in wide.columns if c not in ("dataset", "method", "reading", "run", "measure")
        ]
        for reading in ("as_published", "honest"):
            part = wide[wide["reading"] == reading].set_index("method")[folds]
            means = [f"{100 * part.loc[m].mean(axis=None):.2f}" for m in STEPS]
            assert f"{means[0]}, {means[1]} and {means[2]}" in text


class TestOwnWeights:
    def test_they_sum_to_one(self):
        assert own_weights([0, 3, 1]).tolist() == [0, 0.75, 0.25]
        assert doctest.testmod(sys.modules[own_weights.__module__]).failed == 0

    @pytest.mark.parametrize(
        ("values", "words"),
        [
            ([0, 0, 0], "all weights are 0"),
            ([1, -0.5, 0.5], "weight of N1 is -0.5"),
            ([1, np.nan], "weight of N1 is nan"),
            ([np.inf], "weight of N0 is inf"),
            ([], "a row of numbers"),
            ([[1, 2]], "a row of numbers"),
        ],
    )
    def test_what_cannot_sum_to_one_is_named(self, values, words):
        with pytest.raises(ValueError, match=words):
            own_weights(values)


@pytest.fixture(scope="module")
def cancer():
    return rt.prepare(rt.load("breast-cancer"), "papers")


@pytest.fixture(scope="module")
def explorer(cancer):
    return rt.explore.shrinkage(cancer, case=2)


class TestExplorer:
    @pytest.mark.parametrize(
        ("estimate", "name"),
        [
            ("shares", "shrinkage"),
            ("WPE", "shrinkage+wpe"),
            ("naive Bayes", "shrinkage+naive-bayes"),
        ],
    )
    @pytest.mark.parametrize("weights", ["DIW", "uniform"])
    def test_the_result_is_the_estimates(self, explorer, estimate, name, weights):
        how = name, explorer.paths.model.tree_, *explorer.paths.model.training_
        expected = by_estimate(*how, explorer.paths.codes, weights=weights.lower())
        for case in (0, 2, 5, 8):
            proba, table, result = explorer.path(case, estimate, weights)
            assert np.allclose(result, expected[case], atol=1e-12)
            assert np.allclose(table.sum(axis=0), 1)
            assert len(proba) == len(table) == len(explorer.nodes(case))

    def test_equal_weights_of_mine_are_uniform(self, explorer):
        uniform = explorer.path(2, "WPE", "uniform")[2]
        mine = explorer.path(2, "WPE", "mine", [0.3] * 9)[2]
        assert np.allclose(uniform, mine)
        leaf = explorer.path(2, "shares", "mine", [0, 0, 0, 1])
        assert np.allclose(leaf[2], leaf[0][3])

    def test_only_my_sliders_of_the_path_can_be_moved(self, cancer):
        explorer = rt.explore.shrinkage(cancer, case=2)
        sliders = [c for n, c in explorer.controls.items() if n[0] == "N"]
        assert all(s.disabled for s in sliders)
        explorer.controls["weights"].value = "mine"
        assert [s.disabled for s in sliders] == [False] * 4
        explorer.controls["case"].value = 1
        assert len(explorer.nodes(1)) == 3
        assert [s.disabled for s in sliders] == [False] * 3 + [True]

    def test_all_zero_is_said_in_the_words_and_raised(self, cancer):
        explorer = rt.explore.shrinkage(cancer, case=2, weights="mine")
        for name in ("N0", "N1", "N2"):
            explorer.controls[name].value = 0
        with pytest.raises(ValueError, match="all weights are 0"):
            explorer.controls["N3"].value = 0
        assert "all weights are 0 and cannot sum to 1" in explorer.words.value
        explorer.controls["N3"].value = 0.5
        assert "Could not" not in explorer.words.value

    def test_sentence_and_table_tell_the_numbers(self, explorer):
        _, table, result = explorer.path(2, "shares", "DIW")
        alt = explorer.picture.alt
        assert alt.startswith(f"Case 2 is of class {explorer.paths.truth[2]}; shares, weights DIW.")
        assert f"recurrence-events {result[1]:.3f}" in alt
        assert f"greatest weight is {table[:, 1].max():.3f}, of N3 deg-malig = 3 (16)" in alt
        words = explorer.words.value
        assert words.count("<tr>") == 4
        assert "leaf alone" in words
        _, words = explorer.draw(**explorer.settings_with(weights="mine"))
        assert words.count("<tr>") == 5

    def test_many_classes_own_model_and_a_tree_of_one_leaf(self):
        soybean = rt.prepare(rt.load("soybean"), "papers")
        explorer = rt.explore.shrinkage(soybean, case=10)
        assert "15 classes of lower result are not drawn" in explorer.picture.alt
        weather = rt.load("weather.nominal")
        single = rt.explore.shrinkage(weather, model=rt.DecisionTree(min_parent=20))
        assert single.nodes(0) == ["N0 uniform", "N1 root (7)"]
        for estimate in ("shares", "WPE", "naive Bayes"):
            single.draw(**single.settings_with(estimate=estimate))
            assert np.isclose(single.path(0, estimate, "DIW")[2].sum(), 1)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"estimate": "magic"}, "naive Bayes"),
            ({"weights": "magic"}, "uniform"),
            ({"case": 999}, "case must be 0 to 142"),
            ({"case": -1}, "case must be"),
            ({"train": np.arange(286)}, "train holds every row"),
        ],
    )
    def test_wrong_input_is_named(self, cancer, arguments, words):
        with pytest.raises(ValueError, match=words):
            rt.explore.shrinkage(cancer, **arguments)


class TestPath:
    proba = np.array([[0.1, 0.1], [0.6, 0.4], [0.2, 0.8]])
    weights = np.array([[0.0, 0.2], [0.5, 0.3], [0.5, 0.5]])

    def test_bars_numbers_and_words(self):
        picture = rt.plot.path(["uniform", "root", "leaf"], self.proba, self.weights, ["a", "b"])
        mixed = (self.proba * self.weights).sum(axis=0)
        mixed /= mixed.sum()
        _, local, weight = picture.axes
        (bars,) = local.collections
        assert np.allclose(widths_of(bars), np.ravel(np.vstack([self.proba, mixed])))
        texts = [t.get_text() for t in weight.texts]
        numbers = ["0.20", "0.50", "0.30", "0.50", "0.50"]
        assert texts == ["weight", *numbers], "no bar, no number for 0"
        assert f"a {mixed[0]:.3f} and b {mixed[1]:.3f}" in picture.alt
        assert "For b the greatest weight is 0.500, of leaf, and the smallest 0.200" in picture.alt

    def test_a_given_result_and_a_redrawn_picture(self):
        settings = ["u", "r", "l"], self.proba, self.weights, ["a", "b"]
        first = rt.plot.path(*settings)
        again = rt.plot.path(*settings, result=[0.9, 0.1], figure=first)
        assert again is first
        assert "Mixed, the case has a 0.900" in again.alt

    def test_shapes_that_differ_are_named(self):
        with pytest.raises(ValueError, match=r"\(2, 2\)"):
            rt.plot.path(["u", "r"], self.proba, self.weights, ["a", "b"])
