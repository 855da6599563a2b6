"""Published beside measured: by hand on small tables, and the kept results of the papers."""

import json
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pandas as pd
import pytest
from experiments import WANG, WITHIN, frame, rows

from ranktrees_lab.data.files import folder
from ranktrees_lab.papers import (
    PAPERS,
    agreement,
    average_table,
    cell_table,
    environment,
    missing_sets,
    results,
    size_table,
    stored_papers,
    verdict,
    win_tie_loss,
)
from ranktrees_lab.papers.wins import TESTS

SU, MARTINEZ = PAPERS["su2004"], PAPERS["martinez2010"]
rows = partial(rows, measure="auc-wang2006", reading="as_published")


class TestCells:
    FRAME = frame(
        rows("labor", "C45", [[0.7, 0.9], [0.8, np.nan]]),
        rows("labor", "C45-W", [[1.0, 0.9], [0.9, 0.8]]),
        rows("labor", "C45-W", [[0.5, 0.5], [0.9, 0.5]], reading="honest"),
        rows("vehicle", "C45-C x10", [[0.9]]),
    )

    def test_by_hand(self):
        table = cell_table(self.FRAME, WANG).set_index(["dataset", "method"])
        numbers = table.loc["labor"][["published", "measured", "difference", "honest"]]
        assert numbers.loc["C45-W"].tolist() == pytest.approx([93.5, 90, -3.5, 60])
        assert numbers.loc["C45"].tolist() == pytest.approx([78.25, 80, 1.75, 80])
        assert table.loc[("labor", "C45"), ["table", "note"]].tolist() == ["3", ""]

    def test_every_printed_cell_has_a_row_and_a_reason(self):
        paper = replace(WANG, unavailable={"zoo": "its file is lost"})
        missing = missing_sets(self.FRAME, paper)
        assert missing["zoo"] == "its file is lost"
        assert missing["iris"] == "not among these results"
        assert "labor" not in missing
        table = cell_table(self.FRAME, paper)
        assert set(table.loc[table["dataset"] == "zoo", "note"]) == {"its file is lost"}
        assert table["published"].notna().sum() == 2 * 35 * 7
        assert len(table) == 2 * 35 * 7 + 1  # and a measured one that was not printed
        assert table["measured"].isna().sum() == 2 * 35 * 7 - 2

    def test_averages_compare_the_same_sets_in_the_groups_that_were_printed(self):
        mine = average_table(self.FRAME, WANG).set_index("method").loc["C45-W"]
        assert mine[["published", "sets"]].tolist() == [93.5, "1 of 35"]
        assert mine[["measured", "honest"]].tolist() == pytest.approx([90, 60])
        found = frame(
            rows("car", "J48", [[0.9, 0.8]], measure="accuracy"),
            rows("iris", "J48", [[0.7, 0.7]], measure="accuracy"),
        )
        table = average_table(found, MARTINEZ).set_index(["group", "measure", "method"])
        nominal = table.loc[("nominal", "accuracy", "J48")]
        assert nominal[["published", "sets"]].tolist() == [87.3099, "1 of 9"]
        assert nominal["measured"] == pytest.approx(85)
        assert table.loc[("all", "accuracy", "J48"), "measured"] == pytest.approx(77.5)


class TestVerdicts:
    BETTER = np.random.default_rng(3).normal(0.82, 0.03, (5, 10))

    @pytest.mark.parametrize("test", TESTS)
    def test_signs(self, test):
        a = self.BETTER + 0.2
        assert verdict(a, self.BETTER, 10, test) == 1
        assert verdict(self.BETTER, a, 10, test) == -1
        assert verdict(a, a, 10, test) == 0
        a[0, :5] = np.nan  # folds without a value are left out
        assert verdict(a, self.BETTER, 10, test) == 1
        with pytest.raises(ValueError, match="unknown test 'sign'"):
            verdict(a, a, 10, "sign")

    def test_the_correction_is_more_careful(self):
        """t = 2.4 over 50 folds: significant, but not with variance times 1/50 + 1/9."""
        d = np.linspace(-1, 1, 50)
        d += 2.4 * d.std(ddof=1) / np.sqrt(50)
        a = d.reshape(5, 10)
        assert verdict(a, np.zeros((5, 10)), 10, "paired") == 1
        assert verdict(a, np.zeros((5, 10)), 10, "corrected") == 0
        assert verdict(a, np.zeros((5, 10)), 10, "higher") == 1

    def test_runs_are_tested_by_their_means(self):
        """Folds scatter widely, runs hardly at all."""
        a = np.array([[5.0, -4.9], [-4.8, 5.0], [5.1, -5.0], [4.92, -5.0 + 0.16]])
        assert verdict(a, np.zeros((4, 2)), 2, "paired") == 0
        assert verdict(a, np.zeros((4, 2)), 2, "paired, runs") == 1
        gap = np.vstack([a, [np.nan, np.nan]])
        assert verdict(gap, np.zeros((5, 2)), 2, "paired, runs") == 1


HIGH, LOW = np.full((2, 2), 0.9) + 0.001 * np.eye(2), np.full((2, 2), 0.5)


class TestWins:
    def entry(self, found, row, column, paper=WANG, **where):
        table = win_tie_loss(found, paper)
        for name, value in ({"row": row, "column": column} | where).items():
            table = table[table[name] == value]
        (mine,) = table.to_dict("records")
        return mine

    def test_by_hand(self):
        found = frame(
            *(rows(name, "C45-S", HIGH) for name in ("iris", "labor", "vote")),
            *(rows(name, "C45-C", LOW) for name in ("iris", "labor")),
            rows("vote", "C45-C", HIGH),
        )
        entry = self.entry(found, "C45-S", "C45-C")
        assert (entry["published"], entry["sets"]) == ("0/5/30", 3)
        assert entry["paired"] == entry["higher"] == "2/1/0"
        assert entry["wilcoxon"] == "0/3/0"  # four folds cannot be enough

    def test_labels_that_are_swapped_in_print_are_put_right_and_others_stay(self):
        """Table 2 prints 3/24/8 for W against S; it is S against W. The row of B is right."""
        high = (rows("iris", name, HIGH) for name in ("C44-B", "C44-S"))
        found = frame(*high, rows("iris", "C44-W", LOW))
        entry = self.entry(found, "C44-S", "C44-W")
        assert (entry["published"], entry["higher"]) == ("3/24/8", "1/0/0")
        assert self.entry(found, "C44-B", "C44-S")["published"] == "9/24/2"

    def test_smaller_errors_win(self):
        of = {"Newton": LOW, "J48": HIGH}
        found = frame(*(rows("car", name, x, measure="brier") for name, x in of.items()))
        entry = self.entry(found, "Newton", "J48", MARTINEZ, group="nominal", measure="mse")
        assert (entry["published"], entry["higher"]) == ("2/0/7", "1/0/0")

    def test_the_honest_reading_is_another_count(self):
        both = rows("iris", "C45-W", HIGH), rows("iris", "C45-W", LOW, reading="honest")
        found = frame(*both, rows("iris", "C45-S", HIGH))
        for reading, count in {"as_published": "0/1/0", "honest": "0/0/1"}.items():
            table = win_tie_loss(found, WANG, reading).set_index(["row", "column"])
            assert table.loc[("C45-W", "C45-S"), "higher"] == count

    def test_agreement_by_hand(self):
        columns = ["table", "published", *TESTS]
        entries = ("1", "3/1/0", *["3/1/0"] * 5), ("1", "0/4/0", *["1/2/1"] * 5)
        found = agreement(pd.DataFrame(entries, columns=columns)).set_index("test").loc["paired"]
        assert found[["entries", "met", "off"]].tolist() == [2, 1, 0.5]


@cache
def stored(name):
    return results(name)[1]


def printed_cells(paper):
    """AUCs with `off`, how far they lie from the printed ones."""
    cells = cell_table(stored(paper.name), paper).dropna(subset=["published"])
    cells = cells[cells["measure"].str.startswith("auc")]
    return cells.assign(off=cells["difference"].abs())


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
    summary = pd.read_csv(folder() / "results" / f"{name}.summary.csv", keep_default_na=False)
    cells = cell_table(frame, paper)
    assert summary[["dataset", "method", "note"]].equals(cells[["dataset", "method", "note"]])
    for column in ("published", "measured", "honest"):
        numbers = pd.to_numeric(summary[column])
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
