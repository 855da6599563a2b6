#!/usr/bin/env bash
# Voila 0.5.13 serves of the files beside a notebook pictures alone: png, jpg, gif and svg. A link to
# a table or another page is refused unless file_allowlist names it.
#
# Guess: Files beside the notebook are served, as JupyterLab does.
# Seen:  200 for shown.png, 403 for cases.csv, which the kernel itself reads.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  voila==0.5.13 ipykernel==7.4.0 || exit 2
cat > page.ipynb <<'NB'
{"cells": [{"cell_type": "code", "execution_count": null, "id": "a", "metadata": {}, "outputs": [],
 "source": ["open('cases.csv').read()"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
NB
echo "a,b" > cases.csv
env/bin/python -W ignore - <<'PY'
import socket
import struct
import subprocess
import sys
import time
import zlib
from http.client import HTTPConnection
from pathlib import Path


def chunk(kind, data=b""):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


pixel = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
pixel += chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND")
Path("shown.png").write_bytes(b"\x89PNG\r\n\x1a\n" + pixel)

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
line = [sys.executable, "-m", "voila", "page.ipynb", "--no-browser", f"--port={port}"]
server = subprocess.Popen([*line, "--Voila.ip=127.0.0.1"], stderr=subprocess.DEVNULL)


def asked(name):
    for _ in range(200):
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request("GET", f"/voila/files/{name}")
            return connection.getresponse().status
        except ConnectionError:
            time.sleep(0.5)


try:
    seen = [asked("shown.png"), asked("cases.csv")]
finally:
    server.terminate()
    server.wait(20)
print(seen)
raise SystemExit(seen != [200, 403])
PY
