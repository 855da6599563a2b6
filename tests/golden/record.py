"""Record the trees that Weka's Id3 grows, as JSON that the tests compare node by node.

    python tests/golden/record.py [--weka weka.jar] [--data folder] [name ...]

Needs Java (javac), Weka 3.6.14 and an installed ranktrees; the tests need no Java and no Weka.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

import pandas as pd

HERE = Path(__file__).resolve().parent
VERSION = "3.6.14"
DEBIAN_JAR = "/usr/share/java/weka.jar"
NOMINAL = ["weather.nominal", "contact-lenses", "breast-cancer", "vote", "soybean"]
NUMERIC = ["labor", "iris", "glass", "diabetes", "credit-g", "ionosphere", "segment"]
FROM_FILES = [*NOMINAL, "weather.numeric", *NUMERIC]
FROM_CODE = ["balance-scale", "tic-tac-toe", "monks-1", "monks-2", "monks-3"]


def quote(text):
    """An ARFF name or value in single quotes."""
    return "'" + str(text).replace("\\", "\\\\").replace("'", "\\'") + "'"


def arff_type(column):
    """The declaration of a column: its categories in their order, or `numeric`."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "{" + ",".join(quote(v) for v in column.cat.categories) + "}"
    return "numeric"


def arff_cell(value):
    """One value as ARFF writes it: `?` when missing, numbers so that they read back the same."""
    if pd.isna(value):
        return "?"
    return quote(value) if isinstance(value, str) else repr(float(value))


def write_arff(data, path):
    """Write a `Dataset` as ARFF with the class last."""
    frame = data.frame
    for name in frame.columns[frame.dtypes == "category"]:
        frame[name] = frame[name].cat.rename_categories(str)
    lines = [f"@relation {quote(data.name)}"]
    lines += [f"@attribute {quote(n)} {arff_type(frame[n])}" for n in frame.columns]
    lines.append("@data")
    lines += [",".join(map(arff_cell, row)) for row in frame.itertuples(index=False)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def arff_files(name, data_folder, work):
    """The ARFF files of a data set: from the folder, or written from `ranktrees_lab.data.load`."""
    if name in FROM_FILES:
        parts = ["segment-challenge", "segment-test"] if name == "segment" else [name]
        files = [data_folder / f"{part}.arff" for part in parts]
        if missing := [str(file) for file in files if not file.is_file()]:
            raise SystemExit(f"{name}: no file {', '.join(missing)}; name its folder with --data")
        return files
    from ranktrees_lab.data import load

    path = work / f"{name}.arff"
    write_arff(load(name), path)
    return [path]


def run(command):
    """Standard output of a command; its standard error is the message when it fails."""
    done = subprocess.run([str(c) for c in command], capture_output=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stderr}")
    return done.stdout


def recorded(source, names, weka, data_folder, named=True):
    """Yield (name, output) of a recorder, compiled from a Java file, for each named set."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run(["javac", "-encoding", "UTF-8", "-cp", weka, "-d", work, HERE / source])
        recorder = ["java", "-cp", f"{weka}{os.pathsep}{work}", Path(source).stem]
        for name in names:
            known = name in (*FROM_FILES, *FROM_CODE)
            files = arff_files(name, data_folder, work) if known else []
            yield name, run([*recorder, *[name] * named, *files])


def write(folder, name, text, record):
    """Write a record's text to `folder/name.json` beside this script, and read it back."""
    if record.get("weka", VERSION) != VERSION:
        raise SystemExit(f"this is Weka {record['weka']}, but the other records are of {VERSION}")
    target = HERE / folder / f"{name}.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="\n")
    if json.loads(target.read_text(encoding="utf-8")) != record:
        raise SystemExit(f"{target.name} does not read back as it was recorded")
    print(f"{target.name}: {target.stat().st_size} bytes")


def lines_of(value, text=json.dumps, depth=0):
    """JSON text with one line per entry of dictionaries; other values as `text` writes them."""
    if not isinstance(value, dict):
        return text(value)
    pad = " " * depth
    rows = [f"{pad}{json.dumps(k)}: {lines_of(v, text, depth + 1)}" for k, v in value.items()]
    return "{\n" + ",\n".join(rows) + "}"


def tree_text(node, indent=1):
    """A node as JSON text with one line per child."""
    if node is None or "children" not in node:
        return json.dumps(node)
    head = json.dumps({key: node[key] for key in ("counts", "attribute")})[:-1]
    pad = " " * indent
    below = node["children"].items()
    rows = [f"{pad}{json.dumps(k)}: {tree_text(v, indent + 1)}" for k, v in below]
    return f'{head}, "children": {{\n' + ",\n".join(rows) + "}}"


def text_of(record):
    """A record as JSON text: one line per entry and per node."""
    rows = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in record.items() if k != "tree"]
    return "{" + ",\n".join([*rows, f'"tree": {tree_text(record["tree"])}']) + "}\n"


def command_line(description, known):
    """Names, the path of Weka and the folder of data, as given on the command line."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"data sets (default: all of {known})")
    parser.add_argument("--weka", type=Path, default=os.environ.get("WEKA_JAR", DEBIAN_JAR))
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "data")
    args = parser.parse_args()
    if unknown := set(args.names) - set(known):
        parser.error(f"unknown data sets {sorted(unknown)}; known are {known}")
    if not Path(args.weka).is_file():
        parser.error(f"no Weka at {args.weka}: install it, or set WEKA_JAR or --weka to weka.jar")
    return args.names or known, Path(args.weka), args.data


if __name__ == "__main__":
    given = command_line(__doc__, [*FROM_FILES, *FROM_CODE])
    for name, out in recorded("Id3Recorder.java", *given):
        write("id3", name, text_of(json.loads(out)), json.loads(out))
