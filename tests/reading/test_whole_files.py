"""Files are whole or not there: results beside their sources, models, folders of killed fits."""

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
from scale_cases import batches_of, mixed, write

import ranktrees as rt
from ranktrees.basics import files
from ranktrees_lab.papers.files import replace_file
from ranktrees_scale import folder as folders

FIT = """
import sys, time
import ranktrees as rt
from ranktrees.growing import best

def slowly(*rest, **named):
    print("growing", flush=True)
    time.sleep(60)

best.first_best = slowly
rt.DecisionTree().fit(rt.scan(sys.argv[1], "label"))
"""


@pytest.fixture
def scan(tmp_path):
    return rt.scan(write(mixed(90), tmp_path / "files", [30, 30]), "label")


@pytest.fixture
def model(scan):
    return rt.DecisionTree().fit(scan)


def test_no_source_is_overwritten_by_what_is_said_of_it(scan, model, tmp_path):
    before = [file.read_bytes() for file in scan.files]
    (tmp_path / "link.parquet").symlink_to(scan.files[1])
    os.link(scan.files[2], tmp_path / "hard.parquet")
    around = scan.files[0].parent / ".." / "files" / "001.parquet"
    glob = rt.scan(str(tmp_path / "files" / "*.parquet"), "label")
    for path in [scan.files[0], around, tmp_path / "link.parquet", tmp_path / "hard.parquet"]:
        for source in (scan, glob):
            match = r"\.parquet is one of the scan's own files: name another file"
            with pytest.raises(ValueError, match=match):
                source.write_proba(model, path)
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
    with pytest.raises(ValueError, match="not fitted"):
        scan.write_proba(rt.DecisionTree(), path)


def test_a_model_that_fails_leaves_the_old_one(model, tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    rt.save(model, path)
    path.chmod(0o640)
    before, written = path.read_bytes(), Path.write_text

    def full(path, text, *rest, **named):
        written(path, text[: len(text) // 2], *rest, **named)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        with pytest.raises(OSError, match="No space left"):
            rt.save(model, path)
    for nothing in (5, {"a": 1}, [model], pd.Index(["a"])):
        with pytest.raises(TypeError, match="is not a model that can be stored; these can: Dec"):
            rt.save(nothing, path)
    assert path.read_bytes() == before
    (tmp_path / "link.json").symlink_to(path)
    rt.save(rt.DecisionTree(), tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert repr(rt.load_model(path)) == "DecisionTree()"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["files", "link.json", "model.json"]


def test_threads_may_save_to_one_path(model, scan, tmp_path):
    path, other, csv = (tmp_path / name for name in ("m.json", "proba.parquet", "results.csv"))
    text = "a line\n" * 5000

    def write_and_read(_):
        rt.save(model, path)
        scan.write_proba(model, other)
        replace_file(csv, text)
        return repr(rt.load_model(path)), len(pd.read_parquet(other)), csv.read_text() == text

    with ThreadPoolExecutor(4) as threads:
        assert {*threads.map(write_and_read, range(100))} == {(repr(model), 90, True)}
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


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout")
def test_what_is_no_file_is_written_to():
    code = "import ranktrees as rt; rt.save(rt.C44(), '/dev/stdout')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert '"C44"' in done.stdout


@pytest.fixture
def growing(scan, tmp_path):
    """A process in the midst of a fit, and the folder of its temporary files."""
    if os.name != "posix":
        pytest.skip("signals are those of POSIX")
    place = tmp_path / "temporary"
    place.mkdir()
    call = [sys.executable, "-c", FIT, str(scan.files[0].parent)]
    with subprocess.Popen(
        call, env={**os.environ, "TMPDIR": str(place)}, stdout=subprocess.PIPE, text=True
    ) as process:
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


def test_a_handler_that_is_there_stays(scan):
    def own(*_):
        raise AssertionError

    before = signal.signal(signal.SIGTERM, own)
    try:
        rt.DecisionTree(discretize="equal-frequency").fit(scan)
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)
