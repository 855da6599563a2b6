"""Explorers of one case's path, and of path Bayes's prunings."""

import html
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees import plain
from ranktrees_lab.explore.votes import voters
from ranktrees_lab.plot.separable import by_naive_bayes
from ranktrees_lab.plot.stops import likeliest, stop_probabilities, who_looks

PLAIN = ("frequency", "Laplace", "m-estimate", "curtailment", "m-branch", "shrinking")
PLAIN += ("hierarchical shrinkage",)


@pytest.mark.parametrize("explore", [rt.explore.one_path, rt.explore.wpe_votes])
def test_a_new_split_is_that_of_its_seed_and_where_rows_are_given_there_is_none(explore):
    data = rt.load("labor")
    explorer = explore(data)
    before = explorer.picture.alt
    explorer.controls["split"].value = 3
    given = explore(data, train=np.random.default_rng(3).permutation(57)[:29])
    assert explorer.picture.alt == given.picture.alt != before
    assert explorer.words.value == given.words.value
    assert "split" not in {control["name"] for control in given.states(2)["controls"]}
    explorer.controls["split"].value = 1
    assert explorer.picture.alt == before


class TestVotes:
    @pytest.mark.parametrize("name", ["soybean", "labor"])
    def test_those_who_vote_make_the_packages_wpe_at_each_node(self, name):
        """Labor has numbers and gaps: a missing value is shared with nobody."""
        paths = rt.explore.wpe_votes(rt.load(name)).paths
        for case in range(0, len(paths.truth), 7):
            proba = paths.path(case, "WPE", "uniform")[0]
            for node in range(len(proba) - 1):
                similarity, classes = voters(paths, case, node)
                votes = np.bincount(classes, similarity + 1, len(paths.names))
                expected = (votes + 1 / len(votes)) / (votes.sum() + 1)
                assert np.allclose(expected, proba[node + 1])

    def test_the_table_counts_the_votes_at_a_node_and_the_last_node_is_shown_first(self):
        explorer = rt.explore.wpe_votes(rt.load("breast-cancer"), case=2)
        assert explorer.settings == {"case": 2, "node": 2, "split": 1}
        _, tables = explorer.draw(9, 1)
        similarity, classes = voters(explorer.paths, 9, 1)
        row = f"{(classes == 0).sum()}</td><td[^>]*>{(similarity + 1)[classes == 0].sum()}<"
        assert re.search(row, tables)


def test_path_bayes_says_what_models_say_that_did_not_see_the_case():
    data, train = rt.load("breast-cancer"), np.random.default_rng(1).permutation(286)[:143]
    explorer, rest = rt.explore.path_bayes(data), np.setdiff1d(np.arange(286), train)
    said, paths = explorer.said, explorer.paths
    assert paths.truth.tolist() == data.y[rest].tolist()
    for name, model in (("path Bayes", rt.PathBayes()), ("C4.4's leaf", rt.C44())):
        model.fit(data.X.iloc[train], data.y[train])
        assert np.allclose(said[name], model.predict_proba(data.X.iloc[rest]))
    pooled = np.sqrt(said["the tree's estimate"] * said["naive Bayes' estimate"])
    assert np.allclose(pooled / pooled.sum(axis=1, keepdims=True), said["path Bayes"])
    picture, tables = explorer.draw(2, 1)
    best = said["path Bayes"][2].argmax()
    of_best = f"P({paths.names[best]}) = {said['path Bayes'][2, best]:.3f}"
    known = f"Case 2 is of class {paths.truth[2]}. Path Bayes gives {of_best}"
    assert picture.alt.startswith(known)
    for who, proba in said.items():
        assert re.search(f">{html.escape(who)}</td><td[^>]*>{proba[2, best]:.3f}</td>", tables)


def path_bayes_of(name):
    data = rt.load(name)
    return rt.C45(estimate="path-bayes").fit(data.X, data.y)


def all_prunings(tree, stop, is_end, t=0):
    """Every pruning of a node's subtree, {ends: probability}, one by one."""
    if is_end[t]:
        return {(t,): 1.0}
    whole = {(t,): stop[t]}
    below = [all_prunings(tree, stop, is_end, s) for s in np.flatnonzero(tree.parent == t)]
    for parts in product(*(each.items() for each in below)):
        ends = tuple(int(node) for nodes, _ in parts for node in nodes)
        whole[ends] = (1 - stop[t]) * float(np.prod([p for _, p in parts]))
    return whole


class TestStops:
    @pytest.mark.parametrize("name", ["weather.nominal", "contact-lenses"])
    @pytest.mark.parametrize("times", [0, 0.5, 4])
    def test_the_likeliest_prunings_are_the_first_of_all_of_them(self, name, times):
        model = path_bayes_of(name)
        for who in who_looks(model):
            stop, is_end = stop_probabilities(model, who, times)
            every = all_prunings(model.tree_, stop, is_end)
            found = likeliest(model.tree_, stop, is_end)
            assert sum(every.values()) == pytest.approx(1)
            first = sorted(every.values(), reverse=True)[:4]
            assert [each.p for each in found] == pytest.approx(first)
            assert [every[each.ends] for each in found] == pytest.approx(first)

    def test_stops_are_those_of_the_model_and_one_half_before_any_case(self):
        model = path_bayes_of("weather.nominal")
        for j, who in enumerate(who_looks(model)):
            stop, is_end = stop_probabilities(model, who)
            known = model.cases_.factors.stop
            here = known[:, j - 1] if j else [0.0197, 0.0909, 1, 0.0909, 1, 1, 1, 1]
            reached = [0, *np.flatnonzero(~is_end[model.tree_.parent] & (model.tree_.parent >= 0))]
            assert stop[reached] == pytest.approx(np.asarray(here)[reached], abs=5e-5)
            nothing, is_end = stop_probabilities(model, who, 0)
            assert set(nothing[~is_end]) <= {0.5}

    def test_who_and_times_change_what_is_said(self):
        explorer = rt.explore.stops(path_bayes_of("weather.nominal"))
        first, *others = explorer.controls["who"].options
        best = {1: "all leaves 0.810", 0: "the root alone 0.500", 4: "all leaves 1.000"}
        for times, said in best.items():
            picture, _ = explorer.draw(who=first, times=times)
            assert f"The most probable: {said}" in picture.alt
        picture, _ = explorer.draw(who=others[0], times=1)
        assert f"Prunings chosen by {others[0]}" in picture.alt


class TestSeparable:
    @pytest.mark.parametrize("split", ["", "a", "b"])
    def test_estimates_are_those_of_naive_bayes(self, split):
        n = np.random.default_rng(3).integers(1, 6, (2, 2, 2))
        rows = np.repeat([*product((0, 1), repeat=3)], n.ravel(), axis=0)
        X = pd.DataFrame(rows[:, :2].astype(str), columns=["a", "b"])
        p, y = by_naive_bayes(n, split), rows[:, 2]
        branches = [X.index] if not split else X.groupby(split).indices.values()
        for few in branches:
            part = X.iloc[few].drop(columns=[split] * bool(split))
            said = rt.NaiveBayes().fit(part, y[few]).predict_proba(part)[:, 1]
            assert said == pytest.approx(p[rows[few, 0], rows[few, 1]])

    def test_a_sum_of_evidence_takes_no_split_and_xor_does(self):
        explorer = rt.explore.separable()
        assert "by one naive Bayes, AUC 0.50" in explorer.picture.alt, "it is XOR"
        assert "in each branch of a, AUC 1.00: a = 0, b = 0 0.25" in explorer.picture.alt
        explorer.controls["rule"].value = "a and b are both 1"
        assert explorer.picture.alt.count("AUC 1.00") == 2
        explorer.controls["wrong"].value = 1
        assert explorer.picture.alt.count("AUC 1.00") == 0


class TestOnePath:
    @pytest.fixture(scope="class")
    @classmethod
    def explorer(cls):
        return rt.explore.one_path(rt.load("iris"), case=4, model=rt.C44(collapse=False))

    def test_on_fewer_and_fewer_cases_the_estimates_are_the_plain_functions(self, explorer):
        paths = explorer.paths
        X, y = paths.model.training_
        long = [i for i in range(75) if len(paths.passed(i)) > 2]
        case = next(i for i in long if len(set(y[paths.cases_at_end(i)])) > 1)
        sizes, e = [info.size for info in paths.model.tree_.schema], paths.codes[[case]]
        root = plain.c45.c44(X, y, sizes, 3)
        nodes, order = list(root.path(e[0])), paths.cases_at_end(case)
        assert len(order) == nodes[-1].counts.sum()
        left, share = np.arange(1, len(order) + 1)[:, None], nodes[-1].counts / len(order)
        kept = np.cumsum(y[order][:, None] == np.arange(3), axis=0)
        assert np.abs(kept - left * share).max() <= 1, "shares are as equal as can be"
        for left in range(1, len(order) + 1):
            stays = np.setdiff1d(np.arange(len(y)), order[left:])
            cases = plain.tree.Cases(X[stays], y[stays], sizes, 3)
            for node, rows in plain.tree.training_cases(root, cases.X).items():
                node.counts = np.bincount(cases.y[rows], minlength=3)
            known = cases.X, cases.y, sizes, 3, cases.X, np.ones(len(stays))
            training = plain.path_bayes.Training(*known)
            by_plain = {
                "WPE": plain.shrinkage.last_node(root, cases, e)[0],
                "DIW": plain.shrinkage.shrinkage(root, cases, e)[0],
                "DIW of WPE": plain.shrinkage.shrinkage(root, cases, e, plain.shrinkage.wpe)[0],
                "path Bayes": plain.path_bayes.path_bayes(root, training, e, e)[0],
            }
            for name in PLAIN:
                function = getattr(plain.estimates, re.sub("[- ]", "_", name.lower()))
                by_plain[name] = function(nodes)
            for c in range(3):
                counts, said = paths.estimates(case, left, c)
                assert counts.tolist() == [node.counts.tolist() for node in nodes]
                said = {name: p for group in said.values() for name, p in group.items()}
                assert set(said) - set(by_plain) == {"naive Bayes there"}
                for name, p in by_plain.items():
                    assert said[name] == pytest.approx(p[c], abs=1e-9), (name, left)

    def test_cases_that_left_are_rings_and_come_back_with_another_case(self, explorer):
        rings = [len(explorer.picture.axes[0].lines)]
        for name, value in [("left", 1), ("case", 5)]:
            explorer.controls[name].value = value
            rings.append(len(explorer.picture.axes[0].lines))
        assert rings[1] > rings[0] == rings[2], "a ring where it was"
        assert explorer.settings["left"] == explorer.controls["left"].max
        assert explorer.picture.alt.startswith("Case 5 is of class Iris-")
        alone = rt.explore.one_path(rt.load("iris"), case=23)
        assert len(alone.paths.cases_at_end(23)) == 1
        assert alone.controls["left"].disabled, "a single case cannot leave"
