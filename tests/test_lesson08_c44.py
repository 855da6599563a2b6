"""Lesson 08: its checks, its pictures, and the estimates that it works out on other paths."""

import ast
import math
import re

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of

import ranktrees as rt
from ranktrees_lab.check.pruning import SMOOTHED


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (127.5 / 180, "same accuracy"),
            (90 / 180, "counts one half, not nothing"),
            (165 / 180, "not a whole win"),
            (45 / 49, "The accuracy, 45/49"),
            (1 - 127.5 / 180, "Upside down"),
            (0.9, "3 bad"),
            ("0.71", "same accuracy"),
            (127.5, "Divide by all"),
            (70.8, "not per cent"),
            (None, "could not be checked"),
            ([0.7], "could not be checked"),
            (float("nan"), "is not it"),
        ],
    )
    def test_two_leaves_auc(self, answer, words):
        verdict = rt.check.two_leaves_auc(answer)
        assert words in repr(verdict)
        assert bool(verdict) == (answer in (127.5 / 180, "0.71"))

    def test_two_leaves_auc_is_what_the_package_finds(self):
        y = np.repeat([0, 1, 0, 1], [30, 1, 15, 3])
        score = np.repeat([1 / 31, 3 / 18], [31, 18])
        assert rt.check.two_leaves_auc(rt.auc(y, score))

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (lambda n: n / n.sum(), "should give"),
            (lambda n: (n + 1) / (n.sum(axis=-1, keepdims=True) + 1), "N + C below"),
            (lambda n: (n + 1) / (n.sum() + 3), "six at once do not"),
            (lambda n: (n[0] + 1) / (n.sum() + 3), "three numbers"),
            (lambda n: ..., "No answer yet"),
        ],
    )
    def test_laplace_function_names_the_slip(self, function, words):
        verdict = rt.check.laplace_function(function)
        assert words in repr(verdict)
        assert not verdict

    def test_laplace_function_may_change_its_counts_or_give_lists(self):
        def in_place(n):
            n += 1
            return (n / n.sum(axis=-1, keepdims=True)).tolist()

        assert rt.check.laplace_function(in_place)
        assert "could not be checked" in repr(rt.check.laplace_function(lambda n: n[0, 0]))
        assert "could not be checked" in repr(rt.check.laplace_function([1 / 3, 2 / 3]))
        assert "three numbers" in repr(rt.check.laplace_function(lambda n: None))

    def test_laplace_function(self):
        assert rt.check.laplace_function(
            lambda n: (n + 1) / (n.sum(axis=-1, keepdims=True) + n.shape[-1])
        )

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (0.548, "0.470 / 1.185"),
            (0.5479, "0.470 / 1.185"),
            (0.3 - 0.17037 / (1 + 10 / 54) + 0.47037 / 3, "in which it starts"),
            (0.594, "lam is 10"),
            (0.6, "the leaf's own share"),
            (0.151, "One step is missing"),
            (0.9, "is not it"),
            (54.8, "not per cent"),
        ],
    )
    def test_shrunk_step_by_step(self, answer, words):
        verdict = rt.check.shrunk_step_by_step(answer)
        assert words in repr(verdict)
        assert verdict.right is ("1.185" in words)

    def test_branch_study(self):
        tried = {}
        for m in SMOOTHED:
            tried[str(m)] = rt.C44(estimate="m-branch", estimate_params={"m": m})
        means = rt.repeated(tried, rt.load("credit-g")).table.mean()
        study = {m: means[str(m)] for m in SMOOTHED}
        assert "m = 16 ranks best of these" in repr(rt.check.branch_study(study))
        wrong = rt.check.branch_study({**study, 4: 0.6})
        assert wrong.right is False
        assert "m = 4 gives a mean AUC of 0.715, you have 0.600" in repr(wrong)
        assert "keys" in repr(rt.check.branch_study({4: 0.7}))


class TestStaircase:
    def test_a_dot_for_each_distinct_score(self):
        y = np.array(["no", "yes", "no", "yes", "yes"])
        few, many = np.array([0.2, 0.2, 0.2, 0.9, 0.9]), np.arange(5) / 5
        picture = rt.plot.staircase(y, {"few": few, "many": many}, "yes")
        curves = [line for line in picture.axes[0].lines if line.get_marker() == "o"]
        assert [len(line.get_xdata()) for line in curves] == [3, 6]
        assert next(t.get_text() for t in picture.axes[0].texts) == "0.90"
        assert "few has 2 scores and AUC 0.833" in picture.alt

    def test_at_most_four_models(self):
        with pytest.raises(ValueError, match="at most four"):
            rt.plot.staircase(["a", "b"], {str(i): [0, 1] for i in range(5)}, "b")


class TestMethods:
    table = pd.DataFrame({"x": [8.0, 2.0], "y": [2.0, 2.0]}, index=["full", "cut"])

    def test_dots_means_and_words(self):
        picture = rt.plot.methods({"leaves": self.table, "AUC": self.table / 10}, log=("leaves",))
        first, second = picture.axes
        assert first.lines[0].get_xdata().tolist() == [8, 2]
        assert np.allclose(first.lines[2].get_xdata(), [4, 2]), "the geometric mean"
        assert np.allclose(second.lines[2].get_xdata(), [0.5, 0.2])
        assert (
            "geometric mean of leaves is lowest for cut (2) and highest for full (4)" in picture.alt
        )

    def test_wrong_tables_are_named(self):
        with pytest.raises(ValueError, match="other rows or columns"):
            rt.plot.methods({"a": self.table, "b": self.table.T})
        with pytest.raises(ValueError, match="not a number"):
            rt.plot.methods({"a": self.table.where(self.table > 2)})
        with pytest.raises(ValueError, match="no measure"):
            rt.plot.methods({})


@pytest.fixture(scope="module")
def lesson():
    return cells_of("08")


def source(lesson, words):
    (cell,) = [c for c in lesson if words in "".join(c["source"]) and c["cell_type"] == "code"]
    assert "by-hand" in cell["metadata"]["tags"]
    return "".join(cell["source"])


@pytest.mark.parametrize("seed", range(5))
def test_the_estimates_by_hand_are_the_packages_on_any_path(lesson, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (70, 3)).astype(str), columns=["a", "b", "c"])
    y = pd.Categorical(np.where(rng.random(70) < 0.3, "bad", "good"))
    model = rt.DecisionTree(criterion="gini").fit(X, y)
    tree, case = model.tree_, X.iloc[[0]]
    nodes = [t for t in tree.paths()[tree.apply(model.encode(case).values)][0] if t >= 0]
    path = [
        (int(tree.counts[t, 0]), int(tree.counts[t].sum()), int(tree.heights[t])) for t in nodes
    ]
    text = source(lesson, "path = [(21, 70, 4)")
    body = ast.parse(text).body[1:]  # all but the lesson's own path
    bad, cases, _ = path[-1]
    names = {"path": path, "math": math}
    exec("\n".join(map(ast.unparse, body)), names)
    smooth = bad / cases, (bad + 1) / (cases + 2), (bad + 2 * path[0][0] / 70) / (cases + 2)
    by_hand = names["say"] | dict(zip(("frequency", "laplace", "m"), smooth, strict=True))
    assert len(by_hand) == 7
    for name, value in by_hand.items():
        assert model.with_estimate(name).predict_proba(case)[0, 0] == pytest.approx(value), name


def test_the_vote_by_hand(lesson):
    names = {"np": np, "pd": pd, "rt": rt, "say": {}}
    exec(source(lesson, "weight = np.array"), names)
    assert names["say"]["ling-yan"] == pytest.approx(0.5074, abs=1e-4)
    tree = rt.DecisionTree(criterion="gini").fit(names["X"], names["paid"])
    vote = tree.with_estimate("ling-yan").predict_proba(names["client"])[0, 0]
    assert vote == pytest.approx(names["say"]["ling-yan"])
    assert len(names["each"]) == 10


def test_hierarchical_shrinkage_by_ten_is_the_package_s(lesson):
    names = {"np": np, "pd": pd, "rt": rt, "say": {}}
    exec(source(lesson, "weight = np.array"), names)
    ten = names["small"].with_estimate("hierarchical-shrinkage", lam=10)
    by_hand = 0.3 + (7 / 54 - 0.3) / (1 + 10 / 70) + (0.6 - 7 / 54) / (1 + 10 / 54)
    assert ten.predict_proba(names["client"])[0, 0] == pytest.approx(by_hand)


def test_weka_s_rules_and_those_of_the_papers():
    papers = rt.prepare(rt.load("breast-cancer"), "papers")
    for rules, value in {"wang2006": 59.44, "weka": 60.78}.items():
        how = {"runs": 5, "folds": "weka", "measures": ["auc-wang2006"]}
        found = rt.cross_validate(rt.C44(rules=rules), papers, **how)["auc-wang2006"]
        assert round(100 * float(found.mean()), 2) == value


def test_what_the_estimates_win_over_laplace():
    one_path = ["m", "curtailment", "shrinking", "hierarchical-shrinkage", "m-branch"]
    models = {name: rt.C44(estimate=name) for name in ("laplace", *one_path, "ling-yan")}

    def wins(measure, data):
        found = rt.repeated(models, rt.load(data), measure=measure)
        return {name: found.wins(name, "laplace") for name in models}

    credit = wins("auc", "credit-g")
    assert credit.pop("m-branch") == 20 > max(credit[name] for name in one_path[:-1])
    game = wins("auc", "tic-tac-toe")
    assert game["curtailment"] == 0
    assert max(game[name] for name in one_path) == 8
    for data in ("breast-cancer", "credit-g", "diabetes", "tic-tac-toe"):
        assert wins("brier", data)["hierarchical-shrinkage"] == 0
    assert wins("brier", "tic-tac-toe")["ling-yan"] == 0


def test_the_unpruned_tree_has_fewer_scores_than_leaves():
    cancer = rt.load("breast-cancer")
    train, test = np.split(np.random.default_rng(1).permutation(len(cancer)), [143])
    model = rt.C44().fit(cancer.X.iloc[train], cancer.y[train])
    score = model.predict_proba(cancer.X.iloc[test])[:, 1]
    assert len(np.unique(score.round(10))) < model.tree_.n_leaves == 32


def test_pruning_ties_what_owner_tells_apart():
    y = np.repeat([0, 1, 0, 1], [30, 1, 15, 3])
    assert rt.auc(y, np.zeros(49)) == 0.5
    assert rt.auc(y, np.repeat([1 / 31, 3 / 18], [31, 18])) > 0.7
    assert rt.accuracy(y, np.zeros(49, int)) == pytest.approx(45 / 49)


def test_checks_are_folded_and_nothing_else_asserts(lesson):
    for cell in lesson:
        if cell["cell_type"] == "code" and re.search(r"^\s*assert ", "".join(cell["source"]), re.M):
            assert "verify" in cell["metadata"]["tags"]
            assert cell["metadata"]["jupyter"]["source_hidden"]
