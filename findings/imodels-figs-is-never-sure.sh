#!/usr/bin/env bash
# imodels 3.0.4: FIGSClassifier puts its sum, which is fitted to the classes 0 and 1, through a
# logistic function between 0 and 1 once more: what it is sure of has .731, what it is sure is
# not has .269.
#
# Guess: Classes that one cut separates get probabilities near 0 and 1.
# Seen:  [0.2689, 0.7311], with an accuracy of 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  imodels==3.0.4 six==1.17.0 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from imodels import FIGSClassifier

X = np.random.default_rng(0).normal(size=(300, 3))
y = (X[:, 0] > 0).astype(int)
model = FIGSClassifier(max_rules=1).fit(X, y)
seen = np.unique(model.predict_proba(X)[:, 1].round(4)).tolist()
print(seen, model.score(X, y))
raise SystemExit((seen, model.score(X, y)) != ([0.2689, 0.7311], 1.0))
PY
