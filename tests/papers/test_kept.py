"""Results that are kept with the project: writing them, finding them, the environment beside."""

import json
import re

import pytest
from experiments import PART, WANG, run

import ranktrees
from ranktrees_lab.papers import (
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


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small finished results file: path, settings, rows."""
    return run(tmp_path_factory.mktemp("results"), "small.csv", **PART)


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
    for look_up in (results, environment):
        with pytest.raises(ValueError, match="unknown results 'su2004': choose one of 'wang2006'"):
            look_up("su2004")


def test_the_environment_names_versions_and_settings_and_no_machine(kept):
    made = json.loads((kept / "wang2006.environment.json").read_text(encoding="utf-8"))
    assert made == environment("wang2006")
    assert set(made) == {"python", "versions", "commit", "settings"}
    libraries = {"numpy", "pandas", "scipy", "joblib", "scikit-learn"}
    assert set(made["versions"]) == {"ranktrees", *libraries}
    assert made["versions"]["ranktrees"] == ranktrees.__version__
    assert re.fullmatch(r"[0-9a-f]{40}", made["commit"])


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
