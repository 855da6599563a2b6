#!/usr/bin/env bash
# category-encoders 2.11.2: with handle_missing='value' in all of them, a missing value seen in
# training gets the target's mean among missing values from some encoders, and the mean of all
# from LeaveOneOutEncoder and CatBoostEncoder.
#
# Guess: All encoders treat a missing value that training has as one more category.
# Seen:  All 20 missing cases have target 1, the mean of all is .6: James-Stein 1.0, M-estimate
#        .98, target .8; leave-one-out and CatBoost .6.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  category-encoders==2.11.2 pandas==2.3.3 || exit 2
env/bin/python -W ignore - <<'PY'
import category_encoders
import pandas as pd

X = pd.DataFrame({"c": ["a"] * 40 + ["b"] * 40 + [None] * 20})
y = pd.Series([1] * 10 + [0] * 30 + [1] * 30 + [0] * 10 + [1] * 20)
names = ["JamesStein", "MEstimate", "Target", "LeaveOneOut", "CatBoost"]
encoders = [getattr(category_encoders, f"{name}Encoder")().fit(X, y) for name in names]
missing = pd.DataFrame({"c": ["a", None]})
seen = [round(float(encoder.transform(missing)["c"].iloc[1]), 2) for encoder in encoders]
print(dict(zip(names, seen, strict=True)))
raise SystemExit(seen != [1.0, 0.98, 0.8, 0.6, 0.6])
PY
