#!/usr/bin/env bash
# SQLite 3.54.1 (apsw 3.54.1.0) compares a column declared as text with a number as text, and in a
# column of no type any text is larger than any number.
#
# Guess: "age" <= 35.5 of the text 100 is false everywhere: SQLite converts it.
# Seen:  True in a TEXT column, as '100' <= '35.5'; false in one of no type, where '5' <= 35.5 is
#        false, too; right in a REAL one, or with CAST.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  apsw==3.54.1.0 || exit 2
env/bin/python -W ignore - <<'PY'
import apsw

database = apsw.Connection(":memory:")
database.execute("CREATE TABLE cases (t TEXT, n, r REAL)")
database.execute("INSERT INTO cases VALUES ('100', '100', '100'), ('5', '5', '5')")
asked = ", ".join(f"{term} <= 35.5" for term in ("t", "n", "r", "CAST(t AS DOUBLE PRECISION)"))
seen = list(database.execute(f"SELECT {asked} FROM cases"))
print(apsw.sqlite_lib_version(), seen)
raise SystemExit(seen != [(1, 0, 0, 0), (0, 0, 1, 1)])
PY
