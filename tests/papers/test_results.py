"""The kept results of the papers: complete, and as near to the printed cells as is claimed."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from experiments import WITHIN

from ranktrees_lab.data.files import folder
from ranktrees_lab.papers import (
    PAPERS,
    agreement,
    average_table,
    cell_table,
    environment,
    results,
    size_table,
    stored_papers,
    win_tie_loss,
)

SU, WANG, NEWTON = (PAPERS[name] for name in ("su2004", "wang2006", "martinez2010"))


@cache
def stored(name):
    return results(name)[1]


def printed_cells(paper):
    """AUCs with `off`, how far they lie from the printed ones."""
    cells = cell_table(stored(paper.name), paper).query(
        "measure.str.startswith('auc')", engine="python"
    )
    return cells.dropna(subset=["published"]).assign(off=lambda t: t["difference"].abs())


@pytest.mark.parametrize("name", PAPERS)
def test_results_are_those_of_the_whole_protocol(name):
    assert stored_papers() == list(PAPERS)
    (settings, frame), paper = results(name), PAPERS[name]
    assert (settings["runs"], settings["seed"]) == (paper.protocol.runs, 1)
    assert set(settings["datasets"]) == set(paper.datasets)
    assert settings["methods"] == [method.name for method in paper.methods]
    folds = frame.groupby(["dataset", "method", "reading", "measure"]).size()
    assert set(folds) == {paper.protocol.runs * paper.protocol.k}
    made = environment(name)
    assert made["settings"] == settings
    assert made["versions"]["ranktrees"] == settings["version"]
    assert "/" not in json.dumps(made)
    stored = pd.read_csv(folder() / "results" / f"{name}.summary.csv", keep_default_na=False)
    cells = cell_table(frame, paper)
    assert stored[["dataset", "method", "note"]].equals(cells[["dataset", "method", "note"]])
    for column in ("published", "measured", "honest"):
        numbers = pd.to_numeric(stored[column])
        np.testing.assert_allclose(numbers, cells[column], atol=1e-4, equal_nan=True)


def test_cells_of_wang_and_zhang_are_met_but_for_columns_l_and_b():
    cells = printed_cells(WANG)
    assert len(cells) == 35 * 14
    assert cells[["measured", "honest"]].notna().all(axis=None)
    by_method = cells.groupby("method")["off"]
    off = by_method.max()
    assert {name: off[name] for name in WITHIN if off[name] > WITHIN[name]} == {}
    assert by_method.mean()[["C45-L", "C44-L"]].between(0.2, 0.3).all()
    assert off[["C45-L", "C44-L"]].between(1, 1.5).all()
    assert off["C45-B"] < 0.03
    near, far = cells[cells["method"] == "C44-B"].sort_values("off").iloc[-2:].itertuples()
    assert (far.dataset, near.off < 0.06) == ("lymph", True)  # not explained
    assert 0.8 < far.off < 1


def test_averages_with_and_without_the_leak():
    means = average_table(stored(WANG.name), WANG).set_index("method")
    for name, leaked, honest in [
        ("C45-W", 89.90, 86.91),
        ("C45-C", 92.59, 88.28),
        ("C44-W", 87.06, 86.31),
        ("C44-C", 90.61, 87.81),
    ]:
        assert means.loc[name, "measured"] == pytest.approx(leaked, abs=0.02)
        assert means.loc[name, "honest"] == pytest.approx(honest, abs=0.02)


def test_the_corrected_test_meets_the_wins_of_wang_and_zhang():
    """Those of C45-C over C45 stand without the leak, too."""
    table = agreement(win_tie_loss(stored(WANG.name), WANG, tests=("paired", "corrected")))
    table = table.set_index(["table", "test"])
    assert table.loc[("1", "corrected"), "met"] >= 15
    assert table.loc[("1", "corrected"), "off"] < 0.25
    assert table.loc[("2", "corrected"), "met"] >= 11
    assert (table.xs("paired", level="test")["met"] == 0).all()
    assert (table.xs("paired", level="test")["off"] > 4).all()
    table = win_tie_loss(stored(WANG.name), WANG, "honest", ("corrected",)).set_index(
        ["row", "column"]
    )
    entry = table.loc[("C45", "C45-C"), ["corrected", "published"]]
    assert entry.tolist() == ["0/9/26", "0/5/30"]


def test_cells_of_su_and_zhang_and_those_that_are_off_by_name():
    """All of it is not explained; a new name here would be a change in a method."""
    cells = printed_cells(SU)
    assert len(cells) == 29 * 3
    assert cells["measured"].notna().all()
    rest = cells[cells["dataset"] != "satimage"].set_index("method")["off"]
    assert (rest["NB"] <= 1).sum() >= 23
    assert (rest["CITree"] <= 2).sum() >= 22
    far = cells[cells["off"] > 2]
    assert set(far["dataset"]) == {"anneal", "hypothyroid", "satimage", "soybean", "yeast"}
    assert set(far.query("dataset == 'soybean'")["method"]) == {"C4.4"}


def test_sizes_beside_64_and_610():
    average = size_table(stored(SU.name), SU).loc["average"]
    assert average["C4.4 collapsed", "leaves"] == pytest.approx(610, abs=10)
    assert 90 < average["CITree", "leaves"] < 140  # the paper's 64 is not met
    leaves = size_table(stored(SU.name), SU).drop(index="average")["CITree", "leaves"]
    assert leaves.drop("letter").mean() == pytest.approx(64, abs=10)


def test_ten_folds_of_one_run_meet_an_entry_that_a_hundred_do_not():
    some, every = (
        win_tie_loss(frame, SU, tests=("paired",))["paired"].iloc[2]
        for frame in (stored(SU.name).query("run == 0"), stored(SU.name))
    )
    assert some == "14/8/7"
    assert int(every.split("/")[0]) > 17


def test_the_talks_reading_is_behind_the_nearest_prototype_on_numbers_alone():
    table = average_table(stored(NEWTON.name), NEWTON)
    table = table.set_index(["group", "method", "measure"])["measured"]
    nearest, talk, j48 = (table.xs(m, level=1) for m in ("Newton", "Newton (talk)", "J48"))
    assert np.array_equal(nearest["nominal"], talk["nominal"])
    assert (talk - j48)["numeric", "mse"] > 0 > (nearest - j48)["numeric", "mse"]
    assert (nearest - talk)["numeric", "auc"] > 0.01
    assert abs((nearest - talk)["mixed", "auc"]) < 0.002
