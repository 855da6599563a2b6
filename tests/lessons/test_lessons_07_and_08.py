"""Lessons 07 and 08: an explorer, pictures, the recursion on other trees, and their sentences."""

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cell_of, developed
from scipy import stats

import ranktrees as rt
from ranktrees.plain.pruning_c45 import added_errors
from ranktrees_engine import prune
from ranktrees_lab.explore.estimates import CONFIDENCES as STEPPED
from ranktrees_lab.explore.estimates import METHODS

WHOLE = {"prune": False, "collapse": False}


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.pruning(rt.load("breast-cancer"))


def test_the_pruning_explorer_measures_what_the_models_have_and_offers_what_they_can(explorer):
    (X, y), (X_test, y_test) = explorer.study.train, explorer.study.test
    assert not set(X.index) & set(X_test.index)
    for method in METHODS:
        assert len(explorer.study.trees[method][0]) == len(rt.C45(**WHOLE).fit(X, y).tree_)
        for estimate in rt.estimate.ESTIMATES:
            measures = explorer.measures(method, estimate)
            trees = explorer.study.trees[method]
            assert measures["leaves"].tolist() == [tree.n_leaves for tree in trees]
    found, model = explorer.measures("C4.5", "frequency"), rt.C45().fit(X, y)
    four, score = STEPPED.index(0.25) + 1, model.predict_proba(X_test)
    assert str(explorer.study.trees["C4.5"][four]) == str(model.tree_)
    assert found["test"][four] == pytest.approx(1 - model.score(X_test, y_test))
    assert found["training"][four] == pytest.approx(1 - model.score(X, y))
    assert found["auc"][four] == pytest.approx(rt.auc(y_test, score[:, 1]))
    assert found["scores"][four] == len(np.unique(score[:, 1].round(10)))
    nested = explorer.measures("cost complexity", "laplace")
    assert (np.diff(nested["leaves"]) <= 0).all()
    assert (np.diff(nested["training"]) >= -1e-12).all()
    assert nested["leaves"][-1] == 1
    model, rows = rt.DecisionTree(criterion="gini", split="binary"), np.arange(0, 150, 2)
    cut = rt.explore.pruning(rt.load("iris"), rows, "cost complexity", "m", model)
    assert len(cut.study.train[1]) == 75
    assert "AUC" in cut.picture.alt
    left = set(explorer.controls["estimate"].options) - set(cut.controls["estimate"].options)
    assert left == {"path-bayes", "path-bayes-em"}


def test_sizes_and_a_staircase_mark_the_best_and_each_score():
    leaves, train, test = [8, 4, 2, 1], [0.0, 0.1, 0.2, 0.5], [0.3, 0.2, 0.25, 0.5]
    picture = rt.plot.sizes(leaves, train, test, {"laplace": [0.6, 0.7, 0.8, 0.5]}, chosen=0)
    left, right = picture.axes
    assert left.lines[0].get_xdata().tolist() == [1, 2, 4, 8]
    assert np.allclose(left.lines[1].get_ydata(), [50, 25, 20, 30])
    assert np.allclose(right.lines[1].get_xydata(), [[2, 0.8]])
    assert "the least is 20.0% with 4 leaves" in picture.alt
    assert "The best AUC (laplace) is 0.800 with 2 leaves" in picture.alt
    assert "Chosen: 8 leaves" in picture.alt
    few, many = np.array([0.2, 0.2, 0.2, 0.9, 0.9]), np.arange(5) / 5
    picture = rt.plot.staircase(
        ["no", "yes", "no", "yes", "yes"], {"few": few, "many": many}, "yes"
    )
    curves = [line for line in picture.axes[0].lines if line.get_marker() == "o"]
    assert [len(line.get_xdata()) for line in curves] == [3, 6]
    assert "few has 2 scores and AUC 0.833" in picture.alt


@pytest.fixture(scope="module")
def names():
    """What this cell of the lesson on pruning leaves: its clients and their tree."""
    return developed("07", "pruning-15")


def test_the_lessons_small_tree_divides_the_methods(names):
    tree, cases = names["small"].tree_, names["small"].training_
    kept = [prune.pessimistic(tree, "yang"), prune.minimum_error(tree), prune.c45(tree, *cases)]
    assert [t.n_leaves for t in kept] == [3, 3, 3]
    assert [t.n_leaves for t in (prune.pessimistic(tree), prune.mdl(tree))] == [2, 2]
    assert prune.pessimistic(tree, "standard-error").n_leaves <= 2
    assert np.allclose(prune.cost_complexity(tree).alphas * 70, [0, 0, 1, 12])
    for N, e in ((5, 0), (5, 2), (10, 4), (30, 7), (100, 3), (100, 49)):
        chance = stats.binom.cdf(e, N, (e + added_errors(N, e)) / N)
        assert chance == pytest.approx(0.25, abs=0.02), "near the exact limit for few errors"


def test_a_brake_stops_at_xor_and_raising_halves_the_tree():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, 200))
    xor = pd.Categorical((a ^ b ^ (rng.random(200) < 0.1)).astype(str))
    abc = pd.DataFrame({"a": a, "b": b, "c": rng.integers(0, 2, 200)}).astype(str)
    stopped = rt.DecisionTree(criterion="gini", significance=0.05).fit(abc, xor).tree_
    grown = rt.DecisionTree(criterion="gini").fit(abc, xor)
    raised = prune.c45(grown.tree_, *grown.training_)
    cut = prune.c45(grown.tree_, *grown.training_, raising=False)
    assert (grown.tree_.root.name, stopped.n_leaves, raised.root.name) == ("c", 1, "a")
    assert (len(grown.tree_), len(cut), len(raised)) == (15, 15, 7)


def test_hard_pruning_and_the_books_rule_leave_fewer_leaves():
    def mean_leaves(name, *pruned, seed):
        """The mean number of leaves of trees, as they are pruned, on twenty halves."""
        data, sizes = rt.load(name), []
        for train, _ in rt.random_subsampling(data.y, 20, test=0.5, seed=seed):
            half = data.X.iloc[train], data.y[train]
            sizes.append([each(*half).n_leaves for each in pruned])
        return np.mean(sizes, axis=0)

    def trees(**how):
        return lambda X, y: rt.C45(numeric="thresholds", **how).fit(X, y).tree_

    def by(rule):
        return lambda X, y: prune.pessimistic(rt.C45(**WHOLE).fit(X, y).tree_, rule)

    full, pruned = mean_leaves("diabetes", trees(**WHOLE), trees(confidence=0.001), seed=1)
    assert (round(full), pruned < 4) == (26, True)
    sizes = mean_leaves("credit-g", by("rokach"), by("yang"), seed=101)
    assert sizes == pytest.approx([74, 88], abs=0.5)


@pytest.mark.parametrize("seed", [101, pytest.param(201, marks=pytest.mark.long)])
def test_pruned_c45_hardly_beats_no_tree(seed):
    data, model = rt.load("credit-g"), {"pruned": rt.C45(estimate="laplace")}
    found = rt.repeated(model, data, measure="accuracy", seed=seed).table["pruned"].mean()
    assert (data.y == "good").mean() == 0.7 < found < 0.72


def test_the_mean_aucs_of_the_report():
    kinds = {"collapse": False, "estimate": "m-branch"}
    tried = {f"{m}": rt.C44(**kinds, estimate_params={"m": m}) for m in (0, 1, 4, 16)}
    means = rt.repeated(tried, rt.load("credit-g")).table.mean().map("{:.3f}".format)
    said = f"{', '.join(means[:3])} and {means.iloc[3]}".replace("0.", ".")
    assert f"mean AUCs of {said} on 20 splits" in cell_of("08", "leaf-40")
    assert f"I expect {means.iloc[3][1:]} on new clients" in cell_of("08", "leaf-40")


def test_the_other_estimates_and_the_vote_have_their_numbers():
    names, text = developed("08", "leaf-50", "leaf-28"), cell_of("08", "leaf-57")

    def of_the_client(estimate):
        return names["small"].with_estimate(estimate).predict_proba(names["client"])[0, 0]

    for name in ("curtailment", "hierarchical-shrinkage"):
        assert f"{of_the_client(name):.3f}"[1:] in text, name
    assert of_the_client("ling-yan") == pytest.approx(names["vote"])


def test_what_is_claimed_and_what_comes_true():
    def claimed(name, data, cell):
        model = {"it": rt.C44(collapse=False, estimate=name)}
        said, true, _ = rt.plot.fresh_shares(model, rt.load(data)).table.loc["it", "all"]
        assert f"{true:.2f}" == "0.66"
        assert ".66" in cell_of("08", cell)
        return f"claims {said:.2f}".replace("0.", ".") in cell_of("08", cell)

    assert claimed("frequency", "credit-g", "leaf-62")
    assert claimed("laplace", "credit-g", "leaf-62")
    assert claimed("ling-yan", "diabetes", "leaf-40")


@pytest.mark.long
@pytest.mark.parametrize("seed", [101, 201])
def test_leaves_claim_too_much_on_fresh_splits_and_the_vote_too_little(seed):
    names = "frequency", "laplace", "m-branch", "ling-yan"
    models = {name: rt.C44(collapse=False, estimate=name) for name in names}
    models["bagging"] = rt.Bagging(rt.C44(collapse=False))
    table = rt.plot.fresh_shares(models, rt.load("diabetes"), seed=seed).table
    off = (table["claimed"] - table["true"]).xs("all", level="group")
    assert off["frequency"] > off["laplace"] > off["m-branch"] > 0 > off["ling-yan"]
    assert 0 > off["bagging"] > off["ling-yan"] / 2
    credit = rt.plot.fresh_shares(
        {"frequency": models["frequency"]}, rt.load("credit-g"), seed=seed
    )
    depths = credit.table.loc["frequency"].filter(like="depth", axis=0)
    assert (np.diff(depths["claimed"].iloc[1:]) > 0).all()
    assert depths["true"].iloc[-1] < depths["true"].iloc[0]


def test_how_c50_ranks():
    frame = rt.papers.results("path-forest")[1].query("measure == 'auc'")
    means = frame.pivot_table("value", "dataset", "method").dropna().mean()
    assert f"{means['C5.0 boosted']:.3f}" == "0.897"
    said = f"C5.0: {means['C5.0']:.3f}, C4.5: {means['C4.5']:.3f}, C4.4: {means['C4.4']:.3f}"
    assert said == "C5.0: 0.858, C4.5: 0.855, C4.4: 0.871"
