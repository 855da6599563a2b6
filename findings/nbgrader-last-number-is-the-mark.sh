#!/usr/bin/env bash
# nbgrader 0.9.6: where a cell of tests that passes ends in an expression, its value is the mark
# if it is a number from 0 to the points; below 0, or False, it is all points.
#
# Guess: 5 of 5 points, as nothing failed, or less for False.
# Seen:  0.83 -> .83 points, -2 -> 5, False -> 5, 7 of 5 points -> ValueError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  nbgrader==0.9.6 || exit 2
env/bin/python -W ignore - <<'PY'
from nbclient import NotebookClient
from nbformat import v4
from nbgrader.utils import determine_grade

OF_TESTS = {
    "grade": True, "grade_id": "t", "points": 5, "solution": False, "locked": True,
    "schema_version": 3, "cell_type": "code", "task": False,
}  # fmt: skip


def mark(code):
    notebook = v4.new_notebook(cells=[v4.new_code_cell(code, metadata={"nbgrader": OF_TESTS})])
    NotebookClient(notebook, kernel_name="python3").execute()
    return determine_grade(notebook.cells[0])[0]


seen = [mark(f"assert 1 == 1\n{value}") for value in ("0.83", "-2", "False")]
try:
    seen.append(mark("7"))
except ValueError:
    seen.append("ValueError")
print(seen)
raise SystemExit(seen != [0.83, 5.0, 5.0, "ValueError"])
PY
