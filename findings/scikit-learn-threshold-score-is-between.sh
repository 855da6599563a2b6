#!/usr/bin/env bash
# scikit-learn 1.9.1: best_score_ of TunedThresholdClassifierCV lies between scores: those of
# each fold at 100 thresholds of its own are joined by straight lines before the mean is taken.
#
# Guess: best_score_ is the mean score of the folds at best_threshold_.
# Seen:  A cost of .405 a case; FixedThresholdClassifier at this threshold, same folds: .417. At
#        another one it costs .403.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB

rng = np.random.default_rng(1)
X = rng.normal(size=(300, 3))
y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
folds = StratifiedKFold(5)


@make_scorer
def score(y, said):
    return -float(np.where(y == 1, 5 * (said == 0), said == 1).mean())


def cost(threshold):
    fixed = FixedThresholdClassifier(GaussianNB(), threshold=threshold)
    return -cross_val_score(fixed, X, y, cv=folds, scoring=score).mean()


tuned = TunedThresholdClassifierCV(GaussianNB(), scoring=score, cv=folds).fit(X, y)
least = min(cost(threshold) for threshold in np.linspace(0.1, 0.3, 201))
costs = (-tuned.best_score_, cost(tuned.best_threshold_), least)
seen = [round(float(value), 3) for value in costs]
print(seen)
raise SystemExit(seen != [0.405, 0.417, 0.403])
PY
