#!/usr/bin/env bash
# scikit-learn 1.9.1: the trees in a random forest have the classes 0.0, 1.0, 2.0; what is in
# BaggingClassifier has 0, 1, 2, and without weights in its fit only those that it drew.
#
# Guess: classes_ of an inner model are the names, and the same in all of them.
# Seen:  [0.0, 1.0, 2.0] in the forest; (0, 1), (0, 2), (1, 2) and (0, 1, 2) around neighbours.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

X, y = load_iris(return_X_y=True)
names = np.array(["a", "b", "c"])[y]
forest = RandomForestClassifier(3, random_state=0).fit(X, names)
one = KNeighborsClassifier(1)
bags = BaggingClassifier(one, n_estimators=30, max_samples=4, random_state=0).fit(X, names)
inner = forest[0].classes_.tolist()
drawn = sorted({tuple(model.classes_.tolist()) for model in bags.estimators_})
print(forest.classes_, inner, drawn)
kinds = (type(inner[0]), inner, drawn)
raise SystemExit(kinds != (float, [0, 1, 2], [(0, 1), (0, 1, 2), (0, 2), (1, 2)]))
PY
