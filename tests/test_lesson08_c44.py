"""Lesson 08: its checks, its pictures, and the estimates that it works out on other paths."""

import ast
import re
from inspect import getsource

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of

import ranktrees as rt
from ranktrees import plain
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
            (None, "not a NoneType"),
            ([0.7, 0.7], "Give one number, not 2"),
            (float("nan"), "NaN"),
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
            (lambda n: n / n.sum(), "plain shares"),
            (lambda n: (n + 1) / (n.sum() + 2), "N + 2 is for two classes"),
            (lambda n: (n + 2) / (n.sum() + 6), "You added 2"),
            (lambda n: n[::-1] / n.sum(), "should give"),
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
        assert "the function itself" in repr(rt.check.laplace_function([1 / 3, 2 / 3]))
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
        assert rt.check.branch_study(means.to_dict()), "its keys are texts"
        assert rt.check.branch_study({float(m): auc for m, auc in study.items()})
        twice = rt.check.branch_study({**study, "4": study[4]})
        assert "keys" in repr(twice)
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


@pytest.fixture(scope="module")
def lesson():
    return cells_of("08")


def source(lesson, words, by_hand=True):
    (cell,) = [c for c in lesson if words in "".join(c["source"]) and c["cell_type"] == "code"]
    assert not by_hand or "by-hand" in cell["metadata"]["tags"]
    return "".join(cell["source"])


def clients(lesson):
    """The names of the cell that makes the 70 clients and their tree."""
    names = {"np": np, "pd": pd, "rt": rt, "say": {}}
    exec(source(lesson, "kinds = pd.DataFrame", by_hand=False), names)
    return names


def test_the_table_of_other_estimates_has_their_numbers(lesson):
    names = clients(lesson)
    (table,) = ["".join(c["source"]) for c in lesson if "| **curtailment**" in "".join(c["source"])]
    for row, name in (("curtailment", "curtailment"), ("shrinkage", "hierarchical-shrinkage")):
        value = names["small"].with_estimate(name).predict_proba(names["client"])[0, 0]
        (line,) = [line for line in table.splitlines() if f"{row}**" in line]
        assert line.endswith(f"| {value:.3f} |".replace("0.", "."))


def test_c45_asks_for_enough_gain_and_then_for_the_best_ratio(lesson):
    names = {"np": np, "pd": pd, "rt": rt, "plain": plain, "getsource": getsource}
    names["credit"] = credit = rt.load("credit-g")
    exec(source(lesson, "plain.c45.ratios"), names)
    table, root = names["table"], names["root"]
    assert table["enough gain"].tolist() == (table["gain"] >= table["gain"].mean() - 1e-3).tolist()
    (asked,) = [node.name for node in root.children if node.condition == "= >=200"]
    enough = table[table["enough gain"]]
    assert enough["ratio"].idxmax() == asked == "property_magnitude"
    assert (credit.X["checking_status"] == ">=200").sum() == names["here"].sum() == 63
    assert table["ratio"].idxmax() == "foreign_worker" not in enough.index
    assert table["gain"].idxmax() == "age" == table["split information"].idxmax()


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
    names = {"path": path}
    exec("\n".join(map(ast.unparse, body)), names)
    assert set(names["say"]) == {"laplace", "m", "shrinking", "m-branch"}
    for name, value in names["say"].items():
        assert model.with_estimate(name).predict_proba(case)[0, 0] == pytest.approx(value), name


def test_the_vote_by_hand(lesson):
    names = clients(lesson)
    exec(source(lesson, "weight = np.array"), names)
    assert names["say"]["ling-yan"] == pytest.approx(0.5074, abs=1e-4)
    vote = names["small"].with_estimate("ling-yan").predict_proba(names["client"])[0, 0]
    assert vote == pytest.approx(names["say"]["ling-yan"])
    assert len(names["each"]) == 10


def test_hierarchical_shrinkage_by_ten_is_the_package_s(lesson):
    names = clients(lesson)
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
