#!/usr/bin/env bash
# lightgbm 4.7.0 needs 20 cases in a leaf by default, so that it learns nothing from fewer than
# 40, and a class is predicted with its share.
#
# Guess: A hundred small trees fit 39 cases that one cut separates.
# Seen:  One probability for all of 39 cases, more than one for 57.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  lightgbm==4.7.0 scikit-learn==1.9.1 pandas==2.3.3 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from lightgbm import LGBMClassifier

X = np.random.default_rng(0).normal(size=(57, 1))
y = (X[:, 0] > 0).astype(int)
seen = []
for cases in (39, 57):
    model = LGBMClassifier(verbose=-1, n_jobs=1).fit(X[:cases], y[:cases])
    seen.append(len(np.unique(model.predict_proba(X[:cases])[:, 1].round(9))))
print(seen)
raise SystemExit(not (seen[0] == 1 and seen[1] > 1))
PY
