"""Weka's trees as peers of the benchmark: the same codes, in process, on a warm Java machine.

Needs `java`, `javac` and Weka's jar (Debian's package `weka`, or WEKA_JAR set to a jar). What is
missing is named by `PeerMissing`, so that the benchmark can say so instead of leaving a gap.
"""

import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees_engine.reading.columns import read_columns

SOURCE = Path(__file__).resolve().with_name("WekaTimer.java")
DEBIAN_JAR = Path("/usr/share/java/weka.jar")
# The collector without threads of its own: steadier and no slower on few cores. Launches still
# differ, since Java compiles as it runs; so the fastest of several stands for Weka.
JAVA_OPTIONS = ("-XX:+UseSerialGC",)


class PeerMissing(RuntimeError):
    """A program that the benchmark compares with is not installed; the message says which."""


def find_weka() -> Path | None:
    """Return the jar named by WEKA_JAR, else Debian's, else None."""
    jar = Path(os.environ.get("WEKA_JAR") or DEBIAN_JAR)
    return jar if jar.is_file() else None


def time_j48(*data, options=("-U",), **limits) -> dict:
    """Call `time_weka` for J48, unpruned."""
    return time_weka("weka.classifiers.trees.J48", *data, options=options, **limits)


def time_nbtree(*data, **limits) -> dict:
    """Call `time_weka` for NBTree, which Weka has up to 3.6 and has no options."""
    return time_weka("weka.classifiers.trees.NBTree", *data, **limits)


def time_weka(classifier, codes, sizes, y, n_classes, folds=None, **limits) -> dict:
    """Call `time_file` for a tree on nominal `codes` (n, A) with classes `y` (n,).

    With fold numbers `folds` (n,) each repeat is a whole cross-validation, predictions included.
    Attribute a declares the values 0 to sizes[a] - 1, the class 0 to n_classes - 1.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "codes.arff"
        write_codes(path, codes, sizes, y, n_classes)
        number = "-" if folds is None else str(Path(folder) / "folds.txt")
        if folds is not None:
            Path(number).write_text("\n".join(map(str, folds.tolist())), encoding="utf-8")
        return time_file(classifier, path, number, **limits)


def time_raw_j48(X, y, options=("-U", "-A"), **limits) -> dict:
    """Call `time_file` for J48, unpruned with Laplace estimates, on X; it predicts X, too."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "raw.arff"
        write_raw(path, X, y)
        name = "weka.classifiers.trees.J48"
        return time_file(name, path, "predict", options=options, **limits)


def time_file(
    classifier, path, what="-", options=(), repeats=25, warm_up=1.0, launches=3, most=60.0
) -> dict:
    """Time `repeats` builds of a tree on an ARFF file whose last attribute is the class.

    `what` is "-", "predict" (the same cases) or a file of fold numbers. Before timing, the tree is
    built for `warm_up` seconds and 20 times at least; yet warm-up and timing each end with the
    build that passes `most` seconds. The fastest of several `launches` of Java counts. Returns
    n, attributes, classes, weka, classifier, options, warm_up_builds, timed_builds, nodes, leaves,
    best_ms, median_ms. Raises PeerMissing without Java or Weka, RuntimeError with Java's own words
    when the classifier fails.
    """
    java = ["java", *JAVA_OPTIONS, "-cp", compiled(), "WekaTimer"]
    limits = map(str, (warm_up, repeats, most))
    command = [*java, str(path), *limits, what, classifier, *options]
    results = [json.loads(run(command)) for _ in range(launches)]
    best = min(results, key=lambda result: result["median_ms"])
    return {key: value for key, value in best.items() if key not in ("file", "total")}


def write_codes(path, codes, sizes, y, n_classes) -> None:
    """Write integer codes as a nominal ARFF file whose last attribute is the class."""
    table = np.column_stack([codes, y])
    limits = np.array([*sizes, n_classes])
    if (table < 0).any() or (table >= limits).any():
        raise ValueError("codes must lie between 0 and the declared size of their column less 1")
    names = [*(f"a{i}" for i in range(len(sizes))), "class"]
    lines = ["@relation codes"]
    for name, size in zip(names, limits, strict=True):
        lines.append(f"@attribute {name} {{{','.join(map(str, range(size)))}}}")
    lines += ["@data", *(",".join(map(str, row)) for row in table.tolist())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_raw(path, X, y) -> None:
    """Write a DataFrame without missing values, and a Categorical, as ARFF: numbers stay numbers.

    Nominal values and classes are written as their codes.
    """
    columns = [*read_columns(X), *read_columns(pd.DataFrame({"class": y}))]
    lines, rows = ["@relation raw"], []
    for a, column in enumerate(columns):
        codes = range(0 if column.categories is None else len(column.categories))
        kind = "numeric" if column.kind == "numeric" else f"{{{','.join(map(str, codes))}}}"
        lines.append(f"@attribute a{a} {kind}")
        rows.append(map(repr, column.values.tolist()))
    lines += ["@data", *map(",".join, zip(*rows, strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@functools.cache
def compiled() -> str:
    """Compile `WekaTimer` once in this process; return the class path that runs it."""
    jar = find_weka()
    if jar is None:
        raise PeerMissing(
            f"Weka: no jar at {os.environ.get('WEKA_JAR') or DEBIAN_JAR}; install the package "
            "`weka` or set WEKA_JAR to weka.jar"
        )
    for program in ("java", "javac"):
        if shutil.which(program) is None:
            raise PeerMissing(f"Weka: `{program}` is not on the path; install a Java JDK")
    folder = tempfile.mkdtemp(prefix="wekatimer-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    run(["javac", "-encoding", "UTF-8", "-cp", str(jar), "-d", folder, str(SOURCE)])
    return f"{jar}{os.pathsep}{folder}"


def run(command) -> str:
    """Return a command's standard output; RuntimeError with its standard error if it fails."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr}")
    return done.stdout
