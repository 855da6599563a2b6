"""`BayesNet`: the lecture's example, tables from data, queries and predictions."""

import math
from functools import partial
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktrees as rt
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.bayes import BayesNet, lung_cancer, naive_bayes_structure, network
from ranktrees_engine.models import NaiveBayes


def yes(p):
    return {"yes": p, "no": 1 - p}


def random_net(seed):
    """A random graph over five variables of one to three values, with random tables."""
    rng = np.random.default_rng(seed)
    names = list("vwxyz")
    net = BayesNet({n: [p for p in names[:i] if rng.random() < 0.5] for i, n in enumerate(names)})
    values = {n: [f"{n}{v}" for v in range(rng.integers(1, 4))] for n in names}
    for n in names:
        P = rng.dirichlet(np.ones(len(values[n])), 81).tolist()
        rows = product(*[values[p] for p in net.parents[n]])
        table = {row: dict(zip(values[n], p, strict=True)) for row, p in zip(rows, P, strict=False)}
        net.set_cpt(n, table if net.parents[n] else table[()])
    return net


def random_frame(seed, n=80, missing=0.0):
    """Four dependent nominal columns with declared values; some of them missing."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, n), rng.integers(0, 3, n)
    c = np.where(rng.random(n) < 0.7, (a + b) % 3, rng.integers(0, 3, n))
    d = np.where(rng.random(n) < 0.8, c, rng.integers(0, 4, n))
    frame = pd.DataFrame()
    for name, x in {"a": a, "b": b, "c": c, "d": d}.items():
        known = np.where(rng.random(n) < missing, -1, x)
        frame[name] = pd.Categorical.from_codes(known, [f"{name}{v}" for v in range(4)])
    return frame


class TestLecture:
    def test_the_printed_table(self):
        table = lung_cancer().cpt("LungCancer")
        assert table.index.names == ["FamilyHistory", "Smoker"]
        assert table.T.to_numpy().tolist() == [[0.8, 0.5, 0.7, 0.1], [0.2, 0.5, 0.3, 0.9]]

    def test_the_joint_is_the_product(self):
        net = lung_cancer()
        everyone = dict.fromkeys(net.parents, "yes")
        assert net.joint(everyone) == pytest.approx(0.1 * 0.3 * 0.8 * 0.2 * 0.9 * 0.9)
        assert net.joint_table().sum() == pytest.approx(1)
        assert "P(LungCancer | FamilyHistory, Smoker) P(Emphysema | Smoker)" in repr(net)

    def test_a_question_by_hand(self):
        """P(cancer | X-ray) by Bayes' theorem from P(cancer) over its four parents' rows."""
        net = lung_cancer()
        cancer = 0.03 * 0.8 + 0.07 * 0.5 + 0.27 * 0.7 + 0.63 * 0.1
        assert net.query("LungCancer")["yes"] == pytest.approx(cancer)
        xray = cancer * 0.9 + (1 - cancer) * 0.05
        found = net.query("LungCancer", {"PositiveXRay": "yes"})
        assert found["yes"] == pytest.approx(cancer * 0.9 / xray)

    def test_meningitis(self):
        """P(M | stiff neck) = .5 (1/50000) / (1/20) = .0002 (Yang 2008, slides)."""
        prior = 1 / 50000
        otherwise = (1 / 20 - 0.5 * prior) / (1 - prior)
        net = BayesNet.from_cpts(
            {"StiffNeck": ["Meningitis"]},
            {"Meningitis": yes(prior), "StiffNeck": {"yes": yes(0.5), "no": yes(otherwise)}},
        )
        assert net.query("StiffNeck")["yes"] == pytest.approx(1 / 20)
        assert net.query("Meningitis", {"StiffNeck": "yes"})["yes"] == pytest.approx(0.0002)


class TestQueries:
    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 10**6), st.data())
    def test_equal_the_joint_tables_sums(self, seed, data):
        net = random_net(seed)
        target, *others = data.draw(st.permutations(list("vwxyz")))
        seen = others[: data.draw(st.integers(0, 4))]
        evidence = {n: data.draw(st.sampled_from(net.states_[n])) for n in seen}
        joint = net.joint_table().reset_index()
        for name, value in evidence.items():
            joint = joint[joint[name] == value]
        expected = joint.groupby(target)["P"].sum()
        found = net.query(target, evidence)
        assert found.to_numpy() == pytest.approx((expected / expected.sum())[found.index])

    def test_a_long_chain_needs_only_the_ancestors(self):
        names = [f"x{i}" for i in range(80)]
        cpts = {n: {"yes": yes(0.9), "no": yes(0.2)} for n in names[1:]} | {"x0": yes(0.5)}
        parents = {n: [p] for p, n in pairwise(names)}
        net = BayesNet.from_cpts(parents, cpts)
        known = dict.fromkeys([*names[:70], "x77", "x78"], "no")
        assert net.query("x79", known)["yes"] == pytest.approx(0.2)
        with pytest.raises(ValueError, match=r"joint table of 80 variables.*give evidence"):
            net.query("x79")

    def test_impossible_evidence(self):
        net = BayesNet.from_cpts({"b": ["a"]}, {"a": yes(1), "b": {"yes": yes(1), "no": yes(0)}})
        with pytest.raises(ValueError, match=r"'b': 'no'.*probability 0"):
            net.query("a", {"b": "no"})
        frame = pd.DataFrame({"b": ["no", "yes"]})
        assert net.predict_proba(frame, "a").tolist() == [[1, 0], [1, 0]]
        assert net.log_likelihood(pd.DataFrame({"a": ["yes"], "b": ["no"]})) == -math.inf

    def test_counts_by_hand(self):
        data = rt.load("tax-payers")
        net = BayesNet({"Status": ["Cheat"], "Refund": ["Cheat", "Status"]}, "none").fit(data.frame)
        assert net.cpt("Cheat").to_numpy().tolist() == [[0.7, 0.3]]
        assert net.cpt("Status").loc["No", "Married"] == pytest.approx(4 / 7)
        assert net.cpt("Refund").loc[("No", "Single"), "Yes"] == pytest.approx(1 / 2)
        assert net.cpt("Refund").loc[("Yes", "Married")].tolist() == [0.5, 0.5], "never seen"
        laplace = BayesNet(net.parents).fit(data.frame).cpt("Status")
        assert laplace.loc["Yes"].tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
        known = data.frame[list(net.parents)]
        rows = [math.log(net.joint(row)) for row in known.to_dict("records")]
        assert net.log_likelihood(data.frame) == pytest.approx(sum(rows))
        m = BayesNet(net.parents, "m", m=1).fit(data.frame).cpt("Refund")
        assert m.loc[("No", "Married")].tolist() == pytest.approx([1.5 / 5, 3.5 / 5])


class TestPrediction:
    @pytest.mark.parametrize("smoothing", ["laplace", "none"])
    def test_the_naive_structure_is_naive_bayes(self, smoothing):
        """Missing values included: both leave them out. The classes' prior is smoothed alike."""
        data = rt.load("soybean")
        net = BayesNet(naive_bayes_structure("class", data.X.columns), smoothing)
        frame = data.X.assign(**{"class": data.y})
        proba = net.fit(frame).predict_proba(frame, "class")
        model = NaiveBayes(smoothing).fit(data.X, data.y)
        states = pd.Index(net.states_["class"]).get_indexer(model.classes_)  # as declared
        assert np.abs(proba[:, states] - model.predict_proba(data.X)).max() < 1e-9

    def test_blocks_change_nothing(self, monkeypatch):
        frame = random_frame(7, missing=0.2)
        net = BayesNet({"c": ["a", "b"], "d": ["c"]}).fit(frame)
        whole = net.predict_proba(frame, "b")
        monkeypatch.setattr(network, "blocks", partial(blocks, limit=50))
        assert np.array_equal(net.predict_proba(frame, "b"), whole)
