"""Nothing may depend on the processor: python tools/processors.py

The oracles' tests and the lessons run again as on an older processor: NumPy without vector
instructions, OpenBLAS with other kernels, the C library without fused multiplication. Then both
processors grow the same trees and predict, and the results are compared.
"""

import os
import platform
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).resolve().parents[1]
# The tests that compare with Weka, scikit-learn, scipy, transcriptions, printed tables.
ORACLES = """
bayes citree criteria evaluate models newton plain prune basics/test_ties.py
estimates/test_casewise.py estimates/test_casewise_by_hand.py lab/test_label_leak.py
papers/test_bagging.py papers/test_papers.py
"""
CORES = {"x86_64": ("Nehalem", "Haswell"), "aarch64": ("ARMV8", "NEOVERSEN1")}
NBVAL = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=60", "notebooks")
MOST_CASES = 1000  # of a data set, for the comparison
ALIKE = 1e-12  # what probabilities may differ by
SPLITS = tuple(product(("multiway", "binary"), ("bins", "thresholds")))


def another() -> dict[str, str]:
    """Return the environment variables of the other processor."""
    cores = CORES.get(platform.machine(), ())
    return {
        "NPY_DISABLE_CPU_FEATURES": " ".join(__cpu_dispatch__),
        "OPENBLAS_CORETYPE": next((core for core in cores if core not in kernels()), ""),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
    }


def kernels() -> set[str]:
    """Return the kernels that OpenBLAS has chosen; none if NumPy uses another BLAS."""
    from threadpoolctl import threadpool_info

    return {part["architecture"] for part in threadpool_info() if "architecture" in part}


def pytest_configure(config):
    """Refuse, as a plugin of pytest, to test on the processor as it is."""
    check_other()


def check_other() -> None:
    """Raise RuntimeError unless this process computes as the other processor.

    NumPy ignores an unknown name, with a warning that is hidden.
    """
    if active := [name for name in __cpu_dispatch__ if __cpu_features__[name]]:
        raise RuntimeError(f"NumPy still uses {', '.join(active)}: see NPY_DISABLE_CPU_FEATURES")
    wanted = os.environ.get("OPENBLAS_CORETYPE")
    if wanted and kernels() - {wanted}:
        raise RuntimeError(f"OpenBLAS uses {', '.join(kernels())}, not {wanted}")


def run_tests(*runs: tuple[str, ...]) -> None:
    """Run pytest on the other processor, all runs in parallel; exit if a test fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.processors"]
    how = {"cwd": ROOT, "env": os.environ | another(), "text": True}
    how |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with ThreadPoolExecutor() as pool:
        done = [*pool.map(lambda words: subprocess.run([*command, *words], **how), runs)]
    print(*(each.stdout for each in done), sep="\n")
    if any(each.returncode for each in done):
        sys.exit(1)


# What both processors say


def record(path: str) -> None:
    """Write the results of all models on all sets, {"set, model, what": array}, to an .npz file."""
    warnings.simplefilter("ignore")
    said = {
        f"{name}, {model}, {what}": array
        for name in sets()
        for model, found in answers(name)
        for what, array in found.items()
    }
    np.savez(path, **said)


def sets() -> list[str]:
    """Load the data sets of the project itself."""
    import ranktrees as rt

    listed = rt.datasets()
    return sorted(set(listed["name"][listed["source"].isin(["shipped", "code"])]))


def answers(name: str):
    """Yield (model, {what: array}) of one set: trees, probabilities, classes, the papers' AUC."""
    import ranktrees as rt
    from ranktrees_engine.estimates import ESTIMATES

    data = rt.load(name)
    X, y = data.X.iloc[:MOST_CASES], data.y[:MOST_CASES]
    test = np.arange(len(y)) % 3 == 0
    for title, model in models().items():
        try:
            model.fit(X[~test], y[~test])
        except ValueError:  # a criterion for two classes, or for two branches
            continue
        for estimate in ESTIMATES if title == "C44" else ("",):  # "": the model's own
            said = model.with_estimate(estimate) if estimate else model
            yield f"{title} {estimate}".strip(), answer(said, X[test], y[test])


def models() -> dict:
    """Return every criterion with every way to split, and every other kind of model."""
    import ranktrees as rt

    trees = {
        f"{criterion} {split} {numeric}": rt.DecisionTree(
            criterion=criterion, split=split, numeric=numeric
        )
        for criterion, (split, numeric) in product(rt.CRITERIA, SPLITS)
    }
    of_paths = {
        f"{kind.__name__}{title}": kind(weights=weights)
        for weights, title in (("equal", ""), ("learnt", " learnt"))
        for kind in (rt.PathBayes, rt.PathForest)
    }
    of_values = rt.C45, rt.C44, rt.NaiveBayes, rt.AODE, rt.CITree, rt.NBTree
    of_distances = rt.NewtonTree, rt.DistanceTree, rt.CentreSplitting
    return trees | of_paths | {kind.__name__: kind() for kind in (*of_values, *of_distances)}


def answer(model, X, y) -> dict[str, np.ndarray]:
    """Return the results of a fitted model for cases X (m, A): arrays by name."""
    from ranktrees_engine.evaluate.measures import MEASURES

    proba = model.predict_proba(X)
    place = {label: c for c, label in enumerate(model.classes_)}
    codes = pd.Series(y).map(place).to_numpy(int)
    tree = getattr(model, "tree_", None)
    parts = () if tree is None else ("attribute", "cut", "parent", "child", "counts")
    return {
        "classes": np.asarray(model.predict(X)).astype(str),
        "probabilities": proba,
        **{name: np.array(MEASURES[name](codes, proba)) for name in ("auc-wang2006", "auc-su2004")},
        **{f"tree's {part}": getattr(tree, part) for part in parts},
    }


def compare() -> int:
    """Print where two processors differ; return the number of differences."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("this.npz", "another.npz")]
        settings = {}, another()
        command = [sys.executable, __file__]
        running = [
            subprocess.Popen([*command, file], cwd=ROOT, env=os.environ | setting)
            for file, setting in zip(files, settings, strict=True)
        ]
        failed = [process.wait() for process in running]
        if any(failed):
            sys.exit("a model failed: see above")
        this, other = (dict(np.load(file)) for file in files)
    found = list(differences(this, other))
    models = {key.rpartition(", ")[0] for key in this}
    print(*found, f"{len(models)} models compared, {len(found)} differences", sep="\n")
    return len(found)


def differences(this: dict, other: dict):
    """Yield a line for each array that differs between two processors."""
    if this.keys() != other.keys():
        yield f"only one of them fits {sorted(this.keys() ^ other.keys())}"
    for key in sorted(this.keys() & other.keys()):
        if not alike(this[key], other[key]):
            yield f"other {key}"


def alike(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether two arrays are equal; numbers with a fraction may differ by `ALIKE`."""
    if a.shape != b.shape or a.dtype.kind != "f":
        return np.array_equal(a, b)
    return np.allclose(a, b, rtol=0, atol=ALIKE, equal_nan=True)


def main(arguments: list[str]) -> int:
    """Record the results of this processor in the named file, else test and compare."""
    if arguments:
        record(arguments[0])
        return 0
    print("The other processor:", *(f"{name}={value}" for name, value in another().items()))
    run_tests(NBVAL, tuple(f"tests/{name}" for name in ORACLES.split()))
    return int(compare() > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
