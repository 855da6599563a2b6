#!/usr/bin/env bash
# Dask 2026.8.0: from_pandas sorts the rows by their index, by default. Classes kept in an array
# beside the frame then belong to other rows.
#
# Guess: Rows keep their order, as in pandas; an array assigned to them stays aligned.
# Seen:  x = [3, 1, 2, 4] with index [9, 2, 7, 1] comes as [4, 1, 2, 3]; a Dask array of the same
#        numbers, assigned to it, stays [3, 1, 2, 4].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  dask[dataframe]==2026.8.0 pandas==2.3.3 || exit 2
env/bin/python -W ignore - <<'PY'
import dask.array
import dask.dataframe as dd
import numpy as np
import pandas as pd

frame = pd.DataFrame({"x": [3, 1, 2, 4]}, index=[9, 2, 7, 1])
beside = dask.array.from_array(np.array([3, 1, 2, 4]), chunks=2)
both = dd.from_pandas(frame, npartitions=2).assign(y=beside).compute(scheduler="sync")
print(both.to_dict("list"))
raise SystemExit(both.to_dict("list") != {"x": [4, 1, 2, 3], "y": [3, 1, 2, 4]})
PY
