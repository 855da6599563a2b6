"""Results in a database and as text: whatever happens to the process, the export is the same."""

import contextlib
import errno
import os
import sqlite3
import threading

import numpy as np
import pandas as pd
import pytest

from ranktrees_lab.papers import ResultsError, files, fold_grids, read_results
from ranktrees_lab.papers.files import COLUMNS, replace_file, write_results

SETTINGS = {"paper": "tiny", "version": "0.1.0", "runs": 3, "seed": 1}
UNITS = [(name, run) for name in ("iris", "labor") for run in range(3)]
KEYS = [("C45", "honest", fold, measure) for fold in range(2) for measure in ("auc", "accuracy")]


def rows(unit):
    """Four rows of a unit, among their values one without an end and one that is missing."""
    number = UNITS.index(unit)
    values = [1 / (3 + number), np.nan, 0.1 * number, 1e-17]
    return [(*key, value) for key, value in zip(KEYS, values, strict=True)]


def fill(folder, units=UNITS, settings=SETTINGS):
    """Keep these units in folder/x.sqlite; the units that were done before."""
    with files.opened(folder / "x.sqlite", settings) as db:
        before = files.finished_units(db)
        for unit in units:
            files.write_unit(db, unit, rows(unit))
        return before


def export(folder):
    """The bytes of the export of all units."""
    with files.opened(folder / "x.sqlite", SETTINGS) as db:
        lines = [row for unit in UNITS for row in files.read_unit(db, unit)]
    write_results(folder / "x.csv", SETTINGS, lines)
    return (folder / "x.csv").read_bytes()


@pytest.fixture
def whole(tmp_path):
    """The bytes of an export that was made without any disturbance."""
    (tmp_path / "whole").mkdir()
    fill(tmp_path / "whole")
    return export(tmp_path / "whole")


class TestTheExport:
    def test_values_come_back_from_its_text_exactly_and_in_their_order(self, whole, tmp_path):
        lines = whole.decode().split("\n")
        assert lines[:5] == [
            "# ranktrees results, format 2",
            '# {"paper": "tiny", "runs": 3, "seed": 1, "version": "0.1.0"}',
            "dataset,method,reading,run,measure,0,1",
            "iris,C45,honest,0,auc,0.3333333333333333,0.0",
            "iris,C45,honest,0,accuracy,,1e-17",
        ]
        settings, frame = read_results(tmp_path / "whole" / "x.csv")
        assert settings == SETTINGS
        want = [(name, *row[:2], run, *row[2:]) for name, run in UNITS for row in rows((name, run))]
        pd.testing.assert_frame_equal(frame, pd.DataFrame(want, columns=list(COLUMNS)))
        name = 'a "b", c'
        write_results(tmp_path / "x.csv", SETTINGS, [(name, "m", "r", 0, 0, "auc", 0.5)])
        assert read_results(tmp_path / "x.csv")[1]["dataset"].tolist() == [name]

    def test_fold_grids_hold_every_value_in_its_place(self, whole, tmp_path):
        _, frame = read_results(tmp_path / "whole" / "x.csv")
        grids = fold_grids(frame.sample(frac=1, random_state=0))
        assert {grid.shape for grid in grids.values()} == {(3, 2)}
        for row in frame.dropna().itertuples():
            grid = grids[row.dataset, row.method, row.reading, row.measure]
            assert grid[row.run, row.fold] == row.value
        part = fold_grids(frame.query("run == 1 and fold == 1"))
        assert np.isnan(part["iris", "C45", "honest", "auc"]).sum() == 3

    def test_the_order_of_the_work_does_not_show(self, whole, tmp_path):
        assert fill(tmp_path, UNITS[:2]) == set()
        assert fill(tmp_path, UNITS[:0:-1]) == set(UNITS[:2])
        assert export(tmp_path) == whole


class TestRefusals:
    def test_other_work(self, tmp_path):
        fill(tmp_path)
        before = (tmp_path / "x.sqlite").read_bytes()
        words = r'x\.sqlite holds other results.* its sets is null, not {"iris": "0f"}.*--out'
        with pytest.raises(ResultsError, match=words):
            fill(tmp_path, settings=SETTINGS | {"sets": {"iris": "0f"}})
        assert (tmp_path / "x.sqlite").read_bytes() == before

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ("UPDATE folds SET value = 'high' WHERE rowid = 3", "folds, row 3: value is 'high'"),
            ("UPDATE folds SET run = NULL WHERE rowid = 5", "folds, row 5: run is None, not a"),
            ("UPDATE settings SET value = '{' WHERE name = 'seed'", "row .: seed is '{'"),
            ("INSERT INTO settings VALUES ('speed', '1')", "settings, row 5: unknown name 'speed'"),
            ("DROP TABLE folds", "lacks a table"),
        ],
    )
    def test_what_was_tampered_with_is_named_by_table_and_row(self, tmp_path, change, words):
        fill(tmp_path)
        with contextlib.closing(sqlite3.connect(tmp_path / "x.sqlite")) as db, db:
            db.execute("PRAGMA ignore_check_constraints = 1")
            db.execute(change)
        with pytest.raises(ResultsError, match=rf"x\.sqlite.* {words}.*--out"):
            fill(tmp_path)

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            (b"honest,1,", b"honest,one,", "data row 3: run cannot be 'one'"),
            (b"1e-17", b"low", "data row 2: 1 cannot be 'low'"),
            (b"1e-17\n", b"1e-17", "is damaged: .*Expected"),
            (b"run,measure,0", b"run,measure,zero", "has a damaged head"),
            (b'{"paper"', b"{not json", "has a damaged head"),
            (b"format 2", b"format 1", "does not hold results of format"),
            (b"# ranktrees", b"a,b", "does not hold results"),
            (b"\nlabor,C45,honest,2,accuracy,,1e-17\n", b"", "is cut short: start the command"),
        ],
    )
    def test_an_export_that_was_tampered_with(self, whole, tmp_path, old, new, words):
        (tmp_path / "x.csv").write_bytes(whole.replace(old, new, 1))
        with pytest.raises(ResultsError, match=rf"x\.csv.* {words}"):
            read_results(tmp_path / "x.csv")

    @pytest.mark.parametrize("content", [b"x" * 5000, "a database"])
    def test_a_foreign_file_stays_as_it_is(self, tmp_path, content):
        if content == "a database":
            with contextlib.closing(sqlite3.connect(tmp_path / "y")) as db, db:
                db.execute("CREATE TABLE folds (name TEXT)")
            content = (tmp_path / "y").read_bytes()
        (tmp_path / "x.sqlite").write_bytes(content)
        with pytest.raises(ResultsError, match=r"x\.sqlite does not hold results"):
            fill(tmp_path)
        assert (tmp_path / "x.sqlite").read_bytes() == content

    @pytest.mark.parametrize("page", [1, 3, "cut"])
    def test_a_page_that_was_overwritten_or_cut(self, tmp_path, page):
        """Pages after the first hold the tables; noise in one of them is noticed on opening."""
        fill(tmp_path)
        content = bytearray((tmp_path / "x.sqlite").read_bytes())
        if page == "cut":
            del content[len(content) // 2 :]
        else:
            content[page * 4096 : page * 4096 + 200] = os.urandom(1) * 200
        (tmp_path / "x.sqlite").write_bytes(content)
        with pytest.raises(ResultsError, match=r"x\.sqlite is damaged: remove it, or name another"):
            fill(tmp_path)
        assert (tmp_path / "x.sqlite").read_bytes() == bytes(content)


class TestLocks:
    def test_a_lock_is_waited_for_and_named_where_it_is_kept(self, whole, tmp_path, monkeypatch):
        fill(tmp_path, UNITS[:1])
        other = sqlite3.connect(
            tmp_path / "x.sqlite", isolation_level=None, check_same_thread=False
        )
        other.execute("BEGIN EXCLUSIVE")
        with monkeypatch.context() as patch:
            patch.setattr(files, "PATIENCE", 0.1)
            with pytest.raises(ResultsError, match=r"x\.sqlite is in use by another process"):
                fill(tmp_path)
        threading.Timer(0.2, other.rollback).start()
        assert fill(tmp_path) == set(UNITS[:1])
        assert export(tmp_path) == whole
        other.close()

    def test_two_writers_take_turns(self, whole, tmp_path):
        """Both keep the same units; whoever comes second leaves them as they are."""
        path = tmp_path / "x.sqlite"
        with files.opened(path, SETTINGS) as one, files.opened(path, SETTINGS) as other:
            for unit in UNITS:
                for db in (one, other):
                    files.write_unit(db, unit, rows(unit))
        assert export(tmp_path) == whole


def test_the_old_export_stays_when_a_new_one_has_no_room(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_bytes(b"old")

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(ResultsError, match=r"x\.csv cannot be written \(No space left"):
        replace_file(path, "new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x.csv"]
