#!/usr/bin/env bash
# Orange 3.40.0: NaiveBayesLearner smooths the share of a class given a value, (n + 1) of (cases of
# the value + classes), where others smooth that of a value given the class. A value that training
# lacked makes the classes equally probable; a gap leaves the prior, which is smoothed, too.
#
# Guess: (n + 1) of (cases of the class + values), as in Weka and scikit-learn's CategoricalNB.
# Seen:  .667 instead of .632 for a value with 3 cases of 4; .5 for a declared value without cases.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  orange3==3.40.0 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from Orange.classification import NaiveBayesLearner
from Orange.data import DiscreteVariable, Domain, Table
from sklearn.naive_bayes import CategoricalNB

x, y = [0, 0, 0, 1, 0, 1, 1, 1, 1, 1], [0] * 4 + [1] * 6
domain = Domain([DiscreteVariable("x", ("u", "v", "w"))], DiscreteVariable("y", ("a", "b")))
X = np.array(x, float)[:, None]
model = NaiveBayesLearner()(Table.from_numpy(domain, X, np.array(y, float)))
orange = model.predict(np.array([[0.0], [2.0], [np.nan]]))[1][:, 0].round(3).tolist()
other = CategoricalNB(min_categories=3).fit(X.astype(int), y).predict_proba([[0]])[0, 0].round(3)
print(orange, other)
raise SystemExit([*orange, other] != [0.667, 0.5, 0.417, 0.632])
PY
