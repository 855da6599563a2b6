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


def test_the_environment_names_versions_and_settings_and_no_machine(kept):
    made = json.loads((kept / "wang2006.environment.json").read_text(encoding="utf-8"))
    assert made == environment("wang2006")
    assert set(made) == {"python", "versions", "commit", "settings"}
    libraries = {"numpy", "pandas", "scipy", "joblib", "scikit-learn"}
    assert set(made["versions"]) == {"ranktrees", *libraries}
    assert made["versions"]["ranktrees"] == ranktrees.__version__
    assert re.fullmatch(r"[0-9a-f]{40}", made["commit"])


@pytest.mark.parametrize("look_up", [results, environment])
def test_papers_without_results_are_refused_with_a_list(kept, look_up):
    with pytest.raises(ValueError, match="unknown results 'su2004': choose one of 'wang2006'"):
        look_up("su2004")


def test_methods_measured_anew_replace_their_rows_alone(kept, finished, tmp_path):
    """All is spoilt but one method; measured anew, this one is what it was."""
    settings, frame = finished[1:]
    rows = frame.assign(value=0)
    files.write_results(kept / "wang2006.csv", settings, rows.itertuples(index=False, name=None))
    path, _, _ = run(tmp_path, **{**PART, "methods": ["C45"]})
    keep_results.keep(path, kept)
    mixed_settings, mixed = read_results(kept / "wang2006.csv")
    assert mixed_settings == environment("wang2006")["settings"] == settings
    spoilt = mixed["method"] != "C45"
    assert (mixed["value"][spoilt] == 0).all()
    assert mixed[~spoilt].equals(frame[~spoilt])
    assert mixed.drop(columns="value").equals(frame.drop(columns="value"))


def test_methods_come_among_the_others_and_those_no_longer_declared_go(kept, finished, tmp_path):
    target = kept / "wang2006.csv"
    target.write_text(target.read_text(encoding="utf-8").replace("C45-W", "C45-X"), "utf-8")
    path, _, new = run(tmp_path, **{**PART, "methods": ["C45-S"]})
    keep_results.keep(path, kept)
    settings, frame = read_results(target)
    assert settings["methods"] == ["C45-S", "C45"], "in the paper's order"
    assert frame["method"].unique().tolist() == settings["methods"]
    added = frame["method"] == "C45-S"
    assert frame[added].reset_index(drop=True).equals(new)
    old = finished[2].query("method == 'C45'").reset_index(drop=True)
    assert frame[~added].reset_index(drop=True).equals(old)


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


def test_rows_of_other_settings_are_not_mixed(kept, tmp_path):
    before = (kept / "wang2006.csv").read_bytes()
    path, _, _ = run(tmp_path, **{**PART, "methods": ["C45"], "runs": 1})
    with pytest.raises(ResultsError, match="holds other results: its runs is 2, not 1"):
        keep_results.keep(path, kept)
    assert (kept / "wang2006.csv").read_bytes() == before


def test_the_command_measures_and_keeps(finished, tmp_path, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(keep_results, "ROOT", tmp_path)
    monkeypatch.setattr(keep_results, "made_by", dict)

    def reproduce(paper, **how):
        asked.append((paper, how))
        return finished[0]

    monkeypatch.setattr(keep_results, "reproduce", reproduce)
    (tmp_path / "data" / "results").mkdir(parents=True)
    keep_results.main(["wang2006", "--methods", "C45-L,C44-L", "--jobs", "2"])
    out = tmp_path / "build" / "wang2006-C45-L-C44-L.csv"
    how = {"out": str(out), "methods": ["C45-L", "C44-L"], "jobs": 2, "progress": True}
    assert asked == [("wang2006", how)]
    assert "wang2006.summary.csv" in capsys.readouterr().out
