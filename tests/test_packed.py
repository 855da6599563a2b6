"""Results that are kept with the project: packing, finding again, the environment beside them."""

import gzip
import json
import re

import numpy as np
import pytest
from experiments import WANG, run

import ranktrees
from ranktrees.papers import (
    LedgerError,
    environment,
    fold_grids,
    pack,
    packed,
    read_results,
    results,
    stored_papers,
    summary,
)

PART = {"datasets": ["labor", "iris"], "methods": ["C45", "C45-W"], "runs": 2}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small finished results file: path, settings, rows."""
    return run(tmp_path_factory.mktemp("results"), "small.csv", **PART)


@pytest.fixture
def kept(finished, tmp_path, monkeypatch):
    """A data folder in which the small results are kept."""
    pack(finished[0], tmp_path / "results")
    monkeypatch.setattr(packed, "data_folder", lambda: tmp_path)
    return tmp_path / "results"


def test_three_files_of_the_papers_name_are_written(finished, tmp_path):
    made = pack(finished[0], tmp_path / "new" / "folder")
    names = ["wang2006.csv.gz", "wang2006.summary.csv", "wang2006.environment.json"]
    assert [path.name for path in made] == names
    assert sorted(path.name for path in made[0].parent.iterdir()) == sorted(names)
    assert gzip.decompress(made[0].read_bytes()) == finished[0].read_bytes()
    cells = summary.cell_table(finished[2], WANG)
    assert len(made[1].read_text(encoding="utf-8").splitlines()) == len(cells) + 1


def test_the_same_results_give_the_same_bytes(finished, tmp_path):
    first, again = (pack(finished[0], tmp_path / name) for name in "ab")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in again]
    assert first[0].read_bytes()[4:8] == b"\0\0\0\0"  # gzip's time stamp


def test_the_environment_names_versions_and_settings_and_no_machine(kept):
    made = json.loads((kept / "wang2006.environment.json").read_text(encoding="utf-8"))
    assert set(made) == {"python", "versions", "commit", "settings"}
    assert re.fullmatch(r"3\.\d+", made["python"])
    assert set(made["versions"]) == {"ranktrees", "numpy", "pandas", "scipy", "joblib"}
    assert made["versions"]["ranktrees"] == ranktrees.__version__
    assert made["versions"]["numpy"] == np.__version__
    assert made["settings"]["seed"] == 1
    assert made["commit"] is None or re.fullmatch(r"[0-9a-f]{40}", made["commit"])


def test_a_commit_is_that_of_a_checkout_or_none(tmp_path, monkeypatch):
    assert packed._commit(tmp_path) is None
    (tmp_path / ".git").mkdir()
    assert packed._commit(tmp_path) is None  # no repository after all
    monkeypatch.setattr(packed.shutil, "which", lambda name: None)
    assert packed._commit(tmp_path) is None


def test_results_are_found_again(finished, kept):
    assert stored_papers() == ["wang2006"]
    settings, frame = results("wang2006")
    assert settings == finished[1]
    assert frame.equals(finished[2])
    assert environment("wang2006")["settings"] == settings


def test_what_a_caller_changes_stays_with_the_caller(kept):
    settings, frame = results("wang2006")
    frame["value"], settings["seed"] = 0.0, 99
    again = results("wang2006")
    assert again[1]["value"].abs().sum() > 0
    assert again[0]["seed"] == 1


def test_packed_anew_is_read_anew(kept, tmp_path):
    before = results("wang2006")[1]
    path, _, _ = run(tmp_path, "other.csv", **{**PART, "runs": 1})
    pack(path, kept)
    assert len(results("wang2006")[1]) == len(before) // 2


@pytest.mark.parametrize("look_up", [results, environment])
def test_papers_without_results_are_refused_with_a_list(kept, look_up):
    with pytest.raises(ValueError, match="unknown results 'su2004': choose one of 'wang2006'"):
        look_up("su2004")


def test_an_unfinished_file_is_not_packed(finished, tmp_path):
    text = finished[0].read_text(encoding="utf-8").splitlines(keepends=True)
    path = tmp_path / "short.csv"
    path.write_text("".join(text[:-3]), encoding="utf-8")
    with pytest.raises(LedgerError, match="not finished, 3 rows are missing"):
        pack(path, tmp_path / "results")
    assert not (tmp_path / "results").exists()


def test_fold_grids_hold_every_value_in_its_place(finished):
    _, frame = read_results(finished[0])
    grids = fold_grids(frame.sample(frac=1, random_state=0))
    assert {grid.shape for grid in grids.values()} == {(2, 10)}
    assert sum(grid.size for grid in grids.values()) == len(frame)
    row = frame.iloc[77]
    key = row["dataset"], row["method"], row["reading"], row["measure"]
    assert grids[key][row["run"], row["fold"]] == row["value"]
    part = fold_grids(frame[(frame["run"] == 1) & (frame["fold"] == 3)])
    grid = part["iris", "C45", "as_published", "auc"]
    assert grid.shape == (2, 4)
    assert np.isnan(grid).sum() == 7
