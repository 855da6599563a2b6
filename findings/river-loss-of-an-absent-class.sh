#!/usr/bin/env bash
# river 0.26.1: metrics.CrossEntropy() costs nothing where the true class is absent from the
# predicted probabilities, as each class is when it first comes in a stream.
#
# Guess: As large a loss as LogLoss() has at probability 0: about 34.5.
# Seen:  0.0 for class c, predicted {a: .6, b: .4}, and for {}; LogLoss has 34.5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  river==0.26.1 || exit 2
env/bin/python -W ignore - <<'PY'
from river import metrics

absent, empty, log = metrics.CrossEntropy(), metrics.CrossEntropy(), metrics.LogLoss()
absent.update("c", {"a": 0.6, "b": 0.4})
empty.update("c", {})
log.update(True, 0.0)
print(absent.get(), empty.get(), log.get())
raise SystemExit((absent.get(), empty.get()) != (0.0, 0.0) or log.get() < 30)
PY
