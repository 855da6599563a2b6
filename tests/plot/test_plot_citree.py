"""Pictures of CITrees: outline and evidence, dependence before and after, candidates."""

import re

import numpy as np
import pytest
from drawings import data, drawn, fitted
from pictures import all_text, widths_of

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.plot.bayes import ROWS, evidence
from ranktrees_lab.plot.dependence import dependence_beyond_chance, mean_of_pairs


@pytest.fixture
def vote():
    return data("vote")


@pytest.fixture
def model():
    return fitted("CITree", "vote")


def test_every_node_has_a_row_and_bars_of_its_class_shares(model):
    texts, tree = [t for t, *_ in all_text(plot.citree(model))], model.tree_
    for node in tree.nodes():
        if node.parent is not None:
            assert f"{node.parent.name} {node.condition}" in texts
    pure = [node for node in tree.nodes() if np.count_nonzero(node.counts) == 1]
    assert texts.count("one class alone") == sum(node.is_leaf for node in pure)
    assert not any("…" in text for text in texts), "names are whole where they can be"
    widths = widths_of(plot.citree(model, strongest=0).axes[0].collections[0])
    assert sum(widths) == pytest.approx(1.1 * len(tree))
    assert np.allclose(widths[:2], 1.1 * tree.counts[0] / tree.counts[0].sum())
    assert pure
    assert not any(evidence(node) for node in pure)


def test_a_large_tree_says_what_lies_below():
    tree, (picture, texts) = fitted("CITree", "tic-tac-toe").tree_, drawn("citree, large")
    depth = int(re.search(r"Drawn to depth (\d+)", picture.alt)[1])
    assert (tree.depths <= depth).sum() <= ROWS < (tree.depths <= depth + 1).sum()
    assert f"; {(tree.depths > depth).sum()} nodes lie below." in picture.alt
    below = [n for n in tree.nodes() if n.depth == depth and not n.is_leaf]
    notes = [t for t, *_ in texts if "… " in t]
    assert sorted(notes) == sorted(f"tests {n.name}  … {n.n_below} below" for n in below)
    assert f"… {61 - ROWS} more branches" in [t for t, *_ in drawn("citree, many branches")[1]]


def test_a_very_long_name_is_cut_before_its_value(vote):
    X = vote.X.rename(columns=lambda name: f"{name} in the House of Representatives of 1984")
    texts = [text for text, *_ in all_text(plot.citree(rt.CITree().fit(X, vote.y)))]
    assert sum(bool(re.search(r"… = [ny] ×", text)) for text in texts) >= 4
    assert not any("… ×" in text for text in texts)


def test_factors_are_those_of_the_leafs_model_and_the_strongest_come_first(model):
    for node in model.tree_.nodes():
        for e in evidence(node):
            given = node.model.conditional(e.attribute).loc[e.condition.removeprefix("= ")]
            assert e.factor == pytest.approx(given.iloc[e.favours] / given.iloc[1 - e.favours])
            assert e.factor >= 1
    bits = [e.bits for e in evidence(model.tree_.root, 16)]
    assert len(bits) == 16
    assert bits == sorted(bits, reverse=True)
    assert min(bits) >= 0
    assert evidence(model.tree_.root)[0].attribute == "physician-fee-freeze"


def test_dependence_of_xor_is_gone_after_the_split():
    bits = np.indices((2, 2, 2)).reshape(3, -1).T.repeat(50, axis=0)
    given = dependence_beyond_chance(bits, bits[:, 0] ^ bits[:, 1])
    assert given[0, 1] == pytest.approx(1, abs=0.01)
    assert given[0, 2] == pytest.approx(0, abs=0.01)
    after = dependence_beyond_chance(bits[:, 1:], 2 * (bits[:, 0] ^ bits[:, 1]) + bits[:, 0])
    assert mean_of_pairs(after) == pytest.approx(0, abs=0.01)


def test_independent_values_have_no_dependence_beyond_chance():
    rng, means = np.random.default_rng(2), []
    for _ in range(20):
        values, group = rng.integers(0, 4, (300, 5)), rng.integers(0, 3, 300)
        found = dependence_beyond_chance(values, group)
        means.append(mean_of_pairs(found))
    assert abs(np.mean(means)) < 0.002
    other = dependence_beyond_chance(values, np.array([90, -5, 7])[group])
    assert np.allclose(found, other), "names of groups do not matter"


def test_cells_of_dependence_are_the_numbers():
    monks = data("monks-1")
    picture = plot.dependence(monks, by="a1")
    codes = rt.Encoder().fit_transform(monks.X).values[:, 1:]
    given, drawn = dependence_beyond_chance(codes, monks.y.codes), picture.axes[0].images[0]
    low, drawn = np.tril_indices(5, -1), drawn.get_array()
    assert np.allclose(np.asarray(drawn)[low], np.maximum(given, 0)[low])
    assert drawn.mask[np.triu_indices(5)].all()
    texts = [t for t, *_ in all_text(picture)]
    assert "and given a1" in texts
    assert f"mean {mean_of_pairs(given):.3f} bits" in texts


def test_dependence_groups_by_a_trees_leaves_or_an_attribute(vote, model):
    alt = plot.dependence(vote, by=model).alt
    assert f"Given the class and the {model.tree_.n_leaves} leaves, 16 attributes" in alt
    assert "15 attributes" in plot.dependence(vote, by="crime").alt
    assert plot.dependence(vote.X, vote.y).alt == plot.dependence(vote).alt
