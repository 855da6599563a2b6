"""`BayesNet`: the lecture's example, tables from data and by hand, queries, and structures."""

import math
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktrees as rt
from ranktrees.bayes import (
    BayesNet,
    NaiveBayes,
    conditional_mutual_information,
    lung_cancer,
    naive_bayes_structure,
    tan_structure,
)
from ranktrees.bayes import tables as bayes_tables

COLLIDER = {"c": ["a", "b"]}


def yes(p):
    return {"yes": p, "no": 1 - p}


def random_net(seed):
    """A random graph over five variables of one to three values, with random tables."""
    rng = np.random.default_rng(seed)
    names = list("vwxyz")
    parents = {n: [p for p in names[:i] if rng.random() < 0.5] for i, n in enumerate(names)}
    values = {n: [f"{n}{v}" for v in range(rng.integers(1, 4))] for n in names}
    net = BayesNet(parents)
    for n in names:
        rows = list(product(*[values[p] for p in parents[n]]))
        P = [rng.dirichlet(np.ones(len(values[n]))) for _ in rows]
        table = {row: dict(zip(values[n], p, strict=True)) for row, p in zip(rows, P, strict=True)}
        net.set_cpt(n, table if parents[n] else table[()])
    return net


def random_frame(seed, n=80, missing=0.0):
    """Four dependent nominal columns with declared values; some of them missing."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, n), rng.integers(0, 3, n)
    c = np.where(rng.random(n) < 0.7, (a + b) % 3, rng.integers(0, 3, n))
    d = np.where(rng.random(n) < 0.8, c, rng.integers(0, 4, n))
    codes = {
        name: np.where(rng.random(n) < missing, -1, x)
        for name, x in {"a": a, "b": b, "c": c, "d": d}.items()
    }
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(x, [f"{name}{v}" for v in range(4)])
            for name, x in codes.items()
        }
    )


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
        assert len(net.joint_table()) == 2**6
        assert "P(LungCancer | FamilyHistory, Smoker) P(Emphysema | Smoker)" in repr(net)

    def test_a_question_by_hand(self):
        """P(cancer | X-ray) by Bayes' theorem from P(cancer) over its four parents' rows."""
        net = lung_cancer()
        cancer = 0.03 * 0.8 + 0.07 * 0.5 + 0.27 * 0.7 + 0.63 * 0.1
        assert net.query("LungCancer")["yes"] == pytest.approx(cancer)
        xray = cancer * 0.9 + (1 - cancer) * 0.05
        found = net.query("LungCancer", {"PositiveXRay": "yes"})
        assert found["yes"] == pytest.approx(cancer * 0.9 / xray)
        assert found.index.name == "LungCancer"

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
    @settings(max_examples=40, deadline=None)
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

    def test_explaining_away(self):
        """Two causes are independent until their effect is seen."""
        net = lung_cancer()
        free = net.query("FamilyHistory", {"Smoker": "yes"})["yes"]
        assert free == pytest.approx(net.query("FamilyHistory")["yes"])
        one = net.query("FamilyHistory", {"LungCancer": "yes"})["yes"]
        assert net.query("FamilyHistory", {"LungCancer": "yes", "Smoker": "yes"})["yes"] < one

    def test_the_target_as_evidence(self):
        assert lung_cancer().query("Smoker", {"Smoker": "no"}).tolist() == [0, 1]

    def test_a_long_chain_needs_only_the_ancestors(self):
        names = [f"x{i}" for i in range(80)]
        cpts = {n: {"yes": yes(0.9), "no": yes(0.2)} for n in names[1:]} | {"x0": yes(0.5)}
        parents = {n: [p] for p, n in pairwise(names)}
        net = BayesNet.from_cpts(parents, cpts)
        assert net.query("x1")["yes"] == pytest.approx(0.55)
        assert net.query(
            "x79", {"x78": "no", "x77": "no", "x40": "no"} | dict.fromkeys(names[:70], "no")
        )["yes"] == (pytest.approx(0.2))
        with pytest.raises(ValueError, match=r"joint table of 80 variables.*give evidence"):
            net.query("x79")
        with pytest.raises(ValueError, match="1,048,576"):
            net.joint_table()

    def test_impossible_evidence(self):
        net = BayesNet.from_cpts({"b": ["a"]}, {"a": yes(1), "b": {"yes": yes(1), "no": yes(0)}})
        with pytest.raises(ValueError, match=r"'b': 'no'.*probability 0"):
            net.query("a", {"b": "no"})
        frame = pd.DataFrame({"b": ["no", "yes"]})
        assert net.predict_proba(frame, "a").tolist() == [[1, 0], [1, 0]]
        assert net.log_likelihood(pd.DataFrame({"a": ["yes"], "b": ["no"]})) == -math.inf


class TestFit:
    def test_counts_by_hand(self):
        data = rt.load("tax-payers")
        net = BayesNet({"Status": ["Cheat"], "Refund": ["Cheat", "Status"]}, "none")
        net.fit(data.frame)
        assert net.cpt("Cheat").to_numpy().tolist() == [[0.7, 0.3]]
        assert net.cpt("Status").loc["No", "Married"] == pytest.approx(4 / 7)
        assert net.cpt("Refund").loc[("No", "Single"), "Yes"] == pytest.approx(1 / 2)
        assert net.cpt("Refund").loc[("Yes", "Married")].tolist() == [0.5, 0.5], "never seen"
        laplace = BayesNet(net.parents).fit(data.frame).cpt("Status")
        assert laplace.loc["Yes"].tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
        m = BayesNet(net.parents, "m", m=1).fit(data.frame).cpt("Refund")
        assert m.loc[("No", "Married")].tolist() == pytest.approx([1.5 / 5, 3.5 / 5])

    def test_log_likelihood_is_the_sum_over_the_rows(self):
        frame = random_frame(2)
        net = BayesNet({"c": ["a", "b"], "d": ["c"]}).fit(frame)
        rows = [math.log(net.joint(row)) for row in frame.to_dict("records")]
        assert net.log_likelihood(frame) == pytest.approx(sum(rows))
        assert net.log_likelihood(frame.sample(frac=1, random_state=1)) == pytest.approx(sum(rows))

    def test_no_other_table_of_the_structure_is_likelier_than_the_shares(self):
        frame = random_frame(3)
        best = BayesNet(COLLIDER, "none").fit(frame).log_likelihood(frame)
        for smoothing, m in (("laplace", 1), ("m", 0.5), ("m", 20)):
            assert BayesNet(COLLIDER, smoothing, m).fit(frame).log_likelihood(frame) < best

    def test_limits_of_m(self):
        frame = random_frame(4)
        none = BayesNet(COLLIDER, "none").fit(frame).cpt("c").to_numpy()
        tiny = BayesNet(COLLIDER, "m", m=1e-9).fit(frame).cpt("c").to_numpy()
        huge = BayesNet(COLLIDER, "m", m=1e12).fit(frame).cpt("c").to_numpy()
        assert tiny == pytest.approx(none, abs=1e-8)
        assert huge == pytest.approx(np.full_like(huge, 1 / 4))

    def test_a_sample_brings_back_the_tables(self):
        rng = np.random.default_rng(1)
        net, n = lung_cancer(), 40000
        table = net.joint_table()
        picked = table.index.take(rng.choice(len(table), n, p=table.to_numpy()))
        again = BayesNet(net.parents).fit(picked.to_frame(index=False))
        for name in net.parents:
            found = again.cpt(name)[["yes", "no"]]
            expected = net.cpt(name)
            if net.parents[name]:
                found = found.loc[expected.index]
            assert found.to_numpy() == pytest.approx(expected.to_numpy(), abs=0.04)

    def test_missing_values_take_no_part_in_their_tables(self):
        frame = pd.DataFrame({"a": ["x", "x", None, "y"], "b": ["p", None, "q", "q"]})
        net = BayesNet({"b": ["a"]}, "none").fit(frame)
        assert net.cpt("a").to_numpy()[0] == pytest.approx([2 / 3, 1 / 3])
        assert net.cpt("b").loc["x"].tolist() == [1, 0]


class TestPrediction:
    @pytest.mark.parametrize("name", ["weather.nominal", "soybean", "vote", "breast-cancer"])
    @pytest.mark.parametrize("smoothing", ["laplace", "none"])
    def test_the_naive_structure_is_naive_bayes(self, name, smoothing):
        """Missing values included: both leave them out. The classes' prior is smoothed alike."""
        data = rt.load(name)
        net = BayesNet(naive_bayes_structure("class", data.X.columns), smoothing)
        frame = data.X.assign(**{"class": data.y})
        proba = net.fit(frame).predict_proba(frame, "class")
        model = NaiveBayes(smoothing).fit(data.X, data.y)
        assert net.states_["class"] == model.classes_.tolist()
        assert np.abs(proba - model.predict_proba(data.X)).max() < 1e-9

    @settings(max_examples=15, deadline=None)
    @given(st.integers(0, 10**6), st.sampled_from("abcd"))
    def test_rows_equal_queries(self, seed, target):
        frame = random_frame(seed, missing=0.3)
        net = BayesNet({"c": ["a", "b"], "d": ["c", "a"]}).fit(frame)
        found = net.predict_proba(frame[:12], target)
        for row, proba in zip(frame[:12].to_dict("records"), found, strict=True):
            known = {k: v for k, v in row.items() if k != target and isinstance(v, str)}
            assert net.query(target, known).to_numpy() == pytest.approx(proba)

    def test_unseen_values_and_absent_columns_are_summed_over(self):
        frame = random_frame(6)
        net = BayesNet({"c": ["a", "b"], "d": ["c"]}).fit(frame)
        new = frame[["b", "d"]].astype(object).iloc[:5].assign(a="never seen")
        expected = net.predict_proba(frame[["b", "d"]][:5], "c")
        assert net.predict_proba(new, "c") == pytest.approx(expected)
        alone = net.predict_proba(frame[[]][:2].assign(other=1), "c")
        assert alone == pytest.approx(np.tile(net.query("c"), (2, 1)))

    def test_blocks_change_nothing(self, monkeypatch):
        frame = random_frame(7, missing=0.2)
        net = BayesNet({"c": ["a", "b"], "d": ["c"]}).fit(frame)
        whole = net.predict_proba(frame, "b")
        monkeypatch.setattr(bayes_tables, "BLOCK_CELLS", 50)
        assert np.array_equal(net.predict_proba(frame, "b"), whole)

    def test_numbers_as_categories(self):
        frame = pd.DataFrame({"a": pd.Categorical([1, 2, 2]), "b": list("xyy")})
        net = BayesNet({"b": ["a"]}).fit(frame)
        plain = frame.assign(a=[1, 2, 2])
        assert net.predict_proba(plain, "b") == pytest.approx(net.predict_proba(frame, "b"))


class TestTablesByHand:
    def test_a_frame_goes_in_as_it_comes_out(self):
        net = lung_cancer()
        again = BayesNet.from_cpts(net.parents, {name: net.cpt(name) for name in net.parents})
        pd.testing.assert_series_equal(again.joint_table(), net.joint_table())
        turned = net.cpt("LungCancer").swaplevel().sample(frac=1, random_state=3)
        again.set_cpt("LungCancer", turned)
        pd.testing.assert_frame_equal(again.cpt("LungCancer"), net.cpt("LungCancer"))
        again.set_cpt("Smoker", pd.Series(yes(0.3)))
        assert again.joint_table().to_numpy() == pytest.approx(net.joint_table().to_numpy())

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ({("yes", "no"): yes(0.5), ("no", "yes"): yes(0.5)}, r"'c' lacks .*a=yes, b=yes"),
            ({k: yes(0.1) for k in product(["yes", "no", "?"], ["yes", "no"])}, r"row for a=\?"),
            ({k: {"yes": 0.5, "no": 0.6} for k in product(["yes", "no"], repeat=2)}, "1.1, not 1"),
            ({k: {"yes": 1.5, "no": -0.5} for k in product(["yes", "no"], repeat=2)}, "-0.5.*no p"),
            ({k: yes(math.nan) for k in product(["yes", "no"], repeat=2)}, "no probability"),
            (
                {k: {k[0]: 1.0} for k in product(["yes", "no"], repeat=2)},
                "lacks the value 'no' in the row a=yes, b=yes",
            ),
            (yes(0.5), "dict {value: P} for each combination"),
            ({k: {} for k in product(["yes", "no"], repeat=2)}, "is empty"),
            ({"yes": yes(0.5)}, r"lacks .*a=yes, b=yes"),
        ],
    )
    def test_bad_tables(self, table, message):
        net = BayesNet(COLLIDER)
        net.set_cpt("a", yes(0.5))
        net.set_cpt("b", yes(0.5))
        with pytest.raises(ValueError, match=message):
            net.set_cpt("c", table)
        assert "c" not in net.cpts_

    def test_bad_frames(self):
        net = lung_cancer()
        table = net.cpt("LungCancer")
        with pytest.raises(ValueError, match="lacks the row for FamilyHistory=no, Smoker=no"):
            net.set_cpt("LungCancer", table.iloc[:3])
        with pytest.raises(ValueError, match="more than once"):
            net.set_cpt("LungCancer", pd.concat([table, table]))
        with pytest.raises(ValueError, match="'Smokes'"):
            net.set_cpt("LungCancer", table.rename_axis(["FamilyHistory", "Smokes"]))
        with pytest.raises(TypeError, match="dict or DataFrame"):
            net.set_cpt("LungCancer", [0.1, 0.9])

    def test_order_and_names(self):
        net = BayesNet(COLLIDER)
        with pytest.raises(ValueError, match="set the table of 'a', a parent of 'c', first"):
            net.set_cpt("c", yes(0.5))
        with pytest.raises(ValueError, match=r"'e' is no node.*'a'"):
            net.set_cpt("e", yes(0.5))
        with pytest.raises(ValueError, match="no table for 'b'"):
            BayesNet.from_cpts(COLLIDER, {"a": yes(0.5)})
        with pytest.raises(ValueError, match="'e' has a table but is no node"):
            BayesNet.from_cpts(COLLIDER, {"e": yes(0.5)})
        cancer = lung_cancer()
        with pytest.raises(ValueError, match=r"on which the table of 'LungCancer' rests"):
            cancer.set_cpt("Smoker", {"often": 0.5, "seldom": 0.5})


class TestBadInput:
    @pytest.mark.parametrize(
        ("parents", "error", "message"),
        [
            (
                {"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]},
                ValueError,
                "cycle: 'a' -> 'c' -> 'b' -> 'a'",
            ),
            ({"a": ["a"]}, ValueError, "cycle: 'a' -> 'a'"),
            ({"a": ["b", "b"]}, ValueError, "'b' more than once"),
            ({"a": "bc"}, TypeError, "list of names"),
            ({"a": [1]}, TypeError, "1 is a int"),
            ({}, ValueError, "at least one node"),
            ([("a", "b")], TypeError, "must be a dict"),
        ],
    )
    def test_graphs(self, parents, error, message):
        with pytest.raises(error, match=message):
            BayesNet(parents)

    def test_settings(self):
        with pytest.raises(ValueError, match="unknown smoothing"):
            BayesNet(COLLIDER, "more")
        with pytest.raises(ValueError, match="at least 0"):
            BayesNet(COLLIDER, m=-1)

    def test_before_there_are_tables(self):
        net = BayesNet(COLLIDER)
        for ask in (net.joint_table, lambda: net.query("a"), lambda: net.cpt("a")):
            with pytest.raises(ValueError, match="not fitted"):
                ask()
        net.set_cpt("a", yes(0.5))
        for ask in (lambda: net.query("a"), lambda: net.cpt("b")):
            with pytest.raises(ValueError, match="'b' has no table yet"):
                ask()

    def test_questions(self):
        net = lung_cancer()
        for ask, message in (
            (lambda: net.query("Cough"), "'Cough' is no node"),
            (lambda: net.query("Smoker", {"Cough": "yes"}), "'Cough' is no node"),
            (lambda: net.query("Smoker", {"Dyspnea": "some"}), "'some' is no value of 'Dyspnea'"),
            (lambda: net.joint({"Smoker": "yes"}), "no value for 'FamilyHistory'"),
        ):
            with pytest.raises(ValueError, match=message):
                ask()

    def test_data(self):
        frame = random_frame(1)
        net = BayesNet(COLLIDER)
        for bad, error, message in (
            (frame[["a", "b"]], ValueError, "no column for the node 'c'"),
            (frame.assign(b=1.5), ValueError, "'b' holds numbers.*bin them"),
            (frame.to_numpy(), TypeError, "needs a DataFrame"),
        ):
            with pytest.raises(error, match=message):
                net.fit(bad)
        assert not net.cpts_
        net.fit(frame)
        for bad, message in (
            (frame[["a", "b"]], "no column for the node 'c'"),
            (frame.assign(b=None), "'b' is missing in row 0"),
            (frame.assign(b="never"), "'b' is not a value of the network in row 0"),
        ):
            with pytest.raises(ValueError, match=message):
                net.log_likelihood(bad)

    def test_a_table_too_large(self):
        frame = pd.DataFrame({f"x{i}": [f"v{v}" for v in range(40)] for i in range(5)})
        with pytest.raises(ValueError, match=r"table of 'x4' has 102,400,000 cells.*fewer parents"):
            BayesNet({"x4": ["x0", "x1", "x2", "x3"]}).fit(frame)


class TestStructures:
    def test_conditional_mutual_information_by_hand(self):
        """Given class k, x equals y (1 bit); given l they are independent (0 bits): half a bit."""
        frame = pd.DataFrame(
            {"x": list("abababab"), "y": list("ababaabb"), "class": list("kkkkllll")}
        )
        found = conditional_mutual_information(frame, "class")
        assert found.loc["x", "y"] == pytest.approx(0.5)
        assert found.equals(found.T)
        assert np.diag(found).tolist() == [0, 0]

    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 10**6), st.sampled_from([0.0, 0.2]))
    def test_conditional_mutual_information_by_definition(self, seed, missing):
        frame = random_frame(seed, missing=missing)
        found = conditional_mutual_information(frame, "d")
        for a, b in product("abc", repeat=2):
            if a == b:
                continue
            P = frame[[a, b, "d"]].dropna().value_counts(normalize=True)
            P = P[P > 0]
            of = {key: P.groupby(level=list(key)).sum() for key in [("d",), (a, "d"), (b, "d")]}
            bits = sum(
                p * math.log2(p * of["d",][d] / (of[a, "d"][x, d] * of[b, "d"][y, d]))
                for (x, y, d), p in P.items()
            )
            assert found.loc[a, b] == pytest.approx(bits, abs=1e-9)

    def test_tan_finds_a_planted_tree(self):
        """w - x - z and x - v, given the class; each copy is right in 90 % of the cases."""
        rng = np.random.default_rng(8)
        n = 3000
        y = rng.integers(0, 2, n)

        def copy(x):
            return np.where(rng.random(n) < 0.9, x, 1 - x)

        w = copy(y)
        x = copy(w)
        columns = {"w": w, "x": x, "z": copy(x), "v": copy(x), "class": y}
        frame = pd.DataFrame({k: np.where(c == 1, "one", "zero") for k, c in columns.items()})
        expected = {"class": [], "w": ["class"], "x": ["class", "w"]}
        expected |= {"z": ["class", "x"], "v": ["class", "x"]}
        assert tan_structure(frame, "class") == expected
        shuffled = frame.sample(frac=1, random_state=1)
        assert tan_structure(shuffled, "class") == expected

    @pytest.mark.parametrize("name", ["vote", "tic-tac-toe", "contact-lenses", "breast-cancer"])
    def test_tan_is_at_least_as_likely_as_naive_bayes(self, name):
        data = rt.prepare(rt.load(name), "papers")
        frame = data.X.assign(**{"class": data.y})
        naive = BayesNet(naive_bayes_structure("class", data.X.columns), "none").fit(frame)
        tan = BayesNet(tan_structure(frame, "class"), "none").fit(frame)
        gain = tan.log_likelihood(frame) - naive.log_likelihood(frame)
        assert gain > 0
        bits = conditional_mutual_information(frame, "class")
        edges = [above for above in tan.parents.items() if len(above[1]) == 2]
        assert len(edges) == data.X.shape[1] - 1
        weight = sum(bits.loc[child, above[1]] for child, above in edges)
        assert gain == pytest.approx(len(frame) * weight * math.log(2)), "Friedman's Theorem 4.4"

    def test_tan_beats_every_other_tree(self):
        frame = random_frame(9)
        bits = conditional_mutual_information(frame, "d")
        best = max(
            bits.loc["a", "b"] + bits.loc["b", "c"],
            bits.loc["a", "c"] + bits.loc["b", "c"],
            bits.loc["a", "b"] + bits.loc["a", "c"],
        )
        chosen = [(k, p[1]) for k, p in tan_structure(frame, "d").items() if len(p) == 2]
        assert sum(bits.loc[edge] for edge in chosen) == pytest.approx(best)

    def test_bad_input(self):
        frame = random_frame(1)
        for ask, error, message in (
            (lambda: naive_bayes_structure("a", ["a", "b"]), ValueError, "among the attributes"),
            (lambda: tan_structure(frame, "z"), ValueError, "no column for the class 'z'"),
            (lambda: tan_structure(frame[["a"]], "a"), ValueError, "nothing but the class"),
            (lambda: tan_structure(frame.assign(b=2.5), "a"), ValueError, "'b' holds numbers"),
            (lambda: tan_structure(frame.to_numpy(), "a"), TypeError, "DataFrame"),
        ):
            with pytest.raises(error, match=message):
                ask()
