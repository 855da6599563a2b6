"""Lesson 02: its stepper, its picture of bins, its check, and what it says of when to stop."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab import plot

CUTS = {"criterion": "gini", "split": "binary", "numeric": "thresholds"}


@pytest.fixture(scope="module")
def payers():
    return rt.load("tax-payers")


@pytest.fixture(scope="module")
def model(payers):
    return rt.DecisionTree(**CUTS).fit(payers.X, payers.y)


@pytest.fixture(scope="module")
def credit():
    return rt.load("credit-g")


class TestGrowing:
    def test_the_last_step_is_the_model_s_tree(self, model, payers):
        text = plot.growing(model, payers, case=7).alt
        for node in model.tree_.nodes():
            assert not node.is_leaf or f"{node.path}: {node.summary}" in text
        assert text.endswith("Case 7 goes to leaf D.")

    def test_the_marked_row_is_the_case(self, model, payers):
        texts = {t.get_text() for t in plot.growing(model, payers, 2, 6).axes[0].texts if bold(t)}
        assert {"6", "Yes", "Divorced", "220", "No", "B"} <= texts
        assert "Single" not in texts

    def test_a_case_with_a_value_that_was_never_seen_stops_above_the_leaves(self):
        weather = rt.load("weather.nominal")
        grown = rt.DecisionTree().fit(weather.X, weather.y)
        odd = weather.X.head(2).astype(object)
        odd.iloc[0, 0] = "foggy"
        text = plot.growing(grown, rt.Dataset(odd, weather.y[:2]), case=0).alt
        assert text.endswith("Case 0 goes to leaf -.")

    def test_errors(self, model, payers, credit):
        with pytest.raises(ValueError, match="splits must be 0 to 3"):
            plot.growing(model, payers, 4)
        with pytest.raises(ValueError, match="case must be 0 to 9"):
            plot.growing(model, payers, case=10)
        with pytest.raises(ValueError, match="1000 cases are too many"):
            plot.growing(model, credit)


def bold(text):
    return text.get_fontweight() == "bold"


class TestBins:
    def test_what_it_says_is_what_the_package_cuts(self, credit):
        text = plot.bins(credit, "duration", 4).alt
        x = credit.X["duration"].to_numpy(float)
        for method, cuts_of in rt.bins.DISCRETIZERS.items():
            cuts = cuts_of(x, 4, credit.y.codes)
            assert f"{method} cuts at {cuts[0]:.4g}" in text
        assert "entropy-mdl cuts at 15.5, with 431 and 569 cases" in text
        assert "entropy-mdl cuts at nowhere" in plot.bins(credit, "age").alt

    def test_errors(self, credit, payers):
        with pytest.raises(ValueError, match="bins are of numbers"):
            plot.bins(payers, "Status")
        with pytest.raises(ValueError, match="no attribute"):
            plot.bins(payers, "status")
        with pytest.raises(ValueError, match="no numeric attribute"):
            rt.explore.bins(rt.load("vote"))


class TestClaims:
    def by_leaves(self, credit, halves, seed):
        """What the minimum gain wins on no rule: where it has one leaf, over 60, and between."""
        full, stopped = rt.DecisionTree(), rt.DecisionTree(min_gain=0.05)
        models = {"none": full, "gain": stopped}
        ranks = rt.repeated(models, credit, n=halves, seed=seed).table
        parts = rt.random_subsampling(credit.y, halves, test=0.5, seed=seed)
        leaves = [
            stopped.fit(credit.X.iloc[train], credit.y[train]).tree_.n_leaves for train, _ in parts
        ]
        size = pd.cut(leaves, [0, 9, 60, 200], labels=["few", "small", "many"])
        return (ranks["gain"] - ranks["none"]).groupby(size, observed=True), leaves

    def test_a_minimum_gain_makes_one_leaf_or_many_and_its_small_trees_rank_better(self, credit):
        gain, leaves = self.by_leaves(credit, 80, 1)
        assert gain.size().to_dict() == {"few": 21, "small": 14, "many": 45}
        assert leaves.count(1) == 21
        better = gain.agg(lambda by: (by > 0).sum()).to_dict()
        assert better == {"few": 0, "small": 13, "many": 8}
        assert gain.agg(lambda by: (by < 0).sum())["many"] == 37

    def test_one_client_in_eight_comes_to_an_empty_branch(self, credit):
        shares = []
        for train, test in rt.random_subsampling(credit.y, 20, test=0.5, seed=101):
            model = rt.DecisionTree().fit(credit.X.iloc[train], credit.y[train])
            tree, node = model.tree_, model.tree_.apply(model.encode(credit.X.iloc[test]).values)
            shares.append((~tree.is_leaf[node]).mean())
            assert (tree.counts[tree.is_leaf].min(axis=1) == 0).all(), "min_gain changes nothing"
        assert 0.1 < np.mean(shares) < 0.15

    def test_mdl_by_hand_cuts_duration_once(self, credit):
        duration = credit.X["duration"].to_numpy(float)
        assert rt.bins.entropy_mdl(duration, y=credit.y.codes).tolist() == [15.5]
        counts = [np.bincount(credit.y.codes[side]) for side in (duration > 0, duration <= 15.5)]
        assert [sorted(n) for n in counts] == [[300, 700], [89, 342]]
        bits = [rt.criteria.entropy(n) for n in ([700, 300], [342, 89], [358, 211])]
        whole, first, second = bits
        assert np.round(bits, 3).tolist() == [0.881, 0.735, 0.951]
        assert np.round([np.log2(999), np.log2(7)], 3).tolist() == [9.964, 2.807]
        price = (np.log2(999) + np.log2(7) - 2 * whole + 2 * first + 2 * second) / 1000
        gain = whole - 0.431 * first - 0.569 * second
        assert (round(gain, 4), round(price, 4)) == (0.0233, 0.0144)

    def test_parity_is_a_single_leaf(self):
        parity = rt.load("parity")
        assert len(rt.DecisionTree().fit(parity.X, parity.y).tree_) == 1

    @pytest.mark.parametrize("first", [0, 100])
    def test_trees_of_nine_tenths_share_the_root_and_little_else(self, credit, first):
        grown, bad = set(), []
        model = rt.DecisionTree(**CUTS, max_depth=4)
        for seed in range(first, first + 20):
            kept = np.random.default_rng(seed).random(len(credit)) < 0.9
            tree = model.fit(credit.X[kept], credit.y[kept]).tree_
            assert tree.root.name == "checking_status"
            grown.add(tuple(node.name for node in tree.nodes() if not node.is_leaf))
            bad.append(model.predict(credit.X) == "bad")
        assert len(grown) == 20
        assert 0.05 < np.mean([(a != b).mean() for a, b in combinations(bad, 2)]) < 0.15
