"""The results file: whatever happens to the process, the finished file is the same."""

import errno
import gzip
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ranktrees.papers import Ledger, LedgerError, compress, disk, read_results
from ranktrees.papers.disk import Appender, FileLock, replace_file

SETTINGS = {"paper": "tiny", "version": "0.1.0", "runs": 3, "seed": 1}
UNITS = [(name, run) for name in ("iris", "labor") for run in range(3)]
PLAN = {
    (name, run): [
        ("tiny", "1", name, "C45", "honest", run, fold, measure)
        for fold in range(2)
        for measure in ("auc", "accuracy")
    ]
    for name, run in UNITS
}


def values(unit):
    """Four numbers of a unit, among them one without an end and one that is missing."""
    number = UNITS.index(unit)
    return [1 / (3 + number), np.nan, 0.1 * number, 1e-17]


def fill(path, units=None, settings=SETTINGS):
    """Do these units (None: all that are pending), and finish when none is left."""
    with Ledger(path, settings, PLAN) as ledger:
        pending = ledger.pending
        for unit in pending if units is None else units:
            ledger.write(unit, values(unit))
        if not ledger.pending:
            ledger.finish()
        return pending, ledger.mended


@pytest.fixture
def whole(tmp_path):
    """The bytes of a file that was written without any disturbance."""
    fill(tmp_path / "whole.csv")
    return (tmp_path / "whole.csv").read_bytes()


class TestAWholeFile:
    def test_its_text(self, whole):
        lines = whole.decode().split("\n")
        assert lines[0] == "# ranktrees results, format 1"
        assert lines[1] == '# {"paper": "tiny", "runs": 3, "seed": 1, "version": "0.1.0"}'
        assert lines[2] == "paper,table,dataset,method,reading,run,fold,measure,value"
        assert lines[3] == "tiny,1,iris,C45,honest,0,0,auc,0.3333333333333333"
        assert lines[4] == "tiny,1,iris,C45,honest,0,0,accuracy,nan"
        assert (len(lines), lines[-1]) == (3 + 24 + 1, "")

    def test_values_come_back_exactly(self, whole, tmp_path):
        settings, frame = read_results(tmp_path / "whole.csv")
        assert settings == SETTINGS
        want = [value for unit in UNITS for value in values(unit)]
        np.testing.assert_array_equal(frame["value"], want)
        assert frame["run"].tolist() == np.repeat([0, 1, 2, 0, 1, 2], 4).tolist()

    def test_order_of_the_work_does_not_show(self, whole, tmp_path):
        fill(tmp_path / "other.csv", UNITS[::-1])
        assert (tmp_path / "other.csv").read_bytes() == whole

    def test_nothing_is_done_twice(self, whole, tmp_path):
        changed = (tmp_path / "whole.csv").stat().st_mtime_ns
        assert fill(tmp_path / "whole.csv") == ([], 0)
        assert (tmp_path / "whole.csv").stat().st_mtime_ns == changed

    def test_a_unit_is_written_once(self, tmp_path):
        with Ledger(tmp_path / "x.csv", SETTINGS, PLAN) as ledger:
            ledger.write(UNITS[0], values(UNITS[0]))
            with pytest.raises(ValueError, match="written before"):
                ledger.write(UNITS[0], values(UNITS[0]))
            with pytest.raises(ValueError, match="zip"):
                ledger.write(UNITS[1], [1.0])
            with pytest.raises(LedgerError, match="5 of 6 units"):
                ledger.finish()

    def test_names_that_would_break_a_row_are_refused(self, tmp_path):
        with pytest.raises(ValueError, match="no comma"):
            Ledger(tmp_path / "x.csv", SETTINGS, {("a", 0): [("p", "1", "a,b", *"mr", 0, 0, "x")]})
        with pytest.raises(ValueError, match="needs the keys"):
            Ledger(tmp_path / "x.csv", SETTINGS, {("a", 0): [("p", "1")]})


class TestWhatAKilledProcessLeft:
    def test_cut_anywhere_in_the_rows(self, whole, tmp_path):
        """A kill leaves the beginning of what was to be written, of any length."""
        path, head = tmp_path / "cut.csv", whole.index(b"tiny,1,")
        rng = np.random.default_rng(1)
        for length in [head, len(whole) - 1, *rng.integers(head, len(whole), 60)]:
            path.write_bytes(whole[:length])
            n_lines = whole[:length].count(b"\n") - 3
            pending, mended = fill(path)
            assert pending == UNITS[n_lines // 4 :], length
            partial = n_lines % 4 + (not whole[:length].endswith(b"\n"))
            assert mended == partial, length
            assert path.read_bytes() == whole, length

    def test_half_a_unit_in_the_middle(self, whole, tmp_path):
        lines = whole.decode().splitlines(keepends=True)
        del lines[9]  # of the second unit
        (tmp_path / "x.csv").write_text("".join(lines), encoding="utf-8", newline="")
        assert fill(tmp_path / "x.csv") == ([UNITS[1]], 3)
        assert (tmp_path / "x.csv").read_bytes() == whole

    @pytest.mark.parametrize("damage", [b"tiny,1,iris,C45,honest,0,0,au", b"\0\0\0\0", b"\xff\n"])
    def test_damage_within_the_file(self, whole, tmp_path, damage):
        head = whole.index(b"tiny,1,")
        (tmp_path / "x.csv").write_bytes(whole[:head] + damage + whole[head:])
        _, mended = fill(tmp_path / "x.csv")
        assert mended >= 1
        assert (tmp_path / "x.csv").read_bytes() == whole

    def test_a_unit_that_is_there_twice(self, whole, tmp_path):
        rows = whole[whole.index(b"tiny,1,") :].splitlines(keepends=True)
        (tmp_path / "x.csv").write_bytes(whole + b"".join(rows[:4]))
        assert fill(tmp_path / "x.csv") == ([UNITS[0]], 8)
        assert (tmp_path / "x.csv").read_bytes() == whole

    def test_an_empty_file_is_a_new_one(self, whole, tmp_path):
        (tmp_path / "x.csv").touch()
        assert fill(tmp_path / "x.csv")[0] == UNITS
        assert (tmp_path / "x.csv").read_bytes() == whole

    def test_a_row_cut_short_is_not_read_as_a_result(self, whole, tmp_path):
        (tmp_path / "x.csv").write_bytes(whole[:-3])
        with pytest.raises(LedgerError, match="line 27 is not whole"):
            read_results(tmp_path / "x.csv")


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"paper": "other"}, 'its paper is "tiny", not "other"'),
            ({"version": "0.2.0"}, 'its version is "0.1.0", not "0.2.0"'),
            ({"seed": 2}, "its seed is 1, not 2"),
            ({"datasets": {"iris": "0f"}}, 'its datasets is null, not {"iris": "0f"}'),
        ],
    )
    def test_other_work(self, whole, tmp_path, change, words):
        with pytest.raises(LedgerError) as caught:
            fill(tmp_path / "whole.csv", settings=SETTINGS | change)
        assert words in str(caught.value)
        assert "--out" in str(caught.value)
        assert (tmp_path / "whole.csv").read_bytes() == whole

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            ("a,b\n1,2\n", "no results"),
            ("# ranktrees results, format 7\n# {}\n", "of another format"),
            ("# ranktrees results, format 1\n# {not json\n", "damaged head"),
            ("# ranktrees results, format 1\n# {}\npaper,table\n", "damaged head"),
        ],
    )
    def test_foreign_files_stay_as_they_are(self, tmp_path, content, words):
        path = tmp_path / "x.csv"
        path.write_text(content, encoding="utf-8", newline="")
        with pytest.raises(LedgerError, match=words):
            fill(path)
        assert path.read_text(encoding="utf-8") == content

    def test_places_that_cannot_be_written(self, tmp_path):
        with pytest.raises(LedgerError, match="there is no folder"):
            fill(tmp_path / "none" / "x.csv")
        with pytest.raises(LedgerError, match="is not a file"):
            fill(tmp_path)
        with pytest.raises(LedgerError, match=r"a file without \.gz"):
            fill(tmp_path / "x.csv.gz")
        assert not list(tmp_path.iterdir())

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
    def test_a_folder_without_permission(self, tmp_path):
        tmp_path.chmod(0o500)
        with pytest.raises(LedgerError, match="no permission"):
            fill(tmp_path / "x.csv")

    def test_two_writers_of_one_file(self, whole, tmp_path):
        path = tmp_path / "x.csv"
        with Ledger(path, SETTINGS, PLAN), pytest.raises(LedgerError, match="another process"):
            fill(path)
        assert fill(path)[0] == UNITS  # the lock is free again
        assert path.read_bytes() == whole

    def test_a_lock_is_given_back_by_a_killed_process(self, tmp_path):
        code = (
            "import sys, time; from pathlib import Path; "
            "from ranktrees.papers.disk import FileLock; "
            "FileLock(Path(sys.argv[1]), Path('it')); print('held', flush=True); time.sleep(60)"
        )
        lock = tmp_path / "x.lock"
        command = [sys.executable, "-c", code, str(lock)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout.readline() == "held\n"
            with pytest.raises(LedgerError, match="it is being written by another process"):
                FileLock(lock, Path("it"))
            holder.kill()
        FileLock(lock, Path("it")).release()


class TestAFullDisk:
    def test_half_a_unit_gets_on_the_disk(self, whole, tmp_path, monkeypatch):
        path, write = tmp_path / "x.csv", os.write

        def half(descriptor, data):
            if len(data) < 20:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(descriptor, bytes(data)[: len(data) // 2])

        with Ledger(path, SETTINGS, PLAN) as ledger:
            ledger.write(UNITS[0], values(UNITS[0]))
            before = path.stat().st_size
            monkeypatch.setattr(disk.os, "write", half)
            with pytest.raises(LedgerError, match=r"No space left.*same command"):
                ledger.write(UNITS[1], values(UNITS[1]))
            assert UNITS[1] in ledger.pending
        monkeypatch.undo()
        assert path.stat().st_size > before
        pending, mended = fill(path)
        assert pending == UNITS[1:]
        assert mended > 0
        assert path.read_bytes() == whole

    def test_the_old_file_stays_when_a_new_one_has_no_room(self, tmp_path, monkeypatch):
        path = tmp_path / "x.csv"
        path.write_bytes(b"old")

        def full(descriptor):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(disk.os, "fsync", full)
        with pytest.raises(LedgerError, match="No space left"):
            replace_file(path, b"new")
        assert path.read_bytes() == b"old"
        assert [p.name for p in tmp_path.iterdir()] == ["x.csv"]

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    def test_a_device_that_is_always_full(self):
        file = Appender(Path("/dev/full"))
        with pytest.raises(LedgerError, match="/dev/full cannot be written"):
            file.write("x")
        file.close()


class TestPacking:
    def test_the_packed_file_is_the_same_at_any_time(self, whole, tmp_path):
        path = tmp_path / "whole.csv"
        first = compress(path)
        assert first == tmp_path / "whole.csv.gz"
        packed = first.read_bytes()
        time.sleep(1.1)  # a time stamp has whole seconds
        assert compress(path, tmp_path / "other.gz").read_bytes() == packed
        assert gzip.decompress(packed) == whole

    def test_it_reads_as_the_file_itself(self, whole, tmp_path):
        path = tmp_path / "whole.csv"
        settings, frame = read_results(compress(path))
        assert settings == SETTINGS
        assert frame.equals(read_results(path)[1])

    def test_only_whole_results_are_packed(self, whole, tmp_path):
        (tmp_path / "x.csv").write_bytes(whole[:-3])
        with pytest.raises(LedgerError, match="not whole"):
            compress(tmp_path / "x.csv")
        (tmp_path / "x.csv.gz").write_bytes(gzip.compress(whole)[:-9])
        with pytest.raises(LedgerError, match="gzip"):
            read_results(tmp_path / "x.csv.gz")
