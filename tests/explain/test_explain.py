"""One prediction in words: the path with the case's own values, the counts, the formula."""

import re

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_engine.explain import explain_tree

IRIS = rt.load("iris")
CASE = {"sepallength": 5.9, "sepalwidth": 3.2, "petallength": 4.8, "petalwidth": 1.8}


@pytest.fixture(scope="module")
def iris():
    return rt.DecisionTree(estimate="laplace").fit(IRIS.X, IRIS.y)


class TestAWorkedCase:
    def test_every_line(self, iris):
        found = explain_tree(iris, IRIS.X.iloc[[70]])
        assert str(found).startswith("Iris-virginica with probability 0.571\n1. Training data: 150")
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
        proba, table = iris.predict_proba(IRIS.X.iloc[[70]])[0], found.table
        assert found.proba == dict(zip(IRIS.y.categories, proba, strict=True))
        assert table["condition"].tolist()[:2] == ["all cases", "petalwidth in (1.78, 2.02]"]
        assert table["cases"].tolist() == [150, 23, 6, 4]
        counts = table[[f"n({c})" for c in IRIS.y.categories]]
        assert counts.to_numpy().tolist() == iris.tree_.counts[table.index].tolist()
        assert table[[f"P({c})" for c in found.proba]].iloc[-1].tolist() == proba.tolist()

    def test_as_html_nothing_is_markup(self):
        y = pd.Categorical(["<b>", "x&y"] * 3)
        model = rt.DecisionTree().fit(pd.DataFrame({"<i>": list("ababab")}), y)
        page = explain_tree(model, {"<i>": "a"})._repr_html_()
        assert not re.findall("<[bi]>", page)
        assert "&lt;b&gt; with probability" in page
        assert "n(x&amp;y)" in page


SIX, GAPS = list("aabbcc"), {"missing": "value"}
SIZES = pd.Categorical(list("ssmmll"), list("sml"), ordered=True)
DECLARED = pd.Categorical(list("aab"), list("abc"))
CUT = {"numeric": "thresholds"}
CONDITIONS = [  # a column, its classes, the tree, a case's value, and what is said of it
    (SIX, [0, 0, 1, 1, 0, 1], {}, "a", "a is a: 2 cases (2 0)."),
    (SIX, [0, 0, 1, 1, 0, 0], {"split": "binary"}, "c", "a c is in {a, c}: 4 cases (4 0)."),
    (SIZES, [0, 0, 0, 0, 1, 1], {"split": "binary"}, "m", "a m is <= m: 4 cases (4 0)."),
    ([1.0, 2, 3, 9], [0, 0, 0, 1], CUT, 9, "a 9 is > 6: 1 case (1 1)."),
    ([1.0, 1, 1, 9], [0, 0, 0, 1], CUT, None, "a, missing and taken as 3, is <= 5: 3 cases (3 0)."),
    (["r", "r", "g"], [0, 0, 1], {}, None, "a, missing and taken as r, is r: 2 cases (2 0)."),
    (["r", "g", None, None], [0, 0, 1, 1], GAPS, np.nan, "a is missing: 2 cases (2 1)."),
    ([1.0, 2, 3, None], [0, 1, 1, 1], GAPS | CUT, None, "a, missing, is > 1.5 or missing: 3 cases"),
    (list("aab"), [0, 0, 1], {}, "z", "a z was never seen in training: the case stops here."),
    (list("aab"), [0, 0, 1], GAPS, None, "a, missing, was never seen in training: the case stops"),
    (DECLARED, [0, 0, 1], {}, "c", "a is c, where this node has no training case: the case stops"),
    ([0.0, 0, 9, 9], [0, 0, 1, 1], {"n_bins": 3}, 4, "a 4 lies in (3, 6], where this node has no"),
]


@pytest.mark.parametrize(("column", "y", "params", "value", "line"), CONDITIONS)
def test_conditions(column, y, params, value, line):
    model = rt.DecisionTree(**params).fit(pd.DataFrame({"a": column}), y)
    assert explain_tree(model, {"a": value}).lines[1].startswith(line)


class TestEstimates:
    @pytest.mark.parametrize(
        ("estimate", "params"), [("laplace", {}), ("laplace", {"classes": "parent"}), ("m", {})]
    )
    def test_the_formula_gives_what_is_said(self, estimate, params):
        data = rt.load("glass")
        model = rt.DecisionTree(max_depth=3, min_child=2, child_rule="two").fit(data.X, data.y)
        model = model.with_estimate(estimate, **params)
        for row in range(0, len(data), 30):
            found = explain_tree(model, data.X.iloc[[row]])
            formula, said = re.search(r" = (.*) = (\S+)\.$", found.lines[-1]).groups()
            assert pd.eval(formula) == pytest.approx(float(said), abs=2e-3)
            assert float(said) == round(max(found.proba.values()), 3)

    def test_laplace_as_in_wang_2006(self):
        column = pd.Categorical(list("aabbab"), list("abc"))
        model = rt.C44(rules="wang2006").fit(pd.DataFrame({"a": column}), [0, 0, 1, 1, 0, 1])
        last = explain_tree(model, ["c"]).lines[-1]
        assert last == 'Estimate "laplace": P(0) = 1 / 2 = 0.500.'

    def test_estimates_of_the_whole_path(self, iris):
        found = explain_tree(iris.with_estimate("m-branch"), CASE)
        best = max(found.proba, key=found.proba.get)
        steps = re.search(r"from the root down is (.*)\.$", found.lines[-1]).group(1).split(", ")
        assert [f"{p:.3f}" for p in found.table[f"P({best})"]] == steps

    def test_very_many_classes_are_put_together(self):
        data = rt.load("soybean")
        model = rt.DecisionTree(estimate="laplace").fit(data.X, data.y)
        found = explain_tree(model, data.X.iloc[[0]])
        assert found.lines[0].endswith("14 more classes).")
        n = found.table.filter(regex=r"^n\(")
        assert n.columns[-1] == "n(14 others)"
        assert n.sum(axis=1).tolist() == found.table["cases"].tolist()
        assert found.table.filter(regex=r"^P\(").sum(axis=1).tolist() == pytest.approx([1] * len(n))


class TestOneCase:
    def test_mixed_columns(self):
        X = pd.DataFrame({"size": SIZES, "colour": SIX, "weight": [1.0, 2, 3, 4, 5, 6]})
        model = rt.DecisionTree().fit(X, ["no", "no", "yes", "yes", "no", "yes"])
        for row in range(len(X)):
            forms = [X.iloc[[row]], X.iloc[row], X.iloc[row].to_dict(), X.iloc[row].tolist()]
            assert len({str(explain_tree(model, form)) for form in forms}) == 1
            assert explain_tree(model, forms[2]).title.startswith(model.predict(forms[0])[0])

    def test_a_model_of_codes(self):
        coded = rt.Encoder().fit_transform(IRIS.X)
        model = rt.DecisionTree(estimate="laplace").fit(coded, IRIS.y)
        row = coded.values[70]
        names = [info.name for info in coded.schema]
        forms = (coded.take(np.array([70])), row, row.tolist(), dict(zip(names, row, strict=True)))
        texts = {str(explain_tree(model, form)) for form in forms}
        assert len(texts) == 1
        assert f"petalwidth code {row[3]} lies in (1.78, 2.02]: 23 cases" in texts.pop()
        for case, words in (
            ([1, 2, 3, 1.8], r"'petalwidth'.* 0 to 9, not 1\.8"),
            ([1, 2, 3, 10], "'petalwidth' has codes outside its values, 0 to 9"),
        ):
            with pytest.raises((TypeError, ValueError), match=words):
                explain_tree(model, case)

    @pytest.mark.parametrize(
        ("case", "message"),
        [
            (IRIS.X[:3], r"there are 3: pick one, X\.iloc"),
            ({"petalwidth": 1, "sepalwidth": 2}, "lacks 'sepallength', 'petallength'"),
            ({**CASE, "colour": "red"}, "has 'colour', unknown .* sepallength, "),
            ([1, 2, 3], "3 values, but there are 4 attributes: sepallength"),
            (5.1, r"not 5\.1"),
            ({**CASE, "petalwidth": "wide"}, "'petalwidth' was numeric .* 'wide'"),
            ({**CASE, "petalwidth": np.inf}, "'petalwidth' contains infinity"),
        ],
    )
    def test_bad_cases(self, iris, case, message):
        with pytest.raises((ValueError, TypeError), match=message):
            explain_tree(iris, case)
