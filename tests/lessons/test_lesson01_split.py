"""Lesson 01: its lens, its checks, and what it says of the criteria."""

import re

import numpy as np
import pytest
from lesson_cells import cells_of

import ranktrees as rt
from ranktrees.criteria.split import cut_tables
from ranktrees_lab import plot
from ranktrees_lab.plot.growth import error_rate

SETS = ("breast-cancer", "credit-g", "diabetes", "tic-tac-toe", "vote")
AT_15 = np.array([[342, 89], [358, 211]])  # credit-g, duration <= 15.5, good and bad


class TestLens:
    def test_the_gain_is_the_height_from_chord_to_curve(self):
        table = [[5, 2], [1, 4]]
        ax = plot.lens(table, "gini").axes[0]
        (low, high), (left, right) = ax.lines[3].get_ydata(), ax.lines[2].get_xdata()
        assert (left, right) == (5 / 7, 1 / 5)
        assert high == 0.5
        assert high - low == pytest.approx(rt.criteria.gini_gain(np.array(table)))
        assert ax.get_title(loc="left") == "gain in gini: 0.129"

    def test_the_error_rate_closes_the_lens_where_the_majority_stays(self):
        assert "a gain of 0.000." in plot.lens(AT_15, "error rate").alt
        assert "a gain of 0.013." in plot.lens(AT_15, "gini").alt
        assert error_rate([[3, 1], [2, 2], [0, 0]]).tolist() == [0.25, 0.5, 1]

    @pytest.mark.parametrize("table", [[[1, 2]], [[1, -1], [2, 2]], [[0, 0], [0, 0]]])
    def test_bad_tables(self, table):
        with pytest.raises(ValueError, match="two branches and two classes"):
            plot.lens(table)

    def test_bad_names_and_branches(self):
        with pytest.raises(ValueError, match="impurity"):
            plot.lens([[1, 2], [2, 1]], "entrophy")
        with pytest.raises(ValueError, match="does not have"):
            rt.explore.lens((6, 6), (7, 0))
        with pytest.raises(ValueError, match="impurity"):
            rt.explore.lens(impurity="nonsense")


class TestClaims:
    def test_gini_and_information_gain_cut_duration_elsewhere_and_score_alike(self):
        credit = rt.load("credit-g")
        values, code = np.unique(credit.X["duration"], return_inverse=True)
        tables = cut_tables(rt.tally((len(values), 2), code, credit.y.codes))
        best = {name: int(rt.CRITERIA[name](tables).argmax()) for name in rt.CRITERIA}
        assert values[best["information_gain"]] == 15
        assert values[best["gini"]] < 34.5 < values[best["gini"] + 1]
        assert (tables[best["information_gain"]] == AT_15).all()
        for name in ("gini", "information_gain"):
            here, there = (rt.CRITERIA[name](tables[best[n]]) for n in ("gini", "information_gain"))
            assert abs(here - there) < 0.1 * max(here, there)
        smallest = tables[best["gain_ratio"]].sum(axis=1).min()
        assert smallest < 10, "gain ratio cuts off a handful of cases"

    def test_criteria_that_are_multiples_of_each_other(self):
        tables = np.random.default_rng(2).integers(1, 30, size=(1000, 2, 2))
        scored = {name: criterion(tables) for name, criterion in rt.CRITERIA.items()}
        assert np.allclose(scored["gini"], 2 * scored["twoing"])
        assert np.allclose(scored["auc"], scored["kolmogorov_smirnov"] / 2)
        cases, node = tables.sum(axis=(1, 2)), rt.criteria.gini(tables.sum(axis=1))
        assert np.allclose(scored["chi_squared"], cases * scored["gini"] / node)

    def test_criteria_differ_less_than_the_estimates_in_the_leaves(self):
        names = ["gini", "information_gain", "gain_ratio", "kolmogorov_smirnov"]
        trees = {c: rt.DecisionTree(c, "binary") for c in names}
        trees["laplace"] = rt.DecisionTree("gini", "binary", "laplace")
        for name in SETS:
            for seed in (1, 101):
                means = rt.repeated(trees, rt.load(name), seed=seed).table.mean()
                assert np.ptp(means[names]) < 0.02
                assert means.idxmax() == "laplace"
                assert 0.025 < means["laplace"] - means["gini"] < 0.1

    def test_on_breast_cancer_a_fresh_batch_differs_most(self):
        trees = {c: rt.DecisionTree(c, "binary") for c in ("gain_ratio", "kolmogorov_smirnov")}
        means = rt.repeated(trees, rt.load("breast-cancer"), seed=201).table.mean()
        assert round(np.ptp(means), 3) == 0.035

    @pytest.mark.filterwarnings("ignore:.*client")
    def test_a_tree_that_may_use_the_clients_number_asks_for_nothing_else(self):
        bank = rt.sealed.data()
        for criterion in ("gini", "information_gain", "gain_ratio"):
            model = rt.DecisionTree(criterion, "binary").fit(bank.X, bank.y)
            assert model.tree_.complexity()["attributes"] == 1
            assert len(np.unique(model.predict_proba(bank.clients), axis=0)) == 1

    def test_the_eight_criteria_to_look_up_have_the_packages_values(self):
        (cell,) = [cell for cell in cells_of("01") if cell["id"] == "e03299cf"]
        rows = re.findall(r"^\| (.+?) \|.*= (\.\d+|\d\.\d+)\$ \|$", "".join(cell["source"]), re.M)
        assert len(rows) == 8
        order = "dkm distance likelihood_ratio hypergeometric twoing orthogonal"
        table = np.array([[5, 2], [1, 4]])
        for (said, value), name in zip(
            rows, [*order.split(), "kolmogorov_smirnov", "auc"], strict=True
        ):
            assert float(value) == pytest.approx(rt.CRITERIA[name](table), abs=5e-4), said

    def test_what_grows_with_the_number_of_cases(self):
        once = np.array([[5, 2], [1, 4]])
        grow = {c for c, f in rt.CRITERIA.items() if not np.isclose(f(once), f(10 * once))}
        assert grow == {"chi_squared", "likelihood_ratio", "hypergeometric"}
