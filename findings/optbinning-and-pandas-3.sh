#!/usr/bin/env bash
# optbinning 1.0.0 beside pandas 3.1.1 puts all values of a categorical variable into one bin,
# without a word, so that its weight of evidence is 0.
#
# Guess: A value with 80 % of events is not in one bin with two that have none.
# Seen:  One bin of a, b and c; weights 0, 0, 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  optbinning==1.0.0 pandas==3.1.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from optbinning import OptimalBinning

values = np.array(["a"] * 100 + ["b"] * 100 + ["c"] * 100, dtype=object)
events = np.array([1] * 80 + [0] * 220)
binning = OptimalBinning(name="v", dtype="categorical").fit(values, events)
weights = binning.transform(np.array(["a", "b", "c"], dtype=object), metric="woe").tolist()
print(len(binning.splits), weights)
raise SystemExit((len(binning.splits), weights) != (1, [0.0, 0.0, 0.0]))
PY
