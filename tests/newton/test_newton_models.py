"""Newton trees and their antecedents as estimators: scikit-learn's habits, options, bad input."""

import numpy as np
import pandas as pd
import pytest
from newton_cases import mixed

import ranktrees as rt
from ranktrees.models import NewtonTree
from ranktrees.plain.newton_values import jaccard


class TestOptions:
    def test_stochastic_approaches_the_exact_sum(self):
        data = rt.load("diabetes")
        exact = NewtonTree().fit(data.X, data.y)
        far = []
        for paths in (10, 1000, 100_000):
            drawn = NewtonTree(stochastic=paths).fit(data.X, data.y)
            proba = drawn.predict_proba(data.X)
            assert np.array_equal(proba, drawn.predict_proba(data.X))
            far.append(np.abs(proba - exact.predict_proba(data.X)).max())
        assert far[0] > far[1] > far[2]
        assert far[2] < 0.01

    def test_auc_as_criterion(self):
        data = rt.load("iris")
        model = NewtonTree(criterion="auc", max_depth=2).fit(data.X, data.y)
        assert model.score(data.X, data.y) > 0.9
        two = rt.load("diabetes")
        tree = NewtonTree(criterion="auc", max_depth=1).fit(two.X, two.y).tree_
        scores = [
            rt.criteria.auc_split(
                NewtonTree(max_depth=1).fit(two.X[[name]], two.y).tree_.counts[1:]
            )
            for name in two.X
        ]
        assert tree.root.name == two.X.columns[int(np.argmax(scores))]

    def test_estimates(self):
        X, y = mixed(0)
        model = NewtonTree().fit(X, y)
        other = model.with_estimate("m", m=3)
        assert other.tree_ is model.tree_
        assert not np.allclose(other.predict_proba(X), model.predict_proba(X))
        with pytest.raises(ValueError, match="'wpe' compares the codes"):
            model.with_estimate("wpe")
        with pytest.raises(ValueError, match="no parameter 'v'"):
            model.with_estimate("m", v=3)

    def test_explain(self):
        X, y = mixed(2)
        model = NewtonTree(distances={"word": "levenshtein"}).fit(X, y)
        proba = model.predict_proba(X[:1])[0]
        row = X.iloc[0]
        for case in (X[:1], row, row.to_dict(), row.tolist()):
            told = model.explain(case)
            assert list(told.proba.values()) == proba.tolist()
            columns = [f"P({c})" for c in model.classes_]
            said = told.table["p(leaf)"].to_numpy() @ told.table[columns].to_numpy()
            assert said == pytest.approx(proba)
            assert "nearest to" in str(told)
        with pytest.raises(ValueError, match="there are 2: pick one"):
            model.explain(X[:2])
        with pytest.raises(ValueError, match="lacks 'word', 'real', 'set'"):
            model.explain({"small": 1})
        numbers = NewtonTree().fit(X[["real"]].to_numpy(), y)
        assert numbers.explain([0.5]).lines

    def test_depth_and_smallest_node(self):
        X, y = mixed(0)
        assert NewtonTree(max_depth=2).fit(X, y).tree_.depth == 2
        tree = NewtonTree(min_parent=20).fit(X, y).tree_
        assert (tree.mass[~tree.is_leaf] >= 20).all()


class TestUse:
    def test_methods_of_their_own_ask_for_a_fit(self):
        for method in ("reach", "attraction"):
            with pytest.raises(ValueError, match="not fitted"):
                getattr(NewtonTree(stochastic=3), method)([[1.0]])

    def test_a_function_cannot_be_stored(self, tmp_path):
        X, y = mixed(6)
        model = NewtonTree(distances={"set": jaccard}).fit(X, y)
        with pytest.raises(
            TypeError, match=r"distances\['set'\]: a function \(function 'jaccard'\) cannot"
        ):
            rt.save(model, tmp_path / "model.json")


class TestBadInput:
    @pytest.mark.parametrize(
        ("change", "error", "message"),
        [
            ({"reading": "nope"}, ValueError, "reading 'nope'.*'talk'"),
            ({"reading": "standard"}, ValueError, "'standard' is now called 'nearest'"),
            ({"reading": "as_slides"}, ValueError, "'as_slides' is now called 'talk'"),
            ({"reading": ["talk"]}, (TypeError, ValueError), "reading"),
            ({"criterion": "gini"}, ValueError, "criterion 'gini'.*'auc'"),
            ({"missing": "value"}, ValueError, "missing 'value'.*'mass'"),
            ({"exponent": 0}, ValueError, "exponent must exceed 0"),
            ({"stochastic": 0}, ValueError, "stochastic must be at least 1"),
            ({"stochastic": 10**30}, ValueError, "stochastic must be at most"),
            ({"min_parent": 1}, ValueError, "min_parent"),
            ({"max_depth": 0}, ValueError, "max_depth"),
            ({"estimate": "wpe"}, ValueError, "'wpe' compares"),
            ({"distances": {"no": "edit"}}, ValueError, "names the column 'no'.*small, word"),
            ({"distances": {"word": "hamming"}}, ValueError, "column 'word'.*'levenshtein'"),
            ({"distances": {"small": "cyclic"}}, ValueError, r'\("cyclic", 24\)'),
            ({"distances": {"small": ("cyclic", 0)}}, ValueError, "period"),
            ({"distances": "edit"}, TypeError, "distances must be a dict"),
            ({"distances": {"real": "levenshtein"}}, TypeError, "column 'real'.*texts, but"),
            ({"distances": {"word": "jaccard"}}, TypeError, "column 'word'.*sets, but 'a'"),
            ({"distances": {"word": "absolute"}}, TypeError, "column 'word'.*'a'"),
            ({"distances": {"set": "edit"}}, TypeError, "column 'set'.*frozenset"),
        ],
    )
    def test_settings(self, change, error, message):
        X, y = mixed(0)
        with pytest.raises(error, match=message):
            NewtonTree(**change).fit(X, y)

    def test_missing_values_refused(self):
        X, y = mixed(0, missing=0.1)
        with pytest.raises(ValueError, match="column 'small' contains NaN"):
            NewtonTree(missing="error").fit(X, y)
        whole, y = mixed(0)
        with pytest.raises(ValueError, match="column 'small' contains NaN"):
            NewtonTree(missing="error").fit(whole, y).predict(X)

    def test_text_where_numbers_were(self):
        X, y = mixed(0)
        model = NewtonTree().fit(X, y)
        with pytest.raises(ValueError, match=r"'real' was numeric in training but now.*'x'"):
            model.predict(X.assign(real="x"))

    def test_mixed_types_and_dates(self):
        X, y = mixed(0)
        with pytest.raises(TypeError, match="'set' holds values of type frozenset, str"):
            NewtonTree().fit(X.assign(set=["a", *X["set"][1:]]), y)
        with pytest.raises(TypeError, match="'day' holds dates"):
            NewtonTree().fit(X.assign(day=pd.Timestamp("2020-01-01")), y)
