#!/usr/bin/env bash
# pandas 3.1.1 with pyarrow 26.0.1 takes an array of objects for text, and then refuses a lone
# surrogate, as names of files decoded with surrogateescape have. Without pyarrow it is taken.
#
# Guess: An array whose dtype is object stays one in Index and Series.
# Seen:  UnicodeEncodeError from both, and from DataFrame; dtype=object takes it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  pandas==3.1.1 pyarrow==26.0.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
import pandas as pd

name = b"caf\xe9.csv".decode("utf-8", "surrogateescape")
names = np.array(["a.csv", name], dtype=object)


def make(kind, **how):
    try:
        return len(kind(names, **how))
    except UnicodeEncodeError:
        return "UnicodeEncodeError"


kinds = (pd.Index, pd.Series, pd.DataFrame)
seen = [make(kind) for kind in kinds] + [make(kind, dtype=object) for kind in kinds]
print(seen)
raise SystemExit(seen != ["UnicodeEncodeError"] * 3 + [2, 2, 2])
PY
