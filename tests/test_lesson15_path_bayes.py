"""Lesson 15: its checks, its picture, its worked examples, and what it says of 35 sets."""

import math
import re
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of, put_out_in_words

import ranktrees as rt
from ranktrees.plain import path_bayes as plain
from ranktrees_lab import plot
from ranktrees_lab.check.path_bayes import STUDIED, number_of_prunings


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (9 / 384, "hardest to predict"),
            (0.0234, "hardest to predict"),
            (1 / 16, "known to be 1/2"),
            (0.5625, "above the line"),
            (6 * 9 / 384, "all six orders"),
            (1 / 30, "whole case of each"),
            (0.3, "is not it"),
        ],
    )
    def test_evidence_of_two_and_two(self, answer, words):
        verdict = rt.check.evidence_of_two_and_two(answer)
        assert verdict.right is (abs(answer - 9 / 384) < 5e-5)
        assert words in repr(verdict)

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (number_of_prunings, "1 for a leaf"),
            (lambda tree: number_of_prunings(tree, cut=0), "Each node may also be cut"),
            (lambda tree: number_of_prunings(tree, together=sum), "multiplied"),
            (lambda tree: 2 ** int((~tree.is_leaf).sum()), "nothing below it can"),
            (lambda tree: len(tree), "multiplied"),
            (lambda tree: 12, "contact-lenses has 4 prunings, not 12. Begin with a leaf"),
            (lambda tree: "many", "cannot be read"),
        ],
    )
    def test_prunings_function(self, function, words):
        verdict = rt.check.prunings_function(function)
        assert verdict.right is (function is number_of_prunings)
        assert words in repr(verdict)

    def test_prunings_function_untouched(self):
        assert rt.check.prunings_function(lambda tree, t=0: ...).right is None

    @pytest.mark.parametrize(
        ("answer", "words"),
        [("purpose", "measures it"), ("root", "one value left"), ("both", "'root' or 'purpose'")],
    )
    def test_harmful_copies(self, answer, words):
        verdict = rt.check.harmful_copies(answer)
        assert verdict.right is (answer == "purpose")
        assert words in repr(verdict)

    def test_learnt_depth_study(self):
        labor = rt.load("labor")
        four = (
            rt.C45(estimate="path-bayes"),
            rt.C45(estimate="path-bayes-em"),
            rt.C44(estimate="path-bayes"),
            rt.NaiveBayes(),
        )
        aucs = [rt.cross_validate(model, labor)["auc"].mean() for model in four]
        study = dict(zip(STUDIED, aucs, strict=True))
        assert rt.check.learnt_depth_study(("labor", study))
        wrong = rt.check.learnt_depth_study(("labor", {**study, "learnt": 0.5}))
        assert "learnt has a mean AUC of" in repr(wrong)
        assert "segment has 2310 cases" in repr(rt.check.learnt_depth_study(("segment", study)))
        assert "The keys must be path Bayes" in repr(rt.check.learnt_depth_study(("labor", {})))


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


def test_what_is_printed_fits_on_a_screen(lesson):
    shown = [c for c in lesson if "by-hand" in c["metadata"].get("tags", [])]
    assert len(shown) >= 7
    printed = re.findall(
        r"^def (\w+)\(", "\n".join(map(put_out_in_words, coded_cells(lesson))), re.M
    )
    assert {"log_evidence", "stops", "path_weights", "mixed", "path_bayes", "halves"} <= set(
        printed
    )


def coded_cells(cells):
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_the_package_says_the_same_three_times(lesson):
    said = "\n".join(map(put_out_in_words, coded_cells(lesson)))
    assert re.findall(r"the package says the same: (\w+)", said) == ["True"] * 3


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("text-23", "code-22"),
        ("text-30", "code-29"),
        ("text-38", "code-37"),
        ("text-56", "code-55"),
    ],
)
def test_numbers_of_the_text_stand_in_the_output_above_it(lesson, text, output):
    cells = {cell["id"]: cell for cell in lesson}
    put_out = put_out_in_words(cells[output])
    said = re.findall(r"(?<![\w.])\.\d+", "".join(cells[text]["source"]))
    assert said
    assert {n for n in said if not re.search(rf"\b0?\{n}\b", put_out)} == set()


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


def test_checks_are_folded_and_nothing_else_asserts(lesson):
    for cell in lesson:
        if cell["cell_type"] == "code" and re.search("^assert ", "".join(cell["source"]), re.M):
            assert "verify" in cell["metadata"]["tags"]
            assert cell["metadata"]["jupyter"]["source_hidden"]


def test_its_minutes_are_those_it_says(lesson):
    text = "\n".join("".join(c["source"]) for c in lesson if c["cell_type"] == "markdown")
    (whole,) = re.findall(r"\*\*Time:\*\* (\d+) minutes", text)
    assert sum(int(n) for n in re.findall(r"^## .*\((\d+) min\)$", text, re.M)) == int(whole) <= 45


@pytest.fixture(scope="module")
def study():
    return rt.papers.STUDIES["path-bayes"]


@pytest.fixture(scope="module")
def found():
    return rt.papers.results("path-bayes")[1]


@pytest.fixture(scope="module")
def table(study, found):
    table = rt.papers.study_table(found, study)
    return table.set_index(["measure", "group", "method"]).sort_index()


@pytest.fixture(scope="module")
def points(found):
    """Points of AUC that each method is ahead of path Bayes, a row per set."""
    auc = 100 * found.query("measure == 'auc'").pivot_table("value", "dataset", "method")
    return auc.sub(auc["path Bayes"], axis=0)


class TestStudy:
    """What the lesson and README say of the 35 sets, by the results kept with the project."""

    level = ("AODE", "logistic regression", "boosting", "random forest")
    trees = ("C4.4", "C44-S", "C44-C", "hierarchical shrinkage")
    model, forest = "path Bayes MDL (raw)", "path forest"

    def test_nothing_is_missing(self, study, found):
        assert found.groupby(["dataset", "method"]).ngroups == 35 * len(study.methods)

    def test_the_guess_has_one_answer(self, table):
        mean = table.loc[("auc", "report"), "mean"].round(3)
        asked = ["C4.4", "CITree", "naive Bayes", "AODE", self.model, "random forest (raw)"]
        assert mean[asked].idxmax() == "random forest (raw)"
        assert mean[["random forest (raw)", self.model, self.forest]].tolist() == [
            0.956,
            0.947,
            0.955,
        ]

    def test_who_is_ahead_of_path_bayes_on_ten_bins(self, table, points):
        report = table.loc[("auc", "report")]
        for tree in self.trees:
            assert report["higher"][tree] == "16/1/0"
            assert points.loc["mushroom", tree] == pytest.approx(0, abs=1e-9)
        said = {
            "CITree": ("14/1/2", 0.018),
            "naive Bayes along the path": ("13/0/4", 0.031),
            "naive Bayes": ("12/1/4", 0.093),
            "Newton tree (raw)": ("11/1/5", 0.117),
            "random forest (raw)": ("3/1/13", 0.025),
            "path Bayes EM": ("6/2/9", 0.268),
            self.model: ("11/1/5", 0.433),
            self.forest: ("4/2/11", 0.030),
        }
        assert {m: (report["higher"][m], round(report["p"][m], 3)) for m in said} == said
        level = report.loc[list(self.level)]
        assert level["higher"].tolist() == ["11/0/6", "11/1/5", "10/1/6", "8/1/8"]
        assert level["p"].min() > 0.15

    def test_what_holm_leaves_of_seventeen_tests(self, table):
        auc = rt.holm(table.loc[("auc", "report"), "p"].drop("path Bayes"))
        assert len(auc) == 17
        assert set(auc[auc < 0.05].index) == set(self.trees)
        fall = ["CITree", "naive Bayes", "random forest (raw)"]
        assert auc[fall].round(2).tolist() == [0.24, 0.84, 0.30]
        log_loss = rt.holm(table.loc[("log-loss-clipped", "report"), "p"].drop("path Bayes"))
        assert log_loss["naive Bayes"] == pytest.approx(0.038, abs=0.0005)

    def test_what_the_model_itself_proves(self, found, study):
        auc, holm = against(found, study, self.model, "auc")
        assert set(holm[holm < 0.05].index) == {*self.trees, "random forest (raw)", self.forest}
        assert auc[
            ["naive Bayes", "CITree", "AODE", "random forest (raw)", self.forest]
        ].tolist() == [
            "9:8",
            "7:9",
            "8:9",
            "2:14",
            "0:16",
        ]
        won, holm = against(found, study, self.model, "log-loss-clipped")
        assert (won["naive Bayes"], round(holm["naive Bayes"], 2)) == ("13:4", 0.14)
        assert holm["C4.4"] < 0.001

    def test_what_the_forest_proves(self, found, study):
        auc, holm = against(found, study, self.forest, "auc")
        proven = {*self.trees, "CITree", "Newton tree (raw)", "naive Bayes along the path"}
        assert set(holm[holm < 0.05].index) == {*proven, self.model}
        said = {"naive Bayes": "11:4", "random forest (raw)": "7:9", self.model: "16:0"}
        assert auc[[*said]].to_dict() == said
        not_proven = ["AODE", "logistic regression", "boosting (raw)", "random forest (raw)"]
        assert holm[not_proven].round(2).tolist() == [0.12, 0.10, 0.23, 0.60]
        won, holm = against(found, study, self.forest, "log-loss-clipped")
        proven = {*self.trees, "Newton tree (raw)"}
        assert set(holm[holm < 0.05].index) == proven
        said = {"naive Bayes": 0.06, self.model: 0.07, "random forest (raw)": 0.66}
        assert holm[[*said]].round(2).to_dict() == said
        assert won["random forest (raw)"] == "10:7"

    def test_log_loss(self, table):
        mean = table.loc[("log-loss-clipped", "report"), "mean"]
        assert mean.idxmin() == self.forest
        assert mean[mean < mean["path Bayes"]].round(3).to_dict() == {
            "path Bayes EM": 0.340,
            "random forest (raw)": 0.311,
            self.forest: 0.300,
        }
        said = ["path Bayes", self.model, "naive Bayes"]
        assert mean[said].round(3).tolist() == [0.343, 0.350, 0.602]

    def test_where_it_fails(self, points):
        worst = points.loc["balance-scale"]
        said = ["naive Bayes", "CITree", "random forest", "logistic regression"]
        assert worst[said].round().tolist() == [14, 14, 12, 25]

    def test_where_the_forest_fails(self, found):
        auc, log_loss = (
            found.query("measure == @measure").pivot_table("value", "dataset", "method")
            for measure in ("auc", "log-loss-clipped")
        )
        behind = 100 * (auc["random forest (raw)"] - auc[self.forest])
        said = {"colic": 2.2, "glass": 1.2, "sonar": 1.0}
        assert behind.nlargest(3).round(1).to_dict() == said
        worse = (log_loss[self.forest] - log_loss[self.model]).loc[["kr-vs-kp", "hypothyroid"]]
        assert (worse > 0.03).all()
        balance = auc.loc["balance-scale"].round(3)
        assert balance[[self.forest, "naive Bayes", "logistic regression"]].tolist() == [
            0.818,
            0.840,
            0.950,
        ]


def against(found, study, ours, measure):
    """Of a method on the report sets "won:lost" against each other, and Holm's p of all these."""
    sets = found.query("measure == @measure").pivot_table("value", "dataset", "method")
    sets = sets.loc[list(study.all_groups["report"])] * (1 if measure == "auc" else -1)
    gain = sets.rsub(sets[ours], axis=0).drop(columns=ours).round(9)
    p = pd.Series({name: rt.wilcoxon(each, 0 * each).p for name, each in gain.items()})
    assert len(p) == 17
    won = pd.Series({m: f"{(each > 0).sum()}:{(each < 0).sum()}" for m, each in gain.items()})
    return won, rt.holm(p)
