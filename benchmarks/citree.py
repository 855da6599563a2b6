"""CITree and NBTree: fit time against Weka's NBTree, growth with rows and attributes, memory.

All fit the same ten-bin codes. Weka's NBTree runs in process on a warm Java machine; it takes
seconds a build, so one launch has to do, and few builds. `python -m benchmarks.citree` measures
this part alone.
"""

import argparse
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import best_ms, each_set, peer
from benchmarks.weka import time_nbtree
from ranktrees_lab.data import FetchError

SIX = ("kr-vs-kp", "vowel", "vehicle", "mushroom", "nursery", "letter")
SHIPPED = ("tic-tac-toe", "vote", "credit-g", "soybean")
MODELS = {"CITree": rt.CITree, "NBTree": rt.NBTree}
ROWS, FIXED_ROWS = (2000, 4000, 8000, 16000, 32000, 64000), 4000
ATTRIBUTES, FIXED_ATTRIBUTES = (8, 16, 32, 64, 128), 16
GROWN = {"as it is": {}, "two tests deep": {"max_depth": 2, "prune": None}}
PICTURE = "citree_growth.png"


def main() -> None:
    """Measure this part alone and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.citree", description=__doc__)
    parser.add_argument("--sets", nargs="+", default=(*SHIPPED, *SIX), help="data sets to fit")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each measurement")
    parser.add_argument("--most", type=float, default=5.0, help="time for Weka to warm up, to fit")
    parser.add_argument("--picture", type=Path, help="PNG file of the growth to write")
    options = parser.parse_args()
    fits, missing = citree_table(options.sets, options.seconds, options.most)
    print(fits.to_string(), *missing, sep="\n")
    growth = growth_table(options.seconds)
    drawn = growth_picture(growth)
    print(growth.to_string(), drawn.alt, sep="\n")
    if options.picture is not None:
        options.picture.write_bytes(drawn.png())
    memory, missing = memory_table()
    print(memory.to_string(), *missing, sep="\n")


def citree_table(
    names=(*SHIPPED, *SIX), seconds: float = 1.0, most: float = 5.0
) -> tuple[pd.DataFrame, list[str]]:
    """Measure seconds per fit, a row per data set, with ratios, medians; list what was missing.

    Weka's NBTree warms up and is timed for about `most` seconds each, one build at least.
    """
    table, missing = each_set(names, lambda data: _one_set(data, seconds, most))
    for name in MODELS:
        table[f"{name} / Weka"] = table[name] / table["Weka NBTree"]
    ratios = table.filter(like=" / ")
    for label, sets in {"median of all": table.index, "median of the six": SIX}.items():
        table.loc[label] = ratios[table.index[: len(ratios)].isin(sets)].median()
    return table, missing


def _one_set(data, seconds, most):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        X = data.X.drop(columns=list(data.ids))
        codes, missing = rt.Encoder().fit_transform(X), []
        row = {"data set": data.name, "cases": len(data), "attributes": X.shape[1]}
        row |= {"classes": len(data.y.categories)}
        row["Weka NBTree"], row["Weka nodes"] = peer(missing, _weka, codes, data.y, most)
        for name, kind in MODELS.items():
            model = kind()
            row[name] = best_ms(lambda m=model: m.fit(codes, data.y), seconds, least=2) / 1e3
            row[f"{name} nodes"] = len(model.tree_)
        row["DataFrame"] = best_ms(lambda: rt.CITree().fit(X, data.y), seconds, least=2) / 1e3
    return row, missing


def _weka(codes, y, most):
    limits = {"launches": 1, "warm_up": min(2.0, most), "most": most}
    found = time_nbtree(codes.values, codes.sizes, y.codes, len(y.categories), **limits)
    return found["best_ms"] / 1e3, found["nodes"]


def contextual(n: int, A: int, seed: int = 1) -> tuple[pd.DataFrame, pd.Categorical]:
    """Draw a frame (n, A) of ternary attributes, independent given two classes and the first two.

    In each of the nine contexts that these make, the others have distributions of their own.
    """
    rng = np.random.default_rng(seed)
    share = rng.dirichlet(np.full(3, 4.0), size=(9, 2, A)).cumsum(axis=-1)
    y, context = rng.integers(2, size=n), rng.integers(9, size=n)
    codes = (rng.random((n, A, 1)) > share[context, y, :, :2]).sum(axis=-1)
    codes[:, 0], codes[:, 1] = np.divmod(context, 3)
    values = np.array(["a", "b", "c"])[codes]
    names = [f"a{i}" for i in range(A)]
    return pd.DataFrame(values, columns=names), pd.Categorical.from_codes(y, ["no", "yes"])


def growth_table(seconds: float = 1.0) -> pd.DataFrame:
    """Measure processor seconds of fits to `contextual` data: ever more rows, ever more attributes.

    A processor's own time, as a law of growth should not show what else the machine does.

    A row each; then the exponents of the powers fitted to all seconds and to the last two.
    """
    sizes = {"rows": [(n, FIXED_ATTRIBUTES) for n in ROWS]}
    sizes["attributes"] = [(FIXED_ROWS, A) for A in ATTRIBUTES]
    parts = []
    for what, pairs in sizes.items():
        part = pd.DataFrame([_grown(*size, seconds) for size in pairs])
        for end in (part, part[-2:]):
            part.loc[len(part)] = {name: exponent(end[what], end[name]) for name in GROWN}
        told = [f"exponent, {what}", f"exponent, {what}, last doubling"]
        part.insert(0, "growth with", [what] * len(pairs) + told)
        parts.append(part)
    return pd.concat(parts).set_index("growth with")


def _grown(n, A, seconds):
    X, y = contextual(n, A)
    codes, row = rt.Encoder().fit_transform(X), {"rows": n, "attributes": A}
    for name, arguments in GROWN.items():
        model = rt.CITree(**arguments)
        row[name] = processor_seconds(lambda m=model: m.fit(codes, y), seconds)
        row[f"nodes, {name}"] = len(model.tree_)
    return row


def processor_seconds(run, seconds: float, least: int = 3) -> float:
    """Return the best of as many runs as fit into `seconds`, by the processor's own clock."""
    times = []
    while len(times) < least or sum(times) < seconds:
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def exponent(x, seconds) -> float:
    """Return the b of seconds = a x^b, by least squares of the logarithms."""
    return float(np.polyfit(np.log(x), np.log(seconds), 1)[0])


def growth_picture(table: pd.DataFrame):
    """Draw both kinds of growth side by side, on doubling scales, as a `Picture`."""
    from ranktrees_lab.plot.picture import axes, picture, title
    from ranktrees_lab.plot.style import COLOURS, DASHES, MARKERS, MODELS, SMALL

    fig, told = picture(size=(8.0, 3.4)), []
    for k, (what, fixed) in enumerate({"rows": "attributes", "attributes": "rows"}.items()):
        ax, part = axes(fig, 0.8 + 4 * k, 0.6, 3.85 + 4 * k, -0.45), table.loc[what]
        for i, name in enumerate(GROWN):
            b = table.loc[f"exponent, {what}", name]
            label, style = f"{name}: exponent {b:.2f}", {"color": MODELS[i], "ls": DASHES[i]}
            ax.plot(part[what], part[name], marker=MARKERS[i], ms=5, lw=1.8, label=label, **style)
            told.append(f"with {what}, {label}")
        law, name = (1, "linear") if what == "rows" else (2, "quadratic")
        x, start = part[what].to_numpy(), part[list(GROWN)].iloc[-1].min() / 2
        ax.plot(x, start * (x / x[-1]) ** law, color=COLOURS["random"], lw=1.2, ls=":", label=name)
        ax.set_xscale("log", base=2)
        ax.set_yscale("log", base=2)
        ax.set_ylim(top=6 * part[list(GROWN)].to_numpy().max())  # room for the legend
        ax.set_xticks(x, [f"{v:g}" for v in x])
        ax.yaxis.set_major_formatter("{x:.3g}")
        ax.minorticks_off()
        ax.set(
            xlabel=f"{what}, of {part[fixed].iloc[0]:g} {fixed}",
            ylabel="" if k else "processor seconds",
        )
        ax.legend(fontsize=SMALL, frameon=False, loc="upper left")
        title(ax, f"Growth with {what}")
    fig.alt = f"Processor seconds of a CITree fit on doubling scales: {'; '.join(told)}."
    return fig


FIT = """
import sys
import ranktrees as rt
from benchmarks.fit import peak
data = rt.load(sys.argv[1])
rt.CITree().fit(data.X, data.y)
print(peak())
"""


def memory_table(name: str = "letter") -> tuple[pd.DataFrame, list[str]]:
    """Measure peak megabytes of a process that fits CITree to a set; list what was missing."""
    table = pd.DataFrame({"peak MB": []}).rename_axis("data set")
    if sys.platform == "win32":
        return table, ["memory: Windows does not tell a process its peak"]
    try:
        rt.load(name)
    except FetchError as error:
        return table, [f"memory: {error}"]
    run = subprocess.run([sys.executable, "-c", FIT, name], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"the fit of {name} failed:\n{run.stderr}")
    table.loc[name] = float(run.stdout)
    return table, []


if __name__ == "__main__":
    main()
