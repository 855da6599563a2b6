#!/usr/bin/env bash
# Dask 2026.8.0: sample(frac=) rounds in each partition. Of partitions with two rows each it
# draws nothing at frac=.2, without a word.
#
# Guess: About 20 of 100 rows.
# Seen:  0 of 100 rows in 50 partitions; 20 in one.
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

frame = pd.DataFrame({"x": range(100)})
seen = []
for partitions in (1, 50):
    whole = dd.from_pandas(frame, npartitions=partitions)
    seen.append(len(whole.sample(frac=0.2, random_state=1).compute(scheduler="sync")))
print(seen)
raise SystemExit(seen != [20, 0])
PY
