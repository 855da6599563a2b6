"""Surgery, the shared rule, and what all methods of pruning promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prunable import SEEDS, check_sound, grown, nested, prunings, same, twin

import ranktrees as rt
from ranktrees_engine import prune
from ranktrees_engine.growing.tree import single_leaf
from ranktrees_engine.prune import Costs


class TestSurgery:
    @settings(max_examples=25, deadline=None)
    @given(SEEDS, st.sampled_from(["multiway", "binary", "threshold"]), st.floats(0, 0.6))
    def test_cut_back_stops_each_case_at_the_topmost_leaf(self, seed, split, share):
        tree, codes, _ = grown(seed, split)
        leaf = np.random.default_rng(seed).random(len(tree)) < share
        small = prune.cut_back(tree, leaf)
        check_sound(small)
        unseen = np.where(np.random.default_rng(seed).random(codes.shape) < 0.1, -1, codes)
        expected = []
        for path in tree.paths()[tree.apply(unseen)]:
            stops = [t for t in path if t >= 0 and leaf[t]]
            expected.append(tree.counts[stops[0] if stops else path[path >= 0][-1]])
        assert np.array_equal(small.counts[small.apply(unseen)], expected)


class TestTheRule:
    @settings(max_examples=25, deadline=None)
    @given(SEEDS)
    def test_bottom_up_is_the_smallest_of_the_cheapest_prunings(self, seed):
        tree = grown(seed, n=30, sizes=(2, 3, 2), max_depth=3)[0]
        rng = np.random.default_rng(seed)
        leaf, test = rng.integers(0, 5, len(tree)), rng.integers(0, 3, len(tree))
        paths, found = tree.paths(), []
        for ends in map(list, prunings(tree)):
            inner = np.setdiff1d(paths[ends], [-1, *ends])
            found.append((leaf[ends].sum() + test[inner].sum(), len(ends), len(ends) + len(inner)))
        small = prune.bottom_up(tree, Costs(leaf, test))
        assert (small.n_leaves, len(small)) == min(found)[1:]

    def test_greedy_takes_the_one_that_saves_most_though_it_may_be_one_too_many(self):
        costs = Costs(np.array([5, 2, 2, 2, 2, 2, 2]))
        assert prune.subtree_costs(twin(), costs).tolist() == [8, 4, 4, 2, 2, 2, 2]
        assert len(prune.greedy(twin(), costs)) == 1, "8 - 5 beats 4 - 2, and costs 5"
        assert len(prune.bottom_up(twin(), costs)) == 3, "costs 4"
        costs = Costs(np.array([7.5, 2, 3.5, 2, 2, 2, 2]))
        assert len(prune.greedy(twin(), costs)) == 3, "2, then .5; then the root would cost 2 more"
        assert len(prune.greedy(twin(), Costs(np.array([8, 4, 4, 2, 2, 2, 2])))) == 7, "no saving"


METHODS = {
    "collapse": lambda tree, X, y: prune.collapse(tree),
    "reduced error": prune.reduced_error,
    "minimum error": lambda tree, X, y: prune.minimum_error(tree),
    "rokach": lambda tree, X, y: prune.pessimistic(tree),
    "yang": lambda tree, X, y: prune.pessimistic(tree, "yang"),
    "standard error": lambda tree, X, y: prune.pessimistic(tree, "standard-error"),
    "mdl": lambda tree, X, y: prune.mdl(tree),
    "greedy": lambda tree, X, y: prune.greedy(tree, prune.mdl_costs(tree)),
    "c45": prune.c45,
    "c45 without raising": lambda tree, X, y: prune.c45(tree, raising=False),
    "cost complexity": lambda tree, X, y: prune.cost_complexity(tree).at(0.02),
}


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=9, deadline=None)
@given(SEEDS, st.sampled_from(["multiway", "binary", "threshold"]))
def test_every_method_returns_a_sound_part_of_the_tree(name, seed, split):
    tree, X, y = grown(seed, split)
    small = METHODS[name](tree, X, y)
    check_sound(small)
    assert np.array_equal(small.counts[0], tree.counts[0])
    if name != "c45":  # which raises branches
        assert nested(small, tree)
        if name not in ("c45 without raising", "standard error"):
            assert same(METHODS[name](small, X, y), small), "pruning again changes nothing"
    leaf, X, y = single_leaf([1, 2]), np.array([[0], [1], [1]]), np.array([0, 1, 1])
    assert same(METHODS[name](leaf, X, y), leaf)


@pytest.mark.parametrize("name", sorted(set(METHODS) - {"greedy"}))
def test_a_model_is_no_tree(name):
    data = rt.load("weather.nominal")
    model = rt.DecisionTree().fit(data.X, data.y)
    with pytest.raises(
        TypeError, match="prune a Tree, not DecisionTree: of a model give its tree_"
    ):
        METHODS[name](model, model.encode(data.X).values, data.y.codes)
    with pytest.raises(TypeError, match="not list"):
        prune.cut_back([], np.ones(1, bool))
