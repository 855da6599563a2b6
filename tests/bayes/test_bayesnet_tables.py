"""`BayesNet`: tables by hand, bad input, structures."""

import math
from itertools import product

import pandas as pd
import pytest
from test_bayesnet import random_frame, yes

import ranktrees as rt
from ranktrees_engine.bayes import (
    BayesNet,
    conditional_mutual_information,
    lung_cancer,
    naive_bayes_structure,
    tan_structure,
)

COLLIDER = {"c": ["a", "b"]}


def each(row):
    """The same row for each combination of two parents' values."""
    return dict.fromkeys(product(["yes", "no"], repeat=2), row)


def test_a_frame_goes_in_as_it_comes_out():
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
def test_bad_tables(table, message):
    net = BayesNet(COLLIDER)
    net.set_cpt("a", yes(0.5))
    net.set_cpt("b", yes(0.5))
    with pytest.raises(ValueError, match=message):
        net.set_cpt("c", table)
    assert "c" not in net.cpts_


CANCER = lung_cancer()
TABLE = CANCER.cpt("LungCancer")
FRAME = random_frame(1)
KNOWN = BayesNet(COLLIDER).fit(FRAME)
WIDE = pd.DataFrame({f"x{i}": [f"v{v}" for v in range(40)] for i in range(5)})


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: CANCER.set_cpt("LungCancer", TABLE[:3]), "lacks the row for Fam.*=no, Smoker=no"),
        (lambda: CANCER.set_cpt("LungCancer", pd.concat([TABLE, TABLE])), "more than once"),
        (lambda: CANCER.set_cpt("LungCancer", TABLE.rename_axis(["Smoker", "Fam"])), "'Fam'"),
        (lambda: CANCER.set_cpt("LungCancer", [0.1, 0.9]), "dict or DataFrame"),
        (lambda: CANCER.set_cpt("Smoker", {"much": 0.5, "no": 0.5}), "which the table of 'LungC"),
        (lambda: BayesNet(COLLIDER).set_cpt("c", yes(0.5)), "the table of 'a', a parent of 'c', f"),
        (lambda: BayesNet(COLLIDER).set_cpt("e", yes(0.5)), "'e' is not a node.*'a'"),
        (lambda: BayesNet.from_cpts(COLLIDER, {"a": yes(0.5)}), "no table for 'b'"),
        (lambda: BayesNet.from_cpts(COLLIDER, {"e": yes(0.5)}), "'e' has a table but is not a"),
        (lambda: BayesNet({"a": ["b"], "b": ["c"], "c": ["a"]}), "cycle: 'a' -> 'c' -> 'b' -> 'a'"),
        (lambda: BayesNet({"a": ["b", "b"]}), "'b' more than once"),
        (lambda: BayesNet({"a": "bc"}), "list of names"),
        (lambda: BayesNet({"a": [1]}), "1 is of type int"),
        (lambda: BayesNet({}), "at least one node"),
        (lambda: BayesNet([("a", "b")]), "must be a dict"),
        (lambda: BayesNet(COLLIDER, "more"), "unknown smoothing"),
        (lambda: BayesNet(COLLIDER, m=-1), "at least 0"),
        (lambda: BayesNet(COLLIDER).joint_table(), "'a' has no table yet: use set_cpt"),
        (lambda: BayesNet(COLLIDER).query("a"), "'a' has no table yet: use set_cpt"),
        (lambda: BayesNet(COLLIDER).fit(FRAME[["a", "b"]]), "no column for the node 'c'"),
        (lambda: BayesNet(COLLIDER).fit(FRAME.assign(b=1.5)), "'b' holds numbers.*bin them"),
        (lambda: BayesNet(COLLIDER).fit(FRAME.to_numpy()), "must be a DataFrame"),
        (
            lambda: BayesNet({"x4": ["x0", "x1", "x2", "x3"]}).fit(WIDE),
            "102,400,000 cells.*fewer",
        ),
        (lambda: CANCER.query("Cough"), "'Cough' is not a node"),
        (lambda: CANCER.query("Smoker", {"Dyspnea": "some"}), "'some' is not a value of 'Dysp"),
        (lambda: CANCER.query("Smoker", ["yes"]), "dict {node: value}"),
        (lambda: CANCER.predict_proba([["yes"]], "Smoker"), "must be a DataFrame"),
        (lambda: CANCER.joint({"Smoker": "yes"}), "no value for 'FamilyHistory'"),
        (lambda: KNOWN.log_likelihood([["yes"]]), "must be a DataFrame"),
        (lambda: KNOWN.log_likelihood(FRAME[["a", "b"]]), "no column for the node 'c'"),
        (lambda: KNOWN.log_likelihood(FRAME.assign(b=None)), "'b' is missing in row 0"),
        (lambda: KNOWN.log_likelihood(FRAME[:1].assign(b="new")), "'b' is not a value .* in row 0"),
        (lambda: naive_bayes_structure("a", ["a", "b"]), "among the attributes"),
        (lambda: tan_structure(FRAME, "z"), "no column for the class 'z'"),
        (lambda: tan_structure(FRAME[["a"]], "a"), "nothing but the class"),
        (lambda: tan_structure(FRAME.assign(b=2.5), "a"), "'b' holds numbers"),
        (lambda: tan_structure(FRAME.to_numpy(), "a"), "DataFrame"),
    ],
)
def test_bad_input(use, message):
    with pytest.raises((TypeError, ValueError), match=message):
        use()


class TestStructures:
    def test_tan_is_at_least_as_likely_as_naive_bayes(self):
        data = rt.prepare(rt.load("vote"), "papers")
        frame = data.X.assign(**{"class": data.y})
        naive = BayesNet(naive_bayes_structure("class", data.X.columns), "none").fit(frame)
        tan = BayesNet(tan_structure(frame, "class"), "none").fit(frame)
        gain = tan.log_likelihood(frame) - naive.log_likelihood(frame)
        bits = conditional_mutual_information(frame, "class")
        edges = [above for above in tan.parents.items() if len(above[1]) == 2]
        weight = sum(bits.loc[child, above[1]] for child, above in edges)
        assert gain == pytest.approx(len(frame) * weight * math.log(2)), "Friedman's Theorem 4.4"

    def test_ties_go_to_the_first_and_rounding_decides_nothing(self):
        """All combinations occur as often, so that no attribute tells of another."""
        grid = pd.DataFrame(product("abc", "uvw", "xyz", "kkkkkkkll"), columns=list("pqrc"))
        assert not conditional_mutual_information(grid, "c").to_numpy().any()
        first = {"c": [], "p": ["c"], "q": ["c", "p"], "r": ["c", "p"]}
        assert tan_structure(grid, "c") == first
        copies = grid.assign(q=grid["p"], r=grid["p"])
        assert tan_structure(copies, "c") == first
