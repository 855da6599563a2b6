"""Record the probabilities of Weka's NaiveBayes and J48, as JSON that the tests compare by case.

    python tests/golden/record_probabilities.py [--weka weka.jar] [--data folder] [name ...]

Needs what `record.py` needs; the tests need neither Java nor Weka.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path

from record import DEBIAN_JAR, FROM_CODE, FROM_FILES, HERE, VERSION, arff_files, run

LEFT_OUT = ("weather.numeric", "monks-1", "monks-2", "monks-3")
NAMES = [name for name in [*FROM_FILES, *FROM_CODE] if name not in LEFT_OUT]
RAW = (
    "iris",
    "glass",
    "diabetes",
    "ionosphere",
    "segment",
    "credit-g",
    "labor",
    "balance-scale",
)


def sections(text):
    """The recorder's output as lines by section, which `# ` opens."""
    found = {}
    for line in text.splitlines():
        if line.startswith("# "):
            here = found.setdefault(line[2:], [])
        else:
            here.append(line)
    return found


def compact(lines):
    """Rows of numbers in nine significant digits: the distinct ones, and each line's index."""
    rows = [tuple(float(f"{float(p):.9g}") for p in line.split()) for line in lines]
    distinct = {row: i for i, row in enumerate(dict.fromkeys(rows))}
    return {"rows": [list(row) for row in distinct], "index": [distinct[row] for row in rows]}


def record_of(name, found):
    """A data set's record: what the recorder printed, by form, learner and scheme."""
    record = {
        "name": name,
        "weka": found.pop("weka")[0],
        "classes": found.pop("classes"),
        "fold": [int(f) for f in found.pop("fold")],
    }
    for section, lines in found.items():
        form, learner, what = section.split("/")
        if form == "raw" and name not in RAW:
            continue
        of_learner = record.setdefault(form, {}).setdefault(learner, {})
        if what == "size":
            of_learner["leaves"], of_learner["nodes"] = map(int, lines[0].split())
        else:
            of_learner[what] = compact(lines)
    return record


def text_of(value, depth=0):
    """A record as JSON text: one line per entry, lists of numbers without spaces."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    rows = [f"{' ' * depth}{json.dumps(k)}: {text_of(v, depth + 1)}" for k, v in value.items()]
    return "{\n" + ",\n".join(rows) + "}"


def record(names, weka, data_folder):
    """Write the probabilities on each named set into `probabilities/` beside this script."""
    (HERE / "probabilities").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        source = HERE / "ProbabilityRecorder.java"
        run(["javac", "-encoding", "UTF-8", "-cp", weka, "-d", work, source])
        for name in names:
            files = arff_files(name, data_folder, work)
            out = run(["java", "-cp", f"{weka}{os.pathsep}{work}", "ProbabilityRecorder", *files])
            found = record_of(name, sections(out))
            if found["weka"] != VERSION:
                raise SystemExit(f"{weka} is Weka {found['weka']}; the others are of {VERSION}")
            target = HERE / "probabilities" / f"{name}.json"
            target.write_text(text_of(found) + "\n", encoding="utf-8", newline="\n")
            if json.loads(target.read_text(encoding="utf-8")) != found:
                raise SystemExit(f"{target.name} does not read back as it was recorded")
            print(f"{name}: {len(found['fold'])} cases, {target.stat().st_size} bytes")


def main():
    """Read the command line and record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"data sets (default: all of {NAMES})")
    parser.add_argument("--weka", type=Path, default=os.environ.get("WEKA_JAR", DEBIAN_JAR))
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "data")
    args = parser.parse_args()
    if unknown := set(args.names) - set(NAMES):
        parser.error(f"unknown data sets {sorted(unknown)}; known are {NAMES}")
    if not Path(args.weka).is_file():
        parser.error(f"no Weka at {args.weka}: install it, or set WEKA_JAR or --weka to weka.jar")
    record(args.names or NAMES, Path(args.weka), args.data)


if __name__ == "__main__":
    main()
