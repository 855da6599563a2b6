#!/usr/bin/env bash
# DuckDB 2.0.0: a query with 900 rows of ARRAY[...], 80 numbers each, takes five times as long as
# in DuckDB 1.4.5.
#
# Guess: The newer version is as fast, within a third.
# Seen:  0.13 processor seconds in 1.4.5, 0.68 in 2.0.0, with the same sum.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > ask.py <<'PY'
import random
import time

import duckdb

random.seed(1)
rows = [",".join(f"{random.gauss(0, 1):.12f}e0" for _ in range(80)) for _ in range(900)]
values = ",".join(f"(ARRAY[{row}])" for row in rows)
times = []
for _ in range(5):
    connection = duckdb.connect(config={"threads": 1})
    start = time.process_time()
    said = connection.execute(f"WITH t (x) AS (VALUES {values}) SELECT sum(x[80]) FROM t")
    total = said.fetchone()[0]
    times.append(time.process_time() - start)
print(f"{min(times):.3f} {total:.6f}")
PY
python3 -m venv --without-pip old || exit 2
python3 -m venv --without-pip new || exit 2
python3 -m pip --python old/bin/python install --quiet --no-compile --disable-pip-version-check \
  duckdb==1.4.5 || exit 2
python3 -m pip --python new/bin/python install --quiet --no-compile --disable-pip-version-check \
  duckdb==2.0.0 || exit 2
old=$(old/bin/python ask.py)
new=$(new/bin/python ask.py)
echo "1.4.5: $old; 2.0.0: $new (processor seconds, sum)"
python3 - "$old" "$new" <<'PY'
import sys

(before, total), (after, again) = (text.split() for text in sys.argv[1:])
raise SystemExit(total != again or float(after) < 2 * float(before))
PY
