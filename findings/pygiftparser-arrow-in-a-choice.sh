#!/usr/bin/env bash
# pygiftparser 1.1 takes an arrow, ->, in a choice of a multiple-choice question for that of a
# matching question: only what follows it is the choice.
#
# Guess: Among choices with ~ an arrow is text, as in Moodle, or is text after a backslash.
# Seen:  Of {=left -> right ~right} the choices are ' right' and 'right': both look alike. With
#        '-\>' the choice is whole, and so is its backslash.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  pygiftparser==1.1 setuptools==80.9.0 || exit 2
env/bin/python -W ignore - <<'PY'
import io

from pygiftparser import parser

lines = ["::a:: which {=left -> right ~right}", "::b:: which {=left -\\> right ~right}", ""]
asked = parser.parseFile(io.StringIO("\n\n".join(lines)))
seen = [[choice.answer for choice in question.answers.answers] for question in asked]
print(seen)
raise SystemExit(seen != [[" right", "right"], ["left -\\> right", "right"]])
PY
