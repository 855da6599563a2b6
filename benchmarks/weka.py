"""Weka's J48 as a peer of the benchmark: the same codes, in process, on a warm Java machine.

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

SOURCE = Path(__file__).resolve().with_name("J48Timer.java")
DEBIAN_JAR = Path("/usr/share/java/weka.jar")
# The collector without threads of its own: steadier and no slower for J48 on few cores. Launches
# still differ, since Java compiles as it runs; so the fastest of several stands for J48.
JAVA_OPTIONS = ("-XX:+UseSerialGC",)


class PeerMissing(RuntimeError):
    """A program that the benchmark compares with is not installed; the message says which."""


def find_weka() -> Path | None:
    """The jar named by WEKA_JAR, else Debian's, else None."""
    jar = Path(os.environ.get("WEKA_JAR") or DEBIAN_JAR)
    return jar if jar.is_file() else None


def time_j48(
    codes, sizes, y, n_classes, options=("-U",), repeats=25, warm_up=1.0, launches=3, folds=None
) -> dict:
    """Time `repeats` builds of J48 on nominal `codes` (n, A) with classes `y` (n,).

    With fold numbers `folds` (n,) each repeat is a whole cross-validation, predictions included.
    Attribute a declares the values 0 to sizes[a] - 1, the class 0 to n_classes - 1. Before timing,
    J48 builds for `warm_up` seconds and 20 times at least. The fastest of several `launches` of
    Java counts. Returns n, attributes, classes, weka, options, warm_up_builds, nodes, leaves,
    best_ms, median_ms. Raises PeerMissing without Java or Weka, RuntimeError with Java's own words
    when J48 fails.
    """
    java = ["java", *JAVA_OPTIONS, "-cp", compiled(), "J48Timer"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "codes.arff"
        write_codes(path, codes, sizes, y, n_classes)
        number = "-" if folds is None else str(Path(folder) / "folds.txt")
        if folds is not None:
            Path(number).write_text("\n".join(map(str, folds.tolist())), encoding="utf-8")
        command = [*java, str(path), str(warm_up), str(repeats), number, *options]
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


@functools.cache
def compiled() -> str:
    """Compile `J48Timer` once in this process; the class path that runs it."""
    jar = find_weka()
    if jar is None:
        raise PeerMissing(
            f"Weka: no jar at {os.environ.get('WEKA_JAR') or DEBIAN_JAR}; install the package "
            "`weka` or set WEKA_JAR to weka.jar"
        )
    for program in ("java", "javac"):
        if shutil.which(program) is None:
            raise PeerMissing(f"Weka: `{program}` is not on the path; install a Java JDK")
    folder = tempfile.mkdtemp(prefix="j48timer-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    run(["javac", "-encoding", "UTF-8", "-cp", str(jar), "-d", folder, str(SOURCE)])
    return f"{jar}{os.pathsep}{folder}"


def run(command) -> str:
    """Standard output of a command; RuntimeError with its standard error when it fails."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr}")
    return done.stdout
