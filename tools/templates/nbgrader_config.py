"""Settings of nbgrader for the course in this folder."""

import os
import sys
from pathlib import Path

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbformat import from_dict, v4
from nbgrader.api import Gradebook
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    Execute,
    IgnorePattern,
    LimitOutput,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from nbgrader.utils import is_grade

LIMIT = 60  # seconds a cell may run
SLOW = "This runs for more than a minute: 0 points."
ENDS = "This ends Python, or takes more memory than there is: 0 points."
STAY = "--IPKernelApp.exec_lines=get_ipython().ask_exit = lambda: None"  # what exit() calls


class RestoreCells(NbGraderPreprocessor):
    """Gives a copy back the cells that were released; nbgrader then overwrites the locked ones.

    Students split, copy, merge, move and delete cells, and some editors drop all metadata. One cell
    with metadata that nbgrader does not expect would end its run for the whole class.
    """

    def preprocess(self, nb, resources):
        """Mark each released cell once; put back missing ones, and tests above their answers."""
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as book:
            released = metadata_of(book.find_notebook(where["notebook"], where["assignment"]))
        names, there = list(released), self.mark(nb.cells, released)
        for k, name in enumerate(names):
            cell, mark = there.get(name), released[name]
            above = nb.cells.index(there[names[k - 1]]) if k else -1
            if cell is None:
                below = [there[n] for n in names[k + 1 :] if n in there]
                there[name] = self.put_back(nb, mark, above, below)
            elif mark["grade"] and mark["locked"] and nb.cells.index(cell) < above:
                nb.cells.remove(cell)
                nb.cells.insert(above, cell)
        return nb, resources

    def mark(self, cells, released):
        """Return the cell of each name: of an answer's copies the first, of a test's the last."""
        there = {}
        for cell in cells:
            name = cell.metadata.pop("nbgrader", {}).get("grade_id")
            if name in released and (released[name]["grade"] or name not in there):
                there[name] = cell
        for name, cell in there.items():
            cell.metadata = from_dict({"nbgrader": released[name]})  # no tag such as skip-execution
        return there

    def put_back(self, nb, mark, above, below):
        """Insert a missing cell and return it; nbgrader fills it if it is locked.

        An answer may be merged into the test below, whose text nbgrader overwrites: it gets that.
        """
        i, source = above + 1, ""
        if not mark["locked"]:
            found = next((c for c in below if c.cell_type == mark["cell_type"]), None)
            i, source = (nb.cells.index(found), found.source) if found else (len(nb.cells), "")
        new_cell = getattr(v4, f"new_{mark['cell_type']}_cell")
        cell = new_cell(source, metadata=from_dict({"nbgrader": mark}))
        if nb.nbformat_minor < 5:
            del cell["id"]
        nb.cells.insert(i, cell)
        return cell


class ExecuteOthers(Execute):
    """Runs a copy again without a cell that does not end if interrupted, or that ends Python."""

    def preprocess(self, nb, resources, km=None):
        """Run all cells that can be run; one that cannot gets a sentence as its error."""
        while True:
            self.cell = None
            try:
                return super().preprocess(nb, resources, km)
            except (CellTimeoutError, DeadKernelError) as error:
                if self.cell is None:
                    raise
                said = SLOW if isinstance(error, CellTimeoutError) else ENDS
                name = type(error).__name__
                shown = v4.new_output("error", ename=name, evalue="", traceback=[said])
                self.cell.outputs = [shown]
                self.cell.metadata["tags"] = [self.skip_cells_with_tag]

    def preprocess_cell(self, cell, resources, index):
        """Run a cell; what a test writes to stderr, as warnings do, costs no points as stdout."""
        self.cell = cell
        cell, resources = super().preprocess_cell(cell, resources, index)
        streams = [o for o in cell.get("outputs", []) if o.output_type == "stream"]
        for output in streams if is_grade(cell) else []:
            output.name = "stdout"
        return cell, resources


def metadata_of(notebook):
    """Return nbgrader's metadata (schema 3) of each released cell by its name, in their order."""
    graded, tasks = (
        {cell.name: {"points": cell.max_score} for cell in cells}
        for cells in (notebook.grade_cells, notebook.task_cells)
    )
    answers = {cell.name for cell in notebook.solution_cells}
    return {
        cell.name: {
            "schema_version": 3,
            "grade_id": cell.name,
            "grade": cell.name in graded,
            "solution": cell.name in answers,
            "task": cell.name in tasks,
            "locked": cell.locked,
            "cell_type": cell.cell_type,
            "checksum": cell.checksum,
            **graded.get(cell.name, tasks.get(cell.name, {})),
        }
        for cell in notebook.source_cells
    }


# nbgrader calls alembic by its name, which lies beside this Python, activated or not.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
c = get_config()  # noqa: F821  # nbgrader's
c.CourseDirectory.course_id = "ranktrees"
c.GenerateAssignment.force = True  # release/ has them already; nbgrader must enter them in its book
c.ClearSolutions.code_stub = {"python": ""}  # the `...` above each solution remains
c.Autograde.sanitize_preprocessors = [
    ClearOutput,
    RestoreCells,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    ExecuteOthers,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.ExecutePreprocessor.timeout = LIMIT
c.ExecutePreprocessor.error_on_timeout = {"ename": "TooSlow", "evalue": "", "traceback": [SLOW]}
c.Execute.extra_arguments = [STAY]
