"""One table for each column says what stands for its values, to all who ask: the same to each."""

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from databases import in_duckdb, in_sqlite

import ranktrees as rt
from ranktrees_engine.reading.meaning import key, spellings

WORDS = ["a", "1", "1.0", "01", "1e0", "0", "0.0", "true", "True", "TRUE", "false"]
WORDS += ["+1", "-0", "0.50", "0.5", "10", "1e1"]
KNOWN = [known for n in (2, 3) for known in combinations(WORDS, n)]
DATABASES = (in_sqlite, in_duckdb)
pytestmark = pytest.mark.filterwarnings("ignore:.*feature names:UserWarning")


def unless_refused(ask, words):
    """What is answered, or None for an error of these words."""
    try:
        return ask()
    except ValueError as error:
        if words not in str(error):
            raise
        return None


def agree(known, scan):
    """Whether a model that knows these words reads all words alike; False where it is refused."""
    frame = pd.DataFrame({"x": pd.Series(WORDS, dtype=object)})
    X, y = pd.DataFrame({"x": [*known] * 2}), [*map(str, range(len(known)))] * 2
    model = unless_refused(lambda: rt.C44(min_child=1).fit(X, y), "column 'x' holds")
    if model is None:
        return False
    info, proba = model.tree_.schema[0], model.predict_proba(frame)
    code = [info.spellings.get(key(word), -1) for word in WORDS]
    assert model.encode(frame).values[:, 0].tolist() == code, known
    own = model.predict_proba(pd.DataFrame({"x": info.values}))
    readings = [np.vstack([own, model.node_proba_[0]])[code]]
    readings += [model.predict_proba([[word] for word in WORDS])]
    readings += [database(frame, model.to_sql("cases")) for database in DATABASES]
    for found in (*readings, np.concatenate([*model.predict_proba(scan)])):
        assert (found == proba).all(), known
    for word, row in zip(WORDS[::5], proba[::5], strict=True):
        assert list(model.explain([word]).proba.values()) == row.tolist(), (known, word)
    return True


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.long)])
def test_all_who_ask_read_a_word_alike(step, tmp_path):
    path = tmp_path / "words.parquet"
    pd.DataFrame({"x": WORDS, "y": "p"}).to_parquet(path)
    scan = rt.scan(path, "y")
    assert 5 < sum(agree(known, scan) for known in KNOWN[::step]) < len(KNOWN[::step])


TRAINED = {
    "text": ["1", "2.50", "4+"],
    "codes": ["007", "12", "+3"],
    "text of truth": ["True", "FALSE", "?"],
    "text of 0 and 1": ["0", "1.0"],
    "truth": [True, False],
    "names of numbers": pd.Categorical([10, 2.5, 0.1 + 0.2, 1e22]),
    "names 0 and 1": pd.Categorical([0, 1]),
    "large names": pd.Categorical([2**53, 2**53 + 1, 5]),
}
ASKED = {
    "whole": pd.Series([0, 1, 2, 3, 7, 10]),
    "0 and 1": pd.Series([0, 1]),
    "numbers": pd.Series([0.0, 1.0, 2.5, 0.1 + 0.2, 0.3, 7.0, 1e22, np.nan]),
    "truth": pd.Series([True, False]),
    "text": pd.Series(["1", "1.0", "2.5", "2.50", "5e-1", "TRUE", "10.0", "1e22", "7", None]),
    "names": pd.Series(["1.0", "true", "a", "0"], dtype="category"),
    "large": pd.Series([2**53 - 1, 5]),
}


@pytest.mark.parametrize("trained", TRAINED.values(), ids=list(TRAINED))
def test_databases_read_types_as_the_model_does_or_it_refuses_them(trained):
    y = [*map(str, range(len(trained)))] * 2
    X = pd.concat([pd.DataFrame({"x": trained})] * 2)
    model, answered = rt.C44(min_child=1).fit(X, y), 0
    for what, values in ASKED.items():
        cases = pd.DataFrame({"x": values})
        proba = unless_refused(partial(model.predict_proba, cases), "column 'x' held")
        if proba is None:
            continue
        for ask in DATABASES[1:] if what == "truth" else DATABASES:  # 1 and 0 to SQLite
            assert (ask(cases, model.to_sql("cases")) == proba).all(), what
            answered += 1
    assert answered >= 3


def test_codes_are_known_by_what_is_written_and_by_their_number():
    texts = [("007", "7", "7.0"), ("12", "12.0"), ("+3", "3", "3.0")]
    expected = {("number", each[-1][:-2]): code for code, each in enumerate(texts)}
    expected |= {("text", text): code for code, each in enumerate(texts) for text in each}
    assert spellings("x", TRAINED["codes"]) == expected


@pytest.mark.parametrize("name", ["true", "FALSE", "null", "rowid", 'a"b'])
def test_a_column_may_be_called_as_a_word_of_sql(name):
    for values in (["a", "b"], [1.0, 2.0]):
        X = pd.DataFrame({name: values * 4})
        model = rt.C44().fit(X, ["p", "q"] * 4)
        for ask in DATABASES:
            assert (ask(X, model.to_sql("cases")) == model.predict_proba(X)).all()
