#!/usr/bin/env bash
# NumPy 2.4.6: np.add.reduceat over one group of all rows differs from sum() in the last digits,
# for a vector and for a table along axis 0: it adds in another order.
#
# Guess: The same additions, so the same bits.
# Seen:  Differences of 1e-14 to 1e-12 for 1,000 normal values; none for integers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  numpy==2.4.6 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np

table = np.random.default_rng(0).normal(size=(1000, 3))
vector = table[:, 0].copy()
gaps = [
    float(np.abs(np.add.reduceat(values, [0], axis=0)[0] - values.sum(axis=0)).max())
    for values in (table, np.asfortranarray(table), vector, (table * 1000).astype(int))
]
print(gaps)
raise SystemExit(not (all(0 < gap < 1e-12 for gap in gaps[:3]) and gaps[3] == 0))
PY
