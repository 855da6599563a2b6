#!/usr/bin/env bash
# Dask 2026.8.0: from_pandas turns a column of Python objects into text. True becomes 'True', 1
# becomes '1', and what was mapped by value finds nothing any more.
#
# Guess: A column of objects keeps its objects; only text becomes Arrow's text.
# Seen:  ['True', 'False', <NA>, '1']; a map from True and False gives nothing but missing values.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  dask[dataframe]==2026.8.0 pandas==2.3.3 || exit 2
env/bin/python -W ignore - <<'PY'
import dask.dataframe as dd
import pandas as pd

frame = pd.DataFrame({"c": pd.Series([True, False, None, 1], dtype=object)})
column = dd.from_pandas(frame, npartitions=1)["c"]
coded = column.map_partitions(lambda part: part.map({True: 1.0, False: 0.0}), meta=("c", "f8"))
seen = column.compute(scheduler="sync").tolist()
codes = coded.compute(scheduler="sync")
print(seen, codes.tolist())
raise SystemExit(seen[:2] + seen[3:] != ["True", "False", "1"] or not codes.isna().all())
PY
