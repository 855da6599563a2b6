#!/usr/bin/env bash
# river 0.26.1: metrics.ROCAUC() counts at ten thresholds between 0 and 1. A perfect ranking
# whose scores lie between two of them, as those of a rare class do, gets .5.
#
# Guess: 1.0, or near it, as the documentation speaks of an approximation.
# Seen:  0.5 for scores .01 to .03 of negatives and .06 to .08 of positives; RollingROCAUC says
#        1.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  river==0.26.1 || exit 2
env/bin/python -W ignore - <<'PY'
from river import metrics

coarse, exact = metrics.ROCAUC(), metrics.RollingROCAUC()
for truth, score in [(False, 0.01), (False, 0.03), (True, 0.06), (True, 0.08)] * 25:
    coarse.update(truth, score)
    exact.update(truth, score)
print(coarse.get(), exact.get())
raise SystemExit((coarse.get(), exact.get()) != (0.5, 1.0))
PY
