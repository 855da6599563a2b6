"""What the pages tell a reader to type is typed as it stands: blocks, and commands in sentences."""

import re
import shlex
import shutil
import subprocess
import tomllib
from types import SimpleNamespace

import pytest
from fresh import ROOT, install, new_clone, served, surroundings, typed
from written import FIRST, LONG, NOT_RUN, SERVED, blocks, commands, read_page

from ranktrees.__main__ import command_line

PAGES = ("README.md", "CONTRIBUTING.md", "data/README.md", "kit")
RUN_HERE = PAGES[:-1]  # the kit's are run where a kit is: test_marked_course.py
FOUND = {page: blocks(read_page(page)) for page in PAGES}
SHELL = [(p, block) for p in RUN_HERE for block in FOUND[p] if not block.language]
NEEDS = {  # why a line is not run, and what such a line has
    "it needs an index": re.compile(r"^uvx |^conda |\bpip install "),
    "it takes hours": re.compile(r"-m ranktrees reproduce |^make bench"),
}
TEST_ITSELF = "it is the test itself"
NAME = re.compile(r"[\w./\\-]+\.(?:ipynb|yml|txt|py|toml|json)\b")
PACKAGE = re.compile(r"(?:ranktrees|\.whl|\.)\[(\w+)\]")
TYPED = re.compile(r"^(?:make|python3?|py|pip|uvx|conda|jupyter|\.venv[/\\]\S+) ")


def of_pages(fits):
    """The commands in sentences and tables that a pattern fits, each once, with their page."""
    found = [(page, said) for page in PAGES for said in commands(read_page(page))]
    return list(dict.fromkeys((page, said) for page, said in found if re.search(fits, said)))


@pytest.fixture(scope="module")
def place(wheel, tmp_path_factory):
    """A new folder, a fresh clone, and a shell's environment in which the package is installed."""
    if shutil.which("make") is None or shutil.which("sh") is None:
        pytest.skip("the blocks are for a shell and make")
    home = tmp_path_factory.mktemp("home")
    (home / "work").mkdir()
    python = install(wheel, home / "installed")
    environment = surroundings(python, home / "private")
    clone = new_clone(home / "clone")
    return SimpleNamespace(folder=home / "work", clone=clone, shell=environment, home=home)


def check_need(line, mark, place):
    """Fail for a line that is not run without one of the few reasons, or with a wrong one."""
    if mark.reason == TEST_ITSELF:
        assert "-m pytest" in typed(f"make -n {line.split()[1]}", place.clone, place.shell)
    else:
        assert mark.reason in NEEDS, f"{mark.reason!r} is no reason: {', '.join(NEEDS)}"
        assert NEEDS[mark.reason].search(line), f"{line!r} is not run, but {mark.reason!r}?"


def run_line(line, mark, place):
    """Type a line as its mark says."""
    folder = place.clone if line.startswith("make ") else place.folder
    if mark is None or mark.how == LONG:
        typed(line, folder, place.shell)
    elif mark.how == SERVED:
        with served(line, folder, place.shell, place.home / "log"):
            pass
    else:
        check_need(line, mark, place)


@pytest.mark.parametrize("block", [pytest.param(b, id=f"{p}: {b.name}") for p, b in SHELL])
def test_the_lines_of_a_block_do_what_they_say(block, place):
    for line, mark in block.lines():
        if mark is None or mark.how != LONG:
            run_line(line, mark, place)


@pytest.mark.long
@pytest.mark.parametrize("page", RUN_HERE)
def test_lines_that_take_minutes(page, place):
    lines = [pair for block in FOUND[page] if not block.language for pair in block.lines()]
    for line, mark in lines:
        if mark is not None and mark.how == LONG:
            run_line(line, mark, place)


def rows_left_out(line):
    return re.sub(r"--rows \S+", "--rows", line)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_blocks_of_a_page_run_in_order(page, place):
    """In one new process and folder; what is typed before them is on the page, for more rows."""
    code = [block for block in FOUND[page] if block.language == "python"]
    folder = place.home / page.replace("/", "-")
    folder.mkdir()
    said = {rows_left_out(command) for command in commands(read_page(page))}
    for mark in (m for block in code for m in block.marks):
        assert mark.how == FIRST
        assert rows_left_out(mark.begins) in said
        typed(mark.begins, folder, place.shell)
    (folder / "page.py").write_text("\n".join(block.text for block in code), encoding="utf-8")
    done = subprocess.run(
        ["python", "page.py"], cwd=folder, env=place.shell, capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) is any("print(" in block.text for block in code)


def test_languages_are_known():
    assert {block.language for found in FOUND.values() for block in found} == {"", "python"}


@pytest.mark.parametrize(("page", "said"), of_pages(r"^make "))
def test_a_make_target_that_is_named_exists(page, said, place):
    typed(said.replace("make ", "make -n ", 1), place.clone, place.shell)


@pytest.mark.parametrize("path", ["Makefile", ".ci/run"])
def test_targets_that_the_build_itself_names_exist(path, place):
    text = (ROOT / path).read_text(encoding="utf-8")
    named = re.findall(r"(?:^|^# |  )make ([\w-]+)", text, re.MULTILINE)
    assert named
    typed(f"make -n {' '.join(named)}", place.clone, place.shell)


@pytest.mark.parametrize(("page", "said"), of_pages(r"-m ranktrees \w"))
def test_a_command_of_the_package_is_understood(page, said):
    command_line().parse_args(shlex.split(said.partition("-m ranktrees ")[2], comments=True))


@pytest.mark.parametrize(("page", "said"), of_pages(TYPED))
def test_files_and_extras_that_a_command_names_are_there(page, said, place):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(PACKAGE.findall(said)) <= set(project["optional-dependencies"])
    for name in NAME.findall(said):
        path = name.replace("\\", "/")
        inside = path.split("/", 1)[-1]  # of a folder that `lessons` or `make kit` writes
        assert (ROOT / path).exists() or inside == "constraints.txt"


FENCED = "```\nmake student\npip install x\n```\n"


@pytest.mark.parametrize(
    "said",
    [
        "`pip install`: not run,",
        "`pip install` needs an index",
        "`pip install`: sometimes, it needs an index",
        "`make test`: not run, it is the test itself",
        "",
    ],
)
def test_a_mark_names_a_line_and_a_reason(said):
    with pytest.raises(ValueError, match=r"is not `LINE`|no line of|stands above no block"):
        blocks(f"<!-- tested, but\n{said}\n-->\n{FENCED}")
    with pytest.raises(ValueError, match="stands above no block"):
        blocks(f"<!-- tested, but\n`pip`: not run, it needs an index\n-->\n\n{FENCED}")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("make student", "it needs an index"),
        ("make student", "it is the test itself"),
        ("make student", "no time"),
    ],
)
def test_a_mark_without_need_is_refused(line, reason, place):
    (block,) = blocks(f"<!-- tested, but\n`{line}`: {NOT_RUN}, {reason}\n-->\n{FENCED}")
    with pytest.raises(AssertionError):
        run_line(*block.lines()[0], place)


def test_a_line_that_ends_is_not_taken_for_a_server(place):
    (block,) = blocks(f"<!-- tested, but\n`make student`: {SERVED}, it ends\n-->\n{FENCED}")
    with pytest.raises(AssertionError, match="ended, or gave no address"):
        run_line(*block.lines()[0], place)
