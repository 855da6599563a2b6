"""Weights of attributes: leaving a case out by refitting, plain forms, and awkward data."""

from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from oracles import quietly
from scipy.optimize import minimize
from scipy.special import logsumexp
from strategies import schema_of

import ranktrees as rt
from ranktrees.plain import path_weights as plain
from ranktrees_engine.estimates import path_forest as forest
from ranktrees_engine.estimates import path_weights as weights
from ranktrees_engine.prune.surgery import cut_back
from ranktrees_engine.reading.encoder import Codes


def refitted(member, i, weight):
    """ln of a case's factors in its class, counted anew without the case; the stops are kept."""
    counts, tree = member.factors.counts, member.tree
    less = np.ones(len(counts.y)) if weight is None else weight.astype(float)
    less[i] -= min(less[i], 1)
    y, nodes = counts.y[i], tree.paths()[counts.end[i]]
    passed = [(tree.paths()[counts.end] == t).any(axis=1) for t in nodes[nodes >= 0]]
    stop, log_f = member.factors.stop, np.zeros(counts.X.shape[1])
    for j, v in enumerate(counts.X[i]):
        rest, total = 1.0, 0.0
        for d, (t, here) in enumerate(zip(nodes, passed, strict=False)):
            mine = here & (counts.y == y)
            n = less[mine & (counts.X[:, j] == v)].sum()
            N = less[mine & (counts.X[:, j] >= 0)].sum()
            here = rest if d == len(passed) - 1 else rest * stop[t, j]
            total, rest = total + here * (n + 0.5) / (N + counts.sizes[j] / 2), rest - here
        log_f[j] = np.log(total) if v >= 0 else 0
    return log_f


class TestLeavingOut:
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("name", ["contact-lenses", "labor", "glass"])
    def test_equals_honest_refitting(self, name, weighted):
        data, rng = rt.load(name), np.random.default_rng(1)
        weight = rng.choice([0.25, 0.5, 1, 2.5], len(data.y)) if weighted else None
        model = quietly(rt.PathForest(2).fit, data.X, data.y, weight)
        for member in model.members_:
            counts = member.factors.counts
            removed = None if weight is None else np.minimum(weight, 1)
            found = np.zeros(counts.X.shape).T
            parts = member.factors.left_out(counts.X, counts.end, counts.y, removed)
            for some, cases, log_p in parts:
                found[some, cases] += log_p
            for i in rng.choice(len(data.y), 10):
                assert found[:, i] == pytest.approx(refitted(member, i, weight), abs=1e-10)

    def test_a_little_room_gives_the_same(self, monkeypatch):
        """Tables in parts, and parts of the pool made anew in every pass."""
        data = rt.load("labor")
        models = rt.PathForest(1), rt.PathBayes()
        expected = [quietly(model.fit, data.X, data.y).pool_weights_ for model in models]
        for name, value in {"path_counts.ROOM": 50, "path_factors.AT_ONCE": 50}.items():
            monkeypatch.setattr(f"ranktrees_engine.estimates.{name}", value)
        for name, value in {"KEPT": 1000, "LIMIT": 100}.items():
            monkeypatch.setattr(weights, name, value)
        monkeypatch.setattr(forest, "KEPT", 0)
        for model, there in zip(models, expected, strict=True):
            found = quietly(model.fit, data.X, data.y).pool_weights_
            assert np.abs(found - there).max() < 1e-12


class TestNewton:
    def one(self, log_p, y, weight=None):
        log_p = np.asarray(log_p, float)
        fixed = np.zeros((len(y), log_p.shape[2]))
        return lambda: [weights.LeftOut(fixed, log_p, np.asarray(y), weight)]

    def test_the_minimum_is_that_of_scipy(self):
        rng = np.random.default_rng(2)
        log_p, y = rng.normal(size=(3, 200, 3)), rng.integers(0, 3, 200)
        log_p[0, np.arange(200), y] += 1

        def loss(w):
            pool = np.tensordot(w, log_p, 1)
            likely = logsumexp(pool, axis=1) - pool[np.arange(200), y]
            return likely.sum() + 4.5 * ((w - 1 / 3) ** 2).sum()

        expected = minimize(loss, np.full(3, 1 / 3))
        w = weights.learn_weights(self.one(log_p, y), 3, 1 / 3)
        assert w == pytest.approx(np.maximum(expected.x, 0), abs=1e-3)
        misleads = np.stack([[[-3.0, 0]] * 50])
        assert weights.learn_weights(self.one(misleads, [0] * 50), 1, 1 / 3) == [0]

    @pytest.mark.parametrize("kept", [True, False])
    @pytest.mark.parametrize(
        ("n", "q", "C"), [(5, 90, 2), (5, 90, 3), (80, 60, 2), (80, 30, 3), (60, 60, 2)]
    )
    def test_equals_the_plain_form(self, n, q, C, kept, monkeypatch):
        """Also with fewer cases than weights, in one part and in two; one part is constant."""
        rng = np.random.default_rng(n + q + C)
        fixed, log_p, y = rng.normal(size=(q, C)), rng.normal(size=(n, q, C)), rng.integers(0, C, q)
        log_p[1], weight = 0.7, rng.choice([0.5, 1, 3], q)
        cases = [*map(plain.Case, fixed, log_p.swapaxes(0, 1), y, weight)]
        expected = plain.learn_weights(cases, 1 / 3)
        two = slice(0, 20), slice(20, q)
        parts = [weights.LeftOut(fixed[p], log_p[:, p], y[p], weight[p]) for p in two]
        monkeypatch.setattr(weights, "KEPT", 100)  # so that parts that are not kept may be few
        found = weights.learn_weights(lambda: parts if kept else iter(parts), n, 1 / 3)
        assert np.abs(found - expected).max() < 1e-12
        assert found[1] == 1 / 3

    def test_a_step_that_is_too_long_is_halved(self):
        """Far from the minimum the Hessian is nearly 0, and Newton's step overshoots."""
        log_p = np.stack([[[0, 300.0]] * 500 + [[300.0, 0]] * 100])
        passes = Mock(side_effect=self.one(log_p, [0] * 600))
        assert 0 <= weights.learn_weights(passes, 1, 1 / 3)[0] < 0.34
        assert 1 < passes.call_count <= 10


@pytest.mark.parametrize("kind", [rt.PathForest, rt.PathBayes])
class TestAwkwardData:
    def test_weights_of_another_name(self, kind):
        with pytest.raises(ValueError, match=r"unknown weights 'none'.*'learnt', 'equal'"):
            kind(weights="none").fit([[1.0], [2.0]], [0, 1])

    def test_constant_attributes_keep_their_start(self, kind):
        rng = np.random.default_rng(1)
        X = pd.DataFrame({"x": rng.normal(size=60), "same": 1.0, "word": "w", "none": np.nan})
        model = quietly(kind().fit, X, (X["x"] > 0).astype(int))
        start = 1 / 3 if kind is rt.PathForest else 1 / 2
        assert model.pool_weights_[2:].tolist() == [start] * 3
        assert model.pool_weights_[1] > start

    def test_separable_data(self, kind):
        """The prior keeps weights finite where more of them is always likelier."""
        x = np.arange(200.0)
        model = kind().fit(np.stack([x, -x, x % 7], axis=1), (x > 99).astype(int))
        assert model.pool_weights_.max() < 3


class TestOneTree:
    def test_equal_weights_are_the_estimate_of_other_trees(self):
        data = rt.load("vote")
        model = rt.PathBayes(weights="equal").fit(data.X, data.y)
        other = rt.C45(estimate="path-bayes").fit(data.X, data.y)
        assert np.array_equal(model.predict_proba(data.X), other.predict_proba(data.X))

    def test_both_estimates_are_pooled(self):
        data = rt.load("vote")
        model = rt.PathBayes().fit(data.X, data.y)
        T, B = rt.path_bayes.both_estimates(model, data.X)
        P = np.sqrt(T * B)
        P /= P.sum(axis=1, keepdims=True)
        assert np.abs(P - model.predict_proba(data.X)).max() < 1e-12

    def test_importances_follow_the_weights(self):
        """An attribute of weight 0 that no test asks for has none."""
        codes = Codes(np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 9), schema_of([2, 2]))
        model = rt.PathBayes().fit(codes, np.arange(36) // 2 % 2)
        model.estimate_ = model.estimate_.with_weights(np.array([0.5, 0.5, 0.0]))
        assert model.feature_importances_.tolist() == [1, 0]

    def test_a_copy_learns_its_own(self):
        data = rt.load("vote")
        model = rt.PathBayes(estimate="path-bayes-em").fit(data.X, data.y)
        copy = rt.PathBayes().fit(data.X, data.y).with_estimate("path-bayes-em")
        assert copy.pool_weights_.tolist() == model.pool_weights_.tolist()
        root = model.with_tree(cut_back(model.tree_, np.arange(len(model.tree_)) == 0))
        assert (root.pool_weights_ != model.pool_weights_).any()

    def test_of_files_in_few_passes(self, tmp_path):
        data = rt.load("vote")
        data.X.assign(party=data.y).to_parquet(tmp_path / "vote.parquet")
        model = quietly(rt.PathBayes().fit, rt.scan(tmp_path / "vote.parquet", "party"))
        memory = quietly(rt.PathBayes().fit, data.X, data.y)
        assert model.pool_weights_ == pytest.approx(memory.pool_weights_, abs=1e-12)
        with pytest.raises(ValueError, match=r"learnt from the cases: fit the files .* weights="):
            model.with_estimate("path-bayes-em")
        assert model.with_estimate("laplace").pool_weights_ is None


def test_a_single_class_leaves_the_weights_of_a_wide_table_as_they_are():
    X = np.random.default_rng(0).normal(size=(5, 30))
    model = rt.Reestimated().fit(X, ["a"] * 5).model_
    assert (model.predict_proba(X) == 1).all()
    assert np.allclose(model.estimate_.pool_weights, 1 / 3)
