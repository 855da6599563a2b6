#!/usr/bin/env bash
# confidenceinterval 1.0.5: precision_score, recall_score and f1_score take micro averages by
# default. For two classes all three are then the accuracy, under the names of scikit-learn.
#
# Guess: The values of scikit-learn's functions of the same names, with an interval: .25, 1 and
#        .4.
# Seen:  0.5, 0.5 and 0.5, the accuracy.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  confidenceinterval==1.0.5 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import confidenceinterval
import sklearn.metrics

truth, said = [0] * 25 + [1] * 5, [0] * 10 + [1] * 20
names = ["precision_score", "recall_score", "f1_score"]
ours = [round(float(getattr(confidenceinterval, name)(truth, said)[0]), 3) for name in names]
theirs = [round(float(getattr(sklearn.metrics, name)(truth, said)), 3) for name in names]
print(ours, theirs)
raise SystemExit((ours, theirs) != ([0.5] * 3, [0.25, 1.0, 0.4]))
PY
