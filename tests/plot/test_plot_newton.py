"""Newton trees drawn as masses: what is shown, that nothing overlaps, and the map of attraction."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from drawings import PETALS, case, data, drawn, fitted, shop
from matplotlib.collections import PathCollection
from pictures import all_text, assert_readable, words_of

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.plot.trees import RADIUS, SMALLEST, fitting, pulled


def grown(name, **settings):
    return fitted("NewtonTree", name, **settings), data(name)


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


def test_areas_are_masses_and_wedges_are_shares():
    model, iris = grown("iris", max_depth=2)
    _, plan = fitting(model.tree_, None)
    found = [(plan.look.radius(spot), spot.node.counts.sum()) for spot in plan.spots]
    per_mass = [radius**2 / mass for radius, mass in found if radius > SMALLEST]
    np.testing.assert_allclose(per_mass, RADIUS**2 / 150)
    with_end = fitting(model.tree_, pulled(model, iris.X.iloc[[0]]))[1]
    assert with_end.size[1] > plan.size[1], "discs with an end are taller"


def test_edges_are_as_wide_as_they_are_probable():
    model, iris = grown("iris", max_depth=2)
    example = iris.X.iloc[[70]]
    fig = plot.newton_tree(model, example)
    (edges,) = fig.axes[0].findobj(PathCollection)
    reach = np.sort(model.reach(example)[0, 1:])
    np.testing.assert_allclose(np.sort(edges.get_linewidths()), np.maximum(8 * reach, 0.5))
    words = words_of(fig)
    shares = sorted(f"{p:.2f}" for p in model.attraction(example)[0, 1:])
    assert sorted(w for w in words if w.replace(".", "").isdigit()) == shares
    ends = model.reach(example)[0, model.tree_.is_leaf]
    assert sorted(w for w in words if w.startswith("p = ")) == sorted(f"p = {p:.3f}" for p in ends)


def test_words_and_sentence_of_a_small_tree():
    model, iris = grown("iris", max_depth=1)
    fig = plot.newton_tree(model)
    expected = {"petalwidth (150)", "π = 0.2", "π = 1.3", "π = 2", "Iris-setosa (50)"}
    assert expected <= set(words_of(fig))
    assert fig.alt == (
        "A tree of prototypes with 4 nodes, 3 leaves and depth 1: the root compares petalwidth "
        "with the prototypes of its 3 children, masses in brackets: 0.2 (50), 1.3 (52) and 2 (48)."
    )
    alt = plot.newton_tree(model, case("iris")).alt
    assert alt.endswith("likeliest leaf has p = 1.000. P(Iris-setosa) = 0.962.")
    gap = iris.X.iloc[[0]].assign(petalwidth=np.nan)
    words = set(words_of(plot.newton_tree(model, gap)))
    assert {"0.33", "0.35", "0.32"} <= words, "a missing value is pulled by mass"


def test_an_example_comes_in_any_form():
    model, baskets = shop(max_depth=2)
    frame, row = baskets.X.iloc[[3]], baskets.X.iloc[3]
    for form in (frame, row, row.to_dict(), row.tolist()):
        found = pulled(model, form)
        np.testing.assert_allclose(found["proba"], model.predict_proba(frame)[0])
        assert found["reach"][0] == found["share"][0] == 1


@cache
def flowers():
    iris = data("iris")
    return rt.NewtonTree(max_depth=2).fit(iris.X[list(PETALS)], iris.y), iris


def test_colours_of_the_map_are_mixed_probabilities():
    model, iris = flowers()
    fig = plot.attraction_map(model, iris, PETALS)
    image = fig.axes[0].images[0]
    pixels, (left, right, low, high) = image.get_array(), image.get_extent()
    rows, columns = pixels.shape[:2]
    i, j = 30, 100
    x = left + (j + 0.5) / columns * (right - left)
    y = low + (i + 0.5) / rows * (high - low)
    p = model.predict_proba(pd.DataFrame([[x, y]], columns=PETALS))[0]
    colours = [[int(c[k : k + 2], 16) / 255 for k in (1, 3, 5)] for c in plot.class_colours(3)]
    np.testing.assert_allclose(pixels[i, j], 0.8 * p @ colours + 0.2, atol=1e-6)
    assert "make 5 regions; 7 prototypes are marked" in fig.alt


def test_prototypes_stand_at_their_values():
    model, iris = flowers()
    ax, tree = plot.attraction_map(model, iris, PETALS, points=False).axes[0], model.tree_
    spots = [c.get_offsets()[0] for c in ax.collections[1:]]
    names = [info.name for info in tree.schema]
    for t, spot in zip(range(1, len(tree)), spots, strict=True):
        which = PETALS.index(names[tree.attribute[tree.parent[t]]])
        assert spot[which] == pytest.approx(tree.value(t))
    sizes = [c.get_sizes()[0] for c in ax.collections[1:]]
    np.testing.assert_allclose(sizes, 900 * tree.mass[1:] / 150)


def test_the_map_of_gaps_and_other_attributes():
    credit = data("credit-g")
    X = credit.X.assign(age=credit.X["age"].where(np.arange(len(credit)) > 2))
    large = fitted("NewtonTree", "credit-g", max_depth=3)
    fig = plot.attraction_map(large, rt.Dataset(X, credit.y), ("duration", "age"))
    assert_readable(fig, all_text(fig))
    assert "mean or most frequent value" in fig.alt
    assert fig.alt.endswith("3 cases with a missing value left out.")
