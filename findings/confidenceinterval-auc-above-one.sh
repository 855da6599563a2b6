#!/usr/bin/env bash
# confidenceinterval 1.0.5: the interval of roc_auc_score, DeLong's by default, goes beyond 1.
#
# Guess: The upper limit is at most 1: by a logit, or cut.
# Seen:  An AUC of .973 gets an upper limit above 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  confidenceinterval==1.0.5 || exit 2
env/bin/python -W ignore - <<'PY'
import confidenceinterval

truth = [0] * 15 + [1] * 15
score = [i / 28 for i in range(15)] + [0.44, 0.47] + [0.51 + i / 28 for i in range(13)]
auc, (low, high) = confidenceinterval.roc_auc_score(truth, score)
print(round(float(auc), 4), round(float(low), 4), round(float(high), 4))
raise SystemExit(not (auc < 1 < high))
PY
