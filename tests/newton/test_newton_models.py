"""Newton trees and their antecedents as estimators: scikit-learn's habits, options, bad input."""

import numpy as np
import pandas as pd
import pytest
from newton_cases import mixed

import ranktrees as rt
from ranktrees.plain.newton_values import jaccard
from ranktrees_engine.models import NewtonTree


class TestOptions:
    def test_stochastic_approaches_the_exact_sum(self):
        data = rt.load("diabetes")
        exact = NewtonTree().fit(data.X, data.y)
        far = []
        for paths in (10, 1000, 50_000):
            proba = NewtonTree(stochastic=paths).fit(data.X, data.y).predict_proba(data.X)
            far.append(np.abs(proba - exact.predict_proba(data.X)).max())
        assert far[0] > far[1] > far[2]
        assert far[2] < 0.01

    def test_auc_as_criterion(self):
        data = rt.load("diabetes")
        tree = NewtonTree(criterion="auc", max_depth=1).fit(data.X, data.y).tree_
        alone = (NewtonTree(max_depth=1).fit(data.X[[name]], data.y).tree_ for name in data.X)
        scores = [rt.criteria.auc_split(stump.counts[1:]) for stump in alone]
        assert tree.root.name == data.X.columns[int(np.argmax(scores))]
        three = rt.load("iris")
        model = NewtonTree(criterion="auc", max_depth=2).fit(three.X, three.y)
        assert model.score(three.X, three.y) > 0.9

    def test_estimates(self):
        X, y = mixed(0)
        model = NewtonTree().fit(X, y)
        other = model.with_estimate("m", m=3)
        assert other.tree_ is model.tree_
        assert not np.allclose(other.predict_proba(X), model.predict_proba(X))

    def test_a_node_of_few_cases_is_not_split(self):
        tree = NewtonTree(min_parent=20).fit(*mixed(0)).tree_
        assert (tree.mass[~tree.is_leaf] >= 20).all()

    def test_explain(self):
        X, y = mixed(2)
        model = NewtonTree(distances={"word": "levenshtein"}).fit(X, y)
        proba = model.predict_proba(X[:1])[0]
        row = X.iloc[0]
        for case in (X[:1], row, row.to_dict(), row.tolist()):
            told = model.explain(case)
            assert list(told.proba.values()) == proba.tolist()
            columns = [f"P({c})" for c in model.classes_]
            assert told.table["p(leaf)"] @ told.table[columns].to_numpy() == pytest.approx(proba)
            assert "nearest to" in str(told)


def fit(X=None, y=None, **settings):
    """A Newton tree of a table of all kinds."""
    cases, classes = mixed(0)
    return NewtonTree(**settings).fit(cases if X is None else X, classes if y is None else y)


WHOLE, GAPS = mixed(0)[0], mixed(0, missing=0.1)[0]
ARRAY = np.array([frozenset({1}), frozenset({2})], object)[:, None]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: fit(reading="nope"), "reading 'nope'.*'talk'"),
        (lambda: fit(reading="standard"), "'standard' is now called 'nearest'"),
        (lambda: fit(criterion="gini"), "criterion 'gini'.*'auc'"),
        (lambda: fit(missing="value"), "missing 'value'.*'mass'"),
        (lambda: fit(exponent=0), "exponent must exceed 0"),
        (lambda: fit(stochastic=0), "stochastic must be at least 1"),
        (lambda: fit(stochastic=10**30), "stochastic must be at most"),
        (lambda: fit(min_parent=1), "min_parent"),
        (lambda: fit(max_depth=0), "max_depth"),
        (lambda: fit(estimate="wpe"), "'wpe' compares the codes"),
        (lambda: fit().with_estimate("m", v=3), "no parameter 'v'"),
        (lambda: fit(distances="edit"), "distances must be a dict"),
        (lambda: fit(distances={"no": "edit"}), "names the column 'no'.*small, word"),
        (lambda: fit(distances={"word": "hamming"}), "column 'word'.*'levenshtein'"),
        (lambda: fit(distances={"word": "jaccard"}), "column 'word'.*sets, but 'a'"),
        (lambda: fit(distances={"word": "absolute"}), "column 'word'.*'a'"),
        (lambda: fit(distances={"word": np.eye(2)}), r"'word'.*rt.Attribute\(values, matrix\)"),
        (lambda: fit(distances={"small": "cyclic"}), r'\("cyclic", 24\)'),
        (lambda: fit(distances={"small": ("cyclic", 0)}), "period"),
        (lambda: fit(distances={"real": "levenshtein"}), "column 'real'.*texts, but"),
        (lambda: fit(distances={"set": "edit"}), "column 'set'.*frozenset"),
        (lambda: fit(GAPS, missing="error"), "column 'small' contains NaN"),
        (lambda: fit(missing="error").predict(GAPS), "column 'small' contains NaN"),
        (lambda: fit().predict(WHOLE.assign(real="x")), "'real' was numeric in training.*'x'"),
        (lambda: fit(WHOLE.assign(set=["a", *WHOLE["set"][1:]])), "'set' holds .*frozenset, str"),
        (lambda: fit(ARRAY, [0, 1]), "of type frozenset: give a DataFrame"),
        (lambda: fit(pd.DataFrame({"x": [[{}], [{}]]}), [0, 1]), "column 'x' .* be compared"),
        (lambda: fit().explain(WHOLE[:2]), "there are 2: pick one"),
        (lambda: fit().explain({"small": 1}), "lacks 'word', 'real', 'set'"),
        (lambda: rt.prune.cut_back(fit().tree_, np.ones(3, bool)), "not pruned: set max_depth"),
        (lambda: NewtonTree().reach([[1.0]]), "not fitted"),
        (lambda: rt.save(fit(distances={"set": jaccard}), "no/a"), "'jaccard'.* cannot"),
    ],
)
def test_mistakes_are_named(use, message):
    with pytest.raises((TypeError, ValueError), match=message):
        use()
