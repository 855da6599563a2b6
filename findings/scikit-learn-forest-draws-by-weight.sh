#!/usr/bin/env bash
# scikit-learn 1.9.1: sample_weight of a random forest decides how often a case is drawn, and a
# drawn case then counts 1; a share max_samples is one of the sum of weights, not of the cases.
#
# Guess: Cases are drawn evenly and their counts times the weights; .5 of 150 cases is 75.
# Seen:  Each tree's root weighs 150, whatever the weights; max_samples=.5 draws 300 where the
#        weights sum to 600, and 1 where they sum to 1.
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
from sklearn.ensemble import RandomForestClassifier

X, y = load_iris(return_X_y=True)
weight = np.where(y == 0, 10.0, 1.0)
whole = RandomForestClassifier(20, random_state=0).fit(X, y, sample_weight=weight)
roots = {float(tree.tree_.weighted_n_node_samples[0]) for tree in whole}
share = float(np.mean([tree.tree_.value[0, 0, 0] for tree in whole]))
half = RandomForestClassifier(2, max_samples=0.5, random_state=0)
sums = (weight, np.ones(150), np.full(150, 1 / 150))
drawn = [len(half.fit(X, y, sample_weight=each).estimators_samples_[0]) for each in sums]
print(roots, share, drawn)
raise SystemExit(not (roots == {150.0} and 0.8 < share < 0.87 and drawn == [300, 75, 1]))
PY
