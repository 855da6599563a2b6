"""What models claim against what comes true: the numbers of the picture, by counting."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab.plot.style import COLOURS, METHODS, class_colours, model_colours

ALL = "all"


def data(y, **columns):
    return rt.Dataset(pd.DataFrame(columns), pd.Categorical(y), name="small")


def test_a_tree_without_a_useful_attribute_claims_the_share_that_new_cases_have():
    same = data(["no", "yes", "yes", "yes"] * 10, value=["a"] * 20 + ["b"] * 20)
    stump = rt.DecisionTree(min_parent=99, estimate="frequency")
    table = rt.plot.fresh_shares({"root": stump}, same, splits=3).table
    groups = {ALL, "0.7 to 0.8", "depth 0"}
    assert set(table.index) == {("root", group) for group in groups}
    assert (table[["claimed", "true"]] == 0.75).all(axis=None)
    assert (table["cases"] == 60).all()


def test_an_attribute_that_tells_the_class_is_claimed_and_comes_true():
    told = data(["no", "yes"] * 12, value=["a", "b"] * 12)
    table = rt.plot.fresh_shares({"tree": rt.DecisionTree(estimate="frequency")}, told).table
    assert table.loc[("tree", "depth 0"), ["claimed", "true"]].tolist() == [0.5, 0.5]
    assert table.loc[("tree", "depth 1"), ["claimed", "true"]].tolist() == [1, 1]
    assert table.loc[("tree", "0.9 to 1.0"), "cases"] == 240
    smooth = rt.plot.fresh_shares({"tree": rt.DecisionTree(estimate="laplace")}, told).table
    assert smooth.loc[("tree", ALL), "claimed"] == pytest.approx(7 / 8)  # (6 + 1) / (6 + 2)
    assert "depth 0" not in smooth.loc["tree"].index


def test_numbers_are_those_of_a_count_split_by_split():
    labor, model = rt.load("labor"), rt.C44(estimate="frequency")
    table = rt.plot.fresh_shares({"C4.4": model}, labor, splits=4, seed=3).table.loc["C4.4"]
    claimed, right, root = [], [], []
    for seed in range(3, 7):
        train, new = rt.holdout(labor.y, 0.5, seed)
        fitted = rt.C44(estimate="frequency").fit(labor.X.iloc[train], labor.y[train])
        proba, y = fitted.predict_proba(labor.X.iloc[new]), labor.y[new]
        claimed += proba.max(axis=1).tolist()
        right += (fitted.predict(labor.X.iloc[new]) == y).tolist()
        root += (np.asarray(y) == labor.y[train].value_counts().idxmax()).tolist()
    assert table.loc[ALL].tolist() == pytest.approx([np.mean(claimed), np.mean(right), len(right)])
    assert table.loc["depth 0", "true"] == pytest.approx(np.mean(root))
    deepest = table[table.index.str.startswith("depth")].iloc[-1]
    assert deepest.tolist() == pytest.approx(table.loc[ALL].tolist())
    bins = table[table.index.str.contains(" to ")]
    assert bins["cases"].sum() == len(right)
    assert (bins["claimed"] * bins["cases"]).sum() == pytest.approx(np.sum(claimed))
    step = np.minimum(np.floor(np.multiply(claimed, 10)), 9) == 9
    assert bins.loc["0.9 to 1.0", "true"] == pytest.approx(np.mean(np.array(right)[step]))


def test_c44_claims_on_credit_far_more_than_comes_true_and_path_bayes_mends_it():
    models = {"C4.4": rt.C44(estimate="frequency"), "path Bayes": rt.C44(estimate="path-bayes")}
    picture = rt.plot.fresh_shares(models, rt.load("credit-g"))
    means = picture.table.xs(ALL, level="group").round(3)
    assert means.loc["C4.4"].tolist() == [0.925, 0.668, 10_000]
    assert means.loc["path Bayes"].tolist() == [0.802, 0.732, 10_000]
    words = "on 20 times 500 new cases: C4.4 0.925, true 0.668; path Bayes 0.802, true 0.732."
    assert picture.alt.endswith(words)
    assert [text.get_text() for text in picture.texts[:2]] == ["claims 0.92, true 0.67", "C4.4"]


def test_a_panel_each_and_no_more_than_can_be_read():
    labor, trees = (
        rt.load("labor"),
        {f"depth {d}": rt.DecisionTree(max_depth=d) for d in range(1, 10)},
    )
    for n, rows in ((1, 1), (4, 1), (5, 2), (8, 2)):
        picture = rt.plot.fresh_shares(dict(list(trees.items())[:n]), labor, splits=2)
        assert len(picture.axes) == n
        assert len({ax.get_position().y0 for ax in picture.axes}) == rows
        assert len({ax.get_xlim() for ax in picture.axes}) == 1
    with pytest.raises(ValueError, match="9 panels are too small to be read: give at most 8"):
        rt.plot.fresh_shares(trees, labor)
    with pytest.raises(TypeError, match="not DecisionTree"):
        rt.plot.fresh_shares(rt.DecisionTree(), labor)
    with pytest.raises(ValueError, match="splits"):
        rt.plot.fresh_shares({"tree": rt.DecisionTree()}, labor, splits=0)
    assert rt.plot.tree(rt.C44().fit(labor.X, labor.y), figure=picture).table is None


def test_a_method_has_one_colour_and_no_class_has_it():
    assert model_colours(["C4.4", "path Bayes"])[::-1] == model_colours(["Path Bayes", "c4.4"])
    assert model_colours(["DIW, C4.5's tree"]) == model_colours(["shrinkage"])
    assert model_colours(["shrinkage with WPE"]) != model_colours(["WPE"])
    assert len(set(model_colours([*"abcdefgh", "C4.4", "C4.4, crisp"]))) == 10
    assert len(model_colours(list("abcdefghijklmnop"))) == 16
    assert not {*METHODS.values(), *COLOURS.values()} & {*class_colours(4)}
