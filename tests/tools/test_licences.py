"""Licences: what each file is under, said alike in metadata, tables, lessons and pages."""

import json
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from ranktrees_lab.data import files

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SENTENCE = "*By the ranktrees authors: text under CC BY 4.0, code under BSD-3-Clause.*"
NAMES = {  # in the table of data: in the metadata; what is in the public domain needs no licence
    "BSD-3-Clause": {"BSD-3-Clause"},
    "CC BY 4.0": {"CC-BY-4.0"},
    "public domain in the USA (17 U.S.C. 105)": set(),
}
TITLES = {"BSD 3-Clause License": "BSD-3-Clause", "Creative Commons Attribution 4.0": "CC-BY-4.0"}


def licence_of(text):
    """The name of the licence whose text this is."""
    (name,) = [name for title, name in TITLES.items() if text.startswith(title)]
    return name


def test_the_wheels_metadata_name_every_licence_in_it(wheel):
    with zipfile.ZipFile(wheel) as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    (fields,) = [c.decode() for name, c in inside.items() if name.endswith("/METADATA")]
    said = re.search(r"^License-Expression: (.+)$", fields, re.MULTILINE)[1].split(" AND ")
    texts = {n: c.decode() for n, c in inside.items() if ".dist-info/licenses/" in n}
    rows = [row for rows in files.read_facts("shipped.csv").values() for row in rows]
    found = {"BSD-3-Clause", "CC-BY-4.0"}.union(*(NAMES[row["licence"]] for row in rows))
    assert sorted(said) == sorted(found) == sorted(map(licence_of, texts.values()))
    listed = re.findall(r"^License-File: (.+)$", fields, re.MULTILINE)
    assert {name.partition("/licenses/")[2] for name in texts} == {*listed}


def test_the_page_of_the_data_says_the_licences_of_the_table():
    page = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    rows = [row for rows in files.read_facts("shipped.csv").values() for row in rows]
    for row in rows:
        assert f"| {row['origin']} | {row['licence']} | `{row['sha256']}` |" in page
    assert "GPL" not in " ".join(row["licence"] for row in rows)
    assert "17 U.S.C. 101 and 105" in page


def test_readme_citation_and_texts_agree():
    texts = [ROOT / "LICENSE", *(ROOT / "licenses").iterdir()]
    names = {licence_of(path.read_text(encoding="utf-8")) for path in texts}
    assert PROJECT["license"].split(" AND ") == sorted(names)
    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Licence")[2]
    for path in texts:
        assert f"]({path.relative_to(ROOT).as_posix()})" in readme


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_the_last_cell_of_a_lesson_says_its_licence(path):
    last = json.loads(path.read_text(encoding="utf-8"))["cells"][-1]
    assert "".join(last["source"]).endswith(f"\n\n{SENTENCE}")


@pytest.mark.parametrize("name", ["site", "handout", "deck", "decks", "kit"])
def test_every_page_says_its_licence(name):
    (path,) = (ROOT / "tools" / "templates").glob(f"{name}.*.j2")
    assert re.search(r"CC BY 4\.0|licenses/by/4\.0/", path.read_text(encoding="utf-8"))
