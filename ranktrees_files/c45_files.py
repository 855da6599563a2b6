"""Read the files of C4.5: golf.names says what the columns of golf.data and golf.test mean."""

from typing import Any

import pandas as pd

from ranktrees_engine.basics.arguments import as_path, check_flag, choose
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_files.arff_columns import Declared
from ranktrees_files.arff_tokens import ScanError
from ranktrees_files.c45_names import read_names, wrong
from ranktrees_files.c45_tokens import cases_of
from ranktrees_files.csv_values import check_named, masked, overruled
from ranktrees_files.dataset import Dataset, data_set
from ranktrees_files.doubt import HowRead, completed
from ranktrees_files.doubts import OF_ALL, of_table
from ranktrees_files.paths import lines_of

ENDINGS = (".names", ".data", ".test", ".costs")
OPTIONS = ("drop", "na_values")  # of `rt.read_csv`


def read_c45(
    path: AnyPath,
    test: bool = False,
    missing_class: str = "error",
    costs: str = "error",
    **options: Any,
) -> Dataset:
    """Read the cases in golf.data, whose columns golf.names describes, for the path "golf".

    `test` reads golf.test instead, with the same classes and values. Attributes to `ignore` are
    left out, as are those of drop=["day"]; na_values=["N/A"] are missing, as ? is. A row without a
    class is an error, missing_class="drop" leaves it out. Trees here do not learn from costs: a
    file golf.costs is an error, unless costs="ignore". Warns of `Dataset.doubts`. Raises
    FileNotFoundError for a file that is not there, and ValueError, naming file and line, for what
    C4.5 or this reader would not read, such as C5.0's formulas and dates. Format: Quinlan 1993.
    """
    given = as_path("path", path)
    check_flag("test", test)
    choose("costs", costs, ("error", "ignore"))
    for name in options.keys() - {*OPTIONS}:
        raise TypeError(f"read_c45 has no argument {name!r}: it takes {', '.join(OPTIONS)}")
    test = test or given.suffix == ".test"
    stem = given.with_suffix("") if given.suffix in ENDINGS else given
    files = {ending: stem.with_name(stem.name + ending) for ending in ENDINGS}
    _refuse_costs(given, files[".costs"], costs)
    file = _there(files, ".test" if test else ".data")
    how = overruled({"keep_default_na": False, **options})
    names = read_names(files[".names"], how["drop"])
    frame, lines = _read_cases(file, names, how)
    check_named(how, [*frame, *how["drop"]], file.name)
    frame = frame.apply(masked, options=how)
    target = names.classes[0] if len(names.classes) == 1 else list(frame)[-1]
    found = completed(of_table(frame, target, HowRead(has_lines=False)), options)
    found = [doubt for doubt in found if not test or doubt.kind not in OF_ALL]

    def at(row, said):
        return wrong(file, lines[row], said)

    y = frame.pop(target)
    return data_set(frame, y, file.name, missing_class, None, at, found, name=stem.name)


def _refuse_costs(given, file, costs):
    """Raise ValueError for a file of costs, unless it is to be ignored."""
    if given.suffix == ".costs" or (costs == "error" and file.exists()):
        raise ValueError(
            f"{file.name}: trees here do not learn from costs of errors; give them to "
            "rt.least_cost_class with a model's probabilities, and read the cases by "
            f'rt.read_c45("{file.stem}", costs="ignore")'
        )


def _there(files, ending):
    """Return the file with this ending; FileNotFoundError, naming those read, if one is absent."""
    for needed in (".names", ending):
        if not files[needed].exists():
            advice = f"rt.read_c45 reads {files['.names'].name} and {files[ending].name}"
            if needed == ".names" and files[ending].exists():
                advice += f'; rt.read_csv("{files[ending].name}", header=None) needs no names'
            raise FileNotFoundError(f"there is no file {str(files[needed])!r}: {advice}")
    return files[ending]


def _read_cases(path, names, how):
    """Return the frame of all columns with the class, and the line of each row."""
    columns = list(names.columns.values())
    labels = [*names.columns]
    if len(names.classes) > 1:
        label = next(name for name in ("class", "Class", "the class") if name not in labels)
        labels.append(label)
        columns.append(Declared(label, "nominal", {c: v for v, c in enumerate(names.classes)}))
    rows, lines = [], []
    for line, row in cases_of(lines_of(path.read_bytes()).read()):
        if len(row) != len(columns):
            said = (
                f"{len(row)} values, but {path.stem}.names declares {len(columns)} with the class"
            )
            raise wrong(path, line, f"{said}: {', '.join(labels)}")
        rows.append(row)
        lines.append(line)
    if not rows:
        raise ValueError(f"{path.name} has no cases")
    filled = {}
    for name, column, texts in zip(labels, columns, zip(*rows, strict=True), strict=True):
        if column is None:
            continue
        marks = {*how["na_values"][None], *how["na_values"].get(name, ())}
        texts = [None if text in marks else text for text in texts] if marks else texts
        if "" in texts:
            said = (
                f'{name!r} is empty: a missing value is written ?, or na_values=[""] makes it one'
            )
            raise wrong(path, lines[texts.index("")], said)
        try:
            column.add(texts)
        except ScanError as error:
            raise wrong(path, lines[error.row or 0], str(error)) from None
        filled[name] = _as_declared(path, column, names)
    return pd.DataFrame(filled), lines


def _as_declared(path, column, names):
    """Return a column's values; those of "discrete n" as a category, at most n of them."""
    values, name = column.column(), column.name
    if name in names.ordered:
        return values.as_ordered()
    if name in names.most:
        values = pd.Categorical(values)
        if len(values.categories) > names.most[name]:
            raise ValueError(
                f"{path.name}: {name!r} has {len(values.categories)} values, but {path.stem}.names "
                f"declares discrete {names.most[name]}"
            )
    return values
