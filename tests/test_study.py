"""A study that printed nothing: its declaration, rivals of other libraries, table and seconds."""

import sys

import numpy as np
import pandas as pd
import pytest
from experiments import run

import ranktrees as rt
from ranktrees.base import fit_each, unfitted
from ranktrees.papers import STUDIES, Rival, cell_table, win_tie_loss
from ranktrees.papers.files import COLUMNS, stored_papers
from ranktrees.papers.rivals import RIVALS, design
from ranktrees.papers.summary import average_table

STUDY = STUDIES["path-bayes"]


class TestTheDeclaration:
    def test_it_is_the_protocol_of_wang_and_zhang(self):
        wang = rt.experiment.PAPERS["wang2006"]
        assert STUDY.datasets == wang.datasets
        for name in ("runs", "k", "folds", "preparation"):
            assert getattr(STUDY.protocol, name) == getattr(wang.protocol, name)
        assert [method.model for method in STUDY.methods] == list(STUDY.models)
        assert not any("," in name for name in STUDY.models), "--methods A,B could not name it"

    def test_its_groups_divide_the_sets(self):
        chosen, told = STUDY.groups["design"], STUDY.groups["report"]
        assert (len(chosen), len(told)) == (18, 17)
        assert {*chosen, *told} == set(STUDY.datasets)

    def test_it_printed_nothing(self):
        assert "path-bayes" not in stored_papers()
        assert STUDY.cells.empty
        assert STUDY.wins.empty
        frame = pd.DataFrame(columns=list(COLUMNS))
        for table in (cell_table, average_table, win_tie_loss):
            assert table(frame, STUDY).empty

    def test_rows_of_every_method_sum_to_one(self, tmp_path):
        """Else log loss and Brier score would be nan; a class that is declared may have no case."""
        methods = [m.name for m in STUDY.methods if "forest" not in m.name]
        _, _, frame = run(tmp_path, paper=STUDY, datasets=["labor", "glass"], methods=methods)
        gaps = frame[frame["value"].isna()]
        assert set(gaps["measure"]) <= {"auc"}
        assert set(frame["method"]) == set(methods)
        assert set(frame["reading"]) == {"honest"}


class TestRivals:
    X = pd.DataFrame(
        {
            "size": [1.0, np.nan, 3.0, 4.0, 5.0, 6.0],
            "hue": pd.Categorical(
                ["red", "blue", None, "red", "blue", "red"], ["blue", "red", "x"]
            ),
        }
    )
    y = pd.Categorical([2, 0, 2, 0, 2, 0], categories=[0, 1, 2])

    def test_columns_by_hand(self):
        columns, nominal = design(self.X[:3], "one-hot")
        want = [[1, 0, 1, 0], [np.nan, 1, 0, 0], [3, 0, 0, 0]]
        np.testing.assert_array_equal(columns, want)
        assert nominal.tolist() == [False, True, True, True]
        columns, nominal = design(self.X[:3], "categories")
        np.testing.assert_array_equal(columns, [[1, 1], [np.nan, 0], [3, np.nan]])
        assert nominal.tolist() == [False, True]

    def test_columns_of_codes(self):
        codes = rt.Encoder().fit_transform(rt.load("weather.nominal").X)
        columns, nominal = design(codes, "numbers")
        np.testing.assert_array_equal(columns, codes.values)
        assert nominal.all()
        columns, _ = design(codes, "one-hot")
        assert columns.shape == (14, codes.sizes.sum())
        assert (columns.sum(axis=1) == 4).all()

    @pytest.mark.parametrize(
        ("name", "coding"), [("random-forest", "one-hot"), ("boosting", "categories")]
    )
    def test_a_class_without_cases_gets_a_column_of_nothing(self, name, coding):
        proba = Rival(name, coding).fit(self.X, self.y).predict_proba(self.X)
        assert proba.shape == (6, 3)
        assert (proba[:, 1] == 0).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1)

    @pytest.mark.parametrize("name", RIVALS)
    def test_it_is_scikit_learns_own(self, name):
        from sklearn import ensemble, linear_model

        data = rt.load("iris")
        y = rt.experiment.reproduce.__globals__["in_declared_order"](data.y)
        rows = np.arange(0, 150, 2)
        (model,) = fit_each(Rival(name, seed=3), data.X, y, [rows])
        theirs = {
            "logistic-regression": linear_model.LogisticRegression(max_iter=10_000),
            "random-forest": ensemble.RandomForestClassifier(500, random_state=3),
            "boosting": ensemble.HistGradientBoostingClassifier(random_state=3),
        }[name]
        theirs.fit(data.X.to_numpy()[rows], data.y.codes[rows])
        np.testing.assert_array_equal(
            model.predict_proba(data.X), theirs.predict_proba(data.X.to_numpy())
        )
        assert model.classes_.tolist() == [0, 1, 2]

    def test_a_copy_has_its_settings(self):
        model = Rival("boosting", "numbers", seed=7)
        assert unfitted(model).get_params() == model.get_params() == vars(model)

    def test_errors(self, monkeypatch):
        with pytest.raises(ValueError, match="unknown rival 'svm': choose one of 'logistic-regr"):
            Rival("svm").fit(self.X, self.y)
        with pytest.raises(ValueError, match="unknown coding 'ordinal'"):
            Rival(coding="ordinal").fit(self.X, self.y)
        with pytest.raises(ValueError, match="not fitted yet"):
            Rival().predict_proba(self.X)
        monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
        with pytest.raises(ImportError, match=r'Rivals need sklearn: pip install "ranktrees\[lab'):
            Rival().fit(self.X, self.y)
