"""`python -m benchmarks`: every speed that a page or a lesson claims, measured here and now."""

import argparse
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks import forest, forest_files, newton
from benchmarks.casewise import casewise_table
from benchmarks.citree import PICTURE, citree_table, growth_picture, growth_table, memory_table
from benchmarks.cross import cross_table
from benchmarks.fit import SETS, fit_table, with_ratios
from benchmarks.frames import frame_table
from benchmarks.large import million_table, pipeline_table
from benchmarks.path_bayes import path_table
from benchmarks.ranking import ranking_table
from benchmarks.scale import ROWS, scale_table
from benchmarks.sql import sql_table
from benchmarks.teaching import import_table, notebook_table, slider_table

RESULTS = Path(__file__).with_name("results.md")
SQL_TITLE = "SQL of a path forest on credit-g, processor seconds"


def main() -> None:
    """Measure, print, and write the tables as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sets", nargs="+", default=SETS, help="data sets to fit")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each measurement")
    parser.add_argument("--out", type=Path, default=RESULTS, help="Markdown file to write")
    parser.add_argument(
        "--rows",
        type=float,
        nargs="+",
        default=ROWS,
        help="rows in files (1e6 1e7; 1e8 takes long)",
    )
    options = parser.parse_args()
    parts = [_heading()]
    fits, missing = fit_table(options.sets, options.seconds)
    parts.append(_section("Fit time, milliseconds (best of many)", with_ratios(fits), 2))
    parts.append(_missing(missing))
    pipeline, missing = pipeline_table(options.sets, options.seconds)
    title = "Binary cuts from a DataFrame, against scikit-learn's pipeline, milliseconds"
    parts.append(_section(title, pipeline, 2))
    parts.append(_missing(missing))
    frames, missing = frame_table(options.seconds)
    title = "From a frame of words and numbers, processor milliseconds on one thread"
    parts.append(_section(title, frames, 1))
    parts.append(_missing(missing))
    million, missing = million_table()
    title = "A million rows of twenty codes: full C4.4, processor seconds and memory over the data"
    parts.append(_section(title, million, 2))
    parts.append(_missing(missing))
    large, missing = scale_table([int(n) for n in options.rows])
    title = "Rows in files: processor seconds, peak memory over what was there, and bytes read"
    parts.append(_section(title, large, 1))
    parts.append(_missing(missing))
    parts += _forest_files()
    folds, missing = cross_table(options.sets, options.seconds)
    parts.append(_section("Ten-fold cross-validation of C4.4, milliseconds", folds, 2))
    parts.append(_missing(missing))
    ranking, lines = ranking_table()
    parts.append(_section("AUC, milliseconds", ranking, 1))
    parts.append(_missing(lines))
    rows, lines = casewise_table()
    parts.append(_section("Estimates from case to case, milliseconds for one fold", rows, 1))
    parts.append(_missing(lines))
    paths, lines = path_table()
    title = "Path Bayes: fit and prediction of one fold, milliseconds"
    parts.append(_section(title, paths, 1))
    parts.append(_missing(lines))
    halves, lines = forest.halves_table()
    title = "Path forest: fit on half of a set, prediction of the other, milliseconds of one thread"
    parts.append(_section(title, halves, 2))
    parts.append(_missing(lines))
    few, lines = forest.rows_table()
    title = "Path forest: predictions after a fit on many rows, milliseconds of one thread"
    parts.append(_section(title, few, 1))
    parts.append(_missing(lines))
    sizes, lines = forest.size_table()
    title = (
        "Path forest: fits on many rows, processor seconds, peak memory, one row in milliseconds"
    )
    parts.append(_section(title, sizes, 2))
    parts.append(_drawn(forest.size_picture(sizes), options.out.with_name(forest.PICTURE)))
    parts.append(_missing(lines))
    queries, lines = sql_table()
    parts.append(_section(SQL_TITLE, queries, 2))
    parts.append(_missing(lines))
    parts += _citree(options.seconds, options.out.with_name(PICTURE))
    parts += _newton(options.seconds, options.out.with_name(newton.PICTURE))
    parts.append(_section("Slider to picture, in the kernel", slider_table(), 0))
    parts.append(_section("Notebooks, seconds", notebook_table(), 1))
    parts.append(_section("Import, seconds over numpy and pandas", import_table(), 3))
    text = "\n\n".join(parts) + "\n"
    print(text)
    options.out.write_text(text, encoding="utf-8")


def _heading():
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pandas", "scikit-learn"))
    return (
        "# Benchmarks\n\nWritten by `make bench`. Ratios below 1 mean that ranktrees is faster. "
        f"The decision trees are unpruned, on ten-bin codes, by the rules in `benchmarks/fit.py`; "
        f"`DataFrame` includes reading and binning the columns.\n\n"
        f"Python {sys.version.split()[0]} on {platform.machine()}, {packages}."
    )


def _forest_files():
    table, missing = forest_files.files_table([1_000_000])
    title = "Path forest from files: processor seconds with reading, peak, size of the forest"
    return [_section(title, table, 0), _missing(missing)]


def _citree(seconds, picture):
    fits, missing = citree_table(seconds=seconds)
    parts = [_section("CITree and NBTree, seconds of a fit (best of several)", fits, 3)]
    parts.append(_missing(missing))
    growth = growth_table(seconds)
    parts.append(_section("CITree's growth, processor seconds of a fit", growth, 3))
    parts.append(_drawn(growth_picture(growth), picture))
    memory, missing = memory_table()
    parts.append(_section("CITree's memory, with Python and its packages", memory, 0))
    return [*parts, _missing(missing)]


def _newton(seconds, picture):
    table, missing = newton.newton_table(seconds=seconds)
    title = "Newton trees, milliseconds to fit and predict raw data (best of several)"
    parts = [_section(title, table, 2), _missing(missing)]
    growth = newton.growth_table(seconds)
    parts.append(_section("Newton trees' growth, processor seconds", growth, 3))
    return [*parts, _drawn(newton.growth_picture(growth), picture)]


def _drawn(picture, path):
    """Write a picture and return the line of Markdown that shows it."""
    path.write_bytes(picture.png())
    return f"![{picture.alt}]({path.name})"


def _missing(missing):
    return "\n".join(f"- Missing {line}" for line in missing) or "Nothing was missing."


def _section(title, table, digits):
    return f"## {title}\n\n{markdown(table, digits)}"


def markdown(table, digits: int) -> str:
    """Return a DataFrame as a Markdown table; columns of whole numbers stay whole."""
    lines = [[table.index.name or "", *table.columns]]
    for name, row in table.iterrows():
        lines.append([name, *(_cell(x, digits) for x in row)])
    lines.insert(1, ["---"] + ["---:"] * len(table.columns))
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _cell(x, digits):
    if isinstance(x, str):
        return x
    if x != x:
        return ""
    return f"{x:.0f}" if float(x).is_integer() and abs(x) >= 2 else f"{x:.{digits}f}"


if __name__ == "__main__":
    main()
