"""Files are whole or not there: results beside their sources, models, folders of killed fits."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pytest
from scale_cases import ALGORITHMS, FIT, batches_of, mixed, write

import ranktrees as rt
from ranktrees_files import paths as files
from ranktrees_files.scale import folder as folders

SLOW_FIT = """
import sys, time
import ranktrees as rt
from ranktrees_engine.growing import best

def slowly(*rest, **named):
    print("growing", flush=True)
    time.sleep(60)

best.first_best = slowly
rt.DecisionTree().fit(rt.scan(sys.argv[1], "label"))
"""


@pytest.fixture
def frame():
    return mixed(90)


@pytest.fixture
def scan(frame, tmp_path):
    return rt.scan(write(frame, tmp_path / "files", [30, 30]), "label")


@pytest.fixture
def model(scan):
    return rt.DecisionTree().fit(scan)


@pytest.fixture
def work_folder(tmp_path, monkeypatch):
    """The folder of temporary files, which each fit must leave empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


CHANGES = [{"text": "new"}, {"label": "new"}, {"whole": "text"}, {}, None]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_files_that_change_between_the_passes(change, frame, tmp_path, monkeypatch, work_folder):
    path, learn = tmp_path / "a.csv", FIT.learn
    frame.to_csv(path, index=False)
    scan, before = rt.scan(path, "label"), path.stat()

    def and_change(*args):
        learnt = learn(*args)
        if change is None:
            path.unlink()
        else:  # in its place, as if at the same time
            frame.assign(**change).to_csv(path, index=False)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        return learnt

    monkeypatch.setattr(FIT, "learn", and_change)
    match = "" if change is None else "has changed while it was read: fit again"
    with pytest.raises((ValueError, FileNotFoundError), match=rf"a\.csv.*{match}"):
        rt.DecisionTree().fit(scan)
    assert not list(work_folder.iterdir())


@pytest.mark.parametrize("name", ["codes", "raw", "list"])
def test_a_full_disk(name, scan, monkeypatch, work_folder):
    opened = Path.open

    def open_to_read(path, mode="r", *rest):
        if "a" in mode and path.name.startswith(name):
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, mode, *rest)

    monkeypatch.setattr(Path, "open", open_to_read)
    with pytest.raises(OSError, match=r"codes in .* cannot be written .*No space left.*TMPDIR"):
        FIT.fit_tree(rt.DecisionTree(), scan, algorithm="sprint")
    assert not list(work_folder.iterdir())


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_interrupted_fit_leaves_nothing(algorithm, scan, monkeypatch, work_folder):
    def interrupt(*args):
        assert any(p.is_file() for p in work_folder.glob("*/*"))
        raise KeyboardInterrupt

    monkeypatch.setattr("ranktrees_engine.growing.best.first_best", interrupt)
    with batches_of(10), pytest.raises(KeyboardInterrupt):
        FIT.fit_tree(rt.DecisionTree(), scan, "100kB", algorithm=algorithm)
    assert not list(work_folder.iterdir())


def test_no_source_is_overwritten_by_what_is_said_of_it(scan, model, tmp_path):
    before = [file.read_bytes() for file in scan.files]
    (tmp_path / "link.parquet").symlink_to(scan.files[1])
    os.link(scan.files[2], tmp_path / "hard.parquet")
    around = scan.files[0].parent / ".." / "files" / "001.parquet"
    match = r"\.parquet is one of the scan's own files: name another file"
    for path in [scan.files[0], around, tmp_path / "link.parquet", tmp_path / "hard.parquet"]:
        with pytest.raises(ValueError, match=match):
            scan.write_proba(model, path)
    assert [file.read_bytes() for file in scan.files] == before
    assert not list(tmp_path.rglob("*.part"))


def test_results_that_fail_leave_the_old_ones(scan, model, tmp_path):
    path = scan.write_proba(model, tmp_path / "proba.parquet")
    before = path.read_bytes()
    scan.files[2].write_bytes(b"no parquet")
    with batches_of(10), pytest.raises(ValueError, match=r"002\.parquet cannot be read"):
        scan.write_proba(model, path)
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["files", "proba.parquet"]


def test_a_model_that_fails_leaves_the_old_one(model, tmp_path, monkeypatch):
    path, link, written = tmp_path / "model.json", tmp_path / "link.json", Path.write_text
    rt.save(model, path)
    path.chmod(0o640)
    before = path.read_bytes()

    def full(path, text, *rest, **named):
        written(path, text[: len(text) // 2], *rest, **named)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        with pytest.raises(OSError, match="No space left"):
            rt.save(model, path)
    with pytest.raises(TypeError, match="is not a model that can be stored; these can: Dec"):
        rt.save([model], path)
    assert path.read_bytes() == before
    link.symlink_to(path)
    rt.save(rt.DecisionTree(), link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert repr(rt.load_model(path)) == "DecisionTree()"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["files", "link.json", "model.json"]


def test_threads_may_save_to_one_path(model, scan, tmp_path):
    path, other = tmp_path / "m.json", tmp_path / "proba.parquet"

    def write_and_read(_):
        rt.save(model, path)
        scan.write_proba(model, other)
        return repr(rt.load_model(path)), len(pd.read_parquet(other))

    with ThreadPoolExecutor(4) as threads:
        assert {*threads.map(write_and_read, range(32))} == {(repr(model), 90)}
    assert not list(tmp_path.rglob("*.part"))


def test_parts_that_a_killed_process_left_go_after_a_day(model, tmp_path):
    names = ["m.json.0123456789abcdef.part", "m.json.fedcba9876543210.part", "m.json.mine.part"]
    left, young, mine = [tmp_path / name for name in names]
    for part in (left, young, mine):
        part.write_text("{")
    for part in (left, mine):
        os.utime(part, (time.time() - 2 * files.DAY,) * 2)
    rt.save(model, tmp_path / "m.json")
    assert sorted(tmp_path.glob("*.part")) == sorted([young, mine])


@pytest.fixture
def growing(scan, tmp_path):
    """A process in the midst of a fit, and the folder of its temporary files."""
    if os.name != "posix":
        pytest.skip("signals are those of POSIX")
    place = tmp_path / "temporary"
    place.mkdir()
    env, call = {**os.environ, "TMPDIR": str(place)}, [sys.executable, "-c", SLOW_FIT]
    call += [scan.files[0].parent]
    with subprocess.Popen(call, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "growing\n"
        assert any(path.is_file() for path in place.glob("ranktrees-*/*"))
        yield process, place
        process.kill()


def test_a_process_that_is_told_to_end_leaves_nothing(growing):
    process, place = growing
    process.terminate()
    assert process.wait(30) == -signal.SIGTERM
    assert not list(place.iterdir())


def test_the_next_scan_removes_what_a_killed_process_left(growing, scan, monkeypatch):
    process, place = growing
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    (left,) = place.iterdir()
    others = [place / name for name in ("ranktrees-elsewhere-1-abc", "ranktrees-abc", "mine")]
    for other in others:
        other.mkdir()

    def scan_after(days):
        for path in [*left.iterdir(), left, *others]:
            os.utime(path, (time.time() - days * folders.DAY,) * 2)
        rt.scan(scan.files, "label")
        return left.exists()

    assert scan_after(2), "its process works"
    process.kill()
    process.wait(30)
    assert scan_after(0.5), "it may be looked at"
    assert not scan_after(2)
    assert sorted(place.iterdir()) == sorted(others)
