#!/usr/bin/env bash
# scikit-learn 1.9.1: the values of a grid may be a list, a range or an array, and not a Series
# or an Index of pandas 3.1.1.
#
# Guess: A Series, such as a column of candidates, is taken as any other sequence.
# Seen:  TypeError: needs to be a list or a numpy array, from both searches.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  scikit-learn==1.9.1 pandas==3.1.1 || exit 2
env/bin/python -W ignore - <<'PY'
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.tree import DecisionTreeClassifier

X, y = load_iris(return_X_y=True)


def search(values):
    grid = {"max_depth": values}
    tree = DecisionTreeClassifier()
    try:
        GridSearchCV(tree, grid).fit(X, y)
        RandomizedSearchCV(tree, grid, n_iter=2).fit(X, y)
    except TypeError as error:
        return "list or a numpy array" in str(error)
    return "taken"


column = pd.Series([1, 2])
seen = [search(values) for values in (range(1, 3), column.to_numpy(), column, pd.Index([1, 2]))]
print(seen)
raise SystemExit(seen != ["taken", "taken", True, True])
PY
