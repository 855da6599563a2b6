"""A study that printed nothing: its declaration, rivals of other libraries, table and seconds."""

import re
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from experiments import frame, rows, run
from oracles import quietly

import ranktrees as rt
from ranktrees_engine.evaluate.fitting import fit_each
from ranktrees_lab.papers import (
    STUDIES,
    Rival,
    cell_table,
    files,
    seconds,
    study_table,
    summary,
    win_tie_loss,
)
from ranktrees_lab.papers.label_leak import in_declared_order
from ranktrees_lab.papers.rivals import RIVALS, design, one_thread
from ranktrees_lab.papers.summary import average_table

STUDY = STUDIES["path-bayes"]
ROOT = Path(__file__).parents[2]


DEAR = [pytest.param("ebm", marks=pytest.mark.long)]  # its pairs of three classes take minutes


class TestTheDeclaration:
    def test_it_is_the_protocol_of_wang_and_zhang_and_printed_nothing(self):
        wang = rt.papers.PAPERS["wang2006"]
        assert STUDY.datasets == wang.datasets
        for name in ("runs", "k", "folds", "preparation"):
            assert getattr(STUDY.protocol, name) == getattr(wang.protocol, name)
        assert [method.model for method in STUDY.methods] == list(STUDY.models)
        assert not any("," in name for name in STUDY.models), "--methods A,B could not name it"
        assert {*STUDY.groups["design"], *STUDY.groups["report"]} == set(STUDY.datasets)
        for table in (cell_table, average_table, win_tie_loss):
            with pytest.raises(ValueError, match="path-bayes printed nothing to compare with"):
                table(frame(), STUDY)

    def test_the_sets_of_path_forest_served_no_choice_but_those_it_names(self):
        paper = STUDIES["path-forest"]
        report, outside = paper.groups["report"], paper.groups["outside"]
        assert [*report, *outside, "adult"] == list(paper.datasets)
        assert not {*outside} & {*STUDY.datasets}
        assert [m.name for m in paper.methods if not m.raw] == ["logistic regression"]

    def test_every_method_is_fitted_and_raw_ones_read_the_columns_as_they_are(self, tmp_path):
        """Without sums of one log loss and Brier score would be nan; a class may have no case."""
        elsewhere = ("random", "boosting", "C5.0")  # C5.0 needs the group study
        methods = [m.name for m in STUDY.methods if m.name.split()[0] not in elsewhere]
        short = replace(STUDY, protocol=replace(STUDY.protocol, k=2), reference="")
        _, _, found = run(tmp_path, paper=short, datasets=["labor", "glass"], methods=methods)
        assert set(found[found["value"].isna()]["measure"]) <= {"auc"}
        assert set(found["method"]) == set(methods)
        assert set(found["reading"]) == {"honest"}
        how = {"k": 2, "folds": "weka", "measures": ["brier"]}
        want = quietly(rt.cross_validate, rt.NewtonTree(), rt.load("labor"), **how)
        raw = found.query("dataset == 'labor' and method == 'Newton tree (raw)'")
        brier = raw[raw["measure"] == "brier"]["value"]
        np.testing.assert_allclose(brier, want["brier"], atol=1e-12)


class TestRivals:
    X = pd.DataFrame(
        {
            "size": [1.0, np.nan, 3.0, 4.0, 5.0, 6.0],
            "hue": pd.Categorical(["red", "blue", None] * 2, ["blue", "red", "x"]),
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
        codes = rt.Encoder().fit_transform(rt.load("weather.nominal").X)
        np.testing.assert_array_equal(design(codes, "numbers")[0], codes.values)
        columns, _ = design(codes, "one-hot")
        assert (columns.shape, {*columns.sum(axis=1)}) == ((14, codes.sizes.sum()), {4})

    def test_a_class_without_cases_gets_a_column_of_nothing_and_one_of_gaps_changes_none(self):
        rival, gaps = Rival("boosting", "categories"), self.X.assign(none=np.nan)
        proba = rival.fit(self.X, self.y).predict_proba(self.X)
        assert (proba[:, 1] == 0).all()
        np.testing.assert_allclose(proba.sum(axis=1), [1] * 6)
        found = rival.fit(gaps, self.y).predict_proba(gaps)
        np.testing.assert_array_equal(found, proba)

    @pytest.mark.parametrize("name", [name for name in RIVALS if name != "ebm"] + DEAR)
    def test_it_is_the_librarys_own(self, name):
        module, kind, settings = RIVALS[name]
        if not module.startswith("sklearn"):
            pytest.importorskip(module, reason="only the study needs it: pip install --group study")
        data, chosen = rt.load("iris"), np.arange(0, 150, 2)
        (model,) = fit_each(Rival(name, seed=3), data.X, in_declared_order(data.y), [chosen])
        theirs = getattr(import_module(module), kind)(random_state=3, **settings)
        with one_thread():  # more are slow where others work, too
            theirs.fit(data.X.to_numpy()[chosen], data.y.codes[chosen])
            want = theirs.predict_proba(data.X.to_numpy())
        np.testing.assert_array_equal(model.predict_proba(data.X), want)
        assert model.classes_.tolist() == [0, 1, 2]

    def test_errors(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "interpret.glassbox", None)
        monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
        for rival, error, words in [
            (Rival("svm"), ValueError, "unknown rival 'svm': choose one of 'logistic-regr"),
            (Rival(coding="ordinal"), ValueError, "unknown coding 'ordinal'"),
            (Rival("ebm"), ImportError, "interpret-core: pip install --group study"),
            (Rival(), ImportError, r'Rivals need sklearn: pip install "ranktrees\[lab'),
        ]:
            with pytest.raises(error, match=words):
                rival.fit(self.X, self.y)
        with pytest.raises(ValueError, match="not fitted yet"):
            Rival().predict_proba(self.X)


class TestStanding:
    """Three sets, two folds each: by hand."""

    OURS, OTHER, LACKING = (method.name for method in STUDY.methods[:3])
    PAPER = replace(
        STUDY,
        datasets=dict.fromkeys("abc"),
        protocol=replace(STUDY.protocol, runs=1, k=2, measures=("auc", "log-loss-clipped")),
        methods=STUDY.methods[:3],
        groups={"two": ("a", "b")},
    )

    def test_means_are_over_the_sets_of_both(self):
        values = [("a", 0.9, 0.8), ("b", 0.7, 0.7), ("c", 0.5, 0.6)]
        ours = (rows(name, self.OURS, [[x, x]]) for name, x, _ in values)
        other = (rows(name, self.OTHER, [[x, x]]) for name, _, x in values)
        found = frame(*ours, *other, rows("a", self.LACKING, [[1.0, 1.0]]))
        table = rt.papers.standing(found, self.PAPER, self.OURS)
        assert table.index.tolist() == [self.OTHER, self.LACKING]
        assert table["sets"].tolist() == [3, 1]
        assert table.loc[self.OTHER, ["mean", "ours"]].tolist() == pytest.approx([0.7, 0.7])
        assert table.loc[self.LACKING, ["mean", "ours"]].tolist() == [1.0, 0.9]
        assert table["higher"].tolist() == ["1/1/1", "0/0/1"]
        loss = found.assign(measure="log-loss-clipped")
        table = rt.papers.standing(loss, self.PAPER, self.OURS, "log-loss-clipped", "two")
        assert table["higher"].tolist() == ["0/1/1", "1/0/0"], "of a loss the smaller one wins"
        table = rt.papers.standing(found, self.PAPER, self.OTHER)
        p = table["p"].dropna()
        assert len(p) == 1 < len(table)
        assert table.loc[p.index, "holm"].tolist() == rt.holm(p).tolist()
        for ours, group, words in (("C5", None, "ours 'C5'"), (self.OURS, "six", "group 'six'")):
            with pytest.raises(ValueError, match=f"unknown {words}"):
                rt.papers.standing(found, self.PAPER, ours, group=group)


def test_the_studys_figures_of_bins_are_those_of_docstring_docs_and_a_models_page():
    _, found = rt.papers.results("path-bayes")
    auc = found.query("measure == 'auc'").pivot_table("value", "dataset", "method")
    equal, mdl = auc["path Bayes"], auc["path Bayes MDL (raw)"]
    points = 100 * (mdl - equal)[(mdl - equal).abs() > 1e-9]
    ahead, behind = points[points > 0], points[points < 0]
    said = (
        f"mean AUC of {mdl.mean():.3f} on {len(auc)} sets",
        f" of {equal.mean():.3f}: better on {len(ahead)}, by {ahead.mean():.1f} points on "
        f"average, and worse on {len(behind)}, by {-behind.mean():.1f}",
    )
    iris, texts = rt.load("iris"), [rt.DecisionTree.__doc__]
    texts += [(ROOT / "docs" / "for-practitioners.md").read_text(encoding="utf-8")]
    for model in (rt.C44(), rt.NaiveBayes(), rt.PathBayes(discretize="equal-width")):
        texts.append(model.fit(iris.X, iris.y)._repr_html_())
    for text in texts:
        shown = " ".join(text.split()).replace(" gave ", " of ")
        assert all(words.replace("0.9", ".9") in shown for words in said)
    assert "equal width" not in rt.PathBayes().fit(iris.X, iris.y)._repr_html_()


HIGH = np.full((2, 2), 0.9) + 0.001 * np.eye(2)


class TestTheTable:
    PAPER = replace(STUDY, reference="CITree")
    FRAME = frame(
        *(rows(name, "CITree", HIGH) for name in ("iris", "labor", "vote")),
        rows("iris", "C4.4", HIGH - 0.4),
        rows("labor", "C4.4", HIGH - 0.2),
        rows("vote", "C4.4", [[0.95, 0.92], [np.nan, 0.9]]),
        *(rows(name, "CITree", HIGH, "brier") for name in ("iris", "vote")),
        *(rows(name, "C4.4", HIGH / 2, "brier") for name in ("iris", "vote")),
    )

    def test_by_hand(self):
        table = study_table(self.FRAME, self.PAPER).set_index(["group", "method", "measure"])
        counts = table[["sets", "higher", "corrected"]]
        assert counts.loc[("all", "C4.4", "auc")].tolist() == [3, "2/0/1", "2/1/0"]
        assert counts.loc[("report", "C4.4", "auc")].tolist()[:2] == [2, "2/0/0"]
        assert counts.loc[("design", "C4.4", "auc")].tolist() == [1, "0/0/1", "0/1/0"]
        assert counts.loc[("all", "CITree", "auc")].tolist() == [3, "", ""]
        assert counts.loc[("all", "C4.4", "brier"), "higher"] == "0/0/2", "smaller errors win"
        mine = table.loc[("all", "C4.4", "auc")]
        assert mine["mean"] == pytest.approx((0.5005 + 0.7005 + 2.77 / 3) / 3)
        assert mine["p"] == pytest.approx(0.5)  # ranks 3 and 2 against 1, of 8 signs
        assert np.isnan(table.loc[("design", "C4.4", "auc"), "p"])

    def test_only_folds_that_have_both_are_compared(self):
        """By its own mean C4.4 is better on vote; where both are known, CITree is."""
        gap = [[np.nan, 0.8], [0.8, np.nan]]
        vote = rows("vote", "CITree", gap), rows("vote", "C4.4", [[1.0, 0.7], [0.7, 1.0]])
        found = frame(*vote, rows("iris", "CITree", HIGH * np.nan), rows("iris", "C4.4", HIGH))
        table = study_table(found, self.PAPER).set_index(["group", "method", "measure"])
        found = table.loc[("all", "C4.4", "auc")]
        assert found["mean"] == pytest.approx((0.85 + HIGH.mean()) / 2)
        assert found[["sets", "higher", "corrected"]].tolist() == [2, "1/0/0", "1/0/0"]

    def test_whole_summaries(self, tmp_path, monkeypatch):
        monkeypatch.setitem(summary.STUDIES, "path-bayes", self.PAPER)
        path = tmp_path / "x.csv"
        files.write_results(path, {"paper": "path-bayes"}, self.FRAME.itertuples(index=False))
        text = summary.report(path)
        for group in ("all (3 of 35", "design (1 of 18", "report (2 of 17"):
            assert f"Means, {group} data sets)\n" in text
            assert f"CITree against each other method by auc, {group} data sets)\n" in text
        assert re.search(r"^C4.4 +3 [\d. ]+ 2/0/1 +2/1/0 +0.5 +0.5$", text, re.M)
        assert "Processor time" not in text
        assert "Methods without results (not among these results): C44-S, C44-C, hier" in text
        files.replace_file(
            seconds.beside(path),
            "dataset,method,seconds\nvote,CITree,2\nvote,C4.4,1\niris,CITree,4\niris,C4.4,3\n",
        )
        assert re.search(r"multiple of CITree's\n.*\nC4.4 +0.625", summary.report(path), re.S)
        stored = pd.read_csv(summary.write_summary(path), keep_default_na=False)
        assert stored["higher"].tolist() == study_table(self.FRAME, self.PAPER)["higher"].tolist()


HOW = {"paper": STUDY, "datasets": ["labor"], "methods": ["C4.4", "CITree"]}


class TestSeconds:
    def test_a_fold_of_each_method_is_timed_and_told_once(self, tmp_path, capsys, monkeypatch):
        fits = []
        real = seconds.fit_each
        monkeypatch.setattr(seconds, "fit_each", lambda *how: fits.append(how) or real(*how))
        run(tmp_path, **HOW)
        err = capsys.readouterr().err
        assert "C4.4: about 0 seconds" in err
        assert "all that is left: about 0 minutes" in err
        assert len(fits) == 2 + 2, "two methods, and once before for what is imported"
        assert {len(training) for *_, training in fits} == {1}
        found = seconds.read_seconds(tmp_path / "x.seconds.csv")
        assert list(found) == [("labor", "C4.4"), ("labor", "CITree")]
        run(tmp_path, **HOW)  # all is done: nothing is timed or told
        assert (capsys.readouterr().err, len(fits)) == ("", 4)

    def test_what_the_file_holds_is_not_timed_anew(self, tmp_path, capsys):
        known = {("labor", "C4.4"): 60.0, ("labor", "CITree"): 120.0, ("zoo", "C4.4"): 1.0}
        seconds.write_seconds(tmp_path / "x.seconds.csv", STUDY, known)
        run(tmp_path, **HOW)
        err = capsys.readouterr().err
        assert "CITree: about 1200 seconds" in err
        assert "all that is left: about 30 minutes" in err
        assert seconds.read_seconds(tmp_path / "x.seconds.csv") == known
        (tmp_path / "y.seconds.csv").write_text("dataset,method,time\nlabor,C4.4,1\n")
        with pytest.raises(files.ResultsError, match=r"y\.seconds\.csv holds no seconds: remove"):
            run(tmp_path, "y.csv", **HOW)
