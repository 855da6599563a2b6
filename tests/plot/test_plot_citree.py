"""Pictures of CITrees: outline and evidence, dependence before and after, candidates."""

import re

import numpy as np
import pandas as pd
import pytest
from pictures import all_text, widths_of
from test_plot import fitted, wide_tree

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.plot.bayes import ROWS, evidence
from ranktrees_lab.plot.dependence import dependence_beyond_chance, mean_of_pairs


@pytest.fixture(scope="module")
def vote():
    return rt.load("vote")


@pytest.fixture(scope="module")
def model(vote):
    return rt.CITree().fit(vote.X, vote.y)


class TestOutline:
    def test_every_node_has_a_row(self, model):
        words = all_text(plot.citree(model))
        texts = [t for t, *_ in words]
        tree = model.tree_
        for node in tree.nodes():
            if node.parent is not None:
                assert f"{node.parent.name} {node.condition}" in texts
        assert texts.count("one class alone") == sum(
            node.is_leaf and np.count_nonzero(node.counts) == 1 for node in tree.nodes()
        )

    def test_bars_are_the_class_shares(self, model):
        ax = plot.citree(model, strongest=0).axes[0]
        widths = widths_of(ax.collections[0])
        assert sum(widths) == pytest.approx(1.1 * len(model.tree_))
        shares = model.tree_.counts[0] / model.tree_.counts[0].sum()
        assert np.allclose(widths[:2], 1.1 * shares)

    def test_a_large_tree_says_what_lies_below(self):
        model = fitted("CITree", "tic-tac-toe")
        picture = plot.citree(model)
        tree = model.tree_
        depth = int(re.search(r"Drawn to depth (\d+)", picture.alt)[1])
        assert (tree.depths <= depth).sum() <= ROWS < (tree.depths <= depth + 1).sum()
        assert f"; {(tree.depths > depth).sum()} nodes lie below." in picture.alt
        below = [n for n in tree.nodes() if n.depth == depth and not n.is_leaf]
        notes = [t for t, *_ in all_text(picture) if "… " in t]
        assert notes == [f"tests {n.name}  … {n.n_below} below" for n in sorted_like(below, tree)]

    def test_more_branches_than_rows(self):
        texts = [t for t, *_ in all_text(plot.citree(wide_tree()))]
        assert f"… {61 - ROWS} more branches" in texts

    @pytest.mark.parametrize(
        ("model", "error", "words"),
        [
            (rt.CITree(), TypeError, "a fitted CITree or NBTree"),
            (rt.NaiveBayes(), TypeError, "a fitted CITree or NBTree"),
        ],
    )
    def test_wrong_input_is_named(self, model, error, words):
        with pytest.raises(error, match=words):
            plot.citree(model)

    def test_a_plain_tree_and_a_negative_depth_are_refused(self, vote, model):
        with pytest.raises(TypeError, match="naive Bayes at its leaves"):
            plot.citree(rt.C45().fit(vote.X, vote.y))
        with pytest.raises(ValueError, match="max_depth must be at least 0"):
            plot.citree(model, max_depth=-1)
        with pytest.raises(ValueError, match="strongest must be at least 0"):
            plot.citree(model, strongest=-1)

    def test_names_are_whole_where_they_can_be(self, model):
        texts = [text for text, *_ in all_text(plot.citree(model))]
        assert not any("…" in text for text in texts)

    def test_a_very_long_name_is_cut_before_its_value(self, vote):
        X = vote.X.rename(columns=lambda name: f"{name} in the House of Representatives of 1984")
        texts = [text for text, *_ in all_text(plot.citree(rt.CITree().fit(X, vote.y)))]
        assert sum(bool(re.search(r"… = [ny] ×", text)) for text in texts) >= 4
        assert not any("… ×" in text for text in texts)


def sorted_like(nodes, tree):
    """The nodes in the order of an outline: by the branches from the root."""
    paths = tree.paths()
    return sorted(nodes, key=lambda n: [int(t) for t in paths[n.id] if t >= 0])


class TestEvidence:
    def test_factors_are_those_of_the_leafs_model(self, model):
        for node in model.tree_.nodes():
            for e in evidence(node):
                given = node.model.conditional(e.attribute)
                value = e.condition.removeprefix("= ")
                own = given.iloc[:, e.favours].loc[value]
                other = given.iloc[:, 1 - e.favours].loc[value]
                assert e.factor == pytest.approx(own / other)
                assert e.factor >= 1

    def test_the_strongest_come_first(self, model):
        bits = [e.bits for e in evidence(model.tree_.root, 16)]
        assert len(bits) == 16
        assert bits == sorted(bits, reverse=True)
        assert min(bits) >= 0
        assert evidence(model.tree_.root)[0].attribute == "physician-fee-freeze"

    def test_by_hand(self):
        X = pd.DataFrame({"a": list("ppppqqqq"), "b": list("rsrsrsrs")})
        node = rt.CITree().fit(X, list("++++----")).tree_.root
        (first, second) = evidence(node)
        # P(p | +) = (4 + 1) / (4 + 2), P(p | -) = 1 / 6; b tells nothing
        assert (first.attribute, first.condition) == ("a", "= p")
        assert first.factor == pytest.approx(5)
        assert second.bits == pytest.approx(0)

    def test_a_pure_node_has_none(self, model):
        pure = [n for n in model.tree_.nodes() if np.count_nonzero(n.counts) == 1]
        assert pure
        assert not any(evidence(node) for node in pure)


class TestDependence:
    def test_xor_is_gone_after_the_split(self):
        bits = np.indices((2, 2, 2)).reshape(3, -1).T.repeat(50, axis=0)
        given = dependence_beyond_chance(bits, bits[:, 0] ^ bits[:, 1])
        assert given[0, 1] == pytest.approx(1, abs=0.01)
        assert given[0, 2] == pytest.approx(0, abs=0.01)
        after = dependence_beyond_chance(bits[:, 1:], 2 * (bits[:, 0] ^ bits[:, 1]) + bits[:, 0])
        assert mean_of_pairs(after) == pytest.approx(0, abs=0.01)

    def test_independent_values_have_none_beyond_chance(self):
        rng = np.random.default_rng(2)
        means = []
        for _ in range(20):
            values, group = rng.integers(0, 4, (300, 5)), rng.integers(0, 3, 300)
            means.append(mean_of_pairs(dependence_beyond_chance(values, group)))
        assert abs(np.mean(means)) < 0.002
        frame = pd.DataFrame(values).astype("category").assign(g=pd.Categorical(group))
        plain = rt.bayes.conditional_mutual_information(frame, "g").to_numpy()
        assert mean_of_pairs(plain) > 0.05

    def test_names_of_groups_do_not_matter(self):
        rng = np.random.default_rng(3)
        values, group = rng.integers(0, 3, (100, 4)), rng.integers(0, 3, 100)
        one = dependence_beyond_chance(values, group)
        other = dependence_beyond_chance(values, np.array([90, -5, 7])[group])
        assert np.allclose(one, other)
        assert np.allclose(one, one.T)

    def test_cells_are_the_numbers(self):
        data = rt.load("monks-1")
        picture = plot.dependence(data, by="a1")
        codes = rt.Encoder().fit_transform(data.X).values[:, 1:]
        given = dependence_beyond_chance(codes, data.y.codes)
        drawn = picture.axes[0].images[0].get_array()
        low = np.tril_indices(5, -1)
        assert np.allclose(np.asarray(drawn)[low], np.maximum(given, 0)[low])
        assert drawn.mask[np.triu_indices(5)].all()
        texts = [t for t, *_ in all_text(picture)]
        assert "and given a1" in texts
        assert f"mean {mean_of_pairs(given):.3f} bits" in texts

    def test_a_tree_groups_by_its_leaves(self, vote, model):
        alt = plot.dependence(vote, by=model).alt
        assert f"Given the class and the {model.tree_.n_leaves} leaves, 16 attributes" in alt
        assert "15 attributes" in plot.dependence(vote, by="crime").alt

    def test_x_and_y_apart(self, vote):
        assert plot.dependence(vote.X, vote.y).alt == plot.dependence(vote).alt

    @pytest.mark.parametrize(
        ("by", "error", "words"),
        [
            ("crimes", ValueError, "did you mean 'crime'"),
            (7, TypeError, "an attribute's name or a fitted tree"),
            (rt.CITree(), TypeError, "a fitted tree"),
        ],
    )
    def test_wrong_splits_are_named(self, vote, by, error, words):
        with pytest.raises(error, match=words):
            plot.dependence(vote, by=by)

    def test_too_few_attributes_and_unseen_values(self, vote, model):
        with pytest.raises(ValueError, match="at least two attributes"):
            plot.dependence(vote.X[["crime", "immigration"]], vote.y, by="crime")
        other = vote.X.assign(crime=pd.Categorical(["perhaps"] * len(vote)))
        with pytest.raises(ValueError, match="never seen"):
            plot.dependence(other, vote.y, by=model)
