"""Pictures in the axes of somebody else's figure, or of another size; names of attributes."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn import metrics

import ranktrees as rt

DATA = rt.load("iris")
NOISE = np.random.default_rng(0).random(100)
TWO = DATA.y[:100].remove_unused_categories(), (np.linspace(0, 1, 100) + NOISE) / 2
TREE = rt.DecisionTree(max_depth=2).fit(DATA.X.to_numpy(float), DATA.y)
SCORED = (rt.plot.roc, rt.plot.pr, rt.plot.calibration, rt.plot.gains)
REPEATED = rt.repeated({"a": rt.C44(), "b": rt.NaiveBayes()}, DATA, n=3)
DRAWN = {
    **{draw.__name__: (draw, TWO) for draw in SCORED},
    "tree": (rt.plot.tree, (TREE,)),
    "strips": (rt.plot.strips, (REPEATED,)),
}


@pytest.fixture
def ax():
    fig, axes = plt.subplots(1, 2)
    yield axes[1]
    plt.close(fig)


@pytest.mark.parametrize("name", DRAWN)
def test_it_draws_in_given_axes_and_gives_them_back(name, ax):
    draw, given = DRAWN[name]
    before = len(ax.figure.axes)
    assert draw(*given, ax=ax) is ax
    assert len(ax.figure.axes) == before
    assert ax.images if name in ("tree", "strips") else ax.lines
    with pytest.raises(ValueError, match="give ax or figure, not both"):
        draw(*given, figure=rt.plot.picture(), ax=ax)
    with pytest.raises(ValueError, match="give ax or figsize, not both"):
        draw(*given, ax=ax, figsize=(3, 3))
    with pytest.raises(TypeError, match="ax must be axes of matplotlib"):
        draw(*given, ax=plt)


@pytest.mark.parametrize("name", DRAWN)
def test_it_has_the_size_that_is_asked_for(name):
    draw, given = DRAWN[name]
    picture = draw(*given, figsize=(9, 6))
    assert picture.get_size_inches().tolist() == [9, 6]
    assert picture.alt == draw(*given).alt
    with pytest.raises(ValueError, match="figsize must be"):
        draw(*given, figsize=(9, 0))


def test_curves_share_axes_with_those_of_other_libraries(ax):
    y, score = TWO
    rt.plot.roc(y, {"ours": score}, ax=ax)
    fpr, tpr, _ = metrics.roc_curve(y, score, pos_label=y.categories[1], drop_intermediate=False)
    np.testing.assert_allclose(ax.lines[0].get_data(), [100 * fpr, 100 * tpr])
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert any(text.startswith("ours, AUC 0.") for text in words)
    assert any(text.startswith("95 %: ") for text in words)


class TestNames:
    NAMES = ("petal l", "petal w", "sepal l", "sepal w")

    def test_of_arrays_are_given_once(self):
        data = rt.Dataset(DATA.X.to_numpy(float), DATA.y, names=self.NAMES)
        assert list(data.X) == list(self.NAMES)
        model = rt.DecisionTree().fit(data.X, data.y)
        assert model.feature_names_in_.tolist() == list(self.NAMES)
        assert any(name in str(model.tree_) for name in self.NAMES)

    def test_of_a_tree_are_put_in_its_texts_and_pictures(self):
        named = TREE.tree_.with_names(self.NAMES)
        assert "x2" in TREE.tree_.to_text()
        assert "x2" not in named.to_text()
        assert "sepal l" in named.to_text()
        assert named.rules()[0] != TREE.tree_.rules()[0]
        alt = rt.plot.tree(TREE, feature_names=self.NAMES).alt
        assert "the root tests sepal" in alt
        codes = TREE.encode(DATA.X.to_numpy(float)).values
        assert np.array_equal(named.apply(codes), TREE.tree_.apply(codes))

    @pytest.mark.parametrize("names", [["a"], ["a", "a", "b", "c"], "abcd", list("abcde")])
    def test_others_are_refused(self, names):
        with pytest.raises((TypeError, ValueError), match="names"):
            TREE.tree_.with_names(names)
        with pytest.raises((TypeError, ValueError), match=r"names|more than once|twice"):
            rt.Dataset(DATA.X.to_numpy(float), DATA.y, names=names)
