#!/usr/bin/env bash
# c50py 0.5.2 takes weights as counts of cases, and does not scale them as C5.0 does: weights
# that sum to 1 leave a tree of one leaf, ten times as large ones give another tree.
#
# Guess: Weights are relative: the same tree for all weights times a constant.
# Seen:  Leaves for weights of 1/300, 1 and 10: 1, 3 and more or less than 3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  c50py==0.5.2 pandas==2.3.3 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
import pandas as pd
from c50py import C5Classifier

rng = np.random.default_rng(0)
X = pd.DataFrame({"c": rng.choice(list("pqrs"), 300), "n": rng.normal(size=300)})
flip = rng.uniform(size=300) < 0.1
y = np.where((X["c"].isin(["p", "r"]) & (X["n"] > 0)) | flip, "yes", "no")


def table(weight):
    return C5Classifier().fit(X, y, sample_weight=np.full(300, weight)).predict_proba(X)[:, 1]


seen = [len(np.unique(table(weight).round(9))) for weight in (1 / 300, 1.0, 10.0)]
other = bool(np.abs(table(1.0) - table(10.0)).max() > 0.05)
print(seen, other)
raise SystemExit(not (seen[0] == 1 and seen[1] > 1 and other))
PY
