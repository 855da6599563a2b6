#!/usr/bin/env bash
# papermill 2.7.0: '-p tune false' gives the notebook the text 'false', which counts as true;
# '-p id 007' gives 7, and '-p name nan' a number.
#
# Guess: true and false become Booleans, as in the YAML of its other options; 007 stays text, as
#        its zeros would be lost.
# Seen:  ('false', 7, nan): only True and False, written so, are Booleans.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  papermill==2.7.0 ipykernel==7.4.0 || exit 2
env/bin/python -W ignore - <<'PY'
import subprocess
import sys

import nbformat

cells = [
    nbformat.v4.new_code_cell(
        "tune = True\nid = 'a'\nname = 'b'", metadata={"tags": ["parameters"]}
    ),
    nbformat.v4.new_code_cell("print((tune, id, name), bool(tune))"),
]
kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), "in.ipynb")
given = ["-p", "tune", "false", "-p", "id", "007", "-p", "name", "nan", "--no-progress-bar"]
command = [sys.executable, "-m", "papermill", "in.ipynb", "out.ipynb", *given]
subprocess.run(command, check=True, capture_output=True)
seen = nbformat.read("out.ipynb", 4).cells[-1].outputs[0]["text"].strip()
print(seen)
raise SystemExit(seen != "('false', 7, nan) True")
PY
