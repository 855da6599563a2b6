#!/usr/bin/env bash
# imodels 3.0.4: BoostedRulesClassifier and SlipperClassifier learn nothing from classes that
# are text: every case gets the same probabilities. With the same classes as 0 and 1 they learn.
#
# Guess: Text classes work as everywhere in scikit-learn, or raise an error.
# Seen:  Without an error one probability for all cases with 'no' and 'yes', several with 0 and 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  imodels==3.0.4 six==1.17.0 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
from imodels import BoostedRulesClassifier, SlipperClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 3))
y = (X[:, 0] + 0.3 * rng.normal(size=300) > 0).astype(int)
seen = [
    len(np.unique(model().fit(X, classes).predict_proba(X)[:, 1]))
    for model in (BoostedRulesClassifier, SlipperClassifier)
    for classes in (y, np.where(y, "yes", "no"))
]
print(seen)
raise SystemExit(not (seen[0] > 1 and seen[2] > 1 and seen[1] == seen[3] == 1))
PY
