"""What a reader has tried and done, in a file beside the copies; solutions after three tries."""

import json
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pandas as pd

from ranktrees_files.paths import replacing
from ranktrees_lab.live import Live, widgets
from ranktrees_lab.student import CHECK, lessons_folder, tags

FILE = "progress.json"
KINDS = "exercises", "quizzes"
QUIZ = re.compile(r'rt\.quiz\("(\d\d)"(?:, "(\w+)")?\)')
ENOUGH = 3  # wrong tries, after which the solution is shown to whoever asks for it
TRIES = Counter()  # wrong answers so far, by the name of the check; the last one was tried last
DONE = {kind: set() for kind in KINDS}  # in this kernel


def note(kind: str, name: str) -> None:
    """Record that an exercise or a quiz is done; a file that cannot be used stays as it is."""
    DONE[kind].add(name)
    path = progress_file()
    if path is None:
        return
    try:
        known = _read(path)
        if name in known[kind]:
            return
        found = {each: sorted(known[each] | DONE[each]) for each in KINDS}
        with replacing(path) as new:  # whole or not at all, also where two lessons are open
            new.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    except (OSError, ValueError):
        return  # an answer is right all the same; `progress` says what is wrong with the file


def progress() -> pd.DataFrame:
    """Count the exercises and quizzes done in each lesson, as a table: pandas.DataFrame.

    It is kept in progress.json beside a student's copies of the lessons, elsewhere only until the
    kernel ends; nothing leaves this computer. Raises ValueError for a file that cannot be read.
    """
    path = progress_file()
    known = _read(path) if path else {kind: set() for kind in KINDS}
    rows = {}
    for title, asked in _course().items():
        done = [asked[kind] & (known[kind] | DONE[kind]) for kind in KINDS]
        counts = zip(done, asked.values(), strict=True)
        rows[title] = [f"{len(some)} of {len(each)}" for some, each in counts]
    return pd.DataFrame(rows, index=KINDS).T


def progress_file() -> Path | None:
    """Return the file of progress, in a folder of copies without solutions; None in any other."""
    return _file(Path.cwd())


def _read(path):
    """Read what is done, {kind: names}, from the file; ValueError says what to do if bad."""
    if not path.exists():
        return {kind: set() for kind in KINDS}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {kind: {str(name) for name in list(found[kind])} for kind in KINDS}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} cannot be read, so progress is unknown and not recorded: rename or delete it"
        ) from error


@cache
def _file(folder):
    """Return where it is kept, in a folder of copies without solutions; else None."""
    copies = [folder / path.name for path in sorted(lessons_folder().glob("*.ipynb"))]
    here = next((path for path in copies if path.is_file()), None)
    try:
        solved = here is None or '"solution"' in here.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    return None if solved else folder / FILE


def _lessons():
    """Yield the cells of each lesson, in their order."""
    for path in sorted(lessons_folder().glob("*.ipynb")):
        yield json.loads(path.read_text(encoding="utf-8"))["cells"]


@cache
def _course():
    """Return {lesson: {kind: names}} of the lessons that ask something, in their order."""
    found = {}
    for cells in _lessons():
        sources = ["".join(cell["source"]) for cell in cells]
        after = [i + 1 for i, cell in enumerate(cells) if "answer" in tags(cell)]
        checks = {name for i in after for name in CHECK.findall(sources[i])}
        quizzes = {" ".join([n, part or "end"]) for s in sources for n, part in QUIZ.findall(s)}
        if quizzes:
            title = sources[0].splitlines()[0].strip("# ")
            found[title] = dict(zip(KINDS, (checks, quizzes), strict=True))
    return found


class Code(str):
    """Python that a notebook shows in colours."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return f"```python\n{self}\n```"


class Answer(Live):
    """A button that shows the solution of an exercise below itself."""

    def __init__(self, code: Code):
        self.code, self.shown = code, widgets.HTML()
        layout = {"width": "auto", "align_self": "flex-start"}
        self.button = widgets.Button(description="Show the solution", layout=layout)
        self.button.on_click(self._show)
        super().__init__([self.button, self.shown])

    def still(self) -> tuple[dict, dict]:
        """Return a note where the solution is available, without any of it."""
        text = "The solution appears on a button: run this cell."
        return {"text/plain": text, "text/html": f"<p>{text}</p>"}, {}

    def _show(self, _button):
        from IPython.display import Code as Coloured

        self.shown.value = Coloured(str(self.code), language="python")._repr_html_()
        self.button.disabled = True


def solution(name: str | None = None) -> "Code | Answer":
    """Show the solution of the exercise whose check last said "Not yet", after three wrong tries.

    With the `name` of a check, a button that shows it, as in copies for a lecture. Raises
    ValueError if no exercise was tried, or not often enough, and for an unknown name.
    """
    if name is not None:
        return Answer(_solution_of(name))
    name = next(reversed(TRIES), None)
    if name is None:
        raise ValueError("no answer was wrong yet: fill in an answer, and run the check below it")
    if TRIES[name] < ENOUGH:
        tries = f"{TRIES[name]} {'try' if TRIES[name] == 1 else 'tries'}"
        raise ValueError(f"{name}: {tries} so far; the solution is shown after {ENOUGH}")
    return _solution_of(name)


def _solution_of(name):
    for cells in _lessons():
        for check, cell in pairwise(cells):
            if "solution" in tags(cell) and name in CHECK.findall("".join(check["source"])):
                return Code("".join(cell["source"]))
    raise ValueError(f"{name}: no lesson has a solution of it")
