"""A class of made-up students: what each does to a notebook, and nbgrader, which marks them."""

import csv
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import nbformat

SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*)\n### END SOLUTION", re.DOTALL)
COMMANDS = """
import sys
from nbgrader.apps import NbGraderApp
for line in sys.stdin:
    NbGraderApp.clear_instance()
    NbGraderApp.launch_instance(line.split())
"""


def nbgrader(folder, *lines, code=0):
    """Run lines of nbgrader in one process, whose start takes longer than most of them.

    It must end with this code; returns what it said.
    """
    command, given = [sys.executable, "-c", COMMANDS], "\n".join(lines)
    done = subprocess.run(command, input=given, cwd=folder, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stderr


def released(course: Path, name: str, kind="release"):
    """Read the notebook of an assignment."""
    return nbformat.read(course / kind / name / f"{name}.ipynb", 4)


def solved(course: Path, name: str):
    """Return what was released with the right answers in it."""
    notebook, solutions = released(course, name), released(course, name, "source")
    for cell, solution in zip(notebook.cells, solutions.cells, strict=True):
        if found := SOLUTION.search(solution.source):
            cell.source = found[1]
    return notebook


def fill(notebook, texts):
    """Write texts into the cells that nbgrader knows by these names; return the notebook."""
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = texts.get(name, cell.source)
    return notebook


def hand_in(course: Path, name: str, student: str, notebook, file=None):
    """Put a student's notebook where nbgrader looks for it, under a name of its own if given."""
    path = course / "submitted" / student / name / f"{file or name}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def grades_of(course: Path, student="username", score="total"):
    """Return the points of each student in grades.csv."""
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row[student]: float(row[score]) for row in csv.DictReader(file)}


class Lesson(NamedTuple):
    """An assignment's name; names of its first answer, of that one's test and of a function.

    Below these a wrong answer, and a right function that warns.
    """

    name: str
    answer: str
    test: str
    function: str
    wrong: str
    warns: str


class Copy(NamedTuple):
    """A student's notebook, with the right answers in it."""

    notebook: nbformat.NotebookNode
    lesson: Lesson

    @property
    def cells(self):
        """The list of its cells."""
        return self.notebook.cells

    def at(self, name):
        """Return where the cell stands that nbgrader knows by this name."""
        names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in self.cells]
        return names.index(name)

    def cell(self, what):
        """Return the cell of the lesson's `answer`, `test` or `function`."""
        return self.cells[self.at(getattr(self.lesson, what))]

    def merge(self, first, last, kept):
        """Merge cells: the metadata of the one that was active is kept."""
        i, k, active = self.at(first), self.at(last) + 1, self.cells[self.at(kept)]
        active.source = "\n\n".join(cell.source for cell in self.cells[i:k])
        self.cells[i:k] = [active]


def again(copy, what, source, below, name=None):
    """Insert a copy of a cell, with its metadata, below another one."""
    cell = deepcopy(copy.cell(what))
    cell.id, cell.source = "again", source
    cell.metadata.nbgrader["grade_id"] = name or cell.metadata.nbgrader["grade_id"]
    copy.cells.insert(copy.at(getattr(copy.lesson, below)) + 1, cell)


def copied(copy):
    """Keys c and v: an old answer stands below its test."""
    again(copy, "answer", copy.lesson.wrong, below="test")


def copied_test(copy):
    """The test stands above its answer as well."""
    test = deepcopy(copy.cell("test"))
    test.id = "again"
    copy.cells.insert(copy.at(copy.lesson.answer), test)


def split(copy):
    """Split Cell: both halves have the metadata."""
    again(copy, "answer", "# the rest", below="answer")


def old(copy):
    """The metadata of another version of nbgrader."""
    copy.cell("answer").metadata.nbgrader["schema_version"] = 2


def pasted(copy):
    """An answer of another assignment."""
    again(copy, "answer", "guess = 1", below="test", name="guess")


def right(copy):
    """Nothing but the right answers."""


def warns(copy):
    copy.cell("function").source = copy.lesson.warns


def logs(copy):
    """A logger writes to what was stderr when it was made, and so do other processes."""
    cell = copy.cell("function")
    head, body = cell.source.split(":\n", 1)
    cell.source = f"import logging\nlogging.basicConfig(level='INFO')\n{head}:\n"
    cell.source += f"    logging.info('called')\n{body}"


def wrong(copy):
    copy.cell("answer").source = copy.lesson.wrong


def slow(copy):
    copy.cell("answer").source = "while True:\n    pass"


def slow_function(copy):
    cell = copy.cell("function")
    head = cell.source[: cell.source.index("(")]
    cell.source = f"{head}(*given):\n    while True:\n        pass"


def deaf(copy):
    """No interrupt ends this before the sum is made."""
    copy.cell("answer").source = "sum(range(10**13))"


def ends(copy):
    """What a lack of memory does."""
    copy.cell("answer").source = "import os\nos._exit(1)"


def exits(copy):
    copy.cells.insert(copy.at(copy.lesson.test) + 1, nbformat.v4.new_code_cell("exit()"))


def merged(copy):
    """Answer and test are a cell, which is the answer's."""
    copy.merge(copy.lesson.answer, copy.lesson.test, copy.lesson.answer)


def merged_into_test(copy):
    copy.merge(copy.lesson.answer, copy.lesson.test, copy.lesson.test)


def one_cell(copy):
    """All code is a cell."""
    copy.cells[:] = [cell for cell in copy.cells if cell.cell_type == "code"]
    marks = [cell.metadata.nbgrader.grade_id for cell in copy.cells if "nbgrader" in cell.metadata]
    copy.merge(copy.lesson.answer, marks[-1], marks[-1])


def moved(copy):
    """The test stands above its answer."""
    test = copy.cells.pop(copy.at(copy.lesson.test))
    copy.cells.insert(copy.at(copy.lesson.answer), test)


def deleted(copy):
    """The test is not there."""
    del copy.cells[copy.at(copy.lesson.test)]


def deleted_both(copy):
    """Neither is its answer, which stands in a cell of the student's own."""
    deleted(copy)
    copy.cells[copy.at(copy.lesson.answer)].metadata.pop("nbgrader")


def changed(copy):
    """A wrong answer and a test that is content with it."""
    wrong(copy)
    copy.cell("test").source = "100"


def skips(copy):
    """A wrong answer and a test whose tag says that it is not to be run."""
    wrong(copy)
    copy.cell("test").metadata["tags"] = ["skip-execution"]


def markdown(copy):
    """Key m: the answer is a text."""
    cell = copy.cell("answer")
    del cell["outputs"], cell["execution_count"]
    cell.cell_type = "markdown"


def jupytext(copy):
    """A round trip through a .py file (jupytext 1.19.6)."""
    for i, cell in enumerate(copy.cells):
        cell.id, cell.source = f"{i:08}", cell.source.rstrip()
        cell.metadata["lines_to_next_cell"] = 2


def stripped(copy):
    """An editor of older notebooks, without ids, that keeps no metadata."""
    copy.notebook.nbformat_minor = 4
    for cell in copy.cells:
        del cell["id"]
        cell.metadata = nbformat.from_dict({})


def renamed(copy):
    """A browser's second download; returns its name."""
    return f"{copy.lesson.name} (1)"


STOPPED = copied, old, split  # nbgrader's run for the whole class
FULL = (
    *STOPPED,
    *(copied_test, deleted, deleted_both, exits, jupytext, logs, markdown, merged),
    *(merged_into_test, moved, one_cell, pasted, right, stripped, warns),
)
LESS = changed, deaf, ends, renamed, skips, slow, slow_function, wrong


def all_hand_in(course: Path, lesson: Lesson, students):
    """Let students, each named as the function, hand in what they made of the right answers."""
    for student in students:
        notebook = solved(course, lesson.name)
        file = student(Copy(notebook, lesson))
        hand_in(course, lesson.name, student.__name__, notebook, file)
