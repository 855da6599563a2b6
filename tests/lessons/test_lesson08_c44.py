"""Lesson 08: its checks, its pictures, and the estimates that it works out on other paths."""

import ast
from inspect import getsource

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of

import ranktrees as rt
from ranktrees import plain


class TestReport:
    def test_the_mean_aucs_of_the_report(self, lesson):
        text = words_of(lesson, "leaf-40")
        tried = {
            m: rt.C44(collapse=False, estimate="m-branch", estimate_params={"m": m})
            for m in (0, 1, 4, 16)
        }
        named = {str(m): model for m, model in tried.items()}
        means = rt.repeated(named, rt.load("credit-g")).table.mean()
        first, last = ", ".join(f"{v:.3f}" for v in means[:3]), f"{means.iloc[3]:.3f}"
        said = f"{first} and {last}".replace("0.", ".")
        assert f"mean AUCs of {said} on 20 splits" in text
        assert f"I expect {last[1:]} on new clients" in text


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
    names = {"np": np, "pd": pd, "rt": rt}
    exec(source(lesson, "kinds = pd.DataFrame", by_hand=False), names)
    return names


def words_of(lesson, cell):
    (found,) = ["".join(c["source"]) for c in lesson if c["id"] == cell]
    return found


def test_the_other_estimates_have_their_numbers(lesson):
    names, text = clients(lesson), words_of(lesson, "leaf-57")
    for words, name in (("20 cases", "curtailment"), ("lambda = 1$", "hierarchical-shrinkage")):
        value = names["small"].with_estimate(name).predict_proba(names["client"])[0, 0]
        assert f"{value:.3f}"[1:] in text, words


@pytest.mark.parametrize(
    ("data", "cell", "names", "said"),
    [
        ("credit-g", "leaf-62", {"frequency": "claims {}", "laplace": "Laplace claims {}"}, ".66"),
        ("diabetes", "leaf-40", {"ling-yan": "it claims {}"}, ".66"),
    ],
)
def test_what_is_claimed_and_what_comes_true(lesson, data, cell, names, said):
    models = {name: rt.C44(collapse=False, estimate=name) for name in names}
    table, text = rt.plot.fresh_shares(models, rt.load(data)).table, words_of(lesson, cell)
    for name, words in names.items():
        claimed, true, _ = table.loc[name, "all"]
        assert words.format(f"{claimed:.2f}"[1:]) in text
        assert f"{true:.2f}"[1:] == said in text


@pytest.mark.long
@pytest.mark.parametrize("seed", [101, 201])
def test_leaves_claim_too_much_on_fresh_splits_and_the_vote_too_little(seed):
    names = "frequency", "laplace", "m-branch", "ling-yan"
    models = {name: rt.C44(collapse=False, estimate=name) for name in names}
    models["bagging"] = rt.Bagging(rt.C44(collapse=False))
    table = rt.plot.fresh_shares(models, rt.load("diabetes"), seed=seed).table
    off = (table["claimed"] - table["true"]).xs("all", level="group")
    assert off["frequency"] > off["laplace"] > off["m-branch"] > 0 > off["ling-yan"]
    assert 0 > off["bagging"] > off["ling-yan"] / 2
    credit = rt.plot.fresh_shares(
        {"frequency": models["frequency"]}, rt.load("credit-g"), seed=seed
    )
    depths = credit.table.loc["frequency"].filter(like="depth", axis=0)
    assert (np.diff(depths["claimed"].iloc[1:]) > 0).all()
    assert depths["true"].iloc[-1] < depths["true"].iloc[0]


def test_c45_asks_for_enough_gain_and_then_for_the_best_ratio(lesson):
    names = {"np": np, "pd": pd, "rt": rt, "plain": plain, "getsource": getsource}
    names["credit"] = rt.load("credit-g")
    exec(source(lesson, "plain.c45.ratios"), names)
    table, root = names["table"], rt.C44(collapse=False)
    root = root.fit(names["credit"].X, names["credit"].y).tree_.root
    (asked,) = [node.name for node in root.children if node.condition == "= >=200"]
    enough = table[table["enough gain"]]
    assert enough["ratio"].idxmax() == asked == "property_magnitude"
    assert names["here"].sum() == 63
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
    body = ast.parse(text).body[1:3]  # neither the lesson's own path nor what is printed
    names = {"path": path}
    exec("\n".join(map(ast.unparse, body)), names)
    for name, value in {"shrinking": names["shrunk"], "m-branch": names["p"]}.items():
        assert model.with_estimate(name).predict_proba(case)[0, 0] == pytest.approx(value), name


def test_the_vote_by_hand(lesson):
    names = clients(lesson)
    exec(source(lesson, "weight = np.array"), names)
    by_hand = (names["weight"] * names["votes"]).sum() / names["weight"].sum()
    vote = names["small"].with_estimate("ling-yan").predict_proba(names["client"])[0, 0]
    assert vote == pytest.approx(by_hand)
    assert len(names["each"]) == 10


def test_weka_s_rules_and_those_of_the_papers():
    papers = rt.prepare(rt.load("breast-cancer"), "papers")
    for rules, value in {"wang2006": 59.44, "weka": 60.78}.items():
        how = {"runs": 5, "folds": "weka", "measures": ["auc-wang2006"]}
        found = rt.cross_validate(rt.C44(rules=rules), papers, **how)["auc-wang2006"]
        assert round(100 * float(found.mean()), 2) == value
