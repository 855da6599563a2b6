#!/usr/bin/env bash
# pygiftparser 1.1: of GIFT's numerical answers it takes no negative one, and of one with an
# exponent only what stands before it. Backslashes of escaped signs stay in the text.
#
# Guess: -1, with tolerance, is a number; 1e-3 is .001 or an error; 'a\=b' reads a=b.
# Seen:  The question of {#-1:0.1} has no answer; {#1e-3:1e-4} asks for 1.0 with tolerance 0;
#        'a\=b'.
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

lines = ["::a:: neg {#-1:0.1}", "::b:: small {#1e-3:1e-4}", "::c:: sign {=a\\=b ~c}", ""]
negative, small, sign = parser.parseFile(io.StringIO("\n\n".join(lines)))
number = small.answers.answers[0]
seen = [
    len(getattr(negative.answers, "answers", [])),
    (number.value, number.tolerance),
    sign.answers.answers[0].answer,
]
print(seen)
raise SystemExit(seen != [0, (1.0, 0), "a\\=b"])
PY
