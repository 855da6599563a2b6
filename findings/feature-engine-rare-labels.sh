#!/usr/bin/env bash
# feature-engine 1.9.4: RareLabelEncoder leaves a column of up to ten labels as it is, however
# rare one is; one with more labels, none of them frequent enough, becomes a constant.
#
# Guess: A label below tol=.05 becomes 'Rare' in each column; a column of which nothing would be
#        left is an error or a warning.
# Seen:  A label of 1 % stays beside two others; twelve labels with tol=.2 all become 'Rare', with
#        no exception.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  feature-engine==1.9.4 || exit 2
env/bin/python -W ignore - <<'PY'
import pandas as pd
from feature_engine.encoding import RareLabelEncoder

few = pd.DataFrame({"c": ["a"] * 50 + ["b"] * 49 + ["z"]})
many = pd.DataFrame({"c": list("abcdefghijkl") * 10})
kept = RareLabelEncoder().fit_transform(few)["c"].value_counts().to_dict()
constant = RareLabelEncoder(tol=0.2).fit_transform(many)["c"].unique().tolist()
print(kept, constant)
raise SystemExit((kept, constant) != ({"a": 50, "b": 49, "z": 1}, ["Rare"]))
PY
