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
    """Milliseconds from a control's new value to the new picture, in the kernel."""
    data = rt.load("credit-g")
    model = rt.DecisionTree(estimate="laplace").fit(data.X, data.y)
    score = model.predict_proba(data.X)[:, 1]
    explorers = {
        "split, a threshold of credit-g": (rt.explore.split(data, "duration"), "threshold"),
        "mailing, letters of credit-g": (
            rt.explore.mailing(data.y, {"tree": score}, "bad"),
            "letters",
        ),
    }
    rows = []
    for name, (explorer, control) in explorers.items():
        slider, times = explorer.controls[control], []
        for value in np.linspace(slider.min, slider.max, moves):
            start = time.perf_counter()
            slider.value = type(slider.value)(value)
            times.append(1e3 * (time.perf_counter() - start))
        rows.append({"slider": name, "median ms": np.median(times), "worst ms": max(times)})
    return pd.DataFrame(rows).set_index("slider")


def notebook_table() -> pd.DataFrame:
    """Seconds to run each lesson from top to bottom, and its slowest cell."""
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
    """Seconds of `import ranktrees` in a fresh Python that has numpy and pandas already."""
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
