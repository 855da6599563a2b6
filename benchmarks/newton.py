"""Newton trees: fit and predict against Weka's J48 on raw numbers, and growth with rows.

Both fit all rows without a missing value and then predict them. J48 grows without pruning and with
Laplace estimates, in process on a warm Java machine, and has its data read; NewtonTree reads a
DataFrame each time. `python -m benchmarks.newton` measures this part alone.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.citree import exponent, processor_seconds
from benchmarks.fit import best_ms, each_set, peer
from benchmarks.weka import time_raw_j48

SHIPPED = ("iris", "glass", "breast-cancer", "ionosphere", "vote", "soybean", "diabetes")
SHIPPED = (*SHIPPED, "tic-tac-toe", "credit-g", "segment")
FETCHED = ("zoo", "wine", "sonar", "heart-c", "vehicle", "vowel", "cmc", "yeast", "car")
FETCHED = (*FETCHED, "kr-vs-kp", "waveform-5000")
BEYOND = ("mushroom", "satimage", "pendigits", "nursery", "letter")
SETS = (*SHIPPED, *FETCHED, *BEYOND)
SIZES = {"up to 500 rows": (0, 500), "501 to 5,000 rows": (500, 5000)}
SIZES |= {"up to 5,000 rows": (0, 5000), "more rows": (5000, np.inf)}
ROWS = (2000, 8000, 32000, 128000)
PREDICTS = 2000  # rows of the fit whose tree predicts ever more rows
PICTURE = "newton_growth.png"


def main() -> None:
    """Measure this part alone and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.newton", description=__doc__)
    parser.add_argument("--sets", nargs="+", default=SETS, help="data sets to fit")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each measurement")
    parser.add_argument("--most", type=float, default=10.0, help="time for Weka to warm up, to fit")
    parser.add_argument("--picture", type=Path, help="PNG file of the growth to write")
    options = parser.parse_args()
    table, missing = newton_table(options.sets, options.seconds, options.most)
    print(table.to_string(), *missing, sep="\n")
    growth = growth_table(options.seconds)
    drawn = growth_picture(growth)
    print(growth.to_string(), drawn.alt, sep="\n")
    if options.picture is not None:
        options.picture.write_bytes(drawn.png())


def newton_table(
    names=SETS, seconds: float = 1.0, most: float = 10.0
) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds to fit and predict, by data set, medians by size; list what was missing.

    J48 warms up and is timed for `most` seconds each at most.
    """
    table, missing = each_set(names, lambda data: _one_set(data, seconds, most))
    table["NewtonTree / J48"] = table["NewtonTree"] / table["J48"]
    rows, ratio = table["rows"], table[["NewtonTree / J48"]]
    medians = {
        f"median of {label}": ratio[(rows > least) & (rows <= largest)].median()
        for label, (least, largest) in SIZES.items()
    }
    for label, median in medians.items():
        table.loc[label] = median
    return table, missing


def _one_set(data, seconds, most):
    X, y = complete(data)
    row, missing, model = {"data set": data.name, "rows": len(X)}, [], rt.NewtonTree()
    row |= {"attributes": X.shape[1], "classes": len(y.categories)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        row["J48"], row["J48 nodes"] = peer(missing, _j48, X, y, most)
        row["fit"] = best_ms(lambda: model.fit(X, y), seconds)
        row["predict"] = best_ms(lambda: model.predict_proba(X), seconds)
    row["NewtonTree"] = row["fit"] + row["predict"]
    row["nodes"] = len(model.tree_)
    return row, missing


def complete(data) -> tuple[pd.DataFrame, pd.Categorical]:
    """Return the rows of a `Dataset` in which no value is missing, without its identifiers."""
    X = data.X.drop(columns=list(data.ids))
    known = X.notna().all(axis=1).to_numpy()
    return X[known].reset_index(drop=True), data.y[known]


def _j48(X, y, most):
    found = time_raw_j48(X, y, warm_up=min(2.0, most), launches=2, most=most)
    return found["best_ms"], found["nodes"]


def overlapping(n: int, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw a frame (n, 8) of three overlapping classes: six numbers and two nominal attributes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    X = pd.DataFrame(rng.normal(y[:, None], 1.5, size=(n, 6)), columns=[f"x{i}" for i in range(6)])
    for name in ("a", "b"):
        X[name] = pd.Categorical.from_codes((rng.integers(3, size=n) + y) % 5, list("abcde"))
    return X, y


def growth_table(seconds: float = 1.0) -> pd.DataFrame:
    """Measure processor seconds to fit `overlapping` data, and of one tree's predictions of them.

    A row each; then the exponents of the powers fitted to all seconds and to the last two.
    """
    tree = rt.NewtonTree().fit(*overlapping(PREDICTS))
    table = pd.DataFrame([_grown(tree, n, seconds) for n in ROWS])
    ends = {"exponent": table, "exponent, last two": table[-2:]}
    laws = {
        label: {name: exponent(part["rows"], part[name]) for name in ("fit", "predict")}
        for label, part in ends.items()
    }
    table.index = [f"{n:,} rows" for n in ROWS]
    for label, law in laws.items():
        table.loc[label] = law
    return table.rename_axis("growth")


def _grown(tree, n, seconds):
    X, y = overlapping(n)
    model = rt.NewtonTree()
    row = {"rows": n, "fit": processor_seconds(lambda: model.fit(X, y), seconds, least=2)}
    row["nodes"] = len(model.tree_)
    row["predict"] = processor_seconds(lambda: tree.predict_proba(X), seconds, least=2)
    row["nodes, predict"] = len(tree.tree_)
    return row


def growth_picture(table: pd.DataFrame):
    """Draw both kinds of growth on scales of powers of four, as a `Picture`."""
    from ranktrees_lab.plot.picture import axes, picture, title
    from ranktrees_lab.plot.style import COLOURS, DASHES, MARKERS, MODELS, SMALL

    fig, told = picture(size=(5.4, 3.4)), []
    ax, part = axes(fig, 0.95, 0.6, 5.2, -0.45), table[: len(ROWS)]
    names = {"fit": "fit", "predict": f"predict, by a tree of {PREDICTS:,} rows"}
    for i, (name, words) in enumerate(names.items()):
        label = f"{words}: exponent {table.loc['exponent', name]:.2f}"
        style = {"color": MODELS[i], "ls": DASHES[i], "marker": MARKERS[i], "ms": 5, "lw": 1.8}
        ax.plot(part["rows"], part[name], label=label, **style)
        told.append(label)
    x, start = part["rows"].to_numpy(), part[list(names)].iloc[-1].min() / 2
    ax.plot(x, start * x / x[-1], color=COLOURS["random"], lw=1.2, ls=":", label="linear")
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.set_ylim(top=12 * part[list(names)].to_numpy().max())  # room for the legend
    ax.set_xticks(x, [f"{v:,.0f}" for v in x])
    ax.yaxis.set_major_formatter("{x:.2g}")
    ax.minorticks_off()
    ax.set(xlabel="rows, of 8 attributes", ylabel="processor seconds")
    ax.legend(fontsize=SMALL, frameon=False, loc="upper left")
    title(ax, "NewtonTree's growth with rows")
    fig.alt = f"Processor seconds of NewtonTree on scales of powers: {'; '.join(told)}."
    return fig


if __name__ == "__main__":
    main()
