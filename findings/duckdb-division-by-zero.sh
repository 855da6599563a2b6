#!/usr/bin/env bash
# DuckDB 2.0.1: the rest and the whole part of a division of integers by zero are errors, where
# 1.4 gave NULL; 5 / 0 is infinite and ln(0) minus infinite.
#
# Guess: NULL for all divisions by zero, and an error for ln(0), as in DuckDB 1.4.
# Seen:  '5 % 0' and '5 // 0' raise InvalidInputException; 5 / 0 is inf, ln(0) is -inf.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  duckdb==2.0.1 || exit 2
env/bin/python -W ignore - <<'PY'
import duckdb

seen = []
for term in ("5 % 0", "5 // 0", "5 / 0", "ln(0)"):
    try:
        seen.append(duckdb.sql(f"SELECT {term}").fetchall()[0][0])
    except duckdb.InvalidInputException:
        seen.append("error")
print(seen)
raise SystemExit(seen != ["error", "error", float("inf"), float("-inf")])
PY
