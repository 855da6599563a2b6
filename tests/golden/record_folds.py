"""Record the folds of Weka's cross-validation and Java's random numbers, as JSON for the tests.

    python tests/golden/record_folds.py [--weka weka.jar] [--data folder] [name ...]

Needs Java (javac), Weka 3.6.14 and an installed ranktrees; the tests need no Java and no Weka.
`folds/<set>.json`: for k = 3 and 10 and seeds 1 to 5 the fold of each case as one digit; for k = 3
and seed 1 the cases of each fold in the order in which Weka trains and tests.
`folds/random.json`: draws `nextInt(bound)` with the bounds in turn, over and over.
"""

import json
import tempfile
from pathlib import Path

from record import arff_files, command_line, compiled, run, write

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


def record(names, weka, data_folder):
    """Write the draws and the folds of each named set into `folds/` beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        recorder = compiled("WekaFolds.java", weka, work)
        for name in ["random", *names]:
            files = arff_files(name, data_folder, work) if name in names else []
            made = json.loads(run([*recorder, name, *files]))
            write("folds", name, text_of(made), made)


if __name__ == "__main__":
    record(*command_line(__doc__, NAMES))
