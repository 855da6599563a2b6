"""Lesson 00: its explorer of pairs, its check of depths, and what it develops in view."""

import numpy as np
import pytest
from lesson_cells import cells_of
from pictures import all_text, assert_readable

import ranktrees as rt

CLASSES = np.array(["bad"] * 3 + ["good"] * 2)
SCORES = np.array([5, 4, 2, 4, 3])


@pytest.fixture(scope="module")
def names():
    """What the lesson develops by hand, without the lines that need more than plain Python."""
    cells = cells_of("00")
    found = {"np": np}
    for cell in cells:
        source = "".join(cell["source"])
        if "by-hand" in cell["metadata"].get("tags", []):
            exec(source[source.index("def ") :].split("\n\n\n")[0], found)
    return found


class TestPairs:
    def test_moving_a_case_moves_the_auc(self):
        explorer = rt.explore.pairs(CLASSES, SCORES, "bad")
        assert "3 are ranked right and 1 tied" in explorer.picture.alt  # (3 + 1/2) / 6
        explorer.controls["case"].value = "case 3, bad"
        assert explorer.controls["score"].value == 2
        explorer.controls["score"].value = 3
        assert "3 are ranked right and 2 tied" in explorer.picture.alt
        assert explorer.words.value.count("<tr>") == 3
        assert ">0.667</td>" in explorer.words.value
        assert ">0.583</td>" in explorer.words.value
        assert_readable(explorer.picture, all_text(explorer.picture))

    def test_the_lessons_eleven_cases(self, names):
        eleven = np.array(["bad"] * 5 + ["good"] * 6)
        grid = rt.explore.pairs(eleven, np.array([6, 10, 8, 4, 2, 7, 6, 5, 3, 1, 0]), "bad")
        assert "21 are ranked right and 1 tied" in grid.picture.alt
        before, after = grid.auc_of("case 2, bad", 10), grid.auc_of("case 2, bad", 0)
        by_hand = names["auc_by_pairs"]([6, 0, 8, 4, 2], [7, 6, 5, 3, 1, 0])
        assert after == pytest.approx(by_hand)
        change = [30 * (grid.auc_of("case 1, bad", s) - before) for s in (7, 9, 10)]
        assert np.allclose([30 * before, 30 * after, *change], [21.5, 16, 1, 1.5, 1.5])

    def test_scores_that_are_not_whole_have_a_fine_slider(self):
        explorer = rt.explore.pairs(CLASSES, SCORES / 10, "bad")
        score = explorer.controls["score"]
        assert (score.min, score.max, score.step) == (0, 1, 0.05)

    def test_too_many_cases_and_a_class_that_is_not_there(self):
        with pytest.raises(ValueError, match="13 x 2 pairs are too many"):
            rt.explore.pairs(["bad"] * 13 + ["good"] * 2, range(15), "bad")
        with pytest.raises(ValueError, match="ugly"):
            rt.explore.pairs(CLASSES, SCORES, "ugly")


class TestInView:
    @pytest.mark.parametrize("seed", range(5))
    def test_pairs_are_the_packages(self, names, seed):
        rng = np.random.default_rng(seed)
        bad = rng.permutation(np.arange(40) < 15)
        score = rng.integers(0, 12, 40) / 12 + 0.2 * bad
        auc = names["auc_by_pairs"](score[bad].tolist(), score[~bad].tolist())
        assert auc == pytest.approx(rt.auc(bad, score))

    def test_the_curves_area_is_the_share_of_pairs_and_the_tree_stays(self, names):
        data = rt.load("credit-g")
        train, test = np.split(np.random.default_rng(1).permutation(len(data)), 2)
        full = rt.DecisionTree("gini", "binary").fit(data.X.iloc[train], data.y[train])
        smooth = full.with_estimate("laplace")
        assert smooth.tree_ is full.tree_
        assert full.score(data.X.iloc[train], data.y[train]) == 1
        bad = data.y[test] == "bad"
        for model in (full, smooth):
            score = model.predict_proba(data.X.iloc[test])[:, 0]
            x, y, _ = rt.roc_curve(bad, score, True)
            area = np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2)
            assert area == pytest.approx(names["auc_by_pairs"](score[bad], score[~bad]))

    def test_laplace_by_hand(self, names):
        assert names["laplace"]([20, 0]) == pytest.approx([21 / 22, 1 / 22])
        tree = rt.DecisionTree(estimate="laplace").fit(*_labor()).tree_
        assert np.allclose(rt.estimate.laplace(tree), [names["laplace"](n) for n in tree.counts])


def _labor():
    data = rt.load("labor")
    return data.X, data.y
