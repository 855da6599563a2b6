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
FROM_FILES = {
    "weather.nominal": ["weather.nominal.arff"],
    "weather.numeric": ["weather.numeric.arff"],
    "contact-lenses": ["contact-lenses.arff"],
    "breast-cancer": ["breast-cancer.arff"],
    "vote": ["vote.arff"],
    "soybean": ["soybean.arff"],
    "labor": ["labor.arff"],
    "iris": ["iris.arff"],
    "glass": ["glass.arff"],
    "diabetes": ["diabetes.arff"],
    "credit-g": ["credit-g.arff"],
    "ionosphere": ["ionosphere.arff"],
    "segment": ["segment-challenge.arff", "segment-test.arff"],
}
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
        files = [data_folder / file for file in FROM_FILES[name]]
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


def compiled(source, weka, work):
    """Compile a recorder into the folder `work`; the beginning of the command that runs it."""
    run(["javac", "-encoding", "UTF-8", "-cp", weka, "-d", work, HERE / source])
    return ["java", "-cp", f"{weka}{os.pathsep}{work}", Path(source).stem]


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


def lines_of(node, indent=1):
    """A node as JSON text with one line per child."""
    if node is None or "children" not in node:
        return json.dumps(node)
    head = json.dumps({key: node[key] for key in ("counts", "attribute")})[:-1]
    pad = " " * indent
    rows = [f"{pad}{json.dumps(k)}: {lines_of(v, indent + 1)}" for k, v in node["children"].items()]
    return f'{head}, "children": {{\n' + ",\n".join(rows) + "}}"


def text_of(record):
    """A record as JSON text: one line per entry and per node."""
    rows = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in record.items() if k != "tree"]
    return "{" + ",\n".join([*rows, f'"tree": {lines_of(record["tree"])}']) + "}\n"


def record(names, weka, data_folder):
    """Grow and write the tree of each named set into `id3/` beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        recorder = compiled("Id3Recorder.java", weka, work)
        for name in names:
            out = run([*recorder, name, *arff_files(name, data_folder, work)])
            tree = json.loads(out)
            write("id3", name, text_of(tree), tree)


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
    record(*command_line(__doc__, [*FROM_FILES, *FROM_CODE]))
