#!/usr/bin/env bash
# Orange 3.40.0: the AUC of more than two classes weights each class by c(N-c), c its cases
# among N. Neither the mean nor the mean weighted by cases equals it. A node of TreeLearner with
# 95 % of one class is a leaf.
#
# Guess: The mean over the classes, each against the rest, or weighted by their cases, as in
#        scikit-learn; trees are grown until leaves are pure.
# Seen:  Equal to 1e-9 with c(N-c), more than .0001 from both means; sufficient_majority is .95.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  orange3==3.40.0 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from Orange.classification import NaiveBayesLearner, TreeLearner
from Orange.data import Table
from Orange.evaluation import AUC, CrossValidation
from sklearn.metrics import roc_auc_score

results = CrossValidation(k=5, random_state=1)(Table("zoo"), [NaiveBayesLearner()])
truth, scores = results.actual, results.probabilities[0]
classes = range(scores.shape[1])
areas = np.array([roc_auc_score(truth == c, scores[:, c]) for c in classes])
cases = np.array([(truth == c).sum() for c in classes])
means = [np.average(areas, weights=w) for w in (cases * (len(truth) - cases), cases, None)]
seen = [abs(float(AUC(results)[0] - mean)) for mean in means]
print(seen, TreeLearner().params["sufficient_majority"])
raise SystemExit(not (seen[0] < 1e-9 and min(seen[1:]) > 1e-4))
PY
