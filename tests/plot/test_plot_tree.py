"""Drawn trees: what is shown, where it goes, and that nothing overlaps."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PolyCollection
from pictures import all_text, assert_readable, widths_of
from test_plot import PETALS, case, data, fitted, grown

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.plot.layout import LEAVES, Plan, arrange, leaves_at, readable_depth, spots
from ranktrees_lab.plot.trees import ROOMS, Boxes, Discs, described


@pytest.fixture(params=["weather.nominal", "credit-g", "soybean", "glass"])
def model(request):
    return grown(request.param)


def words_of(fig):
    return [t.get_text() for t in fig.axes[0].texts]


def root_of(tree, depth):
    return spots(tree, depth, described, ROOMS[0])


@pytest.mark.parametrize("style", ["boxes", "discs"])
def test_texts_are_apart_inside_and_large_enough(model, style):
    fig = plot.tree(model, max_depth=2, style=style)
    assert_readable(fig, all_text(fig))


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("look", [Boxes(), Discs(600)])
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


@pytest.mark.parametrize("name", ["weather.nominal", "diabetes"])  # on top, at the left
def test_a_drawn_tree_begins_at_its_root(name):
    fig = plot.tree(grown(name))
    box = next(box for text, box, _ in all_text(fig) if text == grown(name).tree_.root.name)
    assert 1 - (box.y0 + box.y1) / 2 / fig.bbox.height == pytest.approx(fig.begins, abs=0.03)
    assert plot.roc([0, 1], {"a": np.array([0.2, 0.7])}, 1, figure=fig).begins == 0


def test_a_node_and_all_below_it_have_a_band_of_their_own():
    root = root_of(grown("weather.nominal").tree_, 2)
    assert arrange(root, 0.0, lambda spot: 1.0) == pytest.approx(5 + 4 * 0.09)
    first, second, third = root.children
    assert [spot.across for spot in root.children] == pytest.approx([1.045, 2.68, 4.315])
    assert root.across == pytest.approx(second.across)
    assert [s.across for s in first.children] == pytest.approx([0.5, 1.59])
    arrange(root, 0.0, lambda spot: 9.0 if spot is third else 1.0)  # wider than its children
    assert np.mean([s.across for s in third.children]) == pytest.approx(third.across)


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


def test_up_to_thirty_leaves_nothing_is_hidden():
    for name, depth in (("credit-g", 5), ("iris", None)):
        model = grown(name, criterion="gini", split="binary", max_depth=depth)
        assert 10 < model.tree_.n_leaves <= LEAVES
        assert "nodes lie below" not in plot.tree(model).alt


def test_words_and_bars_of_a_small_tree():
    fig = plot.tree(grown("weather.nominal"))
    words = words_of(fig)
    assert words.count("outlook") == 1
    assert {"= sunny", "= overcast", "= rainy", "= high", "= normal"} <= set(words)
    assert words.count("yes") == 3
    assert fig.alt == (
        "A decision tree with 8 nodes, 5 leaves and depth 2: the root tests outlook on 14 cases "
        "(5 no and 9 yes); = sunny to humidity, = overcast to yes (4) and = rainy to windy."
    )
    assert plot.tree(grown("weather.nominal").tree_).png() == fig.png(), "as its model is drawn"
    ax = plot.tree(grown("weather.nominal"), max_depth=0).axes[0]
    frames, bars = (c for c in ax.collections if isinstance(c, PolyCollection))
    (width,) = widths_of(frames)
    assert np.divide(widths_of(bars), width - 0.1) == pytest.approx([5 / 14, 9 / 14])


def test_discs_have_areas_in_proportion_to_cases():
    look, root = Discs(150), root_of(grown("iris", split="binary", numeric="thresholds").tree_, 1)
    areas = [look.radius(spot) ** 2 / spot.node.counts.sum() for spot in root.walk()]
    np.testing.assert_allclose(areas, areas[0])
    wedges = look.wedges(root.node.counts, (0, 0), 1, plot.class_colours(3))
    np.testing.assert_allclose([w.theta2 - w.theta1 for w in wedges], [120, 120, 120])


def test_thousands_of_branches_and_long_names_are_cut_short():
    n = 3000
    X = pd.DataFrame({"id": pd.Categorical([f"case {i}" for i in range(n)])})
    with pytest.warns(UserWarning, match="identifier"):
        model = rt.DecisionTree(criterion="information_gain").fit(X, ["a", "b"] * (n // 2))
    fig = plot.tree(model)
    assert f"… {n - 60} more branches" in words_of(fig)
    assert_readable(fig, all_text(fig))
    X = pd.DataFrame({"a very long attribute name that never ends": ["x" * 60, "y" * 60] * 5})
    fig = plot.tree(rt.DecisionTree().fit(X, ["p" * 50, "q" * 50] * 5))
    assert "a very long attribute" in words_of(fig)
    assert sum(word.endswith("…") for word in words_of(fig)) == 4
    assert fig.get_size_inches()[0] < 6


@pytest.mark.parametrize(
    ("model", "named", "error", "match"),
    [
        (grown("iris"), {"style": "boxs"}, ValueError, "no style 'boxs': did you mean 'boxes'"),
        (grown("iris"), {"max_depth": -1}, ValueError, "max_depth must be at least 0"),
        (rt.DecisionTree(), {}, ValueError, "call fit"),
        ([1, 2], {}, TypeError, "a fitted model or a Tree is needed, not list"),
    ],
)
def test_errors_of_tree(model, named, error, match):
    with pytest.raises(error, match=match):
        plot.tree(model, **named)


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


def test_boundaries_with_nominal_attributes_gaps_and_errors():
    credit, model = data("credit-g"), grown("credit-g", max_depth=2)
    X = credit.X.assign(age=credit.X["age"].where(np.arange(len(credit)) > 2))
    alt = plot.boundaries(model, rt.Dataset(X, credit.y), ("duration", "age")).alt
    assert "of 997 cases lie in" in alt
    assert "mean or most frequent value" in alt
    assert alt.endswith("3 cases with a missing value left out.")
    with pytest.raises(ValueError, match="two numeric attributes are needed, there is 0"):
        plot.boundaries(grown("weather.nominal"), data("weather.nominal"))
    for pair, lines, match in [
        (("duration", "ages"), None, "no attribute 'ages': did you mean 'age'"),
        (("duration", "housing"), None, "'housing' is not numeric: choose two of duration"),
        (("age", "age"), None, "two different names"),
        (("age", "duration"), {"l": (0, 0, 1)}, "both weights are 0"),
    ]:
        with pytest.raises(ValueError, match=match):
            plot.boundaries(model, credit, pair, lines)


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        ("C45", {}),
        ("C44", {"estimate": "wpe"}),
        ("AODE", {}),
        ("Bagging", {}),
        ("NewtonTree", {"max_depth": 2}),
    ],
)
def test_an_explanation_ends_with_what_the_model_answers(kind, how):
    said = fitted(kind, "labor", **how).explain(case("labor", 3))
    picture = plot.explanation(said)
    words = [text.get_text() for ax in picture.axes for text in ax.texts]
    assert {f"{p:.2f}" for p in said.proba.values() if p >= 0.005} <= set(words)
    assert picture.alt == f"{said.title}. {' '.join(said.lines)}"
    if kind == "C45":
        weights = [text.get_text() for text in picture.axes[-1].texts]
        assert weights == ["weight", "1.00", "1.00"], "the last node of a path has all"
        assert len(said.table) > 1


@pytest.mark.parametrize("kind", ["NaiveBayes", "PathBayes"])
def test_what_is_no_mixture_has_another_picture(kind):
    with pytest.raises(TypeError, match=r"rt\.plot\.factors"):
        plot.explanation(fitted(kind, "labor").explain(case("labor", 3)))
