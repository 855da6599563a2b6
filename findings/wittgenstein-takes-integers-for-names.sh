#!/usr/bin/env bash
# wittgenstein 0.3.5: RIPPER takes a column of few different integers for names. Its rules list
# the values seen, and no other number fulfils them.
#
# Guess: Integers are numbers: rules are intervals, and 100 lies above 3.
# Seen:  Trained with yes for k >= 3 on k = 0 to 5, the rules are k=3, k=4, k=5; k = 6, 100 and
#        3.5 are 'no'.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  wittgenstein==0.3.5 pandas==2.3.3 || exit 2
env/bin/python -W ignore - <<'PY'
import pandas as pd
import wittgenstein

k = [i % 6 for i in range(300)]
model = wittgenstein.RIPPER(random_state=1)
model.fit(pd.DataFrame({"k": k}), ["yes" if v >= 3 else "no" for v in k], pos_class="yes")
seen = [bool(v) for v in model.predict(pd.DataFrame({"k": [3, 4, 5, 6, 100]}))]
between = bool(model.predict(pd.DataFrame({"k": [3.5]}))[0])
print(model.ruleset_, seen, between)
raise SystemExit((seen, between) != ([True] * 3 + [False] * 2, False))
PY
