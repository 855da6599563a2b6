"""Agrawal's loan data: the ten functions by hand, and the same cases whatever their number."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab.data.generate import NOMINAL


def in_group_a(function, p):
    """Whether a person is in group A, as the paper defines the ten groups."""
    band = int(p.age >= 40) + int(p.age >= 60)
    pay, k = p.salary + p.commission, 1000
    by_age = [50 * k, 75 * k, 25 * k][band]
    match function:
        case 1:
            return band != 1
        case 2:
            return by_age <= p.salary <= by_age + 50 * k
        case 3:
            return p.elevel in [(0, 1), (1, 2, 3), (2, 3, 4)][band]
        case 4:
            schooled = p.elevel in [(0, 1), (1, 2, 3), (2, 3, 4)][band]
            low = [(50, 25), (75, 50), (25, 50)][band][schooled] * k
            return low <= p.salary <= low + 50 * k
        case 5:
            inside = by_age <= p.salary <= by_age + 50 * k
            low = [(200, 100), (300, 200), (100, 300)][band][inside] * k
            return low <= p.loan <= low + 200 * k
        case 6:
            return by_age <= pay <= by_age + 50 * k
        case 7:
            return 0.67 * pay - 0.2 * p.loan - 20 * k > 0
        case 8:
            return 0.67 * pay - 5 * k * p.elevel - 20 * k > 0
        case 9:
            return 0.67 * pay - 5 * k * p.elevel - 0.2 * p.loan - 10 * k > 0
    equity = 0.1 * p.hvalue * max(p.hyears - 20, 0)
    return 0.67 * pay - 5 * k * p.elevel + 0.2 * equity - 10 * k > 0


@pytest.mark.parametrize("function", range(1, 11))
def test_the_ten_functions_case_by_case(function):
    data = rt.agrawal(2000, function, seed=function)
    people = data.X.assign(elevel=data.X["elevel"].cat.codes).itertuples()
    assert (data.y == "A").tolist() == [in_group_a(function, person) for person in people]
    assert len(set(data.y)) == 2


def test_the_attributes_are_drawn_as_the_paper_says():
    X = rt.agrawal(60_000).X
    assert list(X) == [
        "salary", "commission", "age", "hvalue", "hyears", "loan", "elevel", "car", "zipcode",
    ]  # fmt: skip
    for name, low, high in (("salary", 20_000, 150_000), ("age", 20, 80), ("loan", 0, 500_000)):
        assert low <= X[name].min() < low + (high - low) / 100
        assert high - (high - low) / 100 < X[name].max() <= high
        assert X[name].mean() == pytest.approx((low + high) / 2, rel=0.01)
    poor = X["salary"] < 75_000
    assert (X["commission"][~poor] == 0).all()
    assert X["commission"][poor].between(10_000, 75_000).all()
    assert sorted(X["hyears"].unique()) == list(range(1, 31))
    house = X["hvalue"] / (X["zipcode"].cat.codes + 1)
    assert house.between(50_000, 150_000).all()
    for name, values in NOMINAL.items():
        assert X[name].cat.categories.tolist() == values
        assert X[name].value_counts(normalize=True).min() > 0.9 / len(values)


def test_the_first_cases_are_the_same_whatever_their_number(monkeypatch):
    monkeypatch.setattr(import_module("ranktrees_lab.data.generate"), "CHUNK", 1000)
    large = rt.agrawal(3500, 4, 0.1, extra=2)
    for n in (1, 500, 1000, 1001, 3000):
        small = rt.agrawal(n, 4, 0.1, extra=2)
        pd.testing.assert_frame_equal(small.X, large.X.iloc[:n])
        assert small.y.tolist() == large.y[:n].tolist()
    assert not rt.agrawal(50, seed=2).X["age"].equals(large.X["age"].iloc[:50])
    assert abs(np.corrcoef(large.X["age"][:1000], large.X["age"][1000:2000])[0, 1]) < 0.1


def test_noise_turns_its_share_of_the_groups_over_and_nothing_else():
    clean = rt.agrawal(30_000, 3)
    for noise in (0.1, 1.0):
        noisy = rt.agrawal(30_000, 3, noise)
        pd.testing.assert_frame_equal(noisy.X, clean.X)
        assert np.mean(noisy.y != clean.y) == pytest.approx(noise, abs=0.01)


def test_extra_attributes_say_nothing_and_change_nothing():
    plain, wide = rt.agrawal(20_000, 2), rt.agrawal(20_000, 2, extra=3)
    pd.testing.assert_frame_equal(wide.X[list(plain.X)], plain.X)
    assert wide.y.tolist() == plain.y.tolist()
    assert list(wide.X)[-3:] == ["extra1", "extra2", "extra3"]
    assert [wide.X[f"extra{k}"].dtype.kind for k in (1, 2, 3)] == ["O", "f", "O"]
    in_a = np.asarray(wide.y == "A")
    assert wide.X["extra2"][in_a].mean() == pytest.approx(wide.X["extra2"].mean(), abs=0.02)


def test_files_hold_the_same_cases(tmp_path, monkeypatch):
    monkeypatch.setattr(import_module("ranktrees_lab.data.generate"), "PER_FILE", 7000)
    monkeypatch.setattr(import_module("ranktrees_lab.data.generate"), "CHUNK", 2000)
    paths = rt.data.write_agrawal(tmp_path / "new" / "folder", 14_000, 6, 0.2, seed=3, extra=1)
    assert [path.name for path in paths] == [f"part-{k:04d}.parquet" for k in range(3)]
    assert [len(pd.read_parquet(path)) for path in paths] == [6000, 6000, 2000]
    written = pd.concat([pd.read_parquet(path) for path in paths], ignore_index=True)
    data = rt.agrawal(14_000, 6, 0.2, seed=3, extra=1)
    pd.testing.assert_frame_equal(written, data.frame)
    with pytest.raises(FileExistsError, match="folder has Parquet files already"):
        rt.data.write_agrawal(tmp_path / "new" / "folder", 10)


@pytest.mark.parametrize(
    ("how", "match"),
    [
        ({"n": 0}, "n must be at least 1"),
        ({"function": 11}, "functions 1 to 10, but no 11"),
        ({"function": True}, "functions 1 to 10, but no True"),
        ({"noise": 1.1}, "noise is a share of the cases, 0 to 1, not 1.1"),
        ({"seed": -1}, "seed "),
        ({"extra": -1}, "extra "),
    ],
)
def test_bad_arguments(how, match, tmp_path):
    how = {"n": 10, **how}
    with pytest.raises((ValueError, TypeError), match=match):
        rt.agrawal(**how)
    with pytest.raises((ValueError, TypeError), match=match):
        rt.data.write_agrawal(tmp_path / "bad", **how)
    assert not list((tmp_path / "bad").glob("*.parquet"))


def test_more_attributes_than_fit_in_a_batch_are_refused(tmp_path, capsys):
    main = import_module("ranktrees_lab.command").main
    with pytest.raises(ValueError, match="extra must be at most 1,000 attributes, but it is 1,001"):
        rt.agrawal(10, extra=1001)
    call = ["generate", "agrawal", "--rows", "10", "--out", str(tmp_path / "a")]
    assert main([*call, "--extra", "1e9"]) == 2
    said = "ranktrees: error: extra must be at most 1,000 attributes, but it is 1,000,000,000\n"
    assert capsys.readouterr().err == said
    assert main([*call, "--extra", "1.5"]) == 2
    assert "--extra must be a whole number, not 1.5" in capsys.readouterr().err
    assert main([*call, "--extra", "1e1"]) == 0
    assert pd.read_parquet(tmp_path / "a").shape == (10, 20)
