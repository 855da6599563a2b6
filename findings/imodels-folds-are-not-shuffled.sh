#!/usr/bin/env bash
# imodels 3.0.4: HSTreeClassifierCV chooses its shrinkage on three folds in the order of the rows,
# neither shuffled nor stratified: it cannot fit a table that is sorted by class.
#
# Guess: Stratified folds, as in scikit-learn's searches for classifiers.
# Seen:  ValueError for iris and for two sorted classes; shuffled rows are fitted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  imodels==3.0.4 six==1.17.0 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from imodels import HSTreeClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier


def fit(X, y, order):
    tree = DecisionTreeClassifier(max_leaf_nodes=20, random_state=0)
    try:
        HSTreeClassifierCV(tree).fit(X[order], y[order])
    except ValueError:
        return "ValueError"
    return "fitted"


seen = []
for load in (load_iris, load_breast_cancer):
    X, y = load(return_X_y=True)
    shuffled = np.random.default_rng(0).permutation(len(y))
    seen += [fit(X, y, np.argsort(y, kind="stable")), fit(X, y, shuffled)]
print(seen)
raise SystemExit(seen != ["ValueError", "fitted"] * 2)
PY
