#!/usr/bin/env bash
# MLstatkit 0.1.91: Delong_test of scores with themselves gives p = 0, the strongest difference
# there is. Between two models z is negative where the first has the larger AUC.
#
# Guess: p = 1, as nothing differs, or nan; z is positive where the first is better.
# Seen:  (z, p) = (0.0, 0.0); z = -2.3 or so for a perfect ranking beside a worse one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  MLstatkit==0.1.91 || exit 2
env/bin/python -W ignore - <<'PY'
from MLstatkit import Delong_test

truth = [0] * 15 + [1] * 15
good = [i / 30 for i in range(30)]
bad = [((7 * i) % 30) / 30 for i in range(30)]
z, p = Delong_test(truth, good, good)[:2]
better = Delong_test(truth, good, bad)
print(float(z), float(p), float(better[0]), better[4:6])
raise SystemExit((float(z), float(p)) != (0.0, 0.0) or better[0] >= 0 or better[4] <= better[5])
PY
