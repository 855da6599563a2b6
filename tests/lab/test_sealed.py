"""The sealed bank: what three learners are shown, what is kept, what is refused."""

import json

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab.sealed import kept
from ranktrees_lab.sealed.seal import Seal
from ranktrees_lab.student import copy_text, lessons_folder

LEAK = "call_minutes"
pytestmark = pytest.mark.filterwarnings("ignore:.*(no value at all|never seen|has the value)")


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """The folder of a student who has a copy of one lesson and has submitted nothing."""
    path = next(iter(sorted(lessons_folder().glob("05_*.ipynb"))))
    (tmp_path / path.name).write_text(copy_text(path), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kept, "IN_MEMORY", [])
    return tmp_path


def fitted(model, *without):
    bank = rt.sealed.data()
    return model.fit(bank.X.drop(columns=["client", *without]), bank.y)


def honest():
    return fitted(rt.PathForest(), LEAK)


def some(k=0):
    return np.random.default_rng(k).permutation(800)


def test_the_bank_has_all_kinds_of_attributes_and_a_column_that_the_sealed_lack():
    bank = rt.sealed.data()
    assert (bank.X.shape, len(bank.y), bank.clients.shape) == ((700, 12), 700, (800, 12))
    assert list(bank.y.categories) == ["no", "yes"]
    assert pd.concat([bank.X, bank.clients]).client.is_unique
    assert {"int64", "float64", "bool", "category"} <= {*map(str, bank.X.dtypes)}
    head = bank.X.iloc[0][["client", "age", "balance", "occupation", "letter"]].tolist()
    assert head == ["B-78730", 23, 9050, "self-employed", "printed"]
    assert (bank.y == "yes").sum() == 323
    assert not rt.sealed.data(seed=2).clients.equals(bank.clients)
    assert bank.X.isna().any().sum() == 3
    assert bank.X[LEAK].notna().all()
    assert bank.clients[LEAK].isna().tolist() == [False] * 500 + [True] * 300


def test_the_honest_learner_does_well_and_the_leak_collapses():
    rt.sealed.data(seed=3)
    rt.sealed.submit(fitted(rt.C44(), LEAK), "C4.4")
    rt.sealed.submit(honest(), "honest")
    shown = rt.sealed.submit(fitted(rt.PathForest()), "with the leak")
    assert list(shown.table) == ["name", "board"]
    assert "sealed" not in repr(shown)
    simple, good, leak = shown.table.board
    assert 0.84 < shown.best["board"] < 0.93
    assert simple + 0.1 < good < shown.best["board"] - 0.03
    assert leak > good + 0.05
    opened = rt.sealed.open(now=True)
    assert opened.table.sealed[3] < opened.table.sealed[2] - 0.02
    assert opened.table.board.tolist() == shown.table.board.tolist()


def test_opening_twice_shows_the_same_and_marks_what_came_later():
    rt.sealed.submit(some(1), "<one> $x$")
    first = rt.sealed.open(now=True)
    assert repr(rt.sealed.open(now=True)) == repr(first)
    rt.sealed.submit(some(2), "two")
    again = rt.sealed.open(now=True)
    assert again.table["after opening"].tolist() == [False, True]
    assert "1 submitted after the opening" in repr(again)
    assert again.table.sealed[1] == first.table.sealed[1]
    data, metadata = first._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == first.picture.alt
    assert f"best possible {first.best['sealed']:.3f}" in first.picture.alt
    assert "&lt;one&gt;" in data["text/html"]
    assert "<one>" in data["text/plain"]


def test_running_the_cell_leaves_the_seal_shut_and_a_click_opens_it(folder):
    rt.sealed.submit(some(1), "one")
    seal = rt.sealed.open()
    told, _ = seal.still()
    assert "of your 1 submission on the 300" in told["text/plain"]
    assert seal.answers()[0]["answer"].count("sealed") > 1
    assert kept.load().opened is None
    seal.button.click()
    assert kept.load().opened == 1
    assert f"{rt.sealed.open().table.sealed[1]:.3f}" in seal.results.value
    rt.sealed.submit(some(2), "two")
    seal.button.click()
    assert kept.load().opened == 1


def test_without_buttons_it_says_how_to_open(monkeypatch, capsys):
    rt.sealed.submit(some(1), "one")
    monkeypatch.setattr("ranktrees_lab.sealed.submissions.has_buttons", lambda: False)
    assert rt.sealed.open() is None
    assert "rt.sealed.open(now=True)" in capsys.readouterr().out
    assert kept.load().opened is None


def test_a_lecturer_closes_a_seal_that_was_opened_by_accident(folder):
    rt.sealed.submit(some(1), "one")
    with pytest.raises(ValueError, match="closed already"):
        rt.sealed.close(folder)
    rt.sealed.open(now=True)
    rt.sealed.close(folder)
    assert isinstance(rt.sealed.open(), Seal)
    assert rt.sealed.collect(folder)["closed again"].tolist() == [1]
    with pytest.raises(ValueError, match=r"has no sealed\.json"):
        rt.sealed.close(folder.parent / "elsewhere")


def test_the_students_file_holds_rankings_and_no_outcome(folder, monkeypatch):
    rt.sealed.data(seed="group B")
    rt.sealed.submit(some() / 7, "mine")
    found = json.loads((folder / "sealed.json").read_text(encoding="utf-8"))
    assert found == {
        "seed": "group B", "names": ["mine"], "places": [some().tolist()], "opened": None,
        "closed": 0,
    }  # fmt: skip
    rt.sealed.submit(some(), "mine")  # a cell that runs again
    assert len(rt.sealed.submit(some(), "other").table) == 2
    assert rt.sealed.data().clients.equals(rt.sealed.data(seed="group B").clients)
    with pytest.raises(ValueError, match="2 of your submissions are for seed group B, not for 2"):
        rt.sealed.data(seed=2)
    (folder / "empty").mkdir()
    monkeypatch.chdir(folder / "empty")  # without a copy they last as long as the kernel
    rt.sealed.submit(some(), "mine")
    assert len(rt.sealed.open(now=True).table) == 1
    assert not list((folder / "empty").iterdir())


def of_ages(name, classes):
    """A model of one column, with this name."""
    return rt.C44().fit(rt.sealed.data().X[["age"]].set_axis([name], axis=1), classes)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: rt.sealed.submit(np.zeros(799), "mine"), "799 numbers for 800 clients"),
        (lambda: rt.sealed.submit([1, np.nan] * 400, "mine"), "client 1 has the score nan"),
        (lambda: rt.sealed.submit(np.zeros((800, 2)), "mine"), "take the column of yes"),
        (lambda: rt.sealed.submit(["high"] * 800, "mine"), "must hold numbers only"),
        (lambda: rt.sealed.submit("forest", "mine"), "a fitted model or 800 numbers"),
        (lambda: rt.sealed.submit(pd.Series(np.zeros(800))[::-1], "mine"), "another index"),
        (lambda: rt.sealed.submit(rt.C44(), "mine"), "not fitted"),
        (
            lambda: rt.sealed.submit(of_ages("years", ["no", "yes"] * 350), "mine"),
            "fitted on 'years', which is not",
        ),
        (lambda: rt.sealed.submit(of_ages("age", ["a", "b"] * 350), "mine"), "classes are a, b"),
        (lambda: rt.sealed.submit(some(), 3), "name must be a line of 1 to 40 letters"),
        (rt.sealed.open, "nothing is submitted yet"),
        (lambda: rt.sealed.data(seed=1.5), "seed must be a whole number or text"),
        (lambda: rt.sealed.collect("submitted"), r"no sealed\.json below"),
    ],
)
def test_what_is_no_submission_is_refused_and_not_kept(call, says, folder):
    with pytest.raises((TypeError, ValueError), match=says):
        call()
    assert not (folder / "sealed.json").exists()


@pytest.mark.parametrize(
    "change",
    [{"names": ["a", "b"]}, {"places": [[0.5] * 800]}, {"opened": 2}, {"closed": -1}, {"more": 1}],
)
def test_a_damaged_file_is_named_and_stays(change, folder):
    rt.sealed.submit(some(), "a")
    path = folder / "sealed.json"
    text = json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change})
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"sealed\.json cannot be read"):
        rt.sealed.submit(some(1), "b")
    assert path.read_text(encoding="utf-8") == text


def test_a_lecturer_collects_a_class(folder, monkeypatch):
    lesson = next(folder.glob("05_*.ipynb"))
    for k, student in enumerate(["ada", "bo"]):
        home = folder / "submitted" / student
        home.mkdir(parents=True)
        (home / lesson.name).write_text(lesson.read_text(encoding="utf-8"), encoding="utf-8")
        monkeypatch.chdir(home)
        rt.sealed.data(seed=5)
        for i in range(k + 1):
            rt.sealed.submit(some(i), f"try {i}")
    rt.sealed.open(now=True)
    table = rt.sealed.collect(folder / "submitted")
    assert table.student.tolist() == ["ada", "bo", "bo"]
    assert table.submissions.tolist() == [1, 2, 2]
    assert table.board[0] == table.board[1]
    assert {"name", "sealed", "seed", "after opening"} <= {*table}
