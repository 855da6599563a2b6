"""What the pages say: links that lead somewhere, numbers of recorded results, papers, licences."""

import json
import re
import tomllib

import numpy as np
import pytest
import yaml
from fresh import ROOT

from ranktrees import __version__
from ranktrees_lab import papers
from ranktrees_lab.data.files import read_facts
from ranktrees_lab.papers.files import kept_file
from ranktrees_lab.papers.seconds import read_seconds
from ranktrees_lab.papers.summary import ratios
from tools import references
from tools.house import PACKAGES
from tools.references import CITED, cited, entries, linked, page, titled

FRONT = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES = [*FRONT, *sorted((ROOT / "docs").glob("*.md"))]


def text_of(*parts):
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


EVIDENCE = text_of("docs", "evidence.md")


def places(path):
    """Where the links of a page lead inside of the project: (file, place in it)."""
    found = re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8"))
    parts = [place.partition("#")[::2] for place in found if "://" not in place]
    return [((path.parent / name).resolve() if name else path, place) for name, place in parts]


def test_front_pages_are_read_in_minutes_and_links_lead_to_a_file_and_a_place_in_it():
    assert all(len(path.read_text(encoding="utf-8").split()) <= 900 for path in FRONT)
    for target, place in (link for path in PAGES for link in places(path)):
        assert target.is_file(), target
        if place:
            heads = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            heads = [re.sub(r"[^\w-]", "", head.lower().replace(" ", "-")) for head in heads]
            assert place in heads, f"{target}#{place}"


def test_every_page_is_two_clicks_from_the_readme_and_leads_back():
    near = {target for target, _ in places(ROOT / "README.md") if target.suffix == ".md"}
    every = near.union(*({target for target, _ in places(page)} for page in near))
    for path in PAGES[1:]:
        assert path in every
        assert ROOT / "README.md" in {target for target, _ in places(path)}


def test_the_evidence_quotes_the_results():
    """Each row of the headline table, and what is said of the cells below it."""
    tables, cells = {}, {}
    for name, paper in papers.PAPERS.items():
        _, frame = papers.results(name)
        table, cells[name] = papers.average_table(frame, paper), papers.cell_table(frame, paper)
        mine = table[(table["group"] == "all") & (table["measure"] == "auc")]
        tables[name] = mine.set_index("method")[["published", "measured", "honest"]]
    row = r"\| (\w+) \| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|"
    quoted = [q for q in re.findall(row, EVIDENCE) if q[0] in papers.PAPERS]
    assert len(quoted) == 12
    for paper, method, *values in quoted:
        factor = 100 if paper == "martinez2010" else 1
        assert np.abs(factor * tables[paper].loc[method] - np.array(values, float)).max() < 0.00501
    off = cells["wang2006"].dropna(subset=["difference"])
    assert len(off) == 490
    others = off[off["difference"].abs() > 0.4]
    largest = others["difference"].abs().groupby(others["method"]).max()
    assert largest.round(2).to_dict() == {"C44-B": 0.90, "C44-L": 1.43, "C45-L": 1.42}
    auc = cells["su2004"].query("measure == 'auc' and dataset != 'satimage'")
    within = {name: part["difference"].abs() for name, part in auc.groupby("method")}
    assert (within["NB"] <= 1).sum() == 24
    assert (within["CITree"] <= 2).sum() == 26


def test_the_evidence_quotes_the_study():
    name, mean = r"([A-Za-z][\w.() -]*?)(?:, honest)?", r"(\d?\.\d+)"
    row = rf"\| {name} \| (\.\d+) \| (\.\d+) \| {mean} \| ([\d/]*) ?\|"
    quoted = re.findall(row, EVIDENCE)
    assert len(quoted) == 17
    paper, frame = papers.STUDIES["path-bayes"], papers.results("path-bayes")[1]
    asked = frame["method"].isin({paper.reference, *(method for method, *_ in quoted)})
    asked &= frame["measure"].isin(["auc", "log-loss-clipped"])
    table = papers.study_table(frame[asked], paper).set_index(["group", "method", "measure"])
    for method, *means, counts in quoted:
        parts = [("all", "auc"), ("report", "auc"), ("all", "log-loss-clipped")]
        for mean, (group, measure) in zip(means, parts, strict=True):
            found = f"{table.loc[(group, method, measure), 'mean']:.3f}"
            assert found.removeprefix("0") == mean
        assert table.loc[("report", method, "auc"), "higher"] == counts


def test_the_evidence_quotes_the_study_of_the_forest():
    paper, frame = papers.STUDIES["path-forest"], papers.results("path-forest")[1]
    loss = papers.standing(frame, paper, "path forest", "log-loss-clipped")
    auc = papers.standing(frame, paper, "path forest", "auc")
    times = ratios(read_seconds(kept_file("path-forest", ".seconds.csv")), paper)
    rest = r"(\d+) \| (\.\d+) \| (\.\d+) \| ([\d/]+) \| (\.\d+) \| ([\d/]+) \| ([\d.]+) \|"
    quoted = re.findall(r"\| ([\w.`() ]+?) \| " + rest, EVIDENCE)
    assert len(quoted) == 8
    for name, sets, mean, ours, won, p, ranked, time in quoted:
        method = {"`rt.PathBayes()`": "path Bayes"}.get(name, name)
        found = loss.loc[method]
        assert [str(found["sets"]), found["higher"]] == [sets, won]
        assert auc.loc[method, "higher"] == ranked
        assert [f"{found[column]:.3f}"[1:] for column in ("mean", "ours")] == [mean, ours]
        assert float(p) == pytest.approx(found["holm"], rel=0.2)
        assert float(time) == pytest.approx(times[method], abs=0.0501)


ADOPTED = {  # rows of the table, and the methods that they are
    "scikit-learn's own leaves": "tree: own leaves",
    "Laplace": "tree: Laplace",
    "hierarchical shrinkage, 50": "tree: shrunk 50",
    "shrinkage + WPE": "tree: shrinkage + WPE",
    "imodels' HSTreeClassifierCV": "tree: imodels",
    "five calibrated trees, isotonic (22 sets)": "tree: isotonic",
    "five calibrated trees, sigmoid (22 sets)": "tree: sigmoid",
    "path over hierarchical shrinkage, 50": "tree: path over shrunk 50",
    "`rt.PathBayes()`, a tree of its own": "path Bayes",
    "`rt.PathForest()`": "path forest",
    "random forest of 50, its own average": "forest: own leaves",
    "the same with a temperature": "forest: temperature",
    "the same, path": "forest: path",
}


def test_the_evidence_quotes_the_study_of_adopted_trees():
    paper, frame = papers.STUDIES["adopted"], papers.results("adopted")[1]
    loss, auc, brier = (
        papers.standing(frame, paper, paper.reference, measure)
        for measure in ("log-loss-clipped", "auc", "brier")
    )
    times = ratios(read_seconds(kept_file("adopted", ".seconds.csv")), paper)
    number, won = r"(\d?\.\d+)", r"(\d+/\d+/\d+)"
    row = rf"\| ([^|]+?) \| {number} \| {number} \| {number} \| ([\d.]+) \| {won} \| {won} \|"
    quoted = re.findall(row, EVIDENCE)
    assert [name for name, *_ in quoted] == [*ADOPTED]
    for name, *means, time, ranked, lost in quoted:
        method = ADOPTED[name]
        found = [table.loc[method, "mean"] for table in (auc, loss, brier)]
        assert [f"{mean:.3f}".removeprefix("0") for mean in found] == means
        assert [auc.loc[method, "higher"], loss.loc[method, "higher"]] == [ranked, lost]
        assert float(time) == pytest.approx(times[method], abs=0.0501)
        if method.startswith("tree") and "path" not in method:
            assert max(auc.loc[method, "holm"], loss.loc[method, "holm"]) < 0.00135


def test_the_evidence_says_on_which_sets_the_means_of_the_forests_study_rest():
    loss = papers.results("path-forest")[1].query("measure == 'log-loss-clipped'")
    table = loss.groupby(["dataset", "method"])["value"].mean().unstack()
    rest = table.drop(["audiology", "nursery", "hypothyroid"]).mean()
    for losses, rival in ((rest, "boosting"), (table.loc["labor"], "LightGBM")):
        said = f"is {losses[rival]:.3f}, the forest's {losses['path forest']:.3f}"
        assert said.replace(" 0.", " .") in EVIDENCE
    names = {"forest": "path forest", "EBM": "EBM without pairs", "`rt.PathBayes()`": "path Bayes"}
    quoted = re.findall(r"(\.\d{3}) \((`[^`]+`|[\w ]+)\)", EVIDENCE.split("medians over all")[1])[
        :7
    ]
    assert len(quoted) == 7
    for median, name in quoted:
        found = table[names.get(name, name)].median()
        assert f"{found:.3f}"[1:] == median


def test_the_speed_quotes_the_benchmark():
    fits, pipeline, numbers, folds = (
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in text_of("benchmarks", "results.md").splitlines()
        if line.startswith(("| median |", "| median with numbers |"))
    )
    speed = text_of("docs", "speed.md")
    assert f"the median time is {pipeline[-1]} of that of scikit-learn" in speed
    assert f"and {numbers[-1]} of it on sets with numbers" in speed
    for row in (
        f"codes | {fits[-4]} | {fits[-2]}",
        f"a DataFrame, read and binned | {fits[-3]} | {fits[-1]}",
        f"codes, the ten trees grown together | {folds[-3]}",
        f"codes, ten fits | {folds[-2]}",
        f"a DataFrame, together | {folds[-1]}",
    ):
        assert f"| {row} |" in speed


NO_CITATION = {"NBTree", "Handbook", "Representatives"}  # names before a year, but no authors
APART = {  # entries whose year stands apart from the name
    "bahl-1989": "L. Bahl and others averaged the nodes of a language model's tree in 1989",
    "brier-1950": "Brier's own score (1950)",
}
DOI = re.compile(r"10\.\d{4,9}/[^\s\"]+")


def texts():
    """{file: text} of all that names papers: lessons, code, README, docs."""
    found = {path.name: path.read_text(encoding="utf-8") for path in PAGES}
    for folder in PACKAGES:
        for path in (ROOT / folder).rglob("*.py"):
            text = re.sub(r"\s*\n\s*", " ", path.read_text(encoding="utf-8"))
            found[path.relative_to(ROOT).as_posix()] = text
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        said = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        found[path.name] = "\n\n".join(said).replace("**", "")
    return found


def test_every_citation_has_an_entry_and_every_entry_is_named():
    every, used = texts(), set()
    for file, text in every.items():
        for found in CITED.finditer(text):
            if found[1].split(", ")[-1] not in NO_CITATION:
                used.add(entry := cited(found[1], found[2], found[3]))
                assert entry, f"{file}: {found[0]}"
        for title in re.findall(r"\*([^*]+)\*", text.rpartition("Where to read on")[2]):
            if file.endswith(".ipynb") and not title.startswith("By the ranktrees authors"):
                used.add(entry := titled(title))
                assert entry or title.count(" ") < 3, f"{file}: {title}"
    in_paper = set(re.findall(r"@([a-z]+-\d{4})", text_of("docs", "paper", "paper.md")))
    every_key = {entry.key for entry in entries()}
    assert every_key - {entry.key for entry in used if entry} - in_paper == APART.keys()
    for said in APART.values():
        assert any(said in text for text in every.values())
    inside = references.ENTRY.finditer(text_of("docs", "paper", "paper.bib"))
    meant = references.ENTRY.finditer(references.FILE.read_text("utf-8"))
    assert [m[0] for m in inside] == [m[0] for m in meant if m[2] in in_paper]
    assert in_paper <= every_key


def test_every_entry_can_be_found_and_stands_on_the_page_once():
    keys = [entry.key for entry in entries()]
    assert len(keys) == len(set(keys)) == references.FILE.read_text("utf-8").count("\n@") > 60
    for fields in (entry.fields for entry in entries()):
        assert DOI.fullmatch(fields.get("doi", "10.1000/1"))
        digits = [int(c) for c in fields.get("isbn", "").replace("-", "")]
        assert len(digits) in (0, 13)
        assert sum(d * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10 == 0
        assert {"doi", "isbn", "note"} & fields.keys() or fields["url"].startswith("https://")
    assert re.findall(r'<li id="([\w-]+)">', page()) == keys == sorted(keys)
    assert "Jiang Su, Harry Zhang: <em>Learning conditional independence tree" in page()
    assert "ISBN 978-1-55860-238-0" in page()


def test_names_and_titles_become_links():
    def of_site(entry):
        return f"#{entry.key}"

    said = linked("<p>See Wang &amp; Zhang (2006); <em>Newton Trees</em> (2010).</p>", of_site)
    assert '<a href="#wang-2006">Wang &amp; Zhang (2006)</a>;' in said
    assert '<a href="#martinez-2010"><em>Newton Trees</em></a>' in said
    quoted = '<img alt="Quinlan 1986">', "<code>Quinlan 1986</code>", '<a href="x">Quinlan 1986</a>'
    for text in (*quoted, "Nobody 1986"):
        assert linked(text, of_site) == text
    assert linked("Mitchell 1997") == "Mitchell 1997"  # a book has no address
    assert linked("Quinlan 1986").startswith('<a href="https://doi.org/10.1007/BF00116251">')


TITLES = {"BSD 3-Clause License": "BSD-3-Clause", "Creative Commons Attribution 4.0": "CC-BY-4.0"}


def test_readme_texts_data_and_citation_say_licences_and_version():
    licences = [ROOT / "LICENSE", *(ROOT / "licenses").iterdir()]
    heads = [path.read_text(encoding="utf-8") for path in licences]
    names = sorted(name for title, name in TITLES.items() for h in heads if h.startswith(title))
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    assert project["license"].split(" AND ") == names
    readme = text_of("README.md").partition("## Licence")[2]
    assert all(f"]({path.relative_to(ROOT).as_posix()})" in readme for path in licences)
    data = text_of("data", "README.md")
    for row in (row for rows in read_facts("shipped.csv").values() for row in rows):
        assert f"| {row['origin']} | {row['licence']} | `{row['sha256']}` |" in data
        assert "GPL" not in row["licence"]
    assert "17 U.S.C. 101 and 105" in data
    said = yaml.safe_load(text_of("CITATION.cff"))
    assert said["version"] == __version__
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", said["date-released"])


def test_lessons_and_all_that_is_built_say_their_licence():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        last = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][-1]["source"])
        said = "*By the ranktrees authors: text under CC BY 4.0, code under BSD-3-Clause.*"
        assert last.endswith(f"\n\n{said}"), path
    for name in ("site", "handout", "deck", "decks", "kit"):
        (path,) = (ROOT / "tools" / "templates").glob(f"{name}.*.j2")
        text = path.read_text(encoding="utf-8")
        assert re.search(r"CC BY 4\.0|licenses/by/4\.0/", text), name
