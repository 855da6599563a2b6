"""What the pages tell a reader to type is typed as it stands: blocks, and commands in sentences."""

import re
import shlex
import subprocess
import tomllib

import pytest
from fresh import ROOT, typed
from written import FIRST, blocks, commands, read_page, walk

from ranktrees_lab.command import command_line

DOCS = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/*.md"))]
PAGES = "README.md", "CONTRIBUTING.md", "data/README.md", *DOCS, "kit"
FOUND = {page: blocks(read_page(page)) for page in PAGES}
RUN_HERE = PAGES[:-1]  # the kit's are run where a kit is: test_marked_course.py
SHELL = [(page, block) for page in RUN_HERE for block in FOUND[page] if not block.language]
BLOCKS = [pytest.param(block, id=f"{p}: {block.text.splitlines()[0]}") for p, block in SHELL]
PYTHON = [page for page in PAGES if any(block.language == "python" for block in FOUND[page])]
NAME = re.compile(r"[\w./\\-]+\.(?:ipynb|yml|txt|py|toml|json)\b")
PACKAGE = re.compile(r"(?:ranktrees|\.whl|\.)\[(\w+)\]")
TYPED = re.compile(r"^(?:make|python3?|py|pip|uvx|conda|jupyter|\.venv[/\\]\S+) ")


@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("block", BLOCKS)
def test_the_lines_of_a_block_do_what_they_say(block, long, place):
    walk(block, place, long)


@pytest.mark.parametrize("page", PYTHON)
def test_the_python_blocks_of_a_page_run_in_order(page, place):
    """They print the page's block of text; what is typed before them is on it, for more rows."""
    code = [block for block in FOUND[page] if block.language == "python"]
    folder = place.home / page.replace("/", "-")
    folder.mkdir()
    said = re.sub(r"--rows \S+", "--rows", read_page(page))
    for mark in (m for block in code for m in block.marks):
        assert mark.how == FIRST
        assert said.count("`" + re.sub(r"--rows \S+", "--rows", mark.begins) + "`") > 1
        typed(mark.begins, folder, place.shell)
    (folder / "page.py").write_text("\n".join(block.text for block in code), encoding="utf-8")
    done = subprocess.run(
        ["python", "page.py"], cwd=folder, env=place.shell, capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) is any("print(" in block.text for block in code)
    shown = "".join(block.text for block in FOUND[page] if block.language == "text")
    assert shown in ("", done.stdout)


@pytest.mark.parametrize("page", PAGES)
def test_a_command_in_a_sentence_is_understood_and_what_it_names_is_there(page, place):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {block.language for block in FOUND[page]} <= {"", "python", "text"}
    for said in filter(TYPED.match, commands(read_page(page))):
        if said.startswith("make "):
            typed(said.replace("make ", "make -n ", 1), place.clone, place.shell)
        if arguments := said.partition("-m ranktrees ")[2]:
            command_line().parse_args(shlex.split(arguments, comments=True))
        assert set(PACKAGE.findall(said)) <= set(project["optional-dependencies"])
        for name in NAME.findall(said):
            path = name.replace("\\", "/")
            inside = path.split("/", 1)[-1]  # of a folder that `lessons` or `make kit` writes
            assert (ROOT / path).exists() or inside == "constraints.txt"
