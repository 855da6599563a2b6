#!/usr/bin/env bash
# c5tree 0.2.0 beside pandas 3.1.1 does not use text columns, without a word: their dtype is
# str, and it asks for object. Pruning, which is on by default, takes no leaf off the tree of
# iris.
#
# Guess: Text columns are nominal, as with object; pruning makes the tree smaller.
# Seen:  No nominal column among them where one alone decides the class; 9 leaves pruned or not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  c5tree==0.2.0 pandas==3.1.1 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import pandas as pd
from c5tree import C5Classifier
from sklearn.datasets import load_iris

frame = pd.DataFrame({"c": list("xy") * 50, "n": [(7 * i) % 100 for i in range(100)]})
y = ["a", "b"] * 50
text = len(C5Classifier().fit(frame, y).categorical_features_)
objects = len(C5Classifier().fit(frame.astype({"c": object}), y).categorical_features_)
X, flowers = load_iris(return_X_y=True)
leaves = [C5Classifier(pruning=pruned).fit(X, flowers).get_n_leaves() for pruned in (True, False)]
print(text, objects, leaves)
raise SystemExit((text, objects, leaves) != (0, 1, [9, 9]))
PY
