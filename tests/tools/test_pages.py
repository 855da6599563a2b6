"""What the pages say: short, links that lead somewhere, and the numbers of the recorded results."""

import re
from pathlib import Path

import numpy as np
import pytest

from ranktrees_lab.papers import (
    PAPERS,
    STUDIES,
    average_table,
    cell_table,
    results,
    standing,
    study_table,
)
from ranktrees_lab.papers.files import kept_file
from ranktrees_lab.papers.seconds import read_seconds
from ranktrees_lab.papers.summary import ratios

ROOT = Path(__file__).parents[2]
FRONT = ["README.md", "CONTRIBUTING.md"]
PAGES = [*FRONT, *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


EVIDENCE = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", FRONT)
def test_a_front_page_is_read_in_minutes(page):
    assert len((ROOT / page).read_text(encoding="utf-8").split()) <= 900


def anchors(path):
    """The places of a Markdown page to which a link can lead."""
    heads = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w-]", "", head.lower().replace(" ", "-")) for head in heads}


def places(path):
    """Where the links of a page lead inside of the project: (file, place in it)."""
    found = re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8"))
    parts = [place.partition("#")[::2] for place in found if "://" not in place]
    return [((path.parent / name).resolve() if name else path, place) for name, place in parts]


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_to_a_file_and_a_place_in_it(page):
    for target, place in places(ROOT / page):
        assert target.is_file(), target
        assert not place or place in anchors(target), f"{target}#{place}"


def test_every_page_is_two_clicks_from_the_readme_and_leads_back():
    near = {target for target, _ in places(ROOT / "README.md") if target.suffix == ".md"}
    every = near.union(*({target for target, _ in places(page)} for page in near))
    for page in PAGES[1:]:
        assert ROOT / page in every
        assert ROOT / "README.md" in {target for target, _ in places(ROOT / page)}


def test_the_evidence_quotes_the_results():
    """Each row of the headline table, and what is said of the cells below it."""
    tables, cells = {}, {}
    for name, paper in PAPERS.items():
        _, frame = results(name)
        table, cells[name] = average_table(frame, paper), cell_table(frame, paper)
        mine = table[(table["group"] == "all") & (table["measure"] == "auc")]
        tables[name] = mine.set_index("method")[["published", "measured", "honest"]]
    row = r"\| (\w+) \| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|"
    quoted = [q for q in re.findall(row, EVIDENCE) if q[0] in PAPERS]
    assert len(quoted) == 12
    for paper, method, *values in quoted:
        factor = 100 if paper == "martinez2010" else 1
        assert np.abs(factor * tables[paper].loc[method] - np.array(values, float)).max() < 0.00501
    off = cells["wang2006"].dropna(subset=["difference"])
    assert len(off) == 490
    others = off[off["difference"].abs() > 0.4]
    assert set(others["method"]) == {"C45-L", "C44-L", "C44-B"}
    largest = others["difference"].abs().groupby(others["method"]).max()
    assert largest.round(2).to_dict() == {"C44-B": 0.90, "C44-L": 1.43, "C45-L": 1.42}
    auc = cells["su2004"].query("measure == 'auc' and dataset != 'satimage'")
    within = {name: part["difference"].abs() for name, part in auc.groupby("method")}
    assert (within["NB"] <= 1).sum() == 24
    assert (within["CITree"] <= 2).sum() == 26


def test_the_evidence_quotes_the_study():
    table = study_table(results("path-bayes")[1], STUDIES["path-bayes"])
    table = table.set_index(["group", "method", "measure"])
    row = r"\| ([\w.() -]+?)(?:, honest)? \| (\.\d+) \| (\.\d+) \| (\.\d+) \| ([\d/]*) ?\|"
    quoted = re.findall(row, EVIDENCE)
    assert len(quoted) == 14
    for method, *means, counts in quoted:
        parts = [("all", "auc"), ("report", "auc"), ("all", "log-loss-clipped")]
        for mean, (group, measure) in zip(means, parts, strict=True):
            assert f"{table.loc[(group, method, measure), 'mean']:.3f}"[1:] == mean
        assert table.loc[("report", method, "auc"), "higher"] == counts


def test_the_evidence_quotes_the_study_of_the_forest():
    paper = STUDIES["path-forest"]
    frame = results("path-forest")[1]
    loss = standing(frame, paper, "path forest", "log-loss-clipped")
    auc = standing(frame, paper, "path forest", "auc")
    times = ratios(read_seconds(kept_file("path-forest", ".seconds.csv")), paper)
    rest = r"(\d+) \| (\.\d+) \| (\.\d+) \| ([\d/]+) \| (\.\d+) \| ([\d/]+) \| ([\d.]+) \|"
    quoted = re.findall(r"\| ([\w.`() ]+?) \| " + rest, EVIDENCE)
    assert len(quoted) == 6
    for name, sets, mean, ours, won, p, ranked, time in quoted:
        method = {"`rt.PathBayes()`": "path Bayes"}.get(name, name)
        found = loss.loc[method]
        assert (found["sets"], found["higher"], auc.loc[method, "higher"]) == (
            int(sets),
            won,
            ranked,
        )
        assert [f"{found[column]:.3f}"[1:] for column in ("mean", "ours")] == [mean, ours]
        assert float(p) == pytest.approx(found["holm"], rel=0.2)
        assert float(time) == pytest.approx(times[method], abs=0.0501)


def test_the_speed_quotes_the_benchmark():
    results = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    fits, pipeline, numbers, folds = (
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in results.splitlines()
        if line.startswith(("| median |", "| median with numbers |"))
    )
    assert f"{pipeline[-1]} in the median, {numbers[-1]} on sets with numbers" in page
    codes_j48, frame_j48, codes_skl, frame_skl = fits[-4:]
    assert f"| codes | {codes_j48} | {codes_skl} |" in page
    assert f"| a DataFrame, read and binned | {frame_j48} | {frame_skl} |" in page
    together, single, frame = folds[-3:]
    assert f"| codes, the ten trees grown together | {together} |" in page
    assert f"| codes, ten fits | {single} |" in page
    assert f"| a DataFrame, together | {frame} |" in page
