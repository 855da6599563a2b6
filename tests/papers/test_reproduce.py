"""Repeating a paper: one command, killed at will, shared out, and refused with words."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from experiments import MODULE, WANG, run

import ranktrees as rt
from ranktrees_lab.command import main
from ranktrees_lab.papers import PAPERS, ResultsError, files


class TestPreparation:
    def test_complete_rows_keep_numbers_and_declared_classes(self):
        data = rt.load("labor")
        X, y = MODULE.complete_rows(data)
        whole = data.X.notna().all(axis=1).to_numpy()
        assert 0 < whole.sum() < len(data)
        assert X.equals(data.X[whole].reset_index(drop=True))
        assert y.equals(data.y[whole])
        with pytest.raises(ValueError, match=r"no case of 'labor' is"):
            MODULE.complete_rows(replace(data, X=data.X.assign(pension=np.nan)))

    def test_a_fingerprint_tells_values_and_declarations_apart(self):
        data = rt.load("iris")
        X = data.X.copy()
        X.iloc[7, 1] += 1e-9
        more = data.y.add_categories(["none"])
        sets = data, replace(data, X=X), replace(data, y=more)
        assert len({MODULE.fingerprint(one) for one in sets}) == 3
        assert MODULE.fingerprint(rt.load("iris")) == MODULE.fingerprint(data)

    @pytest.mark.parametrize("preparation", ["papers", "complete-rows"])
    def test_sorted_classes_are_in_declared_order(self, preparation):
        """Weka's order decides ties, and Laplace's C counts classes that never occur."""
        data, found = rt.load("glass"), MODULE.prepared("glass", None, preparation)
        assert found.y.categories.tolist() == list(range(7))
        assert (found.y.codes == data.y.codes).all()
        assert 3 not in found.y  # declared, but without a case


SAME = {"datasets": ["labor", "iris"], "methods": ["C45", "C44-W"], "runs": 3}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The results of one process that nothing disturbed."""
    return run(tmp_path_factory.mktemp("alone"), **SAME)[0].read_bytes()


class TestTheSameFile:
    def test_two_processes_share_the_work(self, alone, tmp_path):
        assert run(tmp_path, jobs=2, **SAME)[0].read_bytes() == alone

    @pytest.mark.long
    def test_a_dask_cluster_does_the_work(self, alone, tmp_path):
        distributed = pytest.importorskip("distributed", reason="dask[distributed] is missing")
        import joblib

        cluster = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
        with (
            distributed.Client(**cluster, local_directory=tmp_path),
            joblib.parallel_config(backend="dask"),
        ):
            assert run(tmp_path, **SAME)[0].read_bytes() == alone

    def test_a_full_disk_and_a_key_in_the_middle_lose_nothing(
        self, alone, tmp_path, monkeypatch, capsys
    ):
        """One line and exit code 2; the same command then does what has not been done."""
        monkeypatch.chdir(tmp_path)
        command = ["reproduce", "wang2006"]
        command += ["--datasets", "labor,iris", "--methods", "C45,C44-W", "--runs", "3"]
        real, written = files.write_unit, []

        def small_disk(db, unit, rows):
            db.execute("PRAGMA max_page_count = 12")
            real(db, unit, rows)
            written.append(unit)

        monkeypatch.setattr(files, "write_unit", small_disk)
        assert main(command) == 2
        err = capsys.readouterr().err.splitlines()[-1]
        assert err.startswith("ranktrees: error: wang2006.sqlite cannot be written (database ")
        assert err.endswith("start the same command again, which goes on where it was")
        assert 0 < len(written) < 6
        assert not Path("wang2006.csv").exists()
        monkeypatch.setattr(files, "write_unit", real)
        measure, done = MODULE.measure, []

        def stop_at_the_first(*work):
            done.append(work)
            if len(done) == 1:
                raise KeyboardInterrupt
            return measure(*work)

        monkeypatch.setattr(MODULE, "measure", stop_at_the_first)
        assert main(command) == 130
        assert "the same command goes on from here" in capsys.readouterr().err
        assert main(command) == 0
        assert Path("wang2006.csv").read_bytes() == alone
        assert len(done) == 6 - len(written) + 1


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("ps"), reason="this system has no ps")
class TestProcesses:
    HOW: ClassVar = {"datasets": ["iris", "labor"], "methods": ["C45"], "runs": 20}

    @pytest.fixture
    def whole(self, tmp_path):
        return run(tmp_path, "whole.csv", **self.HOW)[0].read_bytes()

    @pytest.fixture
    def started(self, tmp_path):
        """A function that starts the command in a group of its own, and the results' database."""
        command = [sys.executable, "-m", "ranktrees", "reproduce", "wang2006", "--runs", "20"]
        command += ["--datasets", "iris,labor", "--methods", "C45"]
        how = {"cwd": tmp_path, "start_new_session": True}
        how |= dict.fromkeys(["stdout", "stderr"], subprocess.DEVNULL)
        path = tmp_path / "wang2006.sqlite"
        return lambda *more: subprocess.Popen([*command, *more], **how), path

    def test_killed_at_random_moments_and_then_two_at_once(self, started, whole):
        start, path = started
        rng = np.random.default_rng(7)
        for _ in range(6):
            before, process = units_in(path), start()
            while units_in(path) == before and rng.random() > 0.05:
                time.sleep(0.02)
            process.kill()
            process.wait()
        assert not path.with_suffix(".csv").exists(), "an export is of the whole"
        assert [process.wait() for process in (start(), start())] == [0, 0]
        assert path.with_suffix(".csv").read_bytes() == whole

    def test_workers_end_with_a_parent_that_is_killed(self, started, whole, tmp_path):
        """And what they had done is whole: the same command goes on from there."""
        start, path = started
        began, process = time.monotonic(), start("--jobs", "2")
        while not (units_in(path) and others_in_the_group(process.pid)):
            assert process.poll() is None, "it ended before it was killed"
            assert time.monotonic() - began < 100
            time.sleep(0.05)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        killed = time.monotonic()
        while left := others_in_the_group(process.pid):
            assert time.monotonic() - killed < 60, left
            time.sleep(0.1)
        assert 0 < units_in(path) < 40
        assert run(tmp_path, "wang2006.csv", **self.HOW)[0].read_bytes() == whole


def others_in_the_group(leader):
    """The processes of a group but its leader, without those that have ended (zombies)."""
    asked = ["ps", "-A", "-o", "pgid=,pid=,stat=,args="]
    lines = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split(None, 3) for line in lines]
    return [r for r in rows if r[0] == str(leader) != r[1] and not r[2].startswith("Z")]


def units_in(path):
    """How many units (data set, run) a database holds; 0 as long as it is none."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            return len(files.finished_units(db))
    except sqlite3.OperationalError:
        return 0


class TestRefusedBeforeWorkStarts:
    """One line on the standard error, and exit code 2."""

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ("reproduce", "name a paper, or ask for --list"),
            ("reproduce wang", "unknown paper 'wang': choose one of 'su2004', 'wang2006'"),
            ("reproduce wang2006 --jobs 0", "jobs must be at least 1, or -1"),
            ("reproduce wang2006 --runs 0", "runs must be at least 1"),
            ("reproduce wang2006 --methods C45,C46", "unknown method 'C46': choose one of 'C45-C'"),
            ("reproduce wang2006 --datasets labour", "wang2006 has no data set 'labour'; nearest"),
            ("reproduce wang2006 --datasets ,", "name at least one data set"),
            ("reproduce wang2006 --data nowhere", "there is no folder nowhere"),
            ("reproduce wang2006 --datasets iris --out no/x.csv", "there is no folder no"),
            ("reproduce wang2006 --datasets iris --out .", "is not a file"),
            ("reproduce wang2006 --datasets iris --out foreign.csv", "does not hold results"),
        ],
    )
    def test_in_one_line(self, tmp_path, monkeypatch, capsys, arguments, words):
        monkeypatch.chdir(tmp_path)
        Path("foreign.csv").write_text("a,b\n", encoding="utf-8")
        assert main(arguments.split()) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("ranktrees: error: ")
        assert err.count("\n") == 1
        assert words in err
        assert Path("foreign.csv").read_text(encoding="utf-8") == "a,b\n"
        assert os.listdir() == ["foreign.csv"]

    def test_a_missing_set_a_wrong_one_and_one_that_is_lost(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setenv("RANKTREES_CACHE", str(tmp_path))
        monkeypatch.setenv("RANKTREES_DATA", "")
        monkeypatch.chdir(tmp_path)
        (tmp_path / "uci").mkdir()
        (tmp_path / "uci" / "zoo.arff").write_text("@relation zoo\n", encoding="utf-8")
        command = ["reproduce", "wang2006", "--datasets", "iris,zoo", "--data", "uci"]
        assert main(command) == 2
        err = capsys.readouterr().err
        assert "data sets zoo are not at hand" in err
        assert "expected SHA-256 8d60d393bb7c" in err
        assert not (tmp_path / "wang2006.csv").exists()
        paper = replace(WANG, unavailable={"lost": "its file is no longer to be found"})
        with pytest.raises(ValueError, match="'lost' is not available: its file is no longer"):
            run(tmp_path, paper=paper, datasets=["lost"])

    def test_results_of_other_settings(self, tmp_path, monkeypatch):
        how = {"datasets": ["labor"], "methods": ["C45"]}
        run(tmp_path, **how)
        martinez = {"paper": "martinez2010", "datasets": ["iris"], "methods": ["J48"]}
        for other, words in (
            (martinez, 'its paper is "wang2006", not "martinez2010"'),
            ({"seed": 3}, "its seed is 1, not 3"),
            ({"runs": 2}, "runs is 1, not 2"),
        ):
            with pytest.raises(ResultsError, match=words):
                run(tmp_path, **how | other)
        version = rt.__version__
        monkeypatch.setattr(MODULE, "__version__", "9.9")
        with pytest.raises(ResultsError, match=f'its version is "{version}", not "9.9"'):
            run(tmp_path, **how)


def test_the_command_measures_writes_and_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = "reproduce wang2006 --datasets labor --methods C45,C45-W --runs 1"
    assert main(command.split()) == 0
    out, err = capsys.readouterr()
    files = {"wang2006.csv", "wang2006.sqlite", "wang2006.summary.csv"}
    assert {p.name for p in tmp_path.iterdir()} == files
    assert "100%" in err
    assert "every fold: wang2006.csv" in out
    assert "C45-W" in out
    assert "Data sets without results (not among these results): anneal, " in out
    assert "Methods without results (not among these results): C45-C, C45-S, C45-M, C45-L" in out
    assert main(["reproduce", "--list"]) == 0
    out = capsys.readouterr().out
    assert all(f"{name}: " in out for name in PAPERS)
    assert "35 data sets, 5 runs of 10 folds; methods C45-C" in out
