#!/usr/bin/env bash
# c50py 0.5.2 splits a nominal attribute in two, one set of values and the rest, where C4.5 and
# C5.0 give each value a branch. A value that training lacked is always among the rest.
#
# Guess: The golf days give C5.0's tree: outlook at the root, five leaves.
# Seen:  Humidity at the root, three leaves; an unknown outlook goes with what is not sunny.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  c50py==0.5.2 pandas==3.1.1 || exit 2
env/bin/python -W ignore - <<'PY'
import pandas as pd
from c50py import C5Classifier, export_text

rows = """sunny hot high f no|sunny hot high t no|overcast hot high f yes|rain mild high f yes
rain cool normal f yes|rain cool normal t no|overcast cool normal t yes|sunny mild high f no
sunny cool normal f yes|rain mild normal f yes|sunny mild normal t yes|overcast mild high t yes
overcast hot normal f yes|rain mild high t no"""
days = [line.split() for line in rows.replace("\n", "|").split("|")]
frame = pd.DataFrame(days, columns=["outlook", "temperature", "humidity", "windy", "play"])

X = frame.drop(columns="play")
model = C5Classifier().fit(X, frame["play"])
text = export_text(model)
unknown = X.iloc[[0]].assign(outlook="fog")
said = [str(model.predict(case)[0]) for case in (X.iloc[[0]], unknown)]
seen = [text.count("class:"), text.split()[1], *said]
print(seen)
raise SystemExit(seen != [3, "humidity", "no", "yes"])
PY
