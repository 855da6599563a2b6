"""Lesson 15: its checks, its picture, and what it develops in view, on other trees and cases."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of, developed, put_out_in_words
from strategies import coded

import ranktrees as rt
from ranktrees.estimates.path_bayes import class_stops
from ranktrees_lab import plot
from ranktrees_lab.check.path_bayes import STUDIED, number_of_prunings


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (9 / 384, "hardest to foresee"),
            (0.0234, "hardest to foresee"),
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
            (lambda tree: "many", "could not be checked"),
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
        assert {"in 2 of 3", "in 3 of 4"} <= {text.get_text() for text in ax.texts}

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


# What Holm's correction and the model's own tests make of the table: TestStudy computes them
TESTED_BELOW = {"text-32": {".22", ".31", ".55"}, "text-32b": {".035"}}


@pytest.fixture(scope="module")
def lesson():
    return cells_of("15")


@pytest.fixture(scope="module")
def names():
    """What the lesson develops in view, as names: its first code cell and those tagged by-hand."""
    return developed("15", weather=rt.load("weather.nominal"))


def grown(seed, C=2):
    """A model on random cases whose class hangs on two attributes, and their codes."""
    codes, y = coded(seed, 60, (2, 3, 4), C)
    y = (codes.values[:, 0] + (codes.values[:, 1] > 0) * y) % C
    return rt.DecisionTree(estimate="path-bayes").fit(codes, pd.Categorical(y, range(C))), codes


@pytest.mark.parametrize("seed", range(6))
def test_by_hand_equals_the_package_on_other_cases(names, seed):
    model, codes = grown(seed, 2 + seed % 2)
    X, y = model.training_
    by_hand = [names["path_bayes"](model.tree_, X, y, case) for case in X[:15]]
    assert np.abs(by_hand - model.predict_proba(codes)[:15]).max() < 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_the_recursion_adds_up_the_listed_prunings(names, seed):
    tree = grown(seed)[0].tree_
    log_e = [names["log_evidence"](n) for n in tree.counts.tolist()]
    stop = names["stop_probabilities"](tree, log_e)
    assert stop == pytest.approx(class_stops(tree)[:, 0].tolist())
    if number_of_prunings(tree) < 10_000:
        parts = [p * math.exp(sum(log_e[t] for t in e)) for e, p in names["prunings"](tree)]
        assert len(parts) == number_of_prunings(tree)
        assert stop[0] == pytest.approx(parts[0] / sum(parts))


def test_evidence_by_products_and_by_gamma_functions(names):
    for cases in ("a", "ab", "aabba", "abcabcc"):
        n = [cases.count(value) for value in "abc"]
        assert names["foreseen"](cases, V=3) == pytest.approx(math.exp(names["log_evidence"](n)))


def test_what_is_developed_fits_on_a_screen(lesson):
    shown = [c for c in lesson if "by-hand" in c["metadata"].get("tags", [])]
    assert len(shown) >= 7
    assert max(len(c["source"]) for c in shown) <= 24
    (twenty,) = [c["source"] for c in shown if "def path_bayes(" in "".join(c["source"])]
    assert twenty.index("    return P / P.sum()\n") < 20


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("text-32", "code-29"),
        ("text-32b", "code-29"),
        ("text-35", "code-34"),
        ("text-38", "code-37"),
    ],
)
def test_numbers_of_the_text_stand_in_the_output_above_it(lesson, text, output):
    cells = {cell["id"]: cell for cell in lesson}
    put_out = put_out_in_words(cells[output])
    said = re.findall(r"(?<![\w.])\.\d+", "".join(cells[text]["source"]))
    assert said
    missing = {n for n in said if not re.search(rf"\b0?\{n}\b", put_out)}
    assert missing == TESTED_BELOW.get(text, set())


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
    """What the lesson says of the 35 sets, by the results that are kept with the project."""

    level = ("AODE", "logistic regression", "boosting", "random forest")
    trees = ("C4.4", "C44-S", "C44-C", "hierarchical shrinkage")

    def test_nothing_is_missing(self, study, found):
        # of the path forest one run alone is known, which README says
        kept = [method for method in study.methods if method.name != "path forest"]
        assert found.groupby(["dataset", "method"]).ngroups == 35 * len(kept)

    def test_the_guess_has_one_answer(self, table):
        mean = table.loc[("auc", "all"), "mean"].round(3)
        asked = ["C4.4", "CITree", "naive Bayes", "path Bayes", *self.level]
        assert mean[asked].idxmax() == "random forest"
        assert mean[["random forest", "random forest (raw)"]].tolist() == [0.927, 0.938]

    def test_who_is_ahead_on_the_sets_that_speak(self, table, points, study):
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
            "path Bayes MDL (raw)": ("11/1/5", 0.433),
        }
        assert {m: (report["higher"][m], round(report["p"][m], 3)) for m in said} == said
        level = report.loc[list(self.level)]
        assert level["higher"].tolist() == ["11/0/6", "11/1/5", "10/1/6", "8/1/8"]
        assert level["p"].min() > 0.15

    def test_what_holm_leaves_of_sixteen_tests(self, table):
        auc = rt.holm(table.loc[("auc", "report"), "p"].drop("path Bayes"))
        assert len(auc) == 16
        assert set(auc[auc < 0.05].index) == set(self.trees)
        fall = ["CITree", "naive Bayes along the path", "random forest (raw)"]
        assert auc[fall].round(2).tolist() == [0.22, 0.31, 0.27]
        log_loss = rt.holm(table.loc[("log-loss-clipped", "report"), "p"].drop("path Bayes"))
        assert log_loss["naive Bayes"] == pytest.approx(0.035, abs=0.0005)

    def test_what_the_model_itself_proves(self, points, study):
        """`rt.PathBayes()`, with its MDL bins, against naive Bayes and the raw forest."""
        report = points.loc[list(study.all_groups["report"])]
        own, bayes, forest = (
            report[name] for name in ("path Bayes MDL (raw)", "naive Bayes", "random forest (raw)")
        )
        assert [(own > other).sum() for other in (bayes, forest)] == [9, 2]
        assert rt.wilcoxon(own, bayes).p == pytest.approx(0.55, abs=0.005)

    def test_log_loss(self, table):
        mean = table.loc[("log-loss-clipped", "report"), "mean"]
        assert mean[mean < mean["path Bayes"]].round(3).to_dict() == {
            "path Bayes EM": 0.340,
            "random forest (raw)": 0.311,
        }
        assert mean[["path Bayes", "naive Bayes"]].round(3).tolist() == [0.343, 0.602]

    def test_where_it_fails(self, points):
        worst = points.loc["balance-scale"]
        said = ["naive Bayes", "CITree", "random forest", "logistic regression"]
        assert worst[said].round().tolist() == [14, 14, 12, 25]
        forest = points["random forest"].nlargest(4).drop("balance-scale")
        assert forest.round(1).to_dict() == {"sonar": 7.5, "glass": 5.4, "ionosphere": 3.9}

    def test_what_nemenyi_tells_apart(self, found, study, lesson):
        sets = list(study.all_groups["report"])
        auc = found.query("measure == 'auc'").pivot_table("value", "dataset", "method").loc[sets]
        ranks, cd = rt.average_ranks(auc), rt.critical_difference(auc.shape[1], len(auc))
        far = (ranks - ranks["path Bayes"]).abs() > cd
        assert len(auc) == len(ranks) == 17
        assert set(far[far].index) == set(self.trees)
        (picture,) = [c["outputs"][0]["data"] for c in lesson if c["id"] == "code-32c"]
        alt = "".join(picture["text/plain"])
        assert f"Critical difference {cd:.2f}" in alt
        assert f"path Bayes {ranks['path Bayes']:.2f}" in alt
