#!/usr/bin/env bash
# treelite 4.8.1: a histogram gradient boosting model of scikit-learn 1.9.1 with categories,
# imported, predicts as there for categories of the training and for missing values, and
# otherwise for a category that training lacked.
#
# Guess: The same probabilities for each case, or an error for an unknown category.
# Seen:  Differences of 0 for known and missing values, above .1 for an unknown category.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  treelite==4.8.1 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
import treelite
from sklearn.ensemble import HistGradientBoostingClassifier

rng = np.random.default_rng(0)
X = np.c_[rng.normal(size=300), rng.integers(0, 6, 300)]
y = np.isin(X[:, 1], [1, 2, 4]).astype(int)
model = HistGradientBoostingClassifier(max_iter=5, categorical_features=[1]).fit(X, y)
other = treelite.sklearn.import_model(model)


def difference(value):
    cases = X[:20].copy()
    if value is not None:
        cases[:, 1] = value
    theirs = treelite.gtil.predict(other, cases).ravel()
    return float(np.abs(theirs - model.predict_proba(cases)[:, 1]).max())


seen = [difference(None), difference(np.nan), difference(9)]
print(seen)
raise SystemExit(not (max(seen[:2]) < 1e-6 and seen[2] > 0.1))
PY
