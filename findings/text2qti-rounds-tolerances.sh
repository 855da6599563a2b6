#!/usr/bin/env bash
# text2qti 0.8.0 rounds a numerical answer and its limits to four decimals. The quiz then marks
# the answer itself as wrong if it has more.
#
# Guess: An answer is always within its own tolerance, or too small a number is refused.
# Seen:  0.00012 +- 1% accepts .0001 to .0001; only numbers below .0001 are refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  text2qti==0.8.0 || exit 2
env/bin/python -W ignore - <<'PY'
import re
import subprocess
import zipfile
from pathlib import Path

Path("quiz.txt").write_text("Quiz title: t\n\n1. How much?\n=   0.00012 +- 1%\n")
subprocess.run(["env/bin/text2qti", "quiz.txt"], check=True, capture_output=True)
with zipfile.ZipFile("quiz.zip") as archive:
    text = "".join(archive.read(name).decode() for name in archive.namelist() if "xml" in name)
seen = [re.findall(rf"<{name} [^>]*>([^<]*)<", text) for name in ("vargte", "varlte")]
print(seen)
raise SystemExit(seen != [["0.0001"], ["0.0001"]])
PY
