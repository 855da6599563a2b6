"""Lessons as assignments of nbgrader: its source version (with solutions) and its release."""

import ast
import copy
from pathlib import Path
from textwrap import indent

from ranktrees_lab.student import METADATA, NOT_FOR_STUDENTS, tags

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
CONFIG = (Path(__file__).parent / "templates/nbgrader_config.py").read_text(encoding="utf-8")


def assignment(notebook: dict, solutions: bool) -> dict:
    """Return a lesson (nbformat 4) whose exercises nbgrader grades, without outputs.

    An exercise's answer is a cell to be filled in, its check a locked test of one point that fails
    unless the check says "Right". With `solutions` they are in the answers, between nbgrader's
    markers; the cells of solutions, and those that verify, are removed in either case.
    """
    cells, number = [], 0
    for i, cell in enumerate(notebook["cells"]):
        if NOT_FOR_STUDENTS & tags(cell):
            continue
        cell = copy.deepcopy(cell)
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
        before = notebook["cells"][i - 1] if i else None
        if "answer" in tags(cell):
            number += 1
            if solutions:
                cell["source"] = _solved("".join(cell["source"]), notebook["cells"][i + 2])
            mark(cell, f"exercise-{number}", solution=True)
        elif before is not None and "answer" in tags(before):
            cell["source"] = _test("".join(cell["source"]))
            mark(cell, f"check-{number}", grade=True, locked=True, points=1)
        cells.append(cell)
    return {**notebook, "cells": cells, "metadata": METADATA}


def _solved(stub, solution):
    """Return the answer's cell with the solution in it, but for its last statement, the check."""
    text = "".join(solution["source"])
    last = ast.parse(text).body[-1]
    lines = text.splitlines()[: last.lineno - 1]
    return "\n".join([stub, BEGIN, *lines, END]).replace("\n\n\n" + END, "\n" + END)


def _test(source):
    """Return the check as a test: its last expression must be a verdict that says "Right"."""
    last = ast.parse(source).body[-1]
    lines = source.splitlines()
    verdict = quiet("verdict = " + "\n".join(lines[last.lineno - 1 :]))
    head = lines[: last.lineno - 1]
    return "\n".join([*head, verdict, "assert verdict, verdict"])


def quiet(code: str) -> str:
    """Return code that writes nothing on the error stream.

    nbgrader gives no points for a test that writes anything to it, be it a warning.
    """
    imports = "from contextlib import redirect_stderr\nfrom io import StringIO"
    return f"{imports}\n\nwith redirect_stderr(StringIO()):\n{indent(code, '    ')}"


def mark(cell, name, **how):
    """Set the metadata by which nbgrader (schema 3) knows a cell; other kinds are False."""
    plain = dict.fromkeys(["grade", "solution", "locked", "task"], False)
    cell["metadata"]["nbgrader"] = {"schema_version": 3, "grade_id": name} | plain | how
