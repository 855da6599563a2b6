#!/usr/bin/env bash
# interpret-core 0.7.8: an explainable boosting machine takes pairs of attributes for three
# classes as well, cuts a column of text whose values are digits as numbers, and for a missing
# value that training lacked leaves the intercept.
#
# Guess: Pairs are for two classes, as before; text is nominal; an unknown gap is an error or a
#        warning.
# Seen:  Terms a, b and 'a & b'; type 'continuous'; the probability of the intercept alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  interpret-core==0.7.8 pandas==2.3.3 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
import pandas as pd
from interpret.glassbox import ExplainableBoostingClassifier

rng = np.random.default_rng(0)
frame = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
two, three = (frame["a"] > 0).astype(int), rng.integers(0, 3, 300)
few = {"max_rounds": 20, "n_jobs": 1}
terms = list(ExplainableBoostingClassifier(**few).fit(frame, three).term_names_)
digits = pd.DataFrame({"s": rng.choice(["1", "2", "3", "10", "20"], 300)})
kind = ExplainableBoostingClassifier(interactions=0, **few).fit(digits, two).feature_types_in_[0]
model = ExplainableBoostingClassifier(interactions=0, **few).fit(frame[["a"]], two)
gap = float(model.predict_proba(pd.DataFrame({"a": [np.nan]}))[0, 1])
intercept = float(1 / (1 + np.exp(-model.intercept_[0])))
print(terms, kind, gap, intercept)
same = abs(gap - intercept) < 1e-9
raise SystemExit((terms, kind, same) != (["a", "b", "a & b"], "continuous", True))
PY
