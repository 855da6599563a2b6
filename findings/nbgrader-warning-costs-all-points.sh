#!/usr/bin/env bash
# nbgrader 0.9.6: a cell of tests that passes, and from which anything comes on the error
# stream, such as a library's deprecation warning, gives no points.
#
# Guess: 5 of 5 points: only an exception fails a cell of tests.
# Seen:  5.0 without, 0 with a warning; 0 also for a progress bar, which writes there, too.
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


calm = mark("assert 1 == 1")
warned = mark("import warnings\nwarnings.warn('old', FutureWarning)\nassert 1 == 1")
bar = mark("import sys\nprint('100 %', file=sys.stderr)\nassert 1 == 1")
print(calm, warned, bar)
raise SystemExit((calm, warned, bar) != (5.0, 0, 0))
PY
