#!/usr/bin/env bash
# scipy 1.17.1 (scipy.io.arff.loadarff) reads a row with more values than attributes, and drops
# what is too much: a weight {5} of Weka, or a value after one comma too many.
#
# Guess: Such a row is an error, as one with too few values is.
# Seen:  1,x,{5} and 3,x,y,99 are read as (1, x) and (3, x); a row with one value raises
#        IndexError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  scipy==1.17.1 || exit 2
env/bin/python -W ignore - <<'PY'
import io

from scipy.io import arff

HEAD = "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n"
seen = [tuple(row) for row in arff.loadarff(io.StringIO(HEAD + "1,x,{5}\n3,x,y,99\n"))[0]]
try:
    short = arff.loadarff(io.StringIO(HEAD + "1\n"))[0]
except IndexError:
    short = "IndexError"
print(seen, short)
raise SystemExit((seen, short) != ([(1.0, b"x"), (3.0, b"x")], "IndexError"))
PY
