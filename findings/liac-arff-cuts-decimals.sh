#!/usr/bin/env bash
# liac-arff 2.5.0 cuts the decimals off the values of an INTEGER attribute, without a word.
#
# Guess: 2.7 in an INTEGER attribute is an error that names the line, or stays 2.7 as in Weka,
#        where integer is another word for numeric.
# Seen:  2.7 -> 2, -0.9 -> 0, 9007199254740993 -> 9007199254740992
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  liac-arff==2.5.0 || exit 2
env/bin/python -W ignore - <<'PY'
import arff

lines = ["@relation r", "@attribute a integer", "@data", "2.7", "-0.9", "9007199254740993"]
seen = [row[0] for row in arff.loads("\n".join(lines))["data"]]
print(seen)
raise SystemExit(seen != [2, 0, 9007199254740992])
PY
