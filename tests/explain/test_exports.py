"""Tables as they come from many places: read as they are meant, or refused by name."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ranktrees as rt
from ranktrees_lab.data.files import FetchError

N = 16  # cases of a frame: too few for warnings of what was never seen
WORDS = ["a", "yes", "no", "4+", "1", "Größe", "x y", "007", "12", "2.50"]
MODELS = [
    rt.C44(missing="value"),
    rt.DecisionTree(numeric="thresholds"),
    rt.C45(missing="value"),
    rt.NaiveBayes(),
    rt.NaiveBayes(numeric="gaussian"),
    rt.NewtonTree(max_depth=2),
]
ALLOWED = "ignore:.*(only one value|no value at all|feature names):UserWarning"


def some(values, rng):
    """A column of some of these values, with gaps or without."""
    chosen = rng.permutation(len(values))[: rng.integers(1, 5)]
    column = [values[v] for v in rng.choice(chosen, N)]
    gaps = rng.random(N) < rng.choice([0, 0, 0.2])
    return pd.Series(
        [None if gap else v for v, gap in zip(column, gaps, strict=True)], dtype=object
    )


def table(rng):
    """Columns as they are meant: truth, numbers, and names of many kinds."""
    columns = {
        "truth": some([True, False], rng),
        "count": some([-3, 0, 1, 2, 30], rng),
        "real": some([-0.5, 0.0, 0.25, 1.0, 2.5, 1e-7], rng),
        "digit": some(["0", "1", "2", "3"], rng),
        "code": some(["007", "012", "9", "100"], rng),
        "word": some(WORDS, rng),
        "empty": pd.Series([None] * N, dtype=object),
    }
    return pd.DataFrame({name: columns[name] for name in rng.permutation([*columns])[:4]})


def each(frame, change):
    """The frame with `change` made of every value that is there."""
    return frame.map(lambda v: None if pd.isna(v) else change(v)).astype(object)


def as_numbers(v):
    return float(v) if isinstance(v, bool | int | float) else v


def as_decimals(v):
    return Decimal(repr(v)) if isinstance(v, int | float) and not isinstance(v, bool) else v


def as_digits(v):
    return v if isinstance(v, str) and not v.isdigit() else pd.to_numeric(str(v), errors="coerce")


def masked(frame):
    return np.ma.array(frame.fillna(0).to_numpy(object), mask=frame.isna().to_numpy())


def arrow(frame):
    return pa.Table.from_pandas(frame.convert_dtypes(), preserve_index=False)


def exports(frame, folder):
    """The frame as it comes from many places: {place: X}."""
    plain = frame.infer_objects()
    plain.assign(y="a").to_csv(folder / "cases.csv", index=False)
    plain.assign(y="a").to_parquet(folder / "cases.parquet")
    small = each(frame, lambda v: str(v).lower() if isinstance(v, bool) else str(v))
    lists = [[v if v == v else None for v in row] for row in frame.to_numpy(object).tolist()]
    return {
        "pandas": plain,
        "objects": frame,
        "nullable": plain.convert_dtypes(),
        "categories": plain.astype("category"),
        "text": each(frame, str),
        "small letters": small,
        "text of numbers": each(each(frame, as_numbers), str),
        "text in categories": small.astype("category"),
        "0 and 1": each(frame, as_numbers).infer_objects(),
        "0 and 1 in categories": each(frame, as_numbers).infer_objects().astype("category"),
        "decimals": each(frame, as_decimals),
        "a CSV file": rt.read_csv(folder / "cases.csv", "y").X,
        "a CSV file by pandas": pd.read_csv(folder / "cases.csv").drop(columns="y"),
        "a Parquet file": pd.read_parquet(folder / "cases.parquet").drop(columns="y"),
        "a scan": rt.scan(folder / "cases.parquet", "y"),
        "a scan of CSV": rt.scan(folder / "cases.csv", "y"),
        "Arrow": arrow(plain),
        "polars": pl.from_arrow(arrow(plain)),
        "an array": frame.to_numpy(object),
        "lists": lists,
        "a masked array": masked(frame),
    }


def said(model, X):
    """The probabilities of cases X, or the sentence with which they are refused."""
    try:
        proba = model.predict_proba(X)
        return proba if isinstance(proba, np.ndarray) else np.concatenate([*proba])
    except (ValueError, TypeError) as error:
        return str(error)


def half(X):
    return X.slice(0, N // 2) if hasattr(X, "slice") else X[: N // 2]


IN_TEXT = {"text", "small letters", "text of numbers", "text in categories"}
IN_CSV = {"a CSV file", "a CSV file by pandas", "a scan of CSV"}


def form(column, place):
    """What the values of a column may be in a place."""
    if column in ("digit", "code", "word"):
        return "numbers" if place in IN_CSV else "text"
    if place in IN_TEXT or (column == "truth" and place in ("a CSV file", "a scan of CSV")):
        return "text"
    return "truth" if column == "truth" and place != "0 and 1" else "numbers"


def may_be_refused(column, trained, scored):
    """Whether values may have no certain meaning: text among numbers."""
    return (trained, scored) == ("numbers", "text") and column != "empty"


def runs(seed, folder):
    """For one table: (what is tried, its columns, trained on, scored on, right, said) each."""
    rng = np.random.default_rng(seed)
    frame = table(rng)
    y = np.where(frame.iloc[:, 0].isin(frame.iloc[:1, 0]) ^ (rng.random(N) < 0.2), "p", "q")
    y[:2] = "p", "q"
    scored = exports(frame, folder)
    trained = [name for name in scored if "scan" not in name]
    for name in rng.choice(trained, 5, replace=False):
        model = MODELS[rng.integers(len(MODELS))]
        model.fit(half(scored[name]), y[: N // 2])
        right, what = said(model, scored[name]), f"seed {seed}: {model} of {name}"
        for other, X in scored.items():
            if "scan" in other and isinstance(model, rt.NewtonTree):
                continue
            yield f"{what}, {other}", frame.columns, name, other, right, said(model, X)


def named(sentence, columns):
    """The column that a sentence names, by its name or its place; "" for none."""
    name = sentence.partition("column '")[2].partition("'")[0]
    return columns[int(name[1:])] if name[1:].isdigit() else name


def check(n, folder):
    """n predictions are right, or refusals that name a column whose meaning is not certain."""
    equal, refused, done, seed = set(), set(), 0, 0
    while done < n:
        for what, columns, trained, scored, right, found in runs(seed, folder):
            forms = {c: (c, form(c, trained), form(c, scored)) for c in columns}
            done += 1
            assert not isinstance(right, str), f"{what}: {right}"
            if isinstance(found, str):
                column = named(found, columns)
                assert column in forms, f"{what}: {found}"
                assert may_be_refused(*forms[column]), f"{what}: {found}"
                refused.add(forms[column])
            else:
                np.testing.assert_allclose(found, right, rtol=0, atol=1e-12, err_msg=what)
                equal.update(forms.values())
        seed += 1
    return equal, refused


EVERY_COLUMN = ["truth", "count", "real", "digit", "code", "word", "empty"]
CERTAIN = {  # column, trained on, scored on: what must be equal, whatever else a table holds
    *((c, "numbers", "numbers") for c in EVERY_COLUMN),
    *((c, "text", "text") for c in EVERY_COLUMN),
    *((c, "text", "numbers") for c in ("truth", "count", "real", "digit", "code")),
    *(("truth", *forms) for forms in [("truth", "truth"), ("truth", "text"), ("text", "truth")]),
    *(("truth", *forms) for forms in [("truth", "numbers"), ("numbers", "truth")]),
}
UNCERTAIN = {
    *((c, "numbers", "text") for c in ("truth", "count", "real", "digit", "code")),
}


@pytest.mark.filterwarnings(ALLOWED)
def test_every_export_is_read_as_it_is_meant_or_refused_by_name(tmp_path):
    equal, refused = check(5_000, tmp_path)
    assert equal >= CERTAIN
    assert refused >= UNCERTAIN


@pytest.mark.long
@pytest.mark.filterwarnings(ALLOWED)
def test_many_more_exports_are_read_as_they_are_meant(tmp_path):
    equal, refused = check(50_000, tmp_path)
    assert equal >= CERTAIN
    assert refused >= UNCERTAIN


# A table of customers: trained on one export, scored on others

CASES = 4000  # of adult's 48,842


@pytest.fixture(scope="module", params=["credit-g", "adult"])
def customers(request):
    """A table (X, y) as a database has it: truth, whole numbers, names that are numbers, gaps."""
    try:
        data = rt.load(request.param)
    except FetchError:
        pytest.skip("set RANKTREES_DATA to a folder with the registry's files")
    rows = np.random.default_rng(1).permutation(len(data.y))[:CASES]
    X, y = data.X.iloc[rows].reset_index(drop=True), np.asarray(data.y)[rows]
    if request.param == "adult":
        gained, grade = X.pop("capital-gain") > 0, X.pop("education-num")
        truth = {"male": X.pop("sex") == "Male", "gained": gained}
    else:
        truth = {name: X.pop(name) == "yes" for name in ("own_telephone", "foreign_worker")}
        grade = X.pop("installment_commitment")
    whole = {name: X[name].astype("int64") for name in X.select_dtypes("number")}
    return X.assign(**whole, **truth, grade=grade.astype("int64").astype("str")), y


def change(names, how):
    """An export in which the columns of a kind, all of them, are written otherwise."""
    return lambda X: X.assign(**{name: how(X[name]) for name in names(X)})


def truths(X):
    return X.select_dtypes("bool").columns


def counts(X):
    return X.select_dtypes("number").columns


def grades(X):
    return ["grade"]


def with_a_gap(x):
    return x.where(x.index != 0)


EQUAL = {
    "a database": lambda X: X,
    "bools as 0 and 1": change(truths, lambda x: x.astype("int8")),
    "bools with a gap": change(truths, lambda x: with_a_gap(x.astype(object))),
    "bools as 0 and 1 with a gap": change(truths, lambda x: with_a_gap(x.astype(float))),
    "bools in capitals": change(truths, lambda x: x.astype("str").str.upper()),
    "integers with a gap": change(counts, with_a_gap),
    "nullable integers": change(counts, lambda x: with_a_gap(x.astype("Int32"))),
    "names as integers": change(grades, lambda x: x.astype(int)),
    "names as floats": change(grades, lambda x: with_a_gap(x.astype(float))),
    "names as text of floats": change(grades, lambda x: x + ".0"),
}
TOLD = {  # and of which columns, in which words
    "bools as 1 and 2": (truths, lambda x: x + 1, "numbers such as 2"),
    "integers as text": (counts, lambda x: x.astype("str"), "was numeric in training"),
    "integers in bins": (counts, lambda x: pd.cut(x, 3), "was numeric in training"),
    "names as bools": (grades, lambda x: x > "2", "True or False"),
}


@pytest.fixture(scope="module", params=[rt.C44(), rt.NaiveBayes(), rt.PathBayes()], ids=str)
def scored(request, customers, tmp_path_factory):
    """A model of the first half, from a CSV file, and what it says of the other half there."""
    X, y = customers
    path = tmp_path_factory.mktemp("customers") / "customers.csv"
    X.assign(y=y).to_csv(path, index=False)
    data = rt.read_csv(path, "y", dtype={"grade": "category"})
    old = np.arange(len(y)) < len(y) // 2
    model = request.param.fit(data.X[old], data.y[old])
    return model, X[~old].reset_index(drop=True), model.predict_proba(data.X[~old])


@pytest.mark.parametrize("export", EQUAL.values(), ids=list(EQUAL))
def test_another_export_of_customers_is_scored_alike(scored, export, tmp_path):
    model, X, proba = scored
    there = export(X).notna().eq(X.notna()).all(axis=1)  # but for what an export has no value of
    assert there.sum() >= len(X) - 1
    np.testing.assert_array_equal(model.predict_proba(export(X))[there], proba[there])
    export(X).to_parquet(tmp_path / "customers.parquet")
    again = model.predict_proba(pd.read_parquet(tmp_path / "customers.parquet"))
    np.testing.assert_array_equal(again[there], proba[there])


@pytest.mark.parametrize(("names", "how", "words"), TOLD.values(), ids=list(TOLD))
def test_an_export_of_customers_that_is_not_certain_is_told(scored, names, how, words):
    model, X, _ = scored
    for name in names(X):
        with pytest.raises(ValueError, match=f"column '{name}' .*{words}"):
            model.predict_proba(X.assign(**{name: how(X[name])}))


def test_text_never_seen_is_warned_of(scored):
    model, X, _ = scored
    name = truths(X)[0]
    for new in ({"grade": "grade " + X["grade"]}, {name: X[name].map({True: "yes", False: "no"})}):
        with pytest.warns(UserWarning, match=f"column '{min(new)}': 100% of its values were never"):
            model.predict_proba(X.assign(**new))
