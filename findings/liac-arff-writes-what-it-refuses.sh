#!/usr/bin/env bash
# liac-arff 2.5.0 writes a nominal value that is not declared, which its own reader then
# refuses, and the text of a question mark bare, which it reads as missing.
#
# Guess: dumps() checks a value against the declared ones, and quotes the text '?', as its reader
#        tells '?' from ? apart.
# Seen:  z is written under {x, y}; loads() raises BadNominalValue; the text '?' comes back as
#        None.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  liac-arff==2.5.0 || exit 2
env/bin/python -W ignore - <<'PY'
import arff


def written(kind, value):
    return arff.dumps({"relation": "r", "attributes": [("a", kind)], "data": [[value]]})


try:
    nominal = arff.loads(written(["x", "y"], "z"))["data"]
except arff.BadNominalValue:
    nominal = "refused"
text = arff.loads(written("STRING", "?"))["data"]
quoted = arff.loads("@relation r\n@attribute a string\n@data\n'?'\n")["data"]
print(nominal, text, quoted)
raise SystemExit((nominal, text, quoted) != ("refused", [[None]], [["?"]]))
PY
