#!/usr/bin/env bash
# NumPy 2.4.6 compares a float32 with a Python float in single precision, and with a float64 in
# double: a value may be on one side of a threshold as float and on the other as np.float64.
#
# Guess: float32(.1), which is .10000000149, is not <= .1.
# Seen:  True for .1; False for np.float64(.1), and for float(float32(.1)).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  numpy==2.4.6 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np

value = np.float32(0.1)
column = np.array([value])
scalars = [bool(value <= 0.1), bool(value <= np.float64(0.1)), float(value) <= 0.1]
arrays = [bool((column <= 0.1)[0]), bool((column <= np.array([0.1]))[0])]
print(float(value), scalars, arrays)
raise SystemExit((scalars, arrays) != ([True, False, False], [True, False]))
PY
