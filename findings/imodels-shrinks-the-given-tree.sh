#!/usr/bin/env bash
# imodels 3.0.4: HSTreeClassifier(tree) of a fitted tree shrinks that tree itself: its own
# probabilities change as soon as the wrapper is made.
#
# Guess: The wrapper works on a copy, as scikit-learn's meta-estimators do.
# Seen:  The probabilities of the tree that was passed differ afterwards, and equal the wrapper's.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  imodels==3.0.4 six==1.17.0 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from imodels import HSTreeClassifier
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 3))
y = (X[:, 0] + 0.3 * rng.normal(size=300) > 0).astype(int)
tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
before = tree.predict_proba(X).copy()
shrunk = HSTreeClassifier(tree).predict_proba(X)
moved = float(np.abs(tree.predict_proba(X) - before).max())
print(moved, float(np.abs(tree.predict_proba(X) - shrunk).max()))
raise SystemExit(not (moved > 0.001 and np.allclose(tree.predict_proba(X), shrunk)))
PY
