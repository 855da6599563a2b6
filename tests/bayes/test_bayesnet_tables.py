"""`BayesNet`: tables by hand, bad input, structures."""

import math
from itertools import combinations, product

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_bayesnet import COLLIDER, random_frame, yes

import ranktrees as rt
from ranktrees.bayes import (
    BayesNet,
    conditional_mutual_information,
    lung_cancer,
    naive_bayes_structure,
    tan_structure,
)
from ranktrees.plain import bayes


def each(row):
    """The same row for each combination of two parents' values."""
    return dict.fromkeys(product(["yes", "no"], repeat=2), row)


class TestTablesByHand:
    def test_a_frame_goes_in_as_it_comes_out(self):
        net = lung_cancer()
        again = BayesNet.from_cpts(net.parents, {name: net.cpt(name) for name in net.parents})
        pd.testing.assert_series_equal(again.joint_table(), net.joint_table())
        turned = net.cpt("LungCancer").swaplevel().sample(frac=1, random_state=3)
        again.set_cpt("LungCancer", turned)
        pd.testing.assert_frame_equal(again.cpt("LungCancer"), net.cpt("LungCancer"))

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ({("yes", "no"): yes(0.5), ("no", "yes"): yes(0.5)}, r"'c' lacks .*a=yes, b=yes"),
            ({**each(yes(0.1)), ("?", "no"): yes(0.1)}, r"row for a=\?"),
            (each({"yes": 0.5, "no": 0.6}), r"1\.1, not 1"),
            (each({"yes": 1.5, "no": -0.5}), r"1\.5.*not a p"),
            (each({"yes": "1", "no": 0}), "'1' in the row"),
            (each(yes(math.nan)), "not a probability"),
            ({**each(yes(0.1)), ("yes", "yes"): {"yes": 1.0}}, "lacks the value 'no' in the row a"),
            (yes(0.5), "dict {value: P} for each combination"),
            (each({}), "is empty"),
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
        with pytest.raises(ValueError, match=r"'e' is not a node.*'a'"):
            net.set_cpt("e", yes(0.5))
        with pytest.raises(ValueError, match="no table for 'b'"):
            BayesNet.from_cpts(COLLIDER, {"a": yes(0.5)})
        with pytest.raises(ValueError, match="'e' has a table but is not a node"):
            BayesNet.from_cpts(COLLIDER, {"e": yes(0.5)})
        cancer = lung_cancer()
        with pytest.raises(ValueError, match=r"on which the table of 'LungCancer' rests"):
            cancer.set_cpt("Smoker", {"often": 0.5, "seldom": 0.5})


class TestBadInput:
    @pytest.mark.parametrize(
        ("parents", "error", "message"),
        [
            ({"a": ["b"], "b": ["c"], "c": ["a"]}, ValueError, "cycle: 'a' -> 'c' -> 'b' -> 'a'"),
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

    def test_settings_and_tables_that_are_not_there(self):
        with pytest.raises(ValueError, match="unknown smoothing"):
            BayesNet(COLLIDER, "more")
        with pytest.raises(ValueError, match="at least 0"):
            BayesNet(COLLIDER, m=-1)
        net = BayesNet(COLLIDER)
        for ask in (net.joint_table, lambda: net.query("a"), lambda: net.cpt("a")):
            with pytest.raises(ValueError, match="'a' has no table yet: use set_cpt"):
                ask()

    def test_questions(self):
        net = lung_cancer()
        for ask, message in (
            (lambda: net.query("Cough"), "'Cough' is not a node"),
            (lambda: net.query("Smoker", {"Cough": "yes"}), "'Cough' is not a node"),
            (
                lambda: net.query("Smoker", {"Dyspnea": "some"}),
                "'some' is not a value of 'Dyspnea'",
            ),
            (lambda: net.query("Smoker", ["yes"]), "dict {node: value}"),
            (lambda: net.predict_proba([["yes"]], "Smoker"), "must be a DataFrame"),
            (lambda: net.log_likelihood([["yes"]]), "must be a DataFrame"),
            (lambda: net.joint({"Smoker": "yes"}), "no value for 'FamilyHistory'"),
        ):
            with pytest.raises((TypeError, ValueError), match=message):
                ask()

    def test_data(self):
        frame = random_frame(1)
        net = BayesNet(COLLIDER)
        for bad, error, message in (
            (frame[["a", "b"]], ValueError, "no column for the node 'c'"),
            (frame.assign(b=1.5), ValueError, "'b' holds numbers.*bin them"),
            (frame.to_numpy(), TypeError, "must be a DataFrame"),
        ):
            with pytest.raises(error, match=message):
                net.fit(bad)
        assert not net.cpts_
        wide = pd.DataFrame({f"x{i}": [f"v{v}" for v in range(40)] for i in range(5)})
        with pytest.raises(ValueError, match=r"table of 'x4' has 102,400,000 cells.*fewer parents"):
            BayesNet({"x4": ["x0", "x1", "x2", "x3"]}).fit(wide)
        net.fit(frame)
        for bad, message in (
            (frame[["a", "b"]], "no column for the node 'c'"),
            (frame.assign(b=None), "'b' is missing in row 0"),
            (frame.assign(b="never"), "'b' is not a value of the network in row 0"),
        ):
            with pytest.raises(ValueError, match=message):
                net.log_likelihood(bad)


class TestStructures:
    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 10**6), st.sampled_from([0.0, 0.2]))
    def test_conditional_mutual_information_by_definition(self, seed, missing):
        frame = random_frame(seed, missing=missing)
        found = conditional_mutual_information(frame, "d")
        for a, b in combinations("abc", 2):
            columns = (frame[name].cat.codes.to_numpy() for name in (a, b, "d"))
            bits = bayes.mutual_information(*columns)
            assert found.loc[a, b] == pytest.approx(bits, abs=1e-9)
            assert found.loc[b, a] == pytest.approx(bits, abs=1e-9)

    @pytest.mark.parametrize("name", ["vote", "contact-lenses"])
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
        ab, bc, ac = bits.loc["a", "b"], bits.loc["b", "c"], bits.loc["a", "c"]
        chosen = [(k, p[1]) for k, p in tan_structure(frame, "d").items() if len(p) == 2]
        best = max(ab + bc, ac + bc, ab + ac)
        assert sum(bits.loc[edge] for edge in chosen) == pytest.approx(best)

    def test_ties_go_to_the_first_and_rounding_decides_nothing(self):
        """All combinations occur as often, so that no attribute tells of another."""
        grid = pd.DataFrame(product("abc", "uvw", "xyz", "kkkkkkkll"), columns=list("pqrc"))
        assert not conditional_mutual_information(grid, "c").to_numpy().any()
        first = {"c": [], "p": ["c"], "q": ["c", "p"], "r": ["c", "p"]}
        assert tan_structure(grid, "c") == first
        copies = grid.assign(q=grid["p"], r=grid["p"])
        assert tan_structure(copies, "c") == first

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
