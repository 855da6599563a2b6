"""Results that are kept with the project: packing them, and finding them again.

`data/results/` holds three files a paper: NAME.csv.gz (every fold), NAME.summary.csv (every cell)
and NAME.environment.json (what made them, as far as it does not depend on the machine).
"""

import json
import platform
import shutil
import subprocess
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import pandas as pd

import ranktrees
from ranktrees.arguments import choose
from ranktrees.data.files import folder as data_folder
from ranktrees.papers.disk import LedgerError, replace_file
from ranktrees.papers.stored import compress, read_results
from ranktrees.papers.summary import write_summary

LIBRARIES = ("numpy", "pandas", "scipy", "joblib")
ENDING = ".csv.gz"


def pack(path, folder) -> list[Path]:
    """Pack a finished results file of a known paper into a folder: results, summary, environment.

    The environment is that of the process that packs. The times of the run stay behind: they are
    its machine's. Returns the three paths. LedgerError for a file with units missing.
    """
    settings, frame = read_results(path)
    if (missing := _rows(settings) - len(frame)) != 0:
        raise LedgerError(
            f"{path} is not finished, {missing} rows are missing: start the command that wrote it "
            "again"
        )
    name, folder = settings["paper"], Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    packed = compress(path, folder / f"{name}{ENDING}")
    target = folder / f"{name}.environment.json"
    text = json.dumps({"settings": settings, **made_by()}, indent=1, sort_keys=True) + "\n"
    replace_file(target, text.encode())
    return [packed, write_summary(packed), target]


def _rows(settings):
    """How many rows a finished file of these settings has."""
    from ranktrees.papers.reproduce import find_paper, plan_of

    paper = find_paper(settings["paper"])
    paper = replace(paper, protocol=replace(paper.protocol, runs=settings["runs"]))
    plan = plan_of(paper, paper.chosen(settings["methods"]), list(settings["datasets"]))
    return sum(map(len, plan.values()))


def made_by() -> dict:
    """Versions of Python, of the package and its libraries, and the commit of a checkout or None.

    Of Python the first two numbers: no more of it can change a result.
    """
    python = ".".join(platform.python_version_tuple()[:2])
    versions = {name: version(name) for name in LIBRARIES}
    return {
        "python": python,
        "versions": {"ranktrees": ranktrees.__version__, **versions},
        "commit": _commit(Path(ranktrees.__file__).resolve().parents[1]),
    }


def _commit(root):
    """The commit that a checkout stands at; None outside of one, or without git."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return None
    command = [git, "-C", str(root), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    return done.stdout.strip() if done.returncode == 0 else None


def stored_papers() -> list[str]:
    """Names of the papers whose results are kept with the project, in the order of `PAPERS`."""
    from ranktrees.papers.catalog import PAPERS

    return [name for name in PAPERS if _place(name, ENDING).is_file()]


def results(paper: str) -> tuple[dict, pd.DataFrame]:
    """Settings and rows, as of `read_results`, of a paper's results that are kept with the project.

    ValueError for a paper without any lists those that have some.
    """
    choose("results", paper, stored_papers())
    path = _place(paper, ENDING)
    settings, frame = _read(path, path.stat().st_mtime_ns)
    return json.loads(settings), frame.copy()


@lru_cache(maxsize=3)
def _read(path, changed):
    """As `read_results`, once for each state of the file."""
    settings, frame = read_results(path)
    return json.dumps(settings), frame


def environment(paper: str) -> dict:
    """What made a paper's kept results: python, versions, commit, settings; errors as `results`."""
    choose("results", paper, stored_papers())
    return json.loads(_place(paper, ".environment.json").read_text(encoding="utf-8"))


def _place(name, ending):
    return data_folder() / "results" / f"{name}{ending}"
