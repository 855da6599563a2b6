#!/usr/bin/env bash
# scikit-learn 1.9.1: HistGradientBoostingClassifier, which takes missing values, stops at a
# column without any value; its trees and forests ignore such a column.
#
# Guess: A column of gaps is never split on, as in a random forest.
# Seen:  ValueError: window shape cannot be larger than input array shape; one value is enough.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(0)
n = rng.normal(size=100)
X = np.c_[n, np.full(100, np.nan)]
one = X.copy()
one[0, 1] = 0.0


def fit(model, X):
    try:
        return model.fit(X, n > 0).score(X, n > 0) > 0.9
    except ValueError as error:
        return str(error)


models = [RandomForestClassifier(), DecisionTreeClassifier(), HistGradientBoostingClassifier()]
seen = [fit(model, X) for model in models] + [fit(models[-1], one)]
print(seen)
raise SystemExit(not (seen[:2] == [True, True] and "window shape" in str(seen[2]) and seen[3]))
PY
