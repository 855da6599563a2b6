"""One prediction in words: the path with the case's own values, the counts, the formula."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import ranktrees as rt
from ranktrees.explain import Explanation, explain_tree, one_case
from ranktrees.models import C44, C45

IRIS = rt.load("iris")
CASE = {"sepallength": 5.9, "sepalwidth": 3.2, "petallength": 4.8, "petalwidth": 1.8}
X = pd.DataFrame({"size": pd.Categorical(list("smlsml"), list("sml"), ordered=True)})
X["colour"], X["weight"] = list("rrggbb"), [1.0, 2, 3, 4, 5, 6]
Y = ["no", "no", "yes", "yes", "no", "yes"]


@pytest.fixture(scope="module")
def iris():
    return rt.DecisionTree(estimate="laplace").fit(IRIS.X, IRIS.y)


def tree_of(column, y, **params):
    """A fitted tree on one column."""
    return rt.DecisionTree(**params).fit(pd.DataFrame({"a": column}), y)


class TestAWorkedCase:
    def test_every_line(self, iris):
        found = explain_tree(iris, IRIS.X.iloc[[70]])
        assert found.title == "Iris-virginica with probability 0.571"
        assert found.lines == [
            "Training data: 150 cases (50 Iris-setosa, 50 Iris-versicolor, 50 Iris-virginica).",
            "petalwidth 1.8 lies in (1.78, 2.02]: 23 cases (22 Iris-virginica, 1 Iris-versicolor).",
            "sepallength 5.9 lies in (5.74, 6.1]: 6 cases (5 Iris-virginica, 1 Iris-versicolor).",
            "sepalwidth 3.2 lies in (2.96, 3.2]: 4 cases (3 Iris-virginica, 1 Iris-versicolor).",
            "This is a leaf.",
            'Estimate "laplace": P(Iris-virginica) = (3 + 1) / (4 + 3) = 0.571.',
        ]

    def test_the_table_and_the_probabilities(self, iris):
        found = explain_tree(iris, CASE)
        proba = iris.predict_proba(IRIS.X.iloc[[70]])[0]
        assert found.proba == dict(zip(IRIS.y.categories, proba, strict=True))
        table = found.table
        assert table.index.name == "node"
        assert table["condition"].iloc[[0, 1]].tolist() == [
            "all cases",
            "petalwidth in (1.78, 2.02]",
        ]
        assert table["cases"].tolist() == [150, 23, 6, 4]
        counts = table[[f"n({c})" for c in IRIS.y.categories]]
        assert counts.to_numpy().tolist() == iris.tree_.counts[table.index].tolist()
        last = table[[f"P({c})" for c in IRIS.y.categories]].iloc[-1]
        assert last.tolist() == proba.tolist()

    def test_as_text(self, iris):
        text = str(explain_tree(iris, CASE))
        assert text.startswith("Iris-virginica with probability 0.571\n1. Training data: 150")
        assert "\n6. Estimate" in text
        assert "P(Iris-virginica)" in text
        assert max(map(len, text.splitlines())) <= 110

    def test_as_html_nothing_is_markup(self):
        y = pd.Categorical(["<b>", "x&y"] * 3)
        model = rt.DecisionTree().fit(pd.DataFrame({"<i>": list("ababab")}), y)
        page = explain_tree(model, {"<i>": "a"})._repr_html_()
        assert "<b>" not in page
        assert "<i>" not in page
        assert "&lt;b&gt; with probability" in page
        assert "n(x&amp;y)" in page
        assert page.count("<li>") == 4

    def test_a_hand_made_explanation(self):
        one = Explanation("A & B", ["1 < 2"], pd.DataFrame({"c": [0.12345]}), {"A": 1.0})
        assert str(one).splitlines()[:2] == ["A & B", "1. 1 < 2"]
        assert "0.123" in str(one)
        assert "1 &lt; 2" in one._repr_html_()


class TestConditions:
    def test_binary_cuts(self):
        model = rt.DecisionTree("gini", numeric="thresholds").fit(IRIS.X, IRIS.y)
        lines = explain_tree(model, CASE).lines
        assert lines[1].startswith("petallength 4.8 is > 2.45: 100 cases")
        assert lines[3].startswith("petallength 4.8 is <= 4.85: 3 cases")

    def test_nominal_values_and_sets(self):
        one = explain_tree(tree_of(list("aabbcc"), [0, 0, 1, 1, 0, 1]), ["a"])
        assert one.lines[1] == "a is a: 2 cases (2 0)."
        two = explain_tree(tree_of(list("aabbcc"), [0, 0, 1, 1, 0, 0], split="binary"), ["c"])
        assert two.lines[1] == "a c is in {a, c}: 4 cases (4 0)."

    def test_ordered_values(self):
        size = pd.Categorical(list("ssmmll"), list("sml"), ordered=True)
        found = explain_tree(tree_of(size, [0, 0, 0, 0, 1, 1], split="binary"), ["m"])
        assert found.lines[1] == "a m is <= m: 4 cases (4 0)."

    def test_an_imputed_number_and_an_imputed_name(self):
        number = tree_of([1.0, 1, 1, 9], [0, 0, 0, 1], numeric="thresholds")
        line = explain_tree(number, {"a": None}).lines[1]
        assert line == "a, missing and taken as 3, is <= 5: 3 cases (3 0)."
        name = tree_of(["r", "r", "g"], [0, 0, 1])
        line = explain_tree(name, {"a": None}).lines[1]
        assert line == "a, missing and taken as r, is r: 2 cases (2 0)."

    def test_missing_as_a_value(self):
        model = tree_of(["r", "g", None, None], [0, 0, 1, 1], missing="value")
        assert explain_tree(model, {"a": np.nan}).lines[1] == "a is missing: 2 cases (2 1)."
        model = tree_of([1.0, 2, 3, None], [0, 1, 1, 1], missing="value", numeric="thresholds")
        lines = explain_tree(model, {"a": np.nan}).lines
        assert lines[1] == "a, missing, is > 1.5 or missing: 3 cases (3 1)."

    def test_a_single_leaf(self):
        found = explain_tree(tree_of([5.0, 6, 7, 8], [0, 1, 1, 0], min_parent=9), [5])
        assert found.lines[1:] == ["This is a leaf.", 'Estimate "frequency": P(0) = 2 / 4 = 0.500.']


class TestEarlyEnds:
    def test_an_unseen_value(self):
        found = explain_tree(tree_of(list("aab"), [0, 0, 1]), ["z"])
        assert found.lines[1] == "a z was never seen in training: the case stops here."
        assert found.lines[2] == 'Estimate "frequency": P(0) = 2 / 3 = 0.667.'
        assert found.table["cases"].tolist() == [3]

    def test_a_missing_value_where_none_was_missing(self):
        found = explain_tree(tree_of(list("aab"), [0, 0, 1], missing="value"), [None])
        assert found.lines[1] == "a, missing, was never seen in training: the case stops here."

    def test_empty_branches(self):
        column = pd.Categorical(list("aab"), list("abc"))
        line = explain_tree(tree_of(column, [0, 0, 1]), ["c"]).lines[1]
        assert line == "a is c, where this node has no training case: the case stops here."
        model = tree_of([0.0, 0, 10, 10], [0, 0, 1, 1], n_bins=5)
        line = explain_tree(model, [5]).lines[1]
        assert line.startswith("a 5 lies in (4, 6], where this node has no training case")


class TestEstimates:
    @pytest.mark.parametrize(
        ("estimate", "params"),
        [
            ("frequency", {}),
            ("laplace", {}),
            ("laplace", {"classes": "parent"}),
            ("m", {}),
            ("m", {"m": 7.5}),
        ],
    )
    @pytest.mark.parametrize("name", ["iris", "weather.nominal", "glass"])
    def test_the_formula_gives_what_is_said(self, name, estimate, params):
        data = rt.load(name)
        model = rt.DecisionTree(max_depth=3, min_child=2, child_rule="two").fit(data.X, data.y)
        model = model.with_estimate(estimate, **params)
        for row in range(0, len(data), 9):
            found = explain_tree(model, data.X.iloc[[row]])
            formula, said = re.search(r" = (.*) = (\S+)\.$", found.lines[-1]).groups()
            assert value_of(formula) == pytest.approx(float(said), abs=2e-3)
            assert float(said) == round(max(found.proba.values()), 3)

    def test_laplace_as_in_wang_2006(self):
        model = C44(rules="wang2006").fit(IRIS.X, IRIS.y)
        assert "(1 + 1) / (1 + 2)" in "".join(
            line for row in range(150) for line in explain_tree(model, IRIS.X.iloc[[row]]).lines
        )
        column = pd.Categorical(list("aabbab"), list("abc"))
        model = C44(rules="wang2006").fit(pd.DataFrame({"a": column}), [0, 0, 1, 1, 0, 1])
        last = explain_tree(model, ["c"]).lines[-1]
        assert last == 'Estimate "laplace": P(0) = 1 / 2 = 0.500.'

    def test_estimates_of_the_whole_path(self, iris):
        found = explain_tree(iris.with_estimate("m-branch"), CASE)
        best = max(found.proba, key=found.proba.get)
        steps = re.search(r"from the root down is (.*)\.$", found.lines[-1]).group(1).split(", ")
        assert [f"{p:.3f}" for p in found.table[f"P({best})"]] == steps

    def test_estimates_of_the_whole_case(self, iris):
        model = iris.with_estimate("ling-yan")
        found = explain_tree(model, CASE)
        assert "compares the whole case" in found.lines[-1]
        proba = model.predict_proba(IRIS.X.iloc[[70]])[0]
        assert list(found.proba.values()) == proba.tolist()
        assert f"{proba.max():.3f}" in found.title

    def test_a_pruned_tree(self):
        data = rt.load("credit-g")
        model = C45().fit(data.X, data.y)
        found = explain_tree(model, data.X.iloc[[0]])
        node = int(model.apply(data.X.iloc[[0]])[0])
        assert found.table.index[-1] == node
        assert found.lines[-2] == "This is a leaf."

    def test_very_many_classes_are_put_together(self):
        data = rt.load("soybean")
        model = rt.DecisionTree(estimate="laplace").fit(data.X, data.y)
        found = explain_tree(model, data.X.iloc[[0]])
        assert len(found.proba) == 19
        assert found.lines[0].endswith("14 more classes).")
        n = found.table.filter(regex=r"^n\(")
        assert n.columns[-1] == "n(14 others)"
        assert n.sum(axis=1).tolist() == found.table["cases"].tolist()
        assert found.table.filter(regex=r"^P\(").sum(axis=1).tolist() == pytest.approx([1] * len(n))


def value_of(formula):
    """The value of a quotient of sums such as (43 + 2 * 0.333) / (45 + 2)."""
    above, below = (part.strip("() ") for part in formula.split(" / "))
    return sum(map(product, above.split(" + "))) / sum(map(product, below.split(" + ")))


def product(text):
    return float(np.prod([float(factor) for factor in text.split(" * ")]))


class TestOneCase:
    def forms(self):
        yield IRIS.X.iloc[[70]]
        yield IRIS.X.iloc[70]
        yield dict(reversed(CASE.items()))
        yield list(CASE.values())
        yield tuple(CASE.values())
        yield np.array([list(CASE.values())])
        yield pd.Series(CASE)[::-1]

    def test_all_forms_say_the_same(self, iris):
        texts = {str(explain_tree(iris, case)) for case in self.forms()}
        assert len(texts) == 1

    def test_mixed_columns(self):
        model = rt.DecisionTree().fit(X, Y)
        for row in range(len(X)):
            forms = [X.iloc[[row]], X.iloc[row], X.iloc[row].to_dict(), X.iloc[row].tolist()]
            assert len({str(explain_tree(model, form)) for form in forms}) == 1
            assert explain_tree(model, forms[2]).title.startswith(model.predict(forms[0])[0])

    def test_a_model_of_an_array(self):
        model = rt.DecisionTree().fit(IRIS.X.to_numpy(), IRIS.y)
        row = IRIS.X.iloc[70]
        named = dict(zip(["x0", "x1", "x2", "x3"], row, strict=True))
        texts = {str(explain_tree(model, c)) for c in (row.to_numpy(), row, named, row.tolist())}
        assert len(texts) == 1
        assert "x3 1.8 lies in (1.78, 2.02]" in texts.pop()

    def test_a_model_of_codes(self):
        coded = rt.Encoder().fit_transform(IRIS.X)
        model = rt.DecisionTree(estimate="laplace").fit(coded, IRIS.y)
        row = coded.values[70]
        names = [info.name for info in coded.schema]
        forms = (coded.take(np.array([70])), row, row.tolist(), dict(zip(names, row, strict=True)))
        texts = {str(explain_tree(model, form)) for form in forms}
        assert len(texts) == 1
        assert f"petalwidth code {row[3]} lies in (1.78, 2.02]: 23 cases" in texts.pop()
        unseen = explain_tree(model, [0, 0, 0, -1])
        assert (
            unseen.lines[1] == "petalwidth code -1 was never seen in training: the case stops here."
        )
        nominal = rt.Encoder().fit_transform(X[["colour"]])
        found = explain_tree(rt.DecisionTree().fit(nominal, [0, 0, 1, 1, 0, 1]), [2])
        assert found.lines[1] == "colour code 2 is r: 2 cases (2 0)."

    @pytest.mark.parametrize(
        ("case", "error", "message"),
        [
            (IRIS.X[:3], ValueError, r"there are 3: pick one, X\.iloc"),
            (IRIS.X.to_numpy()[:2], ValueError, "there are 2"),
            (IRIS.X[:0], ValueError, "there are 0"),
            ({"petalwidth": 1, "sepalwidth": 2}, ValueError, "lacks 'sepallength', 'petallength'"),
            ({**CASE, "colour": "red"}, ValueError, "has 'colour', unknown .* sepallength, "),
            (pd.Series(CASE)[:2], ValueError, "lacks 'petallength', 'petalwidth': give every"),
            ([1, 2, 3], ValueError, "3 values, but there are 4 attributes: sepallength"),
            (IRIS.X.iloc[[0], :3], ValueError, "petalwidth"),
            ("petal", TypeError, "not 'petal'"),
            (5.1, TypeError, r"not 5\.1"),
            ({**CASE, "petalwidth": "wide"}, ValueError, "'petalwidth' was numeric .* 'wide'"),
            ({**CASE, "petalwidth": np.inf}, ValueError, "'petalwidth' contains infinity"),
        ],
    )
    def test_bad_cases(self, iris, case, error, message):
        with pytest.raises(error, match=message):
            explain_tree(iris, case)

    def test_bad_codes(self):
        coded = rt.Encoder().fit_transform(IRIS.X)
        model = rt.DecisionTree().fit(coded, IRIS.y)
        with pytest.raises(TypeError, match=r"'petalwidth'.* 0 to 9, not 1\.8"):
            explain_tree(model, [1, 2, 3, 1.8])
        with pytest.raises(ValueError, match="'petalwidth' has codes outside its values, 0 to 9"):
            explain_tree(model, [1, 2, 3, 10])
        with pytest.raises(ValueError, match="there are 150"):
            explain_tree(model, coded)

    def test_an_unfitted_model(self):
        with pytest.raises(NotFittedError):
            one_case(rt.DecisionTree(), CASE)
