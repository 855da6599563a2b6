"""The path forest beside boosted trees: half of each data set predicts the other, and a few rows.

Processor seconds of one thread, the best of three. All read the same columns: nominal ones are
categories, which LightGBM and scikit-learn's boosting take as they are. Both have their defaults.
"""

import subprocess
import sys
import time
import warnings

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import each_set, peak, peer
from ranktrees_lab.papers.rivals import one_thread

NAMES = """
    abalone anneal anneal.ORIG audiology autos balance-scale breast-cancer breast-w car cmc
    colic colic.ORIG column2C column3C credit-a credit-g diabetes ecoli glass haberman heart-c
    heart-h heart-statlog hepatitis hypothyroid ionosphere iris kr-vs-kp labor lymph mushroom
    postoperative-patient primary-tumor segment sick sonar soybean splice tae tic-tac-toe
    vehicle vote vowel waveform-5000 wine yeast zoo
"""
SETS = tuple(NAMES.split())
ROWS = (1_000, 10_000, 100_000)
SIZES = (*ROWS, 1_000_000)
PICTURE = "forest_sizes.png"
PEERS = ("LightGBM", "boosting")  # scikit-learn's
MODELS = "path forest", *PEERS


def halves_table(names=SETS) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds to fit one half and predict the other, a row per data set, and medians.

    The halves have the same shares of the classes.
    """
    table, missing = each_set(names, _one_set)
    for name in PEERS:
        table[f"ratio to {name}"] = table["path forest"] / table[name]
    table.loc["median of the ratios"] = table.filter(like="ratio").median()
    return table, missing


def rows_table(sizes=ROWS) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds to predict one row and 1,000 rows after fits on so many rows."""
    rows, missing, new = [], [], made(1_000, 2)[0]
    for n in sizes:
        X, y = made(n, 1)
        for name in MODELS:
            found, _ = peer(missing, _of_rows, name, X, y, new)
            if isinstance(found, dict):
                rows.append({"rows": f"{n:,}", "": name, **found})
    return pd.DataFrame(rows).set_index("rows"), sorted(set(missing))


def size_table(sizes=SIZES) -> tuple[pd.DataFrame, list[str]]:
    """Measure seconds and peak megabytes of fits on so many rows, and milliseconds of one row.

    Each fit runs in a process of its own; its memory is that over the data and a small fit.
    """
    rows, missing = [], []
    for n in sizes:
        for name in ("path forest", "LightGBM"):
            call = [sys.executable, "-m", "benchmarks.forest", name, str(n)]
            done = subprocess.run(call, capture_output=True, text=True)
            if done.returncode:
                missing.append(f"{name}: {done.stderr.strip().splitlines()[-1]}")
                continue
            fit, more, one = map(float, done.stdout.split())
            found = {"fit": fit, "peak MB": more, "one row": one}
            rows.append({"rows": f"{n:,}", "": name, **found})
    return pd.DataFrame(rows).set_index("rows"), sorted(set(missing))


def size_picture(table: pd.DataFrame):
    """Draw seconds and megabytes by rows, on scales of powers, as a `Picture`."""
    from ranktrees_lab.plot.picture import axes, picture, title
    from ranktrees_lab.plot.style import DASHES, MARKERS, MODELS, SMALL

    fig, told = picture(size=(8.0, 3.4)), []
    shown = {"fit": "processor seconds of a fit", "peak MB": "peak memory (MB), over the data"}
    for k, (what, label) in enumerate(shown.items()):
        ax = axes(fig, 0.8 + 4 * k, 0.6, 3.85 + 4 * k, -0.45)
        for i, (name, part) in enumerate(table.groupby("", sort=False)):
            rows = [int(n.replace(",", "")) for n in part.index]
            look = {"color": MODELS[i], "ls": DASHES[i], "marker": MARKERS[i], "ms": 5, "lw": 1.8}
            ax.plot(rows, part[what], label=name, **look)
            told.append(f"{name}, {label}: {part[what].iloc[0]:.2g} to {part[what].iloc[-1]:.3g}")
        ax.set(xscale="log", yscale="log", xlabel="rows")
        ax.legend(fontsize=SMALL, frameon=False, loc="upper left")
        title(ax, label)
    fig.alt = f"By rows, from {table.index[0]} to {table.index[-1]}: {'; '.join(told)}."
    return fig


def grown(name: str, n: int) -> tuple[float, float, float]:
    """Return the seconds and peak megabytes of a fit on n rows, and milliseconds of one row."""
    model, new = model_of(name), made(1_000, 2)[0]
    best_cpu_ms(lambda: model.fit(*made(2_000, 3)), 1)  # libraries and tables of logarithms
    X, y = made(n, 1)
    before = peak()
    fit = best_cpu_ms(lambda: model.fit(X, y), 1) / 1e3
    more = peak() - before
    return fit, more, best_cpu_ms(lambda: model.predict_proba(new[:1]), 8)


def _one_set(data):
    missing, y = [], np.asarray(data.y.codes)
    X = as_categories(data.X.drop(columns=list(data.ids)))
    one, other = halves(y)
    row = {"data set": data.name, "cases": len(data)}
    for name in MODELS:
        row[name], _ = peer(missing, _fit_and_predict, name, X.iloc[one], y[one], X.iloc[other])
    return row, missing


def _fit_and_predict(name, X, y, new):
    model = model_of(name)
    return best_cpu_ms(lambda: model.fit(X, y).predict_proba(new)), 0


def _of_rows(name, X, y, new):
    model = model_of(name)
    fit = best_cpu_ms(lambda: model.fit(X, y), 1)
    of_one = best_cpu_ms(lambda: model.predict_proba(new[:1]), 20)
    of_all = best_cpu_ms(lambda: model.predict_proba(new))
    return {"fit": fit, "one row": of_one, "1,000 rows": of_all}, 0


def model_of(name):
    """Return an unfitted model; ModuleNotFoundError if its library is missing."""
    if name == "LightGBM":
        from lightgbm import LGBMClassifier

        return LGBMClassifier(n_jobs=1, verbose=-1)
    if name == "boosting":
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=1)
    return rt.PathForest()


def best_cpu_ms(run, times: int = 3) -> float:
    """Return the best processor time of some runs, on one thread."""
    seconds = []
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for _ in range(times):
            start = time.process_time()
            run()
            seconds.append(time.process_time() - start)
    return 1e3 * min(seconds)


def as_categories(X: pd.DataFrame) -> pd.DataFrame:
    """Return the columns with names that every library takes, and those of text as categories."""
    X = X.set_axis([f"x{j}" for j in range(X.shape[1])], axis=1)
    nominal = X.columns[[not pd.api.types.is_numeric_dtype(kind) for kind in X.dtypes]]
    return X.astype(dict.fromkeys(nominal, "category"))


def halves(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of both halves of class codes y (n,): every second case of each class."""
    order = np.random.default_rng(1).permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    return np.sort(order[::2]), np.sort(order[1::2])


def made(n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw n cases of ten numbers and ten nominal attributes, six of which say something of y."""
    rng = np.random.default_rng(seed)
    words = [list("abcdef")[: 2 + j % 5] for j in range(10)]
    columns = {f"n{j}": rng.normal(size=n).round(3) for j in range(10)}
    for j, some in enumerate(words):
        columns[f"c{j}"] = pd.Categorical.from_codes(rng.integers(0, len(some), n), some)
    X = pd.DataFrame(columns)
    said = X["n0"] + X["n1"] * X["n2"] + (X["c0"] == "a") + (X["c3"] == "b") * X["n3"]
    return X, (said + 0.7 * rng.normal(size=n) > 0).to_numpy().astype(int)


if __name__ == "__main__":
    print(*grown(sys.argv[1], int(sys.argv[2])))
