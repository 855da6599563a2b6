#!/usr/bin/env bash
# imodels 3.0.4, as pip installs it, cannot be imported: it uses six, which it does not name
# among its requirements, and which python-dateutil 4.0.0 no longer brings along.
#
# Guess: A release of this year imports after 'pip install imodels'.
# Seen:  ModuleNotFoundError: No module named 'six'.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  imodels==3.0.4 scikit-learn==1.9.1 python-dateutil==4.0.0 || exit 2
env/bin/python -W ignore - <<'PY'
try:
    import imodels
except ModuleNotFoundError as error:
    print(error)
    raise SystemExit(error.name != "six") from None
raise SystemExit(1)
PY
