"""Drawn trees: what is shown, where it goes, and that nothing overlaps."""

from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PolyCollection
from pictures import all_text, assert_readable, widths_of

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.plot.layout import (
    LEAVES,
    Plan,
    arrange,
    leaves_at,
    readable_depth,
    spots,
)
from ranktrees_lab.plot.trees import ROOMS, Boxes, Discs, described


@cache
def grown(name, **settings):
    data = rt.load(name)
    return rt.DecisionTree(**settings).fit(data.X, data.y)


@pytest.fixture(params=["weather.nominal", "credit-g", "soybean", "glass"])
def model(request):
    return grown(request.param)


def laid_out(tree, depth, look, upright=True):
    return Plan(spots(tree, depth, described, ROOMS[0]), look, upright)


@pytest.mark.parametrize("style", ["boxes", "discs"])
def test_texts_are_apart_inside_and_large_enough(model, style):
    fig = plot.tree(model, max_depth=2, style=style)
    assert_readable(fig, all_text(fig))


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("look", [Boxes(), Discs(600)])
def test_nodes_are_apart_and_parents_over_their_children(model, look, upright):
    plan = laid_out(model.tree_, readable_depth(model.tree_, None), look, upright)
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
    root = spots(grown("weather.nominal").tree_, 2, described, ROOMS[0])
    assert arrange(root, 0.0, lambda spot: 1.0) == pytest.approx(5 + 4 * 0.09)
    first, second, third = root.children
    assert [spot.across for spot in root.children] == pytest.approx([1.045, 2.68, 4.315])
    assert root.across == pytest.approx(second.across)
    assert [s.across for s in first.children] == pytest.approx([0.5, 1.59])
    arrange(root, 0.0, lambda spot: 9.0 if spot is third else 1.0)  # wider than its children
    assert np.mean([s.across for s in third.children]) == pytest.approx(third.across)


def test_auto_depth_keeps_the_picture_readable(model):
    fig = plot.tree(model)
    depth = readable_depth(model.tree_, None)
    assert leaves_at(model.tree_, depth) <= LEAVES or depth == 1
    assert max(fig.get_size_inches()) < 14
    hidden = int((model.tree_.depths > _drawn_depth(fig, model)).sum())
    assert ("nodes lie below" in fig.alt) == (hidden > 0)
    if hidden:
        assert f"; {hidden} nodes lie below." in fig.alt
        assert any(t.get_text().endswith(" below") for t in fig.axes[0].texts)


def _drawn_depth(fig, model):
    """The depth whose number of nodes is that of the frames drawn."""
    words = [t for t in fig.axes[0].texts if t.get_text().replace(".", "").isdigit()]
    reached = np.cumsum(np.bincount(model.tree_.depths))
    return int(np.flatnonzero(reached == len(words))[0])


def test_what_lies_below_is_counted():
    tree = grown("tic-tac-toe").tree_
    for spot in spots(tree, 2, described, ROOMS[0]).walk():
        below = (tree.paths() == spot.node.id).any(axis=1).sum() - 1
        cut = spot.node.depth == 2 and not spot.node.is_leaf
        assert spot.note == (f"… {below} below" if cut else "")


def test_words_of_a_small_tree():
    fig = plot.tree(grown("weather.nominal"))
    words = [t.get_text() for t in fig.axes[0].texts]
    assert words.count("outlook") == 1
    assert {"= sunny", "= overcast", "= rainy", "= high", "= normal"} <= set(words)
    assert words.count("yes") == 3
    assert fig.alt == (
        "A decision tree with 8 nodes, 5 leaves and depth 2: the root tests outlook on 14 cases "
        "(5 no and 9 yes); = sunny to humidity, = overcast to yes (4) and = rainy to windy."
    )


def test_bars_of_boxes_are_class_shares():
    ax = plot.tree(grown("weather.nominal"), max_depth=0).axes[0]
    frames, bars = (c for c in ax.collections if isinstance(c, PolyCollection))
    (width,) = widths_of(frames)
    assert np.divide(widths_of(bars), width - 0.1) == pytest.approx([5 / 14, 9 / 14])


def test_discs_have_areas_in_proportion_to_cases():
    look = Discs(150)
    tree = grown("iris", split="binary", numeric="thresholds").tree_
    root = spots(tree, 1, described, ROOMS[0])
    areas = [look.radius(spot) ** 2 / spot.node.counts.sum() for spot in root.walk()]
    np.testing.assert_allclose(areas, areas[0])
    wedges = look.wedges(root.node.counts, (0, 0), 1, plot.class_colours(3))
    np.testing.assert_allclose([w.theta2 - w.theta1 for w in wedges], [120, 120, 120])


def test_thousands_of_branches_are_cut_short():
    n = 3000
    X = pd.DataFrame({"id": pd.Categorical([f"case {i}" for i in range(n)])})
    with pytest.warns(UserWarning, match="identifier"):
        model = rt.DecisionTree(criterion="information_gain").fit(X, ["a", "b"] * (n // 2))
    fig = plot.tree(model)
    words = [t.get_text() for t in fig.axes[0].texts]
    assert f"… {n - 60} more branches" in words
    assert_readable(fig, all_text(fig))


def test_long_names_are_wrapped_and_very_long_words_cut():
    X = pd.DataFrame({"a very long attribute name that never ends": ["x" * 60, "y" * 60] * 5})
    fig = plot.tree(rt.DecisionTree().fit(X, ["p" * 50, "q" * 50] * 5))
    words = [t.get_text() for t in fig.axes[0].texts]
    assert "a very long attribute" in words
    assert sum(w.endswith("…") for w in words) == 4
    assert fig.get_size_inches()[0] < 6


def test_a_tree_is_drawn_as_its_model_is():
    model = grown("iris")
    assert plot.tree(model.tree_).png() == plot.tree(model).png()


def test_errors_of_tree():
    with pytest.raises(ValueError, match="no style 'boxs': did you mean 'boxes'"):
        plot.tree(grown("iris"), style="boxs")
    with pytest.raises(ValueError, match="call fit"):
        plot.tree(rt.DecisionTree())
    with pytest.raises(TypeError, match="a fitted model or a Tree is needed, not list"):
        plot.tree([1, 2])
    with pytest.raises(ValueError, match="max_depth must be at least 0"):
        plot.tree(grown("iris"), max_depth=-1)


def test_boundaries_are_the_model_s():
    data = rt.load("iris")
    pair = ("petallength", "petalwidth")
    model = rt.DecisionTree(split="binary", numeric="thresholds").fit(data.X[list(pair)], data.y)
    fig = plot.boundaries(model, data, pair, lines={"cut": (1, 0, 2.5)})
    image, line = fig.axes[0].images[0], fig.axes[0].lines[-1]
    pixels, (left, right, bottom, top) = image.get_array(), image.get_extent()
    x = left + (np.arange(pixels.shape[1]) + 0.5) / pixels.shape[1] * (right - left)
    setosa = (pixels == pixels[0, 0]).all(axis=(0, 2))
    np.testing.assert_array_equal(setosa, x <= 2.45)
    np.testing.assert_allclose(line.get_xdata(), 2.5)
    right_cases = int((model.predict(data.X[list(pair)]) == np.asarray(data.y)).sum())
    assert f"{right_cases} of 150 cases lie in a region of their own class" in fig.alt
    points = sum(len(line.get_xdata()) for line in fig.axes[0].lines[:-1])
    assert points == 150
    assert bottom < data.X["petalwidth"].min() < data.X["petalwidth"].max() < top


def test_boundaries_with_nominal_attributes_and_gaps():
    data = rt.load("credit-g")
    X = data.X.copy()
    X["age"] = X["age"].astype(float)
    X.loc[X.index[:3], "age"] = np.nan
    model = grown("credit-g", max_depth=2)
    gaps = rt.Dataset(X, data.y)
    alt = plot.boundaries(model, gaps, ("duration", "age")).alt
    assert "of 997 cases lie in" in alt
    assert "mean or most frequent value" in alt
    assert alt.endswith("3 cases with a missing value left out.")


def test_errors_of_boundaries():
    data, credit = rt.load("weather.nominal"), rt.load("credit-g")
    model, other = grown("weather.nominal"), grown("credit-g", max_depth=2)
    with pytest.raises(ValueError, match="two numeric attributes are needed, there is 0"):
        plot.boundaries(model, data)
    with pytest.raises(ValueError, match="no attribute 'ages': did you mean 'age'"):
        plot.boundaries(other, credit, ("duration", "ages"))
    with pytest.raises(ValueError, match="'housing' is not numeric: choose two of duration"):
        plot.boundaries(other, credit, ("duration", "housing"))
    with pytest.raises(ValueError, match="two different names"):
        plot.boundaries(other, credit, ("age", "age"))
    with pytest.raises(ValueError, match="both weights are 0"):
        plot.boundaries(other, credit, ("age", "duration"), {"l": (0, 0, 1)})


@pytest.mark.parametrize(("name", "depth"), [("credit-g", 5), ("credit-g", 4), ("iris", None)])
def test_up_to_thirty_leaves_nothing_is_hidden(name, depth):
    data = rt.load(name)
    model = rt.DecisionTree("gini", "binary", max_depth=depth).fit(data.X, data.y)
    assert 10 < model.tree_.n_leaves <= LEAVES
    assert "nodes lie below" not in rt.plot.tree(model).alt


class TestExplanation:
    LABOR = rt.load("labor")

    def drawn(self, model):
        said = model.fit(self.LABOR.X, self.LABOR.y).explain(self.LABOR.X.iloc[[3]])
        return said, plot.explanation(said)

    @pytest.mark.parametrize(
        "model",
        [
            rt.C45(),
            rt.C44(estimate="shrinkage"),
            rt.C44(estimate="wpe"),
            rt.AODE(),
            rt.Bagging(),
            rt.NewtonTree(max_depth=2),
        ],
        ids=str,
    )
    def test_it_ends_with_what_the_model_answers(self, model):
        said, picture = self.drawn(model)
        words = [text.get_text() for ax in picture.axes for text in ax.texts]
        assert {f"{p:.2f}" for p in said.proba.values() if p >= 0.005} <= set(words)
        assert picture.alt == f"{said.title}. {' '.join(said.lines)}"

    def test_the_last_node_of_a_path_has_all_the_weight(self):
        said, picture = self.drawn(rt.C45())
        weights = [text.get_text() for text in picture.axes[-1].texts]
        assert weights == ["weight", "1.00", "1.00"]
        assert len(said.table) > 1

    @pytest.mark.parametrize("model", [rt.NaiveBayes(), rt.PathBayes()])
    def test_what_is_no_mixture_has_another_picture(self, model):
        with pytest.raises(TypeError, match=r"rt\.plot\.factors"):
            self.drawn(model)
