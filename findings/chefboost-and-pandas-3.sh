#!/usr/bin/env bash
# chefboost 0.0.19 beside pandas 3.1.1 takes text classes for numbers, as their dtype is no
# longer object, turns from C4.5 to regression, and fails in a standard deviation.
#
# Guess: Text classes are classes with each version of pandas that it allows.
# Seen:  TypeError: Cannot perform reduction 'std' with string dtype.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  chefboost==0.0.19 pandas==3.1.1 || exit 2
env/bin/python -W ignore - <<'PY'
import pandas as pd
from chefboost import Chefboost

frame = pd.DataFrame({"a": list("xxyyzz") * 4, "n": range(24), "Decision": ["no", "yes"] * 12})
config = {"algorithm": "C4.5", "enableParallelism": False}
try:
    Chefboost.fit(frame, config=config, silent=True)
except TypeError as error:
    print(error)
    raise SystemExit("string dtype" not in str(error)) from None
raise SystemExit(1)
PY
