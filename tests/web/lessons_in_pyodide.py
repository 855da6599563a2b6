"""Runs lessons in Pyodide and writes the outputs of their cells to /out; see pyodide.mjs."""

import json
import os
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

FOUND = []  # outputs of the cell that runs, as a notebook stores them

# The machine may be busy, on which nothing that a challenge says may depend. In a cell, since
# pandas asks where it is at its first import.
PATIENT = "from ranktrees_lab.check import challenges as _; _.SECONDS = 600"


class Publisher(DisplayPublisher):
    """Keeps what is displayed."""

    def publish(self, data, metadata=None, **_):
        FOUND.append({"output_type": "display_data", "data": data})


class Hook(DisplayHook):
    """Keeps a cell's value."""

    def write_output_prompt(self):
        """Print no `Out[1]:`."""

    def write_format_data(self, data, metadata=None):
        FOUND.append({"output_type": "execute_result", "data": data})

    def finish_displayhook(self):
        """Print no line end."""


class ShellAsOfZmq(InteractiveShell):
    """A kernel's shell without a kernel; by its name and `kernel` pandas takes it for one."""

    kernel = None

    displayhook_class = Hook
    display_pub_class = Publisher

    def _showtraceback(self, *_):
        """Print nothing: `run` keeps the error."""


def run(shell, source):
    """Run a cell; return its outputs."""
    FOUND.clear()
    printed = {"stdout": StringIO(), "stderr": StringIO()}
    with redirect_stdout(printed["stdout"]), redirect_stderr(printed["stderr"]):
        done = shell.run_cell(source, store_history=True)
    outputs = list(FOUND)
    for name, stream in printed.items():
        if text := stream.getvalue():
            outputs.append({"output_type": "stream", "name": name, "text": text})
    if error := done.error_before_exec or done.error_in_exec:
        outputs.append(
            {"output_type": "error", "ename": type(error).__name__, "evalue": str(error)}
        )
    return outputs


def run_lesson(path):
    """Run all cells of a lesson, in a new folder; return their outputs, its seconds, the heap."""
    os.chdir(tempfile.mkdtemp())
    for name in [name for name in sys.modules if name.startswith("ranktrees")]:
        del sys.modules[name]  # what a reader has done is kept in modules, too
    shell, start = ShellAsOfZmq.instance(), time.time()
    run(shell, PATIENT)
    with open(path, encoding="utf-8") as lesson:
        cells = json.load(lesson)["cells"]
    cells = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    outputs = [run(shell, source) for source in cells]
    return {"outputs": outputs, "seconds": time.time() - start, "heap": heap()}  # noqa: F821


for name in WORDS:  # noqa: F821
    found = run_lesson(f"/course/notebooks/{name}.ipynb")
    ShellAsOfZmq.clear_instance()
    with open(f"/out/{name}.json", "w", encoding="utf-8") as file:
        json.dump(found, file, default=repr)
