#!/usr/bin/env bash
# scikit-posthocs 0.17.1: posthoc_wilcoxon, a test of pairs, has no argument for what pairs the
# values of a long table. It pairs by the order of rows, and the same table in another order has
# other p values.
#
# Guess: A table in another order gives the same p, or the call asks for blocks.
# Seen:  Two orders of the same 24 rows give different p values, without a warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  scikit-posthocs==0.17.1 pandas==2.3.3 || exit 2
env/bin/python -W ignore - <<'PY'
import pandas as pd
import scikit_posthocs

values = [0.1 * ((7 * i) % 12) for i in range(12)]
better = [value + 0.01 * (1 + i % 5) for i, value in enumerate(values)]
table = pd.DataFrame({"method": ["a"] * 12 + ["b"] * 12, "auc": values + better})
names = {"val_col": "auc", "group_col": "method"}
seen = [
    float(scikit_posthocs.posthoc_wilcoxon(frame, **names).loc["a", "b"])
    for frame in (table, table.sample(frac=1, random_state=1))
]
print(seen)
raise SystemExit(not (seen[0] < 0.01 < seen[1]))
PY
