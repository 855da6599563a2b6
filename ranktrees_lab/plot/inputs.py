"""Checks of the pictures' input: one attribute of a data set, its classes, scores."""

import difflib

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import (
    as_list,
    as_names,
    check_dict,
    check_like,
    check_number,
    even,
    floats,
    is_dataset,
    number_row,
)
from ranktrees_engine.basics.fitted import check_same_length
from ranktrees_engine.evaluate.inputs import score_row
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.newton.tree import PrototypeTree
from ranktrees_engine.reading.columns import Column, read_columns
from ranktrees_engine.reading.frames import as_pandas
from ranktrees_engine.reading.labels import read_classes


def one_attribute(data, attribute, y=None) -> tuple[Column, np.ndarray, np.ndarray, list[str]]:
    """Return a column by name; its known values (n,), their class codes (n,); the classes.

    From a Dataset, or from X with y. Raises ValueError for an unknown attribute (with the nearest
    names), no cases, no classes.
    """
    X, y = frame_and_classes(data, y)
    names = [str(name) for name in X.columns]
    check_known("attribute", str(attribute), names)
    place = names.index(str(attribute))
    column = read_columns(X.iloc[:, [place]], "plot")[0]
    codes, classes = read_classes(y, "plot")
    check_same_length(len(column.values), len(codes))
    known = ~column.missing
    return column, column.values[known], codes[known], [str(c) for c in classes]


def frame_and_classes(data, y=None) -> tuple[pd.DataFrame, object]:
    """Return DataFrame and classes of a Dataset, or of X (a frame or an array) and y."""
    if y is None and is_dataset(data):
        data, y = data.X, data.y
    if y is None:
        raise ValueError("the classes are missing: give a Dataset, or y beside X")
    data = as_pandas(data)
    if not isinstance(data, pd.DataFrame):
        data = even("data", data)
        if data.ndim != 2:
            raise ValueError(f"X must have two dimensions, cases and attributes, not {data.ndim}")
        data = pd.DataFrame(data, columns=[f"x{j}" for j in range(data.shape[1])])
    if not len(data):
        raise ValueError("X is empty: there is no case to draw")
    return data, y


def check_known(what: str, name, known) -> None:
    """Raise ValueError for an unknown name, with the nearest known names, or all if few."""
    try:
        if name in known:
            return
    except (TypeError, ValueError):  # a list or an array cannot be a name
        pass
    known = [str(k) for k in known]
    near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "there is"
    if not near or len(known) <= 6:
        hint += f" {', '.join(known[:12])}{', ...' if len(known) > 12 else ''}"
    raise ValueError(f"no {what} {name!r:.200}: {hint}")


def single_tree(model) -> Tree:
    """Return the tree of a model; ValueError if it is not fitted, TypeError if it has several."""
    grown, name = getattr(model, "tree_", model), type(model).__name__
    if isinstance(grown, Tree):
        return grown
    if not hasattr(model, "fit"):
        raise TypeError(f"a fitted model or a Tree is needed, not {name}")
    if not hasattr(model, "classes_"):
        raise ValueError(f"this {name} has no tree yet: call fit(X, y) first")
    advice = "model.explain(case) shows how it decides" if hasattr(model, "explain") else ""
    if several := next((part for part in ("trees_", "models_") if hasattr(model, part)), None):
        advice = f"draw one of {several}, such as rt.plot.tree(model.{several}[0]); {advice}"
    raise TypeError(f"this {name} has no single tree that can be drawn here: {advice}".strip(": "))


def check_place(what: str, place, n: int, none: bool = False) -> None:
    """Raise TypeError or ValueError unless it is an index from 0 to n - 1, or with `none` None."""
    check_number(what, place, whole=True, none=none)
    if place is not None and not 0 <= place < n:
        raise ValueError(f"{what} must be 0 to {n - 1}, not {place!r}")


def check_frame(what: str, table) -> None:
    """Raise TypeError unless it is a DataFrame or behaves like one."""
    check_like(f"a DataFrame as {what}", table, "index", "columns", "to_numpy")


def lines_over(what: str, lines, x: np.ndarray, axis: str) -> dict[str, np.ndarray]:
    """Return lines {name: values} as arrays; ValueError unless finite and as long as x."""
    lines = {} if lines is None else lines
    check_dict(what, lines)
    lines = {str(name): floats(repr(name), values) for name, values in lines.items()}
    for name, values in lines.items():
        if values.shape != x.shape:
            shapes = f"has shape {values.shape}, but {axis} has {x.shape}"
            raise ValueError(f"{what}: {name!r} {shapes}")
        if not np.isfinite(values).all():
            raise ValueError(f"{name!r} holds a value that is not a number: leave that {axis} out")
    return lines


def check_level(level) -> None:
    """Raise TypeError or ValueError unless it is None or a pair (name, value)."""
    if level is not None:
        if len(pair := as_list("level", level)) != 2:
            raise ValueError(f"level must be a pair (name, value), not {level!r:.80}")
        check_number("the value of level", pair[1])


def rows_of_rounds(splits) -> list:
    """Return the rows (train, test) of each round; TypeError or ValueError for anything else."""
    if splits is None or not len(splits := as_list("splits", splits)):
        raise ValueError("there is no round to draw: give a list of (train, test) rows")
    rounds = [[even("splits", rows) for rows in as_list("splits", split)] for split in splits]
    for parts in rounds:
        if len(parts) != 2 or any(rows.ndim != 1 or rows.dtype.kind not in "iu" for rows in parts):
            raise ValueError("splits must be pairs (train, test) of rows of cases")
    return rounds


def ascending(what: str, x) -> np.ndarray:
    """Return the numbers (K,) as floats; ValueError unless each is larger than the one before."""
    x = number_row(what, x)
    if not len(x) or not (np.diff(x) > 0).all():
        raise ValueError(f"{what} must be a row of ascending numbers")
    return x


def known_numbers(table) -> dict[str, np.ndarray]:
    """Return each column's known values by its name; ValueError if there is none, or infinity."""
    check_frame("table", table)
    columns = {str(name): floats(repr(name), table[name]) for name in table}
    columns = {name: values[~np.isnan(values)] for name, values in columns.items()}
    bad = [name for name, values in columns.items() if not len(values) or np.isinf(values).any()]
    if bad or not columns:
        which = f"the column {bad[0]!r} has none" if bad else "there is no column"
        raise ValueError(f"the picture needs finite differences, but {which}: leave it out")
    return columns


def all_names(what, names, size, word) -> list[str]:
    """Return this many names, by default numbered; ValueError if there are more or fewer."""
    names = [f"{word} {i}" for i in range(size)] if names is None else as_names(what, names)
    if len(names) != size:
        raise ValueError(f"{what} names {len(names)}, but the table has {size}")
    return names


def ranks_of(results) -> pd.Series:
    """Return average ranks of at least two methods, ascending; else TypeError or ValueError."""
    check_dict("results", results, "{method: average rank}, or what compare gives")
    values = number_row("the ranks of results", list(dict(results).values()))
    ranks = pd.Series(values, list(map(str, dict(results)))).sort_values(kind="stable")
    if (k := len(ranks)) < 2:
        raise ValueError(f"a ranking needs at least two methods, not {k}")
    if not ((ranks >= 1) & (ranks <= k)).all():
        raise ValueError(f"average ranks of {k} methods lie between 1 and {k}: {ranks.to_dict()}")
    return ranks


def alike(a, b, names) -> tuple[np.ndarray, np.ndarray]:
    """Return values (runs, folds) of both as floats; TypeError or ValueError for other input."""
    if len(as_names("names", names)) != 2:
        raise ValueError(f"names must be two, of a and of b, not {names!r:.80}")
    a, b = floats("a", a), floats("b", b)
    if a.ndim != 2 or a.shape != b.shape:
        raise ValueError(f"a and b must be (runs, folds) alike, not {a.shape} and {b.shape}")
    return a, b


def scored(y, scores: dict, positive=None) -> tuple[np.ndarray, dict[str, np.ndarray], str]:
    """Return which cases are positive (n,), the scores (n,) of each model, and the positive class.

    `positive` defaults to the last class. Raises ValueError for lengths that differ, missing
    scores, and a class with no case or with all.
    """
    codes, classes = read_classes(y, "plot")
    names = [str(c) for c in classes]
    positive = names[-1] if positive is None else str(positive)
    check_known("class", positive, names)
    hits = codes == names.index(positive)
    if hits.all() or not hits.any():
        raise ValueError(f"class {positive!r} has {hits.sum()} of {len(hits)} cases: need both")
    if not isinstance(scores, dict):
        scores = {"model": scores}
    checked = {str(name): _score(name, score, len(hits)) for name, score in scores.items()}
    if not checked:
        raise ValueError("scores is empty: give {name: scores} of at least one model")
    return hits, checked, positive


def _score(name, score, n):
    score = score_row(f"the score of {name!r}", score, n)
    if np.isinf(score).any():
        raise ValueError(f"the score of {name!r} is infinite in row {np.isinf(score).argmax()}")
    return score


def interval(d, test: str, alpha: float = 0.05) -> tuple[float, float] | None:
    """Return a t-test's interval for the mean of differences d (runs, folds); None for others."""
    from scipy.stats import t

    if test in ("wilcoxon", "higher"):
        return None
    values = d[~np.isnan(d)]
    if test == "paired, runs":
        values = np.nanmean(d[~np.isnan(d).all(axis=1)], axis=1)
    n = len(values)
    if n < 2:
        return None
    share = 1 / (d.shape[1] - 1) if test == "corrected" else 0.0
    half = t.ppf(1 - alpha / 2, n - 1) * np.sqrt(values.var(ddof=1) * (1 / n + share))
    return float(values.mean() - half), float(values.mean() + half)


def prototypes_of(model) -> PrototypeTree:
    """Return the model's tree of prototypes; TypeError or ValueError if it has none."""
    tree = getattr(model, "tree_", None)
    if isinstance(tree, PrototypeTree):
        return tree
    if tree is None and hasattr(model, "attraction"):
        raise ValueError(f"this {type(model).__name__} has no tree yet: call fit(X, y) first")
    raise TypeError(
        f"a fitted NewtonTree, DistanceTree or CentreSplitting is needed, not "
        f"{type(model).__name__}: a tree without prototypes is drawn by plot.tree"
    )
