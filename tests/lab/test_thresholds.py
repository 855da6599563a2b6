"""The explorer of thresholds, and its picture: two classes of scores, two curves, costs."""

import numpy as np
import pytest

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.plot.operating import Operating


@pytest.fixture
def ranked():
    """60 cases of two classes, with tied scores."""
    rng = np.random.default_rng(4)
    y = np.where(rng.random(60) < 0.4, "bad", "good")
    return y, np.round(rng.random(60) * 0.6 + 0.3 * (y == "bad"), 1)


def test_made_up_scores_are_probabilities_and_precision_follows_the_share(ranked):
    explorer = rt.explore.roc(*ranked, "bad")
    for name, found in (("separated", 50), ("overlapping", 50), ("unbalanced", 5)):
        explorer.controls["share"].value = 30
        explorer.controls["scores"].value = name
        assert explorer.settings["share"] == found, "it begins with that of the scores"
        points = explorer.points(0.2, 4, found, name)
        assert points.threshold[points.best] == pytest.approx(0.2, abs=0.05), "Elkan's"
    few, many = (explorer.points(0.2, 1, share, "overlapping") for share in (1, 50))
    assert (few.tpr == many.tpr).all()
    assert (few.precision < many.precision)[few.fpr > 0].all()
    assert few.precision[-1] == pytest.approx(0.01)
    hits, score = np.array([1, 1, 0, 0, 1, 0], bool), np.array([6, 5, 4, 3, 2, 1])
    precision = Operating.of(hits, score, 3, 1, 0.5).precision
    assert precision[1:] == pytest.approx([1, 1, 2 / 3, 1 / 2, 3 / 5, 1 / 2])


def test_no_line_leaves_its_frame_and_the_called_are_in_full_colour(ranked):
    for price, share in ((0.01, 0.01), (1, 0.5), (100, 0.99), (0, 0)):
        fig = plot.operating(*ranked, 0.5, price, share, "bad")
        for ax in fig.axes[1:3]:
            ends = np.concatenate([line.get_xydata() for line in ax.lines])
            assert np.nanmin(ends) >= -1e-9
            assert np.nanmax(ends) <= 100 + 1e-9
        full, pale = (
            sum(abs(bar.get_data().values).sum() for bar in fig.axes[0].patches[way::2])
            for way in (0, 1)
        )
        called, hits = ranked[1] >= 0.5, ranked[0] == "bad"
        assert full == pytest.approx(100 * (called[hits].mean() + called[~hits].mean()))
        assert full + pale == pytest.approx(200)
