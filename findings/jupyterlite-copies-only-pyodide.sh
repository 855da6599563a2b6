#!/usr/bin/env bash
# jupyterlite-core 0.6.4 with jupyterlite-pyodide-kernel 0.6.1: of a lite folder's static/ only
# static/pyodide gets into the built site; nothing is said about the rest.
#
# Guess: static/ is copied as it is, so that a page can load static/course.css.
# Seen:  static/pyodide/pyodide.js and files/data.csv are in the site, static/course.css and
#        static/course/page.html are not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  jupyterlite-core[contents]==0.6.4 jupyterlite-pyodide-kernel==0.6.1 || exit 2
mkdir -p lite/static/pyodide lite/static/course lite/files
echo "// Pyodide" >lite/static/pyodide/pyodide.js
echo "{}" >lite/static/pyodide/pyodide-lock.json
echo "b { color: red }" >lite/static/course.css
echo "<p>Trees" >lite/static/course/page.html
echo "a,b" >lite/files/data.csv
env/bin/jupyter-lite build --lite-dir lite --output-dir site >build.log 2>&1 || exit 2
env/bin/python - <<'PY'
from pathlib import Path

names = ("pyodide/pyodide.js", "course.css", "course/page.html")
seen = [Path("site/static", name).exists() for name in names]
seen.append(Path("site/files/data.csv").exists())
said = "course" in Path("build.log").read_text()
print(seen, said)
raise SystemExit((seen, said) != ([True, False, False, True], False))
PY
