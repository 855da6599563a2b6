"""Lesson 06 without a browser: its checks, its explorer, its pictures."""

import doctest
import sys

import numpy as np
import pandas as pd
import pytest
from test_plot import widths_of

import ranktrees as rt
from ranktrees.shrinkage import CASEWISE
from ranktrees.teach.check.shrinkage import STUDIED
from ranktrees.teach.explore import shrinkage as explore_shrinkage
from ranktrees.teach.explore.cases import own_weights


def mixture(proba, weights):
    if (weights < 0).any() or (weights.sum(axis=0) == 0).any():
        raise ValueError("weights")
    mixed = (weights / weights.sum(axis=0) * proba).sum(axis=0)
    return mixed / mixed.sum()


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "right", "words"),
        [
            (8.5 / 16, True, "8.5 / 16"),
            (6.5 / 11, False, "sim + 1"),
            (8 / 15, False, "adds 1/C above"),
            (9 / 17, False, "not 1 and C"),
            (2.5 / 6, False, "Equation 1"),
            (7.5 / 16, False, "probability of no"),
            (0.9, False, "is not it"),
        ],
    )
    def test_wpe_by_hand(self, answer, right, words):
        verdict = rt.check.wpe_by_hand(answer)
        assert verdict.right is right
        assert words in repr(verdict)

    def test_the_expected_probability_is_the_packages(self):
        golf = rt.load("weather.nominal")
        stump = rt.DecisionTree(criterion="information_gain", max_depth=1).fit(golf.X, golf.y)
        values = ["sunny", "cool", "normal", "TRUE"]
        day = pd.DataFrame([dict(zip(golf.X.columns, values, strict=True))])
        yes = stump.classes_.tolist().index("yes")
        assert rt.check.wpe_by_hand(stump.with_estimate("wpe").predict_proba(day)[0, yes])

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            ({"honest": 52, "leaked": 99}, "Look below"),
            ({"honest": 70, "leaked": 99}, "what does chance score"),
            ({"honest": 50, "leaked": 60}, "one match more"),
            ({"honest": 0.5, "leaked": 0.9}, "In per cent"),
            ({"honest": 50}, "keys"),
        ],
    )
    def test_permuted_guess(self, answer, words):
        verdict = rt.check.permuted_guess(answer)
        assert verdict.right is (words == "Look below")
        assert words in repr(verdict)

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (mixture, "refuses"),
            (lambda p, w: (w / w.sum(axis=0) * p).sum(axis=0), "Divide it by its sum"),
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

    def test_honest_study(self):
        data = rt.load("iris")
        found = {
            e: rt.cross_validate(rt.C45(estimate=e), data, measures=["auc"])["auc"].mean()
            for e in STUDIED
        }
        assert rt.check.honest_study(("iris", found))
        wrong = rt.check.honest_study(("iris", {**found, "wpe": 0.5}))
        assert "wpe has a mean AUC of 0.9" in repr(wrong)
        assert "keys must be" in repr(rt.check.honest_study(("iris", {"wpe": 0.5})))
        assert "at most 1000" in repr(rt.check.honest_study(("segment", found)))


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
        how = CASEWISE[name], explorer.paths.model.tree_, *explorer.paths.model.training_
        expected = how[0](*how[1:], explorer.paths.codes, weights=weights.lower())
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
            ({"case": 999}, "case must be a number from 0 to 142"),
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


class TestDumbbells:
    table = pd.DataFrame({"said": [90.0, 80.0], "found": [70.0, 79.0]}, index=["x", "y"])

    def test_markers_lines_and_words(self):
        picture = rt.plot.dumbbells(self.table, "AUC", ring="said")
        ax = picture.axes[0]
        assert [line.get_xdata().tolist() for line in ax.lines] == [[90, 80], [70, 79]]
        assert ax.lines[0].get_markerfacecolor() == "none"
        assert ax.lines[1].get_markerfacecolor() != "none"
        ends = [s[:, 0].tolist() for s in ax.collections[0].get_segments()]
        assert ends == [[70, 90], [79, 80]]
        assert "x: said 90, found 70; y: said 80, found 79" in picture.alt

    @pytest.mark.parametrize(
        ("table", "ring", "words"),
        [
            (table, "nobody", "ring must be one of"),
            (table.where(table > 75), None, "not a number"),
            (table.iloc[:0], None, "empty"),
        ],
    )
    def test_wrong_input_is_named(self, table, ring, words):
        with pytest.raises(ValueError, match=words):
            rt.plot.dumbbells(table, "AUC", ring)


def test_the_explorer_is_the_packages_name():
    assert rt.explore.shrinkage is explore_shrinkage
