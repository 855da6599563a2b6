"""Newton trees drawn as masses: what is shown, that nothing overlaps, and the map of attraction."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.patches import Wedge
from pictures import all_text, assert_readable

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.data import structured
from ranktrees_lab.plot.trees import RADIUS, SMALLEST, fitting, pulled

AROUND = {"hour": ("cyclic", 24)}


@cache
def grown(name, **settings):
    data = rt.load(name)
    return rt.NewtonTree(**settings).fit(data.X, data.y), data


@cache
def shop(**settings):
    data = structured.baskets()
    return rt.NewtonTree(distances=AROUND, **settings).fit(data.X, data.y), data


@cache
def texts():
    data = structured.fragments()
    return rt.NewtonTree(distances={"fragment": "levenshtein"}).fit(data.X, data.y), data


def centres():
    data = rt.load("iris")
    return rt.CentreSplitting(max_depth=2).fit(data.X, data.y), data


DRAWN = {
    "baskets": lambda: shop(),
    "fragments": texts,
    "credit-g": lambda: grown("credit-g"),
    "centres": centres,
}


@pytest.mark.parametrize("depth", [None, 1, 2])
@pytest.mark.parametrize("name", DRAWN)
def test_no_words_overlap_or_leave_the_picture(name, depth):
    model, data = DRAWN[name]()
    fig = plot.newton_tree(model, data.X.iloc[[60]], max_depth=depth)
    assert_readable(fig, all_text(fig))
    assert max(fig.get_size_inches()) < 14


TWENTY = {
    "iris": lambda: grown("iris"),
    "soybean": lambda: grown("soybean", max_depth=4),
    "baskets": lambda: shop(max_depth=4, min_parent=8),
}


@pytest.mark.parametrize("name", TWENTY)
def test_up_to_twenty_leaves_are_drawn_whole_and_readable(name):
    model, data = TWENTY[name]()
    assert 13 <= model.tree_.n_leaves <= 20
    for example in (None, data.X.iloc[[7]]):
        fig = plot.newton_tree(model, example)
        assert "nodes lie below" not in fig.alt
        words = [t.get_text() for t in fig.axes[0].texts]
        assert sum(w.startswith("π = ") for w in words) == len(model.tree_) - 1
        assert_readable(fig, all_text(fig))


def test_a_large_tree_says_what_lies_below():
    model, _ = grown("soybean")
    fig = plot.newton_tree(model)
    words = [t.get_text() for t in fig.axes[0].texts]
    hidden = sum(int(w.split()[1]) for w in words if w.startswith("…") and w.endswith("below"))
    assert hidden > 100
    assert f"; {hidden} nodes lie below." in fig.alt


def test_areas_are_masses_and_wedges_are_shares():
    model, _ = grown("iris", max_depth=2)
    _, plan = fitting(model.tree_, None)
    radii = [plan.look.radius(spot) for spot in plan.spots]
    masses = [spot.node.counts.sum() for spot in plan.spots]
    large = [k for k, r in enumerate(radii) if r > SMALLEST]
    per_mass = [radii[k] ** 2 / masses[k] for k in large]
    np.testing.assert_allclose(per_mass, RADIUS**2 / 150)
    wedges = plan.look.wedges(plan.spots[0].node.counts, (0, 0), 1, plot.class_colours(3))
    assert all(isinstance(w, Wedge) for w in wedges)
    np.testing.assert_allclose([w.theta2 - w.theta1 for w in wedges], [120, 120, 120])


def test_edges_are_as_wide_as_they_are_probable():
    model, data = grown("iris", max_depth=2)
    example = data.X.iloc[[70]]
    fig = plot.newton_tree(model, example)
    (edges,) = fig.axes[0].findobj(PathCollection)
    reach = np.sort(model.reach(example)[0, 1:])
    np.testing.assert_allclose(np.sort(edges.get_linewidths()), np.maximum(8 * reach, 0.5))
    words = [t.get_text() for t in fig.axes[0].texts]
    shares = sorted(f"{p:.2f}" for p in model.attraction(example)[0, 1:])
    assert sorted(w for w in words if w.replace(".", "").isdigit()) == shares
    ends = model.reach(example)[0, model.tree_.is_leaf]
    assert sorted(w for w in words if w.startswith("p = ")) == sorted(f"p = {p:.3f}" for p in ends)


def test_words_and_sentence_of_a_small_tree():
    model, data = grown("iris", max_depth=1)
    fig = plot.newton_tree(model)
    words = [t.get_text() for t in fig.axes[0].texts]
    assert {"petalwidth (150)", "π = 0.2", "π = 1.3", "π = 2", "Iris-setosa (50)"} <= set(words)
    assert fig.alt == (
        "A tree of prototypes with 4 nodes, 3 leaves and depth 1: the root compares petalwidth "
        "with the prototypes of its 3 children, masses in brackets: 0.2 (50), 1.3 (52) and 2 (48)."
    )
    case = data.X.iloc[0]
    alt = plot.newton_tree(model, case).alt
    assert alt.endswith("likeliest leaf has p = 1.000. P(Iris-setosa) = 0.962.")


@pytest.mark.parametrize("kind", ["frame", "row", "dict", "list"])
def test_an_example_comes_in_any_form(kind):
    model, data = shop(max_depth=2)
    row = data.X.iloc[3]
    forms = {"frame": data.X.iloc[[3]], "row": row, "dict": row.to_dict(), "list": row.tolist()}
    found = pulled(model, forms[kind])
    np.testing.assert_allclose(found["proba"], model.predict_proba(data.X.iloc[[3]])[0])
    assert found["reach"][0] == found["share"][0] == 1
    assert plot.newton_tree(model, forms[kind]).alt == plot.newton_tree(model, row).alt


def test_a_missing_value_is_pulled_by_mass():
    model, data = grown("iris", max_depth=1)
    gap = data.X.iloc[[0]].assign(petalwidth=np.nan)
    words = [t.get_text() for t in plot.newton_tree(model, gap).axes[0].texts]
    assert {"0.33", "0.35", "0.32"} <= set(words)


def test_errors_of_newton_tree():
    model, data = grown("iris", max_depth=1)
    with pytest.raises(TypeError, match=r"DecisionTree: a tree without prototypes .* plot\.tree"):
        plot.newton_tree(rt.DecisionTree().fit(data.X, data.y))
    with pytest.raises(TypeError, match="is needed, not list"):
        plot.newton_tree([1])
    with pytest.raises(ValueError, match=r"no tree yet: call fit\(X, y\) first"):
        plot.newton_tree(rt.NewtonTree())
    with pytest.raises(ValueError, match="there are 2: pick one"):
        plot.newton_tree(model, data.X[:2])
    with pytest.raises(ValueError, match="max_depth must be at least 0"):
        plot.newton_tree(model, max_depth=-1)


def test_discs_with_an_end_are_taller():
    model, data = grown("iris", max_depth=1)
    bare = fitting(model.tree_, None)[1]
    with_end = fitting(model.tree_, pulled(model, data.X.iloc[[0]]))[1]
    assert with_end.size[1] > bare.size[1]


@pytest.fixture(scope="module")
def flowers():
    data = rt.load("iris")
    return rt.NewtonTree(max_depth=2).fit(data.X[["petallength", "petalwidth"]], data.y), data


class TestAttractionMap:
    pair = ("petallength", "petalwidth")

    def test_colours_are_mixed_probabilities(self, flowers):
        model, data = flowers
        fig = plot.attraction_map(model, data, self.pair)
        assert_readable(fig, all_text(fig))
        image = fig.axes[0].images[0]
        pixels, (left, right, low, high) = image.get_array(), image.get_extent()
        rows, columns = pixels.shape[:2]
        i, j = 30, 100
        x = left + (j + 0.5) / columns * (right - left)
        y = low + (i + 0.5) / rows * (high - low)
        p = model.predict_proba(pd.DataFrame({self.pair[0]: [x], self.pair[1]: [y]}))[0]
        blue, orange, green = (
            np.array([int(c[k : k + 2], 16) / 255 for k in (1, 3, 5)])
            for c in plot.class_colours(3)
        )
        mixed = p[0] * blue + p[1] * orange + p[2] * green
        np.testing.assert_allclose(pixels[i, j], 0.8 * mixed + 0.2, atol=1e-6)
        assert "make 5 regions; 7 prototypes are marked" in fig.alt

    def test_prototypes_stand_at_their_values(self, flowers):
        model, data = flowers
        ax = plot.attraction_map(model, data, self.pair, points=False).axes[0]
        tree = model.tree_
        spots = [c.get_offsets()[0] for c in ax.collections[1:]]
        names = [info.name for info in tree.schema]
        for t, spot in zip(range(1, len(tree)), spots, strict=True):
            which = self.pair.index(names[tree.attribute[tree.parent[t]]])
            assert spot[which] == pytest.approx(tree.value(t))
        sizes = [c.get_sizes()[0] for c in ax.collections[1:]]
        np.testing.assert_allclose(sizes, 900 * tree.mass[1:] / 150)

    def test_points_gaps_and_other_attributes(self):
        data = rt.load("credit-g")
        X = data.X.copy()
        X.loc[X.index[:3], "age"] = np.nan
        model = rt.NewtonTree(max_depth=3).fit(data.X, data.y)
        fig = plot.attraction_map(model, rt.Dataset(X, data.y), ("duration", "age"))
        assert_readable(fig, all_text(fig))
        assert "mean or most frequent value" in fig.alt
        assert fig.alt.endswith("3 cases with a missing value left out.")

    def test_arrays_and_errors(self, flowers):
        model, data = flowers
        plain = rt.NewtonTree(max_depth=1).fit(data.X.to_numpy()[:, 2:], data.y)
        frame = pd.DataFrame(data.X.to_numpy()[:, 2:], columns=["a", "b"])
        assert "over a and b" in plot.attraction_map(plain, rt.Dataset(frame, data.y)).alt
        with pytest.raises(ValueError, match="two different names"):
            plot.attraction_map(model, data, ("petalwidth", "petalwidth"))
        with pytest.raises(TypeError, match=r"plot\.tree"):
            plot.attraction_map(rt.NaiveBayes().fit(data.X, data.y), data)
