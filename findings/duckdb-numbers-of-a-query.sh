#!/usr/bin/env bash
# DuckDB 2.0.0: 72,000 numbers among a query's VALUES take 17 times as long as the same numbers
# written as 900 texts, which are cast to lists of doubles. (In 1.4.5 they take 8 times as long.)
#
# Guess: Both are read in a tenth of a second; texts, which are parsed twice, take somewhat longer.
# Seen:  0.69 processor seconds for the numbers, 0.04 for the texts, with the same sum.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  duckdb==2.0.0 || exit 2
env/bin/python - <<'PY'
import random
import time

import duckdb

random.seed(1)
rows = [[f"{random.gauss(0, 1):.12f}" for _ in range(80)] for _ in range(900)]
numbers = ",".join("(" + ",".join(f"{x}e0" for x in row) + ")" for row in rows)
texts = ",".join("('[" + ",".join(row) + "]')" for row in rows)
names = ", ".join(f"x{i}" for i in range(80))
queries = {
    "numbers": f"WITH t ({names}) AS (VALUES {numbers}) SELECT sum(x79) FROM t",
    "texts": f"WITH t (x) AS (VALUES {texts}) SELECT sum(CAST(x AS DOUBLE[])[80]) FROM t",
}
seconds, said = {}, {}
for name, query in queries.items():
    times = []
    for _ in range(5):
        connection = duckdb.connect(config={"threads": 1})
        start = time.process_time()
        said[name] = connection.execute(query).fetchone()[0]
        times.append(time.process_time() - start)
    seconds[name] = min(times)
same = abs(said["numbers"] - said["texts"]) < 1e-9
print({name: round(s, 3) for name, s in seconds.items()}, "same sum:", same)
raise SystemExit(not same or seconds["numbers"] < 5 * seconds["texts"])
PY
