"""Lesson 15: its checks, its picture, its worked examples, and what it says of 35 sets."""

import math
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of, put_out_in_words

import ranktrees as rt
from ranktrees.plain import path_bayes as plain
from ranktrees_lab import plot


class TestStrips:
    table = pd.DataFrame({"one": [0.1, -0.2, 0.3, np.nan], "two": [0.0, 1.0, 2.0, 3.0]})

    def test_it_says_what_it_draws(self):
        fig = plot.differences(self.table, "difference")
        assert "one: above 0 in 2 of 3, -0.2 to +0.3, mean +0.0667;" in fig.alt
        assert "two: above 0 in 3 of 4, +0 to +3, mean +1.5." in fig.alt
        ax = fig.axes[0]
        dots, bar = ax.lines[1], ax.lines[2]
        assert dots.get_xdata().tolist() == [0.1, -0.2, 0.3]
        assert bar.get_xdata()[0] == pytest.approx(0.2 / 3)
        assert {"above 0 in 2 of 3", "above 0 in 3 of 4"} <= {text.get_text() for text in ax.texts}

    def test_dots_stay_in_their_row(self):
        many = pd.DataFrame({"one": np.zeros(200), "two": np.ones(200)})
        lines = plot.differences(many, "difference").axes[0].lines
        for row in (0, 1):
            y = lines[1 + 2 * row].get_ydata()
            assert np.abs(y - row).max() <= 0.25
            assert len(np.unique(y)) == 200

    def test_wrong_input_is_named(self):
        with pytest.raises(ValueError, match="there is no column"):
            plot.differences(pd.DataFrame(), "difference")
        for bad in (np.nan, np.inf):
            with pytest.raises(ValueError, match="the column 'one' has none"):
                plot.differences(self.table.assign(one=bad), "difference")


@pytest.fixture(scope="module")
def lesson():
    return cells_of("15")


def one_after_the_other(cases, V):
    """The product of the predictions of cases, each by the shares of those before it."""
    seen, p = [], 1.0
    for case in cases:
        p *= (seen.count(case) + 1 / 2) / (len(seen) + V / 2)
        seen.append(case)
    return p


class TestWorkedByHand:
    def test_evidence_is_the_same_in_every_order(self):
        for order in permutations("+++-"):
            assert one_after_the_other(order, 2) == pytest.approx(15 / 384)
        for cases in ("a", "ab", "aabba", "abcabcc"):
            n = [cases.count(value) for value in "abc"]
            e = math.exp(plain.log_evidence(n))
            assert one_after_the_other(cases, 3) == pytest.approx(e)

    def test_the_leaves_of_the_small_tree_weigh_four_times_the_root(self):
        root, left, right = (math.exp(plain.log_evidence(n)) for n in ([3, 1], [3, 0], [0, 1]))
        assert left * right / root == pytest.approx(4)

    def test_one_attribute(self, lesson):
        two, one = (math.exp(plain.log_evidence(n)) for n in ([2, 0], [1, 1]))
        root, leaves = (9 / 384) ** 2, (3 / 64) ** 2
        assert math.exp(2 * plain.log_evidence([2, 2])) == pytest.approx(root)
        assert (two * one) ** 2 == pytest.approx(leaves) == 4 * root
        (cell,) = [c for c in lesson if c["id"] == "code-22"]
        assert "0.767" in put_out_in_words(cell)


def test_left_out_counts_by_hand():
    """Three of four cases of the class have the value: .70 with the case, .625 without it."""
    node = rt.plain.tree.Node(np.array([4, 0]))
    n = {node: np.array([[3, 1], [0, 0]])}
    stop = {node: 1.0}
    assert plain.mixed([node], stop, n)[0, 0] == pytest.approx(0.7)
    left_out = rt.plain.path_weights.left_out
    assert left_out([node], stop, n, v=0, c=0, gone=1) == pytest.approx(0.625)


@pytest.mark.parametrize("seed", [1, 2])
def test_copies_of_purpose_hurt_more(seed):
    """By how much ten copies raise the log loss, as Exercise 1 asks."""
    credit, losses = rt.load("credit-g"), {}
    for name in ("checking_status", "purpose"):
        copied = credit.X.assign(**{f"copy {i}": credit.X[name] for i in range(10)})
        p = rt.cross_val_proba(rt.C45(estimate="path-bayes"), copied, credit.y, k=2, seed=seed)
        losses[name] = rt.log_loss(credit.y, p)
    assert losses["purpose"] > losses["checking_status"] + 0.05


def test_learnt_weights_bear_ten_copies_but_not_a_hundred():
    credit, how = rt.load("credit-g"), {"k": 2, "seed": 3}
    equal, learnt = rt.C45(estimate="path-bayes"), rt.PathBayes()

    def loss(model, copies):
        X = credit.X.assign(**{f"copy {i}": credit.X["purpose"] for i in range(copies)})
        return rt.log_loss(credit.y, rt.cross_val_proba(model, X, credit.y, **how))

    alone = loss(learnt, 0)
    assert loss(learnt, 10) < alone + 0.01
    assert loss(learnt, 100) > alone + 1
    assert loss(equal, 10) > loss(equal, 0) + 0.2


def test_copies_of_the_roots_attribute_look_below_it_and_fall_silent():
    credit = rt.load("credit-g")
    copied = credit.X.assign(**{f"copy {i}": credit.X["checking_status"] for i in range(10)})
    model = rt.C45(estimate="path-bayes").fit(copied, credit.y)
    told = model.explain(copied.iloc[[0]]).table.loc["copy 0"]
    assert told["at node 0"] < 1e-9
    assert abs(told["log odds"]) < 0.01


def test_trees_are_as_large_as_the_lesson_says():
    credit, monks = rt.load("credit-g"), rt.load("monks-2")
    assert len(rt.C44().fit(credit.X, credit.y).tree_) == 404
    assert len(rt.C45().fit(monks.X, monks.y).tree_) == 1


@pytest.fixture(scope="module")
def frame():
    return rt.papers.results("path-forest")[1]


@pytest.fixture(scope="module")
def beside_the_papers():
    return rt.papers.results("path-bayes")[1]


class TestStudies:
    """What the lesson and the page of evidence say, by the results kept with the project."""

    paper, own = rt.papers.STUDIES["path-forest"], rt.papers.STUDIES["path-bayes"]

    def standing(self, frame, measure, group="all"):
        return rt.papers.standing(frame, self.paper, "path forest", measure, group)

    def test_nothing_is_missing(self, frame, beside_the_papers):
        counts = frame.groupby("method")["dataset"].nunique()
        assert counts.pop("EBM without pairs") == 27
        assert set(counts) == {31}
        sets = beside_the_papers.groupby("method")["dataset"].nunique()
        assert (len(sets), set(sets)) == (20, {35})

    def test_log_loss_against_other_libraries(self, frame):
        table = self.standing(frame, "log-loss-clipped")
        rivals = ["random forest", "boosting", "LightGBM"]
        assert (table.loc[rivals, "holm"] <= 0.002).all()
        assert table.loc[[*rivals, "EBM without pairs"], "higher"].tolist() == [
            "26/0/5",
            "25/0/6",
            "25/0/6",
            "17/0/10",
        ]
        assert table.loc["EBM without pairs", "holm"] > 0.1
        outside = self.standing(frame, "log-loss-clipped", "outside")
        assert outside.loc[rivals, "higher"].tolist() == ["10/0/3", "11/0/2", "10/0/3"]
        assert outside.loc[rivals, "holm"].min() > 0.05

    def test_brier_score_against_other_libraries(self, frame):
        table = self.standing(frame, "brier")
        rivals = ["random forest", "boosting", "LightGBM"]
        assert table.loc[rivals, "higher"].tolist() == ["22/0/9", "21/0/10", "20/0/11"]
        assert (table.loc[rivals, "holm"] < 0.05).all()
        assert -math.log(1e-15) == pytest.approx(34.5, abs=0.05)

    def test_ranking_against_other_libraries(self, frame):
        table = self.standing(frame, "auc")
        rivals = ["random forest", "LightGBM", "EBM without pairs"]
        assert table.loc[rivals, "higher"].tolist() == ["15/2/14", "18/1/12", "15/1/11"]
        assert table.loc[rivals, "holm"].min() > 0.05

    def test_where_others_are_ahead(self, frame):
        auc, loss = (
            frame.query("measure == @measure").pivot_table("value", "dataset", "method").round(3)
            for measure in ("auc", "log-loss-clipped")
        )
        said = {"path forest": 0.851, "logistic regression": 0.946, "EBM without pairs": 0.999}
        assert auc.loc["balance-scale", list(said)].to_dict() == said
        for name in ("vehicle", "car"):
            assert auc.loc[name, "EBM without pairs"] > auc.loc[name, "path forest"]
            assert loss.loc[name, "EBM without pairs"] < loss.loc[name, "path forest"]
        assert loss.loc["car", "boosting"] < 0.1 * loss.loc["car", "path forest"]
        for name in ("LightGBM", "boosting"):
            assert 0 < auc.loc["adult", name] - auc.loc["adult", "path forest"] < 0.003

    def test_the_forest_beside_the_papers_methods(self, beside_the_papers):
        how = beside_the_papers, self.own, "path forest learnt"
        loss = rt.papers.standing(*how, "log-loss-clipped", "report")
        assert len(loss) == 19
        assert (loss["holm"] < 0.01).all()
        assert (loss["ours"].round(3) == 0.239).all()
        auc = rt.papers.standing(*how, "auc", "report")
        assert (auc["ours"].round(3) == 0.958).all()
        assert set(auc.index[auc["holm"] > 0.05]) == {
            "path Bayes EM",
            "random forest (raw)",
            "boosting (raw)",
        }
        assert auc.loc["random forest (raw)", "higher"] == "11/1/5"

    def test_path_bayes_beside_the_papers_methods(self, beside_the_papers):
        how = beside_the_papers, self.own, "path Bayes MDL learnt (raw)"
        auc = rt.papers.standing(*how, "auc", "report")
        trees = ["C4.4", "C44-S", "C44-C", "hierarchical shrinkage"]
        worse = auc.index[(auc["holm"] < 0.05) & (auc["mean"] < auc["ours"])]
        assert set(worse) == set(trees)
        loss = rt.papers.standing(*how, "log-loss-clipped", "report")
        equal = loss.loc["path Bayes MDL (raw)"]
        assert (equal["higher"], round(equal["holm"], 3)) == ("16/0/1", 0.014)
        assert [round(equal[name], 3) for name in ("ours", "mean")] == [0.305, 0.350]
