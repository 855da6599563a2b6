"""Lesson 11: what it develops in view, its checks, its explorer and the picture of a path."""

import doctest
import sys

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of, developed
from strategies import by_estimate
from test_plot import widths_of

import ranktrees as rt
from ranktrees.estimates import shrinkage as casewise
from ranktrees_lab import papers as experiment
from ranktrees_lab.check.shrinkage import DUELS, SPLIT_RULES
from ranktrees_lab.explore import shrinkage as explore_shrinkage
from ranktrees_lab.explore.paths import own_weights

PATH = [(15, 25), (13, 10), (9, 4), (6, 1)]


@pytest.fixture(scope="module")
def lesson():
    """What the cells tagged by-hand define, as names."""
    return developed("11")


def deep_leaf(seed):
    """(path, counts, end): a leaf at depth 3 of a tree of forty random cases, and its path."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (40, 5)).astype(str), columns=list("abcde"))
    y = pd.Categorical(np.where(rng.random(40) < 0.4, "late", "on time"))
    tree = (model := rt.DecisionTree(max_depth=3).fit(X, y)).tree_
    ends = np.flatnonzero(tree.is_leaf & (tree.depths == 3) & (tree.counts.sum(axis=1) > 1))
    path = tree.counts[tree.paths()[ends[0]]].tolist()
    return path, casewise.PathCounts(tree, *model.training_), ends[:1]


class TestInView:
    @pytest.mark.parametrize("seed", range(5))
    @pytest.mark.parametrize("rounds", [1, 3])
    def test_diw_is_the_packages_on_other_trees_too(self, lesson, seed, rounds):
        path, counts, end = deep_leaf(seed)
        expected = casewise.diw_weights(counts, casewise.class_share, end, rounds)[0]
        found = np.transpose([lesson["diw"](c, path, rounds) for c in (0, 1)])
        assert np.allclose(found, expected)

    @pytest.mark.parametrize("seed", range(5))
    def test_em_never_lowers_the_likelihood_of_the_own_classes(self, lesson, seed):
        path, _, _ = deep_leaf(seed)
        share, without = lesson["share"], lesson["without"]
        cases = [0] * path[-1][0] + [1] * path[-1][1]
        says = [[1 / 2] + [share(x, without(n, x)) for n in path] for x in cases]
        heights = [np.log(np.dot(says, lesson["em"](path, r))).sum() for r in range(20)]
        assert (np.diff(heights) > -1e-12).all()

    @pytest.mark.parametrize("rounds", [1, 2, 5])
    def test_without_removal_rounds_raise_the_estimates_to_a_power(self, rounds):
        _, counts, end = deep_leaf(0)
        x = counts.X[counts.below(end)[1][:1]]
        local = casewise.along_path(counts, casewise.full_share, end, x)[0]
        weights = casewise.diw_weights(counts, casewise.full_share, end, rounds)[0]
        assert np.allclose(weights, local**rounds / (local**rounds).sum(axis=0))

    def test_bias_and_spread_make_the_error(self, lesson):
        for w in (0, 0.3, 0.46, 1):
            row = lesson["quality"](lesson["pulled"](w))
            assert row["error"] ** 2 == pytest.approx(row["bias"] ** 2 + row["spread"] ** 2)
        errors = [lesson["quality"](lesson["pulled"](w))["error"] for w in np.arange(101) / 100]
        assert np.argmin(errors) == 46
        assert rt.check.leaf_weight(0.46)


def mixture(proba, weights):
    if (weights < 0).any() or (weights.sum(axis=0) == 0).any():
        raise ValueError("weights")
    mixed = (weights / weights.sum(axis=0) * proba).sum(axis=0)
    return mixed / mixed.sum()


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (0.46, "spread (.217)"),
            (0.4604, "spread (.217)"),
            (0.54, "root's weight"),
            (0.5, "Half of each"),
            (0.48, "Square both"),
            (0.2, "is not it"),
        ],
    )
    def test_leaf_weight(self, answer, words):
        rt.check.leaf_weight(-1)  # the first wrong try has no hint
        verdict = rt.check.leaf_weight(answer)
        assert verdict.right is (words == "spread (.217)")
        assert words in repr(verdict)

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (0.233, "one case is enough"),
            (0.5 / 2.1440, "one case is enough"),
            (0.236, "uniform node, which gives 1/40"),
            (0.2, "All start with 1/5"),
            (0.5, "the leaf's estimate"),
            (0.191, "1/40, not 1/2"),
            (0.331, "leaf north"),
            (0.7, "is not it"),
        ],
    )
    def test_weight_without_removal(self, answer, words):
        rt.check.weight_without_removal(-1)
        verdict = rt.check.weight_without_removal(answer)
        assert verdict.right is (words == "one case is enough")
        assert words in repr(verdict)

    def test_the_expected_weight_is_algorithm_diws(self, lesson):
        model = rt.DecisionTree(criterion="gini", max_depth=3, min_parent=10)
        tree = (model := model.fit(*lesson_trains())).tree_
        south = [t for t in np.flatnonzero(tree.is_leaf) if tree.counts[t].tolist() == [3, 3]]
        counts, end = casewise.PathCounts(tree, *model.training_), np.array(south)
        (weights,) = casewise.diw_weights(counts, casewise.full_share, end)
        assert rt.check.weight_without_removal(weights[4, 0])

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (mixture, "refuses"),
            (lambda p, w: (w / w.sum(axis=0) * p).sum(axis=0), "divide it by its sum"),
            (lambda p, w: mixture(p, w / 1) if (w > 0).all() else np.ones(3), "raise a ValueError"),
            (lambda p, w: (w * p).sum(axis=0) / (w * p).sum(), "for each class"),
            (lambda p, w: p, "three numbers"),
            (lambda p, w: p.mean(axis=0), "should have"),
        ],
    )
    def test_mixture_function(self, function, words):
        verdict = rt.check.mixture_function(function)
        assert verdict.right is (function is mixture)
        assert words in repr(verdict)

    def test_mixture_function_untouched(self):
        assert rt.check.mixture_function(lambda proba, weights: ...).right is None

    def test_path_study(self):
        models = {name: rt.C45(**how) for name, how in SPLIT_RULES.items()}
        result = rt.repeated(models, rt.prepare(rt.load("iris"), "papers"))
        wins = [result.wins(*duel) for duel in DUELS]
        assert rt.check.path_study(("iris", *wins))
        assert rt.check.path_study(...).right is None
        rt.check.path_study(("iris", -1, -1))
        verdict = rt.check.path_study(("iris", wins[0], wins[1] + 1))
        assert f"not {wins[1] + 1}" in repr(verdict)
        assert "two numbers" in repr(rt.check.path_study(("iris", 3)))
        assert "choose another set" in repr(rt.check.path_study(("glass", 1, 1)))
        assert "at most 1000" in repr(rt.check.path_study(("segment", 1, 1)))


def lesson_trains():
    """The forty trains of the lesson's cell."""
    cells = cells_of("11")
    (source,) = ("".join(c["source"]) for c in cells if "def trains" in "".join(c["source"]))
    names = {"np": np, "pd": pd}
    exec(source.split("\n\n\n")[0], names)
    return names["trains"]()


class TestWhatTheLessonSays:
    def test_three_ways_to_guess_a_share(self, lesson):
        assert lesson["chance"] == [1 / 8, 3 / 8, 3 / 8, 1 / 8]
        error = {name: row["error"] for name, row in lesson["ways"].items()}
        assert min(error, key=error.get) == "half of each"

    def test_which_is_best_depends_on_the_size_of_the_leaf(self):
        rng, sizes = np.random.default_rng(6), 2 ** np.arange(8)
        truth, best = rng.beta(3, 7, 4000), []
        for size in sizes:
            share = (rng.binomial(size, truth) + 0.5) / (size + 1)
            found = {"leaf": share, "root": 0.3, "half of each": (share + 0.3) / 2}
            errors = {name: np.square(guess - truth).mean() for name, guess in found.items()}
            best.append(min(errors, key=errors.get))
        assert best == ["root"] * 2 + ["half of each"] * 3 + ["leaf"] * 3

    def test_the_path_of_the_trains(self, lesson):
        X, y = lesson_trains()
        grown = rt.DecisionTree(criterion="gini", max_depth=3, min_parent=10).fit(X, y)
        assert grown.tree_.n_leaves == 6
        assert len(grown.tree_) == 11
        case = dict(zip(X.columns, ("foul", "rush", "north", "week"), strict=True))
        case, share = pd.DataFrame([case]), lesson["share"]
        end = grown.apply(case)
        assert grown.tree_.counts[grown.tree_.paths()[end[0]]].tolist() == [*map(list, PATH)]
        late = [share(0, node) for node in PATH]
        assert late == sorted(late)
        counts = casewise.PathCounts(grown.tree_, *grown.training_)
        codes = grown.encode(case).values
        local = casewise.along_path(counts, casewise.class_share, end, codes)[0]
        expected = [[1 / 40] * 2, *[(share(0, n), share(1, n)) for n in PATH]]
        np.testing.assert_allclose(local, expected)
        again = casewise.diw_weights(counts, casewise.class_share, end, 50)[0]
        assert again[4, 0] > 0.99
        assert again[1, 1] > 0.9

    def test_the_first_case_of_algorithm_diw(self, lesson):
        first = [1 / 40, 14.5 / 40, 12.5 / 23, 8.5 / 13, 5.5 / 7]
        without, share = lesson["without"], lesson["share"]
        assert first == pytest.approx([1 / 40, *[share(0, without(n, 0)) for n in PATH]])
        assert sum(first) == pytest.approx(2.371, abs=5e-4)
        assert first[-1] / sum(first) == pytest.approx(0.331, abs=5e-4)
        learnt = [lesson["diw"](c, PATH) for c in (0, 1)]
        assert np.argmax(learnt, axis=1).tolist() == [4, 1]
        assert [round(p, 3) for p in lesson["mixture"](learnt)] == [0.589, 0.411]

    def test_em_on_the_path_of_the_trains_climbs_and_keeps_a_mixture(self, lesson):
        share, without, em = lesson["share"], lesson["without"], lesson["em"]
        own = [[1 / 2] + [share(x, without(node, x)) for node in PATH] for x in [0] * 6 + [1]]
        heights = [np.log(np.dot(own, em(PATH, rounds))).sum() for rounds in range(1, 30)]
        assert (np.diff(heights) > -1e-12).all()
        assert max(em(PATH, 50)) < 0.7

    @pytest.mark.filterwarnings("ignore:column .* has only one value")
    def test_where_diw_ranks_better_over_twenty_splits(self):
        rules = {"leaves": rt.C45(), "DIW": rt.C45(estimate="shrinkage")}
        rules["uniform"] = rt.C45(estimate="shrinkage", estimate_params={"weights": "uniform"})
        names = ["credit-g", "breast-cancer", "diabetes", "glass", "vote", "ionosphere"]
        runs = {n: rt.repeated(rules, rt.prepare(rt.load(n), "papers")) for n in names}
        credit = runs["credit-g"]
        assert credit.wins("DIW", "leaves") == credit.wins("uniform", "leaves") == 20
        assert max(run.wins("DIW", "uniform") for run in runs.values()) <= 10
        lost = runs["ionosphere"].wins("DIW", "leaves"), runs["ionosphere"].wins("leaves", "DIW")
        assert lost == (2, 18)

    def test_the_committed_study(self):
        _, frame = experiment.results("wang2006")
        cells = experiment.cell_table(frame, experiment.PAPERS["wang2006"])
        auc = cells.pivot_table("honest", "dataset", "method")
        pairs = ("C45-S", "C45"), ("C44-S", "C44"), ("C45-M", "C45")
        gain = [auc[a] - auc[b] for a, b in pairs]
        assert [int((g > 0).sum()) for g in gain] == [28, 24, 33]
        assert gain[2].mean() > gain[0].mean()


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
    def test_every_control_changes_the_picture(self, cancer):
        explorer = rt.explore.shrinkage(cancer, case=2)
        seen = [bytes(explorer.image.value)]
        moves = [("estimate", "WPE"), ("case", 9), ("weights", "mine"), ("N3", 0.0), ("N0", 0.2)]
        for name, value in [*moves, ("estimate", "naive Bayes"), ("weights", "uniform")]:
            explorer.controls[name].value = value
            seen.append(bytes(explorer.image.value))
        assert len(set(seen)) == len(seen)
        assert not any(
            c.continuous_update
            for c in explorer.controls.values()
            if hasattr(c, "continuous_update")
        )

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

    def test_multiples_leave_the_widget(self, explorer):
        before = explorer.settings
        picture = explorer.multiples("estimate", ["WPE"])
        assert "estimate = WPE: Case 2" in picture.alt
        assert explorer.settings == before

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


def test_the_explorer_is_the_packages_name():
    assert rt.explore.shrinkage is explore_shrinkage
