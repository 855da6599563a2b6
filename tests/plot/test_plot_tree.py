"""Drawn trees, Newton trees as masses, and maps: what is shown, and that nothing overlaps."""

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from drawings import PETALS, case, data, drawn, fitted, grown, shop
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_rgb
from pictures import all_text, assert_readable, widths_of, words_of
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.plot.layout import LEAVES, Plan, leaves_at, readable_depth, spots
from ranktrees_lab.plot.trees import (
    ROOMS,
    SMALLEST,
    Boxes,
    Discs,
    described,
    fitting,
)


@pytest.fixture(params=["weather.nominal", "soybean"])
def model(request):
    return grown(request.param)


def root_of(tree, depth):
    return spots(tree, depth, described, ROOMS[0])


@pytest.mark.parametrize(("look", "upright"), [(Boxes(), True), (Discs(600), False)])
def test_nodes_are_apart_and_parents_over_their_children(model, look, upright):
    plan = Plan(root_of(model.tree_, readable_depth(model.tree_, None)), look, upright)
    for level in plan.levels:
        ends = [(s.across - plan.extent(s) / 2, s.across + plan.extent(s) / 2) for s in level]
        for (_, stop), (start, _) in pairwise(ends):
            assert start - stop > 0.05
    for spot in plan.spots:
        if spot.children:
            assert spot.children[0].across <= spot.across <= spot.children[-1].across
    assert min(s.across - plan.extent(s) / 2 for s in plan.spots) >= 0.1 - 1e-9


def test_auto_depth_keeps_the_picture_readable(model):
    fig, tree = plot.tree(model), model.tree_
    depth = readable_depth(tree, None)
    assert leaves_at(tree, depth) <= LEAVES or depth == 1
    assert max(fig.get_size_inches()) < 14
    n_drawn = sum(word.replace(".", "").isdigit() for word in words_of(fig))
    assert n_drawn in np.cumsum(np.bincount(tree.depths))
    hidden = len(tree) - n_drawn
    assert (f"; {hidden} nodes lie below." in fig.alt) == (hidden > 0)
    assert any(word.endswith(" below") for word in words_of(fig)) == (hidden > 0)


def test_words_and_bars_of_a_small_tree():
    fig = plot.tree(grown("weather.nominal"))
    words = words_of(fig)
    assert {"outlook", "= sunny", "= overcast", "= rainy", "= high", "= normal"} <= set(words)
    assert words.count("yes") == 3
    assert fig.alt == (
        "A decision tree with 8 nodes, 5 leaves and depth 2: the root tests outlook on 14 cases "
        "(5 no and 9 yes); = sunny to humidity, = overcast to yes (4) and = rainy to windy."
    )
    ax = plot.tree(grown("weather.nominal").tree_, max_depth=0).axes[0]
    frames, bars = (c for c in ax.collections if isinstance(c, PolyCollection))
    (width,) = widths_of(frames)
    assert np.divide(widths_of(bars), width - 0.1) == pytest.approx([5 / 14, 9 / 14])


def test_the_words_of_a_box_stand_in_its_middle():
    fig = plot.tree(grown("weather.nominal"), max_depth=0)
    fig.canvas.draw()
    name, count = (text.get_window_extent() for text in fig.axes[0].texts[:2])
    (frames, _) = (c for c in fig.axes[0].collections if isinstance(c, PolyCollection))
    corners = fig.axes[0].transData.transform(frames.get_paths()[0].vertices)
    assert (name.x0 + count.x1) / 2 == pytest.approx(corners[:4, 0].mean(), abs=2)


@pytest.mark.parametrize("depth", [1, 2])
def test_words_of_a_newton_tree_stand_beside_its_edges(depth):
    model, example = fitted("NewtonTree", "iris", max_depth=depth), data("iris").X.iloc[[70]]
    fig = plot.newton_tree(model, example)
    fig.canvas.draw()
    (edges,) = fig.axes[0].findobj(PathCollection)
    words = [t for t in fig.axes[0].texts if t.get_text()[0] in "0123456789π"]
    assert len(words) == 2 * (len(model.tree_) - 1)
    for path, width in zip(edges.get_paths(), edges.get_linewidths(), strict=True):
        way = fig.axes[0].transData.transform(path.interpolated(20).vertices)
        for text in words:
            box, half = text.get_window_extent(), width / 72 * fig.dpi / 2
            inside = (way > [box.x0 - half, box.y0]) & (way < [box.x1 + half, box.y1])
            assert not inside.all(axis=1).any(), text.get_text()


def test_discs_have_areas_in_proportion_to_cases():
    look, root = Discs(150), root_of(grown("iris", split="binary", numeric="thresholds").tree_, 1)
    plan = fitting(fitted("NewtonTree", "iris", max_depth=2).tree_, None)[1]
    for drawn_as, nodes in ((look, root.walk()), (plan.look, plan.spots)):
        found = [(drawn_as.radius(spot), spot.node.counts.sum()) for spot in nodes]
        areas = [radius**2 / mass for radius, mass in found if radius > SMALLEST]
        np.testing.assert_allclose(areas, areas[0])


def test_thousands_of_branches_and_long_names_are_cut_short():
    n = 1000
    X = pd.DataFrame({"id": pd.Categorical([f"case {i}" for i in range(n)])})
    model = rt.DecisionTree(criterion="information_gain").fit(X, ["a", "b"] * (n // 2))
    fig = plot.tree(model)
    assert f"… {n - 60} more branches" in words_of(fig)
    assert_readable(fig, all_text(fig))
    X = pd.DataFrame({"a very long attribute name that never ends": ["x" * 60, "y" * 60] * 5})
    fig = plot.tree(rt.DecisionTree().fit(X, ["p" * 50, "q" * 50] * 5))
    assert sum(word.endswith("…") for word in words_of(fig)) == 4
    assert fig.get_size_inches()[0] < 6


def test_boundaries_are_the_model_s():
    iris, pair = data("iris"), list(PETALS)
    model = rt.DecisionTree(split="binary", numeric="thresholds").fit(iris.X[pair], iris.y)
    fig = plot.boundaries(model, iris, PETALS, lines={"cut": (1, 0, 2.5)})
    image, (*points, line) = fig.axes[0].images[0], fig.axes[0].lines
    pixels, (left, right, bottom, top) = image.get_array(), image.get_extent()
    x = left + (np.arange(pixels.shape[1]) + 0.5) / pixels.shape[1] * (right - left)
    setosa = (pixels == pixels[0, 0]).all(axis=(0, 2))
    np.testing.assert_array_equal(setosa, x <= 2.45)
    np.testing.assert_allclose(line.get_xdata(), 2.5)
    right_cases = int((model.predict(iris.X[pair]) == np.asarray(iris.y)).sum())
    assert f"{right_cases} of 150 cases lie in a region of their own class" in fig.alt
    assert sum(len(each.get_xdata()) for each in points) == 150
    assert bottom < iris.X["petalwidth"].min() < iris.X["petalwidth"].max() < top


def test_maps_with_nominal_attributes_and_gaps():
    credit = data("credit-g")
    X = credit.X.assign(age=credit.X["age"].where(np.arange(len(credit)) > 2))
    for draw, kind in ((plot.boundaries, "DecisionTree"), (plot.attraction_map, "NewtonTree")):
        model = fitted(kind, "credit-g", max_depth=2)
        alt = draw(model, rt.Dataset(X, credit.y), ("duration", "age")).alt
        assert "mean or most frequent value" in alt
        assert alt.endswith("3 cases with a missing value left out.")


@pytest.mark.parametrize("kind", ["C45", "AODE", "Bagging"])
def test_an_explanation_ends_with_what_the_model_answers(kind):
    said = fitted(kind, "labor").explain(case("labor", 3))
    picture = plot.explanation(said)
    words = [text.get_text() for ax in picture.axes for text in ax.texts]
    assert {f"{p:.2f}" for p in said.proba.values() if p >= 0.005} <= set(words)
    assert picture.alt == f"{said.title}. {' '.join(said.lines)}"
    if kind == "C45":
        weights = [text.get_text() for text in picture.axes[-1].texts]
        assert weights == ["weight", "1.00", "1.00"], "the last node of a path has all"


def test_up_to_twenty_leaves_are_drawn_whole_and_readable():
    model, baskets = shop(max_depth=4, min_parent=8)
    assert 13 <= model.tree_.n_leaves <= 20
    fig = plot.newton_tree(model, baskets.X.iloc[[7]])
    assert "nodes lie below" not in fig.alt
    assert sum(w.startswith("π = ") for w in words_of(fig)) == len(model.tree_) - 1
    assert_readable(fig, all_text(fig))
    fig, _ = drawn("newton_tree, large")
    notes = [w for w in words_of(fig) if w.startswith("…") and w.endswith("below")]
    hidden = sum(int(w.split()[1]) for w in notes)
    assert hidden > 10
    assert f"; {hidden} nodes lie below." in fig.alt


def test_edges_are_as_wide_as_they_are_probable():
    model, example = fitted("NewtonTree", "iris", max_depth=2), data("iris").X.iloc[[70]]
    fig = plot.newton_tree(model, example)
    (edges,) = fig.axes[0].findobj(PathCollection)
    reach = np.sort(model.reach(example)[0, 1:])
    np.testing.assert_allclose(np.sort(edges.get_linewidths()), np.maximum(8 * reach, 0.5))
    words = words_of(fig)
    shares = sorted(f"{p:.2f}" for p in model.attraction(example)[0, 1:])
    assert sorted(w for w in words if w.replace(".", "").isdigit()) == shares
    ends = model.reach(example)[0, model.tree_.is_leaf]
    assert sorted(w for w in words if w.startswith("p = ")) == sorted(f"p = {p:.3f}" for p in ends)


def test_words_and_sentence_of_a_small_newton_tree():
    model = fitted("NewtonTree", "iris", max_depth=1)
    fig = plot.newton_tree(model)
    expected = {"petalwidth (150)", "π = 0.2", "π = 1.3", "π = 2", "Iris-setosa (50)"}
    assert expected <= set(words_of(fig))
    assert fig.alt == (
        "A tree of prototypes with 4 nodes, 3 leaves and depth 1: the root compares petalwidth "
        "with the prototypes of its 3 children, masses in brackets: 0.2 (50), 1.3 (52) and 2 (48)."
    )
    alt = plot.newton_tree(model, case("iris")).alt
    assert alt.endswith("likeliest leaf has p = 1.000. P(Iris-setosa) = 0.962.")
    gap = data("iris").X.iloc[[0]].assign(petalwidth=np.nan)
    words = set(words_of(plot.newton_tree(model, gap)))
    assert {"0.33", "0.35", "0.32"} <= words, "a missing value is pulled by mass"


def test_the_map_mixes_probabilities_and_marks_prototypes_at_their_values():
    iris = data("iris")
    model = rt.NewtonTree(max_depth=2).fit(iris.X[list(PETALS)], iris.y)
    fig, tree = plot.attraction_map(model, iris, PETALS, points=False), model.tree_
    assert "make 5 regions; 7 prototypes are marked" in fig.alt
    image, marks = fig.axes[0].images[0], fig.axes[0].collections[1:]
    pixels, (left, right, low, high) = image.get_array(), image.get_extent()
    x = left + 100.5 / pixels.shape[1] * (right - left)
    y = low + 30.5 / pixels.shape[0] * (high - low)
    p = model.predict_proba(pd.DataFrame([[x, y]], columns=PETALS))[0]
    colours = [to_rgb(colour) for colour in plot.class_colours(3)]
    np.testing.assert_allclose(pixels[30, 100], 0.8 * p @ colours + 0.2, atol=1e-6)
    for t, mark in zip(range(1, len(tree)), marks, strict=True):
        which = PETALS.index(tree.schema[tree.attribute[tree.parent[t]]].name)
        assert mark.get_offsets()[0][which] == pytest.approx(tree.value(t))
        assert mark.get_sizes()[0] == pytest.approx(900 * tree.mass[t] / 150)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (rt.NaiveBayes(), r"has no single tree .*: model\.explain\(case\) shows how it decides$"),
        (rt.AODE(), r"this AODE has no single tree"),
        (rt.PathForest(n_models=2), r"rt\.plot\.tree\(model\.trees_\[0\]\); model\.explain"),
        (rt.Bagging(n_models=2), r"rt\.plot\.tree\(model\.models_\[0\]\); model\.explain"),
        (DecisionTreeClassifier(), "this DecisionTreeClassifier has no single tree that can be"),
    ],
)
def test_a_fitted_model_without_a_single_tree_says_what_to_look_at(model, says):
    iris = data("iris")
    with pytest.raises((TypeError, ValueError), match=r"has no (tree yet: call fit|single tree)"):
        plot.tree(model)
    model.fit(iris.X, iris.y.codes)
    with pytest.raises(TypeError, match=says) as error:
        plot.tree(model)
    for call in re.findall(r"rt\.plot\.\w+\([\w.\[\]]+\)", str(error.value)):
        assert eval(call, {"rt": rt, "model": model}).alt.startswith("A decision tree")
