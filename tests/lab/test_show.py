"""`rt.show`: the functions of the plain forms, to the letter."""

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

import ranktrees as rt
from ranktrees import plain
from ranktrees_lab.show import Source, show, shown_texts, sources_folder
from ranktrees_lab.student import write_sources

LESSONS = Path(__file__).parents[2] / "notebooks"
WHERE = re.compile(r"ranktrees/plain/(\w+\.py), lines (\d+) to (\d+)")


def test_outside_of_a_notebook_the_lines_are_printed(capsys):
    rt.show(plain.shrinkage.smoothed, plain.shrinkage.class_share)
    text = (sources_folder() / "shrinkage.py").read_text(encoding="utf-8")
    first, second = capsys.readouterr().out.split("\ndef class_share")
    assert first in text
    assert "def class_share" + second.rstrip() in text


@pytest.mark.parametrize(
    ("since", "until", "first", "last"),
    [
        (None, None, "def diw(", "    return w"),
        ("# Step 1", None, "    w = ", "    return w"),
        (None, "# Step 3", "def diw(", "            rest = "),
        ("# Step 2", "# Steps 5", "            rest = ", "            beta += "),
    ],
)
def test_a_part_of_a_function(since, until, first, last):
    source = Source(plain.shrinkage.diw, since, until)
    lines = repr(source).split("\n")
    whole = (sources_folder() / "shrinkage.py").read_text(encoding="utf-8").split("\n")
    assert whole[source.first - 1 : source.last] == lines
    assert lines[0].startswith(first)
    assert lines[-1].startswith(last)


def test_the_page_has_the_same_text_in_colours_and_a_link():
    page = BeautifulSoup(Source(plain.c45.ratios)._repr_html_(), "html.parser")
    assert page.pre.text == repr(Source(plain.c45.ratios))
    assert page.find(class_="nf").text == "ratios"
    assert page.a["href"] == "plain/c45.py"


@pytest.mark.parametrize("thing", [rt.C45, rt.auc, 3, "c45", None, plain.c45.TIE, print])
def test_only_plain_forms_are_shown(thing):
    with pytest.raises(TypeError, match=r"of rt\.plain, not"):
        show(thing)


def test_a_part_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="since: no line contains 'Step 9'"):
        show(plain.shrinkage.diw, since="Step 9")
    with pytest.raises(ValueError, match="until: no line below contains 'Step 1'"):
        show(plain.shrinkage.diw, since="Step 2", until="Step 1")


def test_beside_the_lessons_lie_copies_that_can_only_be_read(tmp_path):
    for _ in range(2):  # again over those of an older version
        write_sources([tmp_path])
    for path in sources_folder().glob("*.py"):
        copy = tmp_path / "plain" / path.name
        assert copy.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
        assert not copy.stat().st_mode & 0o222


def stored():
    """The lesson, the outputs' data and the code of each part that a lesson shows."""
    for path in sorted(LESSONS.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                for text in shown_texts([output]):
                    yield path.name, output["data"], text


def test_lessons_store_what_the_files_have():
    shown = 0
    for lesson, data, text in stored():
        page = BeautifulSoup("".join(data["text/html"]), "html.parser")
        file, first, last = WHERE.fullmatch(page.a.text).groups()
        lines = (sources_folder() / file).read_text(encoding="utf-8").split("\n")
        there = "\n".join(lines[int(first) - 1 : int(last)])
        assert text == page.pre.text == there, f"{lesson}: run it again"
        shown += 1
    assert shown


def files_to_read(lessons):
    """The files of the front that these lessons show, or name as further reading."""
    found = set()
    for path in lessons:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                if shown_texts([output]):
                    found |= {
                        file for file, *_ in WHERE.findall("".join(output["data"]["text/html"]))
                    }
            if cell["cell_type"] == "markdown" and "more" in cell["metadata"].get("tags", []):
                found |= set(re.findall(r"plain/(\w+\.py)", "".join(cell["source"])))
    return found


def test_each_plain_file_is_shown_by_a_lesson_or_named_as_further_reading():
    lessons = sorted(LESSONS.glob("*.ipynb"))
    files = {path.name for path in sources_folder().glob("*.py")} - {"__init__.py"}
    assert files - files_to_read(lessons) == set()
    without = [path for path in lessons if not path.name.startswith("14")]
    assert files - files_to_read(without) == {"rainforest.py", "scale.py", "sliq.py"}
