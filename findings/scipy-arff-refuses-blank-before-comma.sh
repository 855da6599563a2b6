#!/usr/bin/env bash
# scipy 1.17.1 (scipy.io.arff.loadarff) takes blanks after a comma, and refuses a nominal value
# that has one before the comma; numbers may have both.
#
# Guess: Blanks around values are stripped everywhere, as in Weka.
# Seen:  '1 , x' is read, 'x , 1' raises ValueError: 'x  value not in'.
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

NUMBER, NOMINAL = "@attribute a numeric\n", "@attribute c {x,y}\n"
after = arff.loadarff(io.StringIO(f"@relation r\n{NUMBER}{NOMINAL}@data\n1 ,  x\n"))[0].tolist()
try:
    before = arff.loadarff(io.StringIO(f"@relation r\n{NOMINAL}{NUMBER}@data\nx , 1\n"))[0]
except ValueError as error:
    before = str(error).split(" not ")[0]
print(after, repr(before))
raise SystemExit((after, before) != ([(1.0, b"x")], "x  value"))
PY
