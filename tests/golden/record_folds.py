"""Record the folds of Weka's cross-validation and Java's random numbers, as JSON for the tests.

    python tests/golden/record_folds.py [--weka weka.jar] [--data folder]

Needs Java (javac), Weka 3.6.14 and an installed ranktrees; the tests need no Java and no Weka.
`folds/<set>.json`: for k = 3 and 10 and seeds 1 to 5 the fold of each case as one digit; for k = 3
and seed 1 the cases of each fold in the order in which Weka trains and tests.
`folds/random.json`: draws `nextInt(bound)` with the bounds in turn, over and over.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path

from record import DEBIAN_JAR, HERE, VERSION, arff_files, run

NAMES = ["weather.nominal", "labor", "iris", "glass", "breast-cancer", "soybean"]


def text_of(record):
    """A record as JSON text with one line per entry, run or fold."""
    rows = []
    for key, value in record.items():
        if isinstance(value, dict):
            inner = [f" {json.dumps(k)}: {rows_of(v)}" for k, v in value.items()]
            rows.append(f"{json.dumps(key)}: {{\n" + ",\n".join(inner) + "}")
        else:
            rows.append(f"{json.dumps(key)}: {rows_of(value)}")
    return "{" + ",\n".join(rows) + "}\n"


def rows_of(value):
    """JSON text of a value: a line for each entry of an object or of a list of lists or objects."""
    if isinstance(value, dict):
        inner = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()]
        return "{\n" + ",\n".join(inner) + "}"
    if isinstance(value, list) and isinstance(value[0], list | dict):
        return "[\n" + ",\n".join(f"  {json.dumps(v)}" for v in value) + "]"
    return json.dumps(value)


def write(record):
    """Write a record into `folds/` beside this script, and check that it reads back."""
    target = HERE / "folds" / f"{record['name']}.json"
    target.write_text(text_of(record), encoding="utf-8", newline="\n")
    if json.loads(target.read_text(encoding="utf-8")) != record:
        raise SystemExit(f"{target.name} does not read back as it was recorded")
    print(f"{target.name}: {target.stat().st_size} bytes")


def record(weka, data_folder):
    """Compile the recorder and write the draws and the folds of every set."""
    (HERE / "folds").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run(["javac", "-encoding", "UTF-8", "-cp", weka, "-d", work, HERE / "WekaFolds.java"])
        java = ["java", "-cp", f"{weka}{os.pathsep}{work}", "WekaFolds"]
        write(json.loads(run([*java, "random"])))
        for name in NAMES:
            made = json.loads(run([*java, name, *arff_files(name, data_folder, work)]))
            if made["weka"] != VERSION:
                raise SystemExit(f"{weka} is Weka {made['weka']}; the folds are those of {VERSION}")
            write(made)


def main():
    """Read the command line and record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weka", type=Path, default=os.environ.get("WEKA_JAR", DEBIAN_JAR))
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "data")
    args = parser.parse_args()
    if not Path(args.weka).is_file():
        parser.error(f"no Weka at {args.weka}: install it, or set WEKA_JAR or --weka to weka.jar")
    record(Path(args.weka), args.data)


if __name__ == "__main__":
    main()
