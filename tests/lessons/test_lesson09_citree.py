"""Lesson 09: its checks, its candidates, its explorers, and what its prose claims."""

import numpy as np
import pandas as pd
import pytest
from claim_methods import OneDeal

import ranktrees as rt
from ranktrees_lab.explore import Candidates, citree_growth
from ranktrees_lab.explore.splits import outline


@pytest.fixture(scope="module")
def vote():
    return rt.prepare(rt.load("vote"), "papers")


class TestCandidates:
    @pytest.mark.parametrize("folds", ["global", "leaf"])
    @pytest.mark.parametrize("scoring", ["auc", "accuracy", "log_loss"])
    @pytest.mark.parametrize("name", ["vote", "iris", "tic-tac-toe"])
    def test_the_trees_root_is_the_best_candidate(self, name, scoring, folds):
        data = rt.load(name)
        found = Candidates(data.X, data.y, scoring, seed=3, folds=folds)
        how = {"scoring": scoring, "folds": folds, "seed": 3, "max_depth": 1}
        grown = rt.CITree(prune=None, **how).fit(data.X, data.y).tree_
        assert grown.root.name == found.best
        kept = rt.CITree(**how).fit(data.X, data.y).tree_.depth == 1
        assert kept == (found.frame.loc[found.best, "pruning"] > found.alone[1] + 1e-9)

    def test_scores_are_those_of_its_probabilities(self, vote):
        found = Candidates(vote.X, vote.y)
        for name in found.frame.index[:4]:
            for which, column in enumerate(found.frame):
                area = rt.auc(vote.y, found.proba(name, which)[:, 1].round(12))
                assert area == pytest.approx(found.frame.loc[name, column], abs=1e-9)
        assert rt.auc(vote.y, found.proba(None, 0)[:, 1].round(12)) == pytest.approx(found.alone[0])

    def test_a_case_is_judged_by_other_folds(self, vote):
        found = Candidates(vote.X, vote.y)
        fold, codes = found.fold(1), rt.Encoder().fit_transform(vote.X)
        train = fold != 2
        model = rt.NaiveBayes().fit(codes.take(train), vote.y[train])
        expected = model.predict_proba(codes.take(~train))
        assert np.allclose(found.proba(None, 1)[~train], expected, atol=1e-9)
        assert sorted(set(fold.tolist())) == [0, 1, 2, 3, 4]
        assert (found.fold(0) != fold).any()

    def test_a_small_branch_has_no_opinion(self, vote):
        found = Candidates(vote.X, vote.y, min_cases=180)
        few = (vote.X["aid-to-nicaraguan-contras"] == "n").to_numpy()
        assert 5 < few.sum() < 180
        proba = found.proba("aid-to-nicaraguan-contras")
        assert (proba[few] == 0.5).all()
        assert (proba[~few] != 0.5).any()

    def test_an_unknown_attribute_is_named(self, vote):
        with pytest.raises(ValueError, match="unknown attribute 'magic'"):
            Candidates(vote.X, vote.y).proba("magic")

    def test_what_is_constant_is_no_candidate(self):
        X = pd.DataFrame({"same": ["x"] * 40, "a": list("pq") * 20, "b": list("rrss") * 10})
        with pytest.warns(UserWarning, match="'same' has only one value"):
            found = Candidates(X, pd.Categorical(list("uvvu") * 10))
        assert list(found.frame.index) == ["a", "b"]
        assert found.frame["choosing"].tolist() == [1, 1]
        assert found.best == "a"

    @pytest.mark.filterwarnings("ignore:column 'same' has only one value")
    @pytest.mark.parametrize(
        ("values", "classes", "words"),
        [("xx", "uv", "every attribute is constant"), ("xy", "uu", "only one class")],
    )
    def test_nothing_to_try_is_said(self, values, classes, words):
        X = pd.DataFrame({"same": list(values) * 10})
        with pytest.raises(ValueError, match=words):
            Candidates(X, pd.Categorical(list(classes) * 10))


class TestOpened:
    @pytest.mark.parametrize("how", [{}, {"seed": 3}, {"folds": "leaf"}, {"min_cases": 20}])
    @pytest.mark.parametrize("name", ["vote", "monks-2", "breast-cancer", "iris"])
    def test_the_splits_that_stay_are_those_of_the_tree(self, name, how):
        data = rt.prepare(rt.load(name), "papers")
        kept = [node for node in Candidates(data.X, data.y, **how).opened() if node.stays]
        tree = rt.CITree(**how).fit(data.X, data.y).tree_
        inner = [node for node in tree.nodes() if not node.is_leaf]
        assert sorted((len(n.path), n.best, len(n.cases)) for n in kept) == sorted(
            (n.depth, n.name, int(n.counts.sum())) for n in inner
        )

    def test_the_root_is_what_candidates_say_and_nothing_is_changed(self, vote):
        found = Candidates(vote.X, vote.y)
        before = found.proba("crime").copy()
        first, *_ = found.opened()
        assert first.path == ()
        assert first.best == found.best
        assert np.allclose(first.frame, found.frame)
        assert np.allclose(first.alone, found.alone)
        assert (found.proba("crime") == before).all()

    def test_a_path_leads_to_its_cases_and_none_is_a_candidate_again(self, vote):
        found = Candidates(vote.X, vote.y)
        nodes = list(found.opened())
        assert max(len(node.path) for node in nodes) > 2
        for node in nodes:
            here = np.ones(len(vote), bool)
            for name, code in node.path:
                here &= found.codes.values[:, found.names.index(name)] == code
            assert np.flatnonzero(here).tolist() == sorted(node.cases.tolist())
            assert not {name for name, _ in node.path} & set(node.frame.index)


class TestGrowth:
    def test_three_steps_of_a_node(self, vote):
        explorer = citree_growth(vote)
        nodes = explorer.nodes()
        slider = explorer.controls["step"]
        assert slider.max == 3 * len(nodes)
        root = nodes[0]
        words, looks = [], []
        for step in (1, 2, 3):
            slider.value = step
            words.append(explorer.picture.alt)
            looks.append([look for *_, look in outline(*_state(vote, nodes[:1], step - 1))])
        assert looks == [["here"], ["here", "new", "new"], ["here", "new", "new"]]
        assert f"from {root.frame['choosing'].min():.3f} to" in words[0]
        assert f"is {root.best} with {root.frame['choosing'].max():.3f}" in words[1]
        assert f"has {root.frame['pruning'][root.best]:.3f}" in words[2]
        assert words[2].endswith("it stays.")

    def test_what_goes_is_shown_and_then_gone(self, vote):
        nodes = citree_growth(vote).nodes()
        k = next(k for k, node in enumerate(nodes) if not node.stays)
        gone = [look for *_, look in outline(*_state(vote, nodes[: k + 1], 2))]
        assert gone.count("gone") == 2
        after = [look for *_, look in outline(*_state(vote, nodes[: k + 2], 0))]
        assert "gone" not in after
        tree = rt.CITree().fit(vote.X, vote.y).tree_
        last = outline(*_state(vote, nodes, 2))
        assert sum(look != "gone" for *_, look in last) == len(tree)

    def test_dots_line_and_ring_are_the_scores(self, vote):
        explorer = citree_growth(vote)
        node = explorer.nodes()[0]
        left, _ = explorer.draw(3, 1)[0].axes
        dots, ring = left.collections[:2]
        ranked = node.frame["choosing"].sort_values(ascending=False)
        assert np.allclose(dots.get_offsets()[:, 0], ranked)
        assert np.allclose(ring.get_offsets(), [[node.frame["pruning"][node.best], 0]])
        assert [line.get_xdata()[0] for line in left.lines] == node.alone.tolist()


def _state(data, nodes, stage):
    return Candidates(data.X, data.y), nodes, stage


# What the prose claims


def load(name):
    return rt.prepare(rt.load(name), "papers")


def test_the_root_of_the_votes_is_the_same_with_every_deal():
    vote = load("vote")
    deals = [Candidates(vote.X, vote.y, seed=seed) for seed in range(31)]
    assert {deal.best for deal in deals} == {"aid-to-nicaraguan-contras"}
    below = [[(node.path, node.best) for node in deal.opened()] for deal in deals[1:3]]
    assert below[0] != below[1]


def halves(name, first=1):
    data = load(name)
    for seed in range(first, first + 20):
        train, _ = rt.holdout(data.y, 0.5, seed)
        yield data.X.iloc[train], data.y[train]


def splits(name, first=1, **how):
    trees = [rt.CITree(**how).fit(*half).tree_ for half in halves(name, first)]
    return np.array([np.count_nonzero(~tree.is_leaf) for tree in trees])


@pytest.mark.parametrize("first", [1, pytest.param(101, marks=pytest.mark.long)])
def test_a_subtree_keeps_more_than_half_of_its_splits_and_children_few(first):
    grown = splits("credit-g", first, prune=None)
    kept = splits("credit-g", first, prune="subtree", lazy=False) / grown
    assert 0.5 < kept.mean() < 0.7
    if first == 1:
        assert kept.mean().round(2) == 0.62
        assert [kept.min().round(2), kept.max().round(2)] == [0.4, 0.77]
    assert (splits("credit-g", first) / grown).mean() < 0.1


@pytest.mark.parametrize("first", [1, 101, 201])
def test_folds_dealt_anew_keep_splits_of_balance_scale(first):
    assert splits("balance-scale", first, folds="leaf").sum() > splits("balance-scale", first).sum()


@pytest.mark.parametrize("first", [1, 101])
def test_without_a_second_deal_the_trees_of_credit_have_more_than_twice_as_many_leaves(first):
    trees = {method: [] for method in (rt.CITree, OneDeal)}
    for half in halves("credit-g", first):
        for method, leaves in trees.items():
            leaves.append(method().fit(*half).tree_.n_leaves)
    assert np.mean(trees[OneDeal]) > 2 * np.mean(trees[rt.CITree])


def test_the_root_of_the_banks_tree_tells_nothing_alone():
    bank = rt.sealed.data()
    X = bank.X.drop(columns=["client", "call_minutes"])
    model = rt.CITree().fit(X, bank.y)
    root = model.tree_.root.name
    assert root == "letter"
    alone = rt.cross_validate(rt.NaiveBayes(), rt.Dataset(X[[root]], bank.y), measures=["auc"])
    assert abs(alone["auc"].mean() - 0.5) < 0.05


def test_what_follows_from_the_split_on_one_vote():
    vote = load("vote")
    alt = rt.plot.dependence(vote, by="aid-to-nicaraguan-contras").alt
    assert "lowers it for 92 of 105 pairs" in alt
