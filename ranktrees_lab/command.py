"""The command line: python -m ranktrees lessons FOLDER, student, lecture, reproduce, generate."""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

ANEW = "It was changed, or its lesson was: rename it to have a new copy."
GOES_ON = "the same command goes on from here"


def main(arguments=None) -> int:
    """Run a command; return 0 if it succeeds, 2 with a line on standard error if it cannot run."""
    parser = command_line()
    given = parser.parse_args(arguments)
    try:
        given.run(given)
    except (ValueError, OSError, ImportError) as error:
        text = " ".join(str(error).split())
        print(f"{parser.prog}: error: {text}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nstopped; {getattr(given, 'stopped', GOES_ON)}", file=sys.stderr)
        return 130
    return 0


def command_line() -> argparse.ArgumentParser:
    """Return the arguments of `python -m ranktrees`."""
    parser = argparse.ArgumentParser(prog="ranktrees", description="Decision trees that rank.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    text = "Write the student's lessons into a folder; no file is ever overwritten."
    part = commands.add_parser("lessons", help=text, description=text)
    part.set_defaults(run=run_lessons)
    part.add_argument("folder", metavar="FOLDER", type=_path, help="where to: a new folder")
    kind = part.add_mutually_exclusive_group()
    kind.add_argument("--teacher", action="store_true", help="with solutions and outputs")
    kind.add_argument("--hosted", action="store_true", help="a first cell installs ranktrees")
    text = "with --hosted: install this wheel, a web address or a path there (default: an index)"
    part.add_argument("--from", metavar="ADDRESS", dest="address", help=text)
    text = "Write copies of one's own lessons, without solutions, into student/; keep changed ones."
    part = commands.add_parser("student", help=text, description=text)
    part.set_defaults(run=run_student)
    part.add_argument("files", nargs="*", help="lessons (default: notebooks/*.ipynb)")
    text = "Write fresh copies of one's own lessons, solutions on buttons, into lecture/."
    part = commands.add_parser("lecture", help=text, description=text)
    part.set_defaults(run=run_lecture)
    part.add_argument("files", nargs="*", help="lessons (default: notebooks/*.ipynb)")
    text = "Repeat the tables of a paper. Started again, it goes on where it was."
    part = commands.add_parser("reproduce", help=text, description=text)
    part.set_defaults(run=run_reproduce)
    part.add_argument("paper", metavar="PAPER", nargs="?", help="see --list")
    part.add_argument("--list", action="store_true", help="say which papers there are, and stop")
    text = "print what the results that come with the project say, and measure nothing"
    part.add_argument("--stored", action="store_true", help=text)
    part.add_argument("--datasets", metavar="A,B", type=_names, help="only these data sets")
    part.add_argument("--methods", metavar="A,B", type=_names, help="only these methods")
    part.add_argument("--runs", metavar="N", type=int, help="runs of folds (default: the paper's)")
    part.add_argument("--jobs", metavar="N", type=int, default=1, help="processes (1); -1: all")
    part.add_argument("--data", metavar="DIR", type=_path, help="data files (RANKTREES_DATA)")
    part.add_argument("--out", metavar="FILE", type=_path, help="results (default: PAPER.csv)")
    part.add_argument("--seed", metavar="N", type=int, default=1, help="of the first run (1)")
    _add_generate(commands)
    return parser


def _add_generate(commands):
    text = "Write Agrawal's loan data, of any size, to Parquet files in a folder, batch by batch."
    part = commands.add_parser("generate", help=text, description=text)
    part.set_defaults(run=run_generate, stopped="the last file is not whole: remove them all")
    part.add_argument("data", choices=["agrawal"], help="which data")
    part.add_argument("--rows", metavar="N", type=float, required=True, help="cases, as 1e7")
    part.add_argument("--out", metavar="FOLDER", type=_path, required=True, help="where to")
    part.add_argument("--function", metavar="F", type=int, default=1, help="1 to 10 (1)")
    part.add_argument("--noise", metavar="P", type=float, default=0.0, help="share turned over (0)")
    part.add_argument("--extra", metavar="A", type=float, default=0, help="more attributes (0)")
    part.add_argument("--seed", metavar="N", type=int, default=1, help="of the data (1)")


def _path(text):
    if not text.strip():  # to Path that is the folder in which one stands
        raise argparse.ArgumentTypeError(f"name a file or a folder, not {text!r}")
    return Path(text)


def _names(text):
    return [name.strip() for name in text.split(",") if name.strip()]


def run_generate(given: argparse.Namespace) -> None:
    """Write the files of `generate` and say where they are."""
    from ranktrees_lab.data.generate import write_agrawal

    for name in ("rows", "extra"):
        if not float(getattr(given, name)).is_integer():
            raise ValueError(f"--{name} must be a whole number, not {getattr(given, name)}")
    how = given.function, given.noise, given.seed, int(given.extra)
    print(*write_agrawal(given.out, int(given.rows), *how), sep="\n")


def run_lessons(given: argparse.Namespace) -> None:
    """Write the lessons of `lessons` and say how to open them."""
    from ranktrees_lab.hosted import requirement
    from ranktrees_lab.student import write_course

    if given.address is not None and not given.hosted:
        raise ValueError("--from goes with --hosted: their first cells install that wheel")
    print(*write_course(given.folder, given.teacher, given.hosted, given.address), sep="\n")
    if given.hosted:
        print(f"their first cells install {requirement(given.address)}")
        return
    if find_spec("jupyterlab") is None:
        print('JupyterLab is missing: pip install "ranktrees[lab]"')
    print(f'open them: python -m jupyterlab "{given.folder}"')


def run_student(given: argparse.Namespace) -> None:
    """Write the copies of `student`, say where they are and which of them were not changed."""
    from ranktrees_lab.student import write_copies

    written, kept = write_copies(given.files)
    print(*written, *(f"{path}: kept as it is. {ANEW}" for path in kept), sep="\n")


def run_lecture(given: argparse.Namespace) -> None:
    """Write the copies of `lecture`, say where they are and where changed ones were moved."""
    from ranktrees_lab.student import write_lecture

    copies, moved = write_lecture(given.files)
    print(*copies, sep="\n")
    for copy, place in moved.items():
        print(f"{copy} had been changed: your version is {place} now")


def run_reproduce(given: argparse.Namespace) -> None:
    """Measure what `reproduce` names, then write and print the summary."""
    from ranktrees_lab.papers.files import kept_file
    from ranktrees_lab.papers.reproduce import find_paper, reproduce
    from ranktrees_lab.papers.summary import listing, report, write_summary

    if given.list:
        print(listing())
        return
    if given.paper is None:
        raise ValueError("name a paper, or ask for --list")
    paper = find_paper(given.paper)
    if given.stored:
        print(report(kept_file(paper.name)))
        return
    if given.data is not None:
        if not given.data.is_dir():
            raise ValueError(f"--data: there is no folder {given.data}")
        os.environ["RANKTREES_DATA"] = str(given.data)
    out = Path(f"{paper.name}.csv") if given.out is None else given.out
    chosen = {"datasets": given.datasets, "methods": given.methods, "runs": given.runs}
    path = reproduce(paper, out=out, **chosen, seed=given.seed, jobs=given.jobs, progress=True)
    summary = write_summary(path)
    print(report(path))
    print(f"every fold: {path}\nevery cell: {summary}")
