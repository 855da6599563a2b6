"""Record the folds of Weka's cross-validation and Java's random numbers, as JSON for the tests.

    python tests/golden/record_folds.py [--weka weka.jar] [--data folder] [name ...]

Needs Java (javac), Weka 3.6.14 and an installed ranktrees; the tests need no Java and no Weka.
`folds/<set>.json`: for k = 3 and 10 and seeds 1 to 5 the fold of each case as one digit; for k = 3
and seed 1 the cases of each fold in the order in which Weka trains and tests.
`folds/random.json`: draws `nextInt(bound)` with the bounds in turn, over and over.
"""

import json

from record import command_line, lines_of, recorded, write

NAMES = ["weather.nominal", "labor", "iris", "glass", "breast-cancer", "soybean"]


def rows_of(value):
    """JSON text of a value: a line for each of a list of lists or objects."""
    if isinstance(value, list) and isinstance(value[0], list | dict):
        return "[\n" + ",\n".join(f"  {json.dumps(v)}" for v in value) + "]"
    return json.dumps(value)


if __name__ == "__main__":
    names, *given = command_line(__doc__, NAMES)
    for name, out in recorded("WekaFolds.java", ["random", *names], *given):
        made = json.loads(out)
        write("folds", name, lines_of(made, rows_of).replace("{\n", "{", 1) + "\n", made)
