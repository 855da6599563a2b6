#!/usr/bin/env bash
# scikit-learn 1.9.1: with monotonic_cst only tests of signed features are checked; below other
# tests a node's share may leave its bounds, and its value is clipped.
#
# Guess: Every test keeps the bounds, so that tree_.value is the class share of a node's cases, and
#        missing values, which have no order, are refused.
# Seen:  In 26 of 153 nodes tree_.value is not the share. Missing values are taken.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(2000, 3))
odds = X[:, 0] * np.sin(2 * X[:, 1]) + X[:, 2]
y = (rng.random(2000) < 1 / (1 + np.exp(-odds))).astype(int)
signs = {"max_depth": 8, "monotonic_cst": [1, 0, 0], "random_state": 0}
model = DecisionTreeClassifier(**signs).fit(X, y)
passed = model.decision_path(X).toarray().astype(bool)
share = np.array([y[cases].mean() for cases in passed.T])
moved = int((np.abs(share - model.tree_.value[:, 0, 1]) > 1e-9).sum())
X[::7, 0] = np.nan
taken = DecisionTreeClassifier(**signs).fit(X, y).tree_.node_count > 1
seen = [moved, model.tree_.node_count, taken]
print(seen)
raise SystemExit(seen != [26, 153, True])
PY
