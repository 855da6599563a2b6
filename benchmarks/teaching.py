"""What a lecturer waits for: a slider's new picture, a notebook's cells, the import."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

import ranktrees as rt

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def slider_table(moves: int = 15) -> pd.DataFrame:
    """Measure milliseconds from a control's new value to the new picture, in the kernel."""
    rows = []
    for name, explorer in explorers().items():
        times = []
        for control in explorer.controls.values():
            for value in settings(control, moves):
                start = time.perf_counter()
                control.value = value
                times.append(1e3 * (time.perf_counter() - start))
        rows.append({"explorer": name, "median ms": np.median(times), "worst ms": max(times)})
    return pd.DataFrame(rows).set_index("explorer")


def explorers() -> dict:
    """Return an explorer of each kind, on the data of its lesson or larger."""
    credit, diabetes = rt.load("credit-g"), rt.load("diabetes")
    model = rt.DecisionTree(estimate="laplace").fit(credit.X, credit.y)
    score = model.predict_proba(credit.X)[:, 1]
    return {
        "split, credit-g": rt.explore.split(credit, "duration"),
        "mailing, credit-g": rt.explore.mailing(credit.y, {"tree": score}, "bad"),
        "smoothing, credit-g": rt.explore.smoothing(credit),
        "shrinkage, breast-cancer": rt.explore.shrinkage(rt.load("breast-cancer")),
        "path_bayes, credit-g": rt.explore.path_bayes(credit),
        "pruning, diabetes": rt.explore.pruning(diabetes),
        "roc, credit-g": rt.explore.roc(credit.y, score),
        "folds, breast-cancer": rt.explore.folds(rt.load("breast-cancer"), rt.C44()),
        "citree, vote": rt.explore.citree(rt.load("vote")),
        "citree, tic-tac-toe": rt.explore.citree(rt.load("tic-tac-toe")),
        "newton, iris": rt.explore.newton(rt.load("iris")),
        "results, su2004": rt.explore.results("su2004"),
    }


def settings(control, moves: int) -> list:
    """Return values of a control: up to `moves` along a slider, or all that may be chosen."""
    if hasattr(control, "options"):
        return [value[1] if isinstance(value, tuple) else value for value in control.options]
    kind = type(control.value)
    if kind is bool:
        return [True, False]
    return [kind(value) for value in np.linspace(control.min, control.max, moves)]


def notebook_table() -> pd.DataFrame:
    """Measure seconds to run each lesson from top to bottom, and its slowest cell."""
    import nbformat
    from nbclient import NotebookClient

    rows = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        start = time.perf_counter()
        NotebookClient(
            notebook, timeout=60, resources={"metadata": {"path": str(path.parent)}}
        ).execute()
        total = time.perf_counter() - start
        rows.append({"notebook": path.name, "seconds": total, "slowest cell": _slowest(notebook)})
    return pd.DataFrame(rows).set_index("notebook")


def _slowest(notebook):
    spans = []
    for cell in notebook.cells:
        marks = cell.metadata.get("execution", {})
        if "iopub.execute_input" in marks and "shell.execute_reply" in marks:
            begin, end = pd.to_datetime(
                [marks["iopub.execute_input"], marks["shell.execute_reply"]]
            )
            spans.append((end - begin).total_seconds())
    return max(spans, default=np.nan)


def import_table(runs: int = 7) -> pd.DataFrame:
    """Measure seconds of `import ranktrees` in a fresh Python that has numpy and pandas already."""
    code = (
        "import time, numpy, pandas; t = time.perf_counter(); import ranktrees as rt; "
        "bare = time.perf_counter() - t; rt.DecisionTree; rt.load; "
        "print(bare, time.perf_counter() - t)"
    )
    found = [
        [float(x) for x in subprocess.check_output([sys.executable, "-c", code]).split()]
        for _ in range(runs)
    ]
    bare, used = np.median(found, axis=0)
    return pd.DataFrame(
        {"seconds": [bare, used]},
        index=["import ranktrees", "with rt.DecisionTree and rt.load"],
    )
