"""The papers' own cells and declarations, a unit of their work, and how results are kept."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from experiments import WANG, WITHIN, run
from oracles import prepared, quietly

import ranktrees as rt
from ranktrees_lab.papers import (
    PAPERS,
    ResultsError,
    cell_table,
    environment,
    files,
    read_results,
    results,
    stored_papers,
)
from ranktrees_lab.papers.seconds import beside, read_seconds, write_seconds
from tools import keep_results

NEAR = WITHIN | dict.fromkeys(["C45-B", "C44-B"], 0.01) | dict.fromkeys(["C45-L", "C44-L"], 0.5)
SMALL = "breast-cancer", "diabetes", "glass", "ionosphere", "iris", "vote", "balance-scale"
DEAR = [pytest.param(name, marks=pytest.mark.long) for name in ("credit-g", "soybean")]
BAYES = "diabetes", "ionosphere", "iris", "vote", "segment", "soybean", "tic-tac-toe"
MODELS = {"C45": rt.C45(), "C44": rt.C44(rules="wang2006")}
AS_PRINTED = 0.01  # the cells have two decimals


def cell(paper, dataset, method):
    """AUC x 100 as the paper prints it in its tables."""
    cells = PAPERS[paper].cells
    return cells[(cells["dataset"] == dataset) & (cells["method"] == method)]["value"].iloc[0]


def mean_auc(model, data, runs=5, measure="auc-wang2006"):
    """Mean AUC x 100 over ten of Weka's folds for each of the seeds 1, 2, ..."""
    settings = {"k": 10, "runs": runs, "seed": 1, "folds": "weka", "measures": [measure]}
    return 100 * quietly(rt.cross_validate, model, data, **settings)[measure].mean()


@pytest.mark.parametrize("column", MODELS)
@pytest.mark.parametrize("name", [*SMALL, *DEAR])
def test_a_cell_of_wang_and_zhang(name, column):
    ours = mean_auc(MODELS[column], prepared(name))
    assert ours == pytest.approx(cell("wang2006", name, column), abs=AS_PRINTED)


def test_rules_count():
    """breast-cancer has 59.44 by the paper's rules only: J48 -U -A collapses."""
    assert mean_auc(rt.C44(), prepared("breast-cancer")) == pytest.approx(60.78, abs=AS_PRINTED)


@pytest.mark.parametrize("name", BAYES)
def test_a_cell_of_su_and_zhang(name):
    """The paper does not say the seed of its folds: within a point."""
    ours = mean_auc(rt.NaiveBayes(), prepared(name), runs=1, measure="auc-su2004")
    assert ours == pytest.approx(cell("su2004", name, "NB"), abs=1.0)


def test_cells_of_wang_and_zhang_and_the_leak_that_honest_ones_lack(tmp_path):
    """A small set in all its columns, bags of Weka's samples among them."""
    _, _, frame = run(tmp_path, datasets=["labor"], runs=None)
    cells = cell_table(frame, WANG).query("dataset == 'labor'").set_index("method")
    assert len(cells) == len(NEAR)
    off = cells["difference"].abs()
    assert {name: value for name, value in off.items() if not value <= NEAR[name]} == {}
    gap = cells["measured"] - cells["honest"]
    leaky = ["C45-W", "C44-W", "C45-C", "C44-C"]
    assert gap[leaky].min() > 1
    assert (gap.drop(leaky) == 0).all()


def test_a_unit_is_the_cross_validation_of_the_package(tmp_path):
    """Trees on shared codes, and Weka's order of the cases, change no value."""
    chosen = {"datasets": ["glass"], "methods": ["C45", "C44-M"]}
    _, _, frame = run(tmp_path, runs=2, seed=2, **chosen)
    data = prepared("glass")
    how = {"folds": "weka", "runs": 2, "seed": 2, "measures": ["auc-wang2006", "auc"]}
    models = {"C45": rt.C45(), "C44-M": rt.C44(rules="wang2006", estimate="m-branch")}
    for name, model in models.items():
        want = quietly(rt.cross_validate, model, data, **how)
        for measure in how["measures"]:
            got = frame[(frame["method"] == name) & (frame["measure"] == measure)]
            np.testing.assert_allclose(got["value"], want[measure], rtol=0, atol=1e-12)
    test = quietly(rt.weka_folds, data.y, 10, 2) == 3
    tree = quietly(rt.C45().fit, data.X[~test], data.y[~test]).tree_
    part = frame.query("run == 0 and fold == 3 and method == 'C45'").set_index("measure")
    assert part["value"][["nodes", "leaves"]].tolist() == [len(tree), tree.n_leaves]


class TestTheDeclarations:
    @pytest.mark.parametrize("name", PAPERS)
    def test_printed_figures_are_of_known_sets_and_methods(self, name):
        paper = PAPERS[name]
        assert set(paper.datasets) <= set(rt.datasets()["name"])
        names = {method.name for method in paper.methods}
        printed = paper.cells[paper.cells["table"] != "Fig. 3"]
        assert {*printed["method"], *paper.wins["row"], *paper.wins["column"]} <= names
        assert set(printed["dataset"]) <= {*paper.datasets, *paper.groups, "all"}

    def test_cells_have_the_averages_that_are_printed(self):
        cells = PAPERS["wang2006"].cells
        assert cells["table"].value_counts()[["3", "4"]].tolist() == [35 * 7, 35 * 7]
        mean = cells.groupby("method")["value"].mean().round(2)
        assert mean[["C45", "C45-C", "C44", "C44-B"]].tolist() == [81.96, 92.59, 85.36, 87.86]
        cells = PAPERS["su2004"].cells
        table = cells[cells["table"] == "1"].pivot_table("value", "dataset", "method")
        assert table.shape == (29, 3)
        for row in cells[(cells["table"] == "text") & (cells["measure"] == "auc")].itertuples():
            assert table[row.method].mean() == pytest.approx(row.value, abs=0.02)

    def test_wins_ties_and_losses_sum_to_the_sets(self):
        for name, entries, sets in (("wang2006", 42, 35), ("su2004", 3, 29)):
            wins = PAPERS[name].wins
            assert len(wins) == entries
            assert (wins[["wins", "ties", "losses"]].sum(axis=1) == sets).all()
        paper = PAPERS["martinez2010"]
        wins = paper.wins.set_index(["group", "measure"])[["wins", "ties", "losses"]].sum(axis=1)
        for group, size in {"all": 30, "nominal": len(paper.groups["nominal"])}.items():
            assert (wins.loc[group] == size).all()

    def test_the_groups_of_martinez_divide_the_sets(self):
        paper = PAPERS["martinez2010"]
        for groups in (["c=2", "c>2"], ["nominal", "numeric", "mixed"]):
            names = [name for group in groups for name in paper.groups[group]]
            assert sorted(names) == sorted(paper.datasets)
        nominal = rt.datasets().drop_duplicates("name").set_index("name")["nominal"]
        assert (nominal[list(paper.groups["numeric"])] == 0).all()
        assert (nominal[list(paper.groups["mixed"])] > 0).all()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small finished results file: path, settings, rows."""
    folder = tmp_path_factory.mktemp("results")
    return run(folder, datasets=["iris"], methods=["C45", "C45-W"], runs=2)


@pytest.fixture
def kept(finished, tmp_path, monkeypatch):
    """A data folder in which the small results are kept."""
    (tmp_path / "results").mkdir()
    keep_results.keep(finished[0], tmp_path / "results")
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    return tmp_path / "results"


def written(frame, settings, path, methods):
    """A results file as if these methods had been measured alone."""
    part = frame[frame["method"].isin(methods)]
    lines = part.itertuples(index=False, name=None)
    files.write_results(path, settings | {"methods": methods}, lines)
    return path


def test_three_files_of_the_papers_name_are_kept_and_found(kept, finished):
    names = ["wang2006.csv", "wang2006.environment.json", "wang2006.summary.csv"]
    assert sorted(path.name for path in kept.iterdir()) == names
    assert (kept / names[0]).read_bytes() == finished[0].read_bytes()
    cells = cell_table(finished[2], WANG)
    assert len((kept / names[2]).read_text(encoding="utf-8").splitlines()) == len(cells) + 1
    assert stored_papers() == ["wang2006"]
    settings, frame = results("wang2006")
    assert settings == finished[1]
    assert frame.equals(finished[2])
    made = json.loads((kept / names[1]).read_text(encoding="utf-8"))
    assert made == environment("wang2006")
    assert set(made) == {"python", "versions", "commit", "settings"}, "and no machine"
    libraries = {"numpy", "pandas", "scipy", "joblib", "scikit-learn"}
    beside = set(made["versions"]) - {"ranktrees", *libraries}
    assert len(made["versions"]) - len(beside) == 6
    assert beside <= {"interpret-core", "lightgbm", "imodels", "c50py"}, "as the group study has"
    assert made["versions"]["ranktrees"] == rt.__version__
    assert re.fullmatch(r"[0-9a-f]{40}", made["commit"])
    for look_up in (results, environment):
        with pytest.raises(ValueError, match="unknown results 'su2004': choose one of 'wang2006'"):
            look_up("su2004")


def test_methods_measured_anew_replace_their_rows_alone(kept, finished, tmp_path):
    """All is spoilt but one method; measured anew, this one is what it was."""
    settings, frame = finished[1:]
    written(frame.assign(value=0), settings, kept / "wang2006.csv", settings["methods"])
    keep_results.keep(written(frame, settings, tmp_path / "new.csv", ["C45"]), kept)
    mixed_settings, mixed = read_results(kept / "wang2006.csv")
    assert mixed_settings == environment("wang2006")["settings"] == settings
    assert mixed.equals(frame.assign(value=frame["value"].where(frame["method"] == "C45", 0)))


def test_methods_come_among_the_others_and_those_no_longer_declared_go(kept, finished, tmp_path):
    target = kept / "wang2006.csv"
    target.write_text(target.read_text(encoding="utf-8").replace("C45-W", "C45-X"), "utf-8")
    new = finished[2].replace({"method": {"C45-W": "C45-S"}})
    keep_results.keep(written(new, finished[1], tmp_path / "new.csv", ["C45-S"]), kept)
    settings, frame = read_results(target)
    assert settings["methods"] == ["C45-S", "C45"], "in the paper's order"
    assert frame["method"].unique().tolist() == settings["methods"]
    for name, rows in frame.groupby("method"):
        want = new[new["method"] == name].reset_index(drop=True)
        assert rows.reset_index(drop=True).equals(want)


def test_seconds_are_kept_beside_and_merged_by_method(finished, tmp_path):
    folder, path = tmp_path / "results", tmp_path / "small.csv"
    folder.mkdir()
    path.write_bytes(finished[0].read_bytes())
    write_seconds(beside(path), WANG, {("iris", "C45"): 0.5, ("iris", "C45-W"): 2})
    assert keep_results.keep(path, folder)[-1] == folder / "wang2006.seconds.csv"
    write_seconds(beside(path), WANG, {("iris", "C45"): 0.25})
    keep_results.keep(path, folder)
    found = read_seconds(folder / "wang2006.seconds.csv")
    assert found == {("iris", "C45"): 0.25, ("iris", "C45-W"): 2}


def test_rows_of_other_settings_are_not_mixed(kept, finished, tmp_path):
    before = (kept / "wang2006.csv").read_bytes()
    path = written(finished[2], finished[1] | {"runs": 1}, tmp_path / "new.csv", ["C45"])
    with pytest.raises(ResultsError, match="holds other results: its runs is 2, not 1"):
        keep_results.keep(path, kept)
    assert (kept / "wang2006.csv").read_bytes() == before


def test_rows_of_an_earlier_version_stay_beside_new_ones_if_a_method_of_both_is_the_same(
    kept, finished, tmp_path
):
    settings, frame = finished[1:]
    older, three = settings | {"version": "0.1.0"}, ["C45-S", "C45-W", "C45"]
    extra = frame.query("method == 'C45'").assign(method="C45-S")
    target = written(frame, older, kept / "wang2006.csv", ["C45", "C45-W"])
    alone = written(extra, settings, tmp_path / "alone.csv", ["C45-S"])
    with pytest.raises(ResultsError, match="another version: measure one of its methods again"):
        keep_results.keep(alone, kept)
    for off in (1e-6, 1e-12):
        shared = frame.query("method == 'C45'")
        new = pd.concat([extra, shared.assign(value=shared["value"] + off)])
        path = written(new, settings, tmp_path / f"{off}.csv", ["C45-S", "C45"])
        if off > keep_results.EQUAL:
            with pytest.raises(ResultsError, match="which must give the same"):
                keep_results.keep(path, kept)
        else:
            keep_results.keep(path, kept)
    mixed_settings, mixed = read_results(target)
    assert mixed_settings == older | {"methods": three}
    old = mixed[mixed["method"] != "C45-S"].reset_index(drop=True)
    assert old.equals(frame.sort_values("run", kind="stable", ignore_index=True))
    made = environment("wang2006")
    assert made["settings"] == mixed_settings
    assert list(made["added"]) == ["C45-S"]
    assert made["added"]["C45-S"]["versions"]["ranktrees"] == rt.__version__
