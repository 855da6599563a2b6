"""Generated data sets against their definitions, counted by hand or one by one."""

from importlib import import_module
from itertools import product

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab.data import generate, load
from ranktrees_lab.data.generate import NOMINAL


def test_balance_scale_tips_to_the_heavier_moment():
    data = generate.balance_scale()
    assert list(data.y.categories) == ["L", "B", "R"]
    settings = list(product([1.0, 2.0, 3.0, 4.0, 5.0], repeat=4))
    assert list(data.X.itertuples(index=False, name=None)) == settings
    for (lw, ld, rw, rd), y in zip(settings, data.y, strict=True):
        assert y == ("L" if lw * ld > rw * rd else "R" if lw * ld < rw * rd else "B")


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    wins = ["".join(board[i] for i in line) for line in LINES]
    return next((signs[0] for signs in wins if signs in ("xxx", "ooo")), None)


def ends_of_play():
    """All boards at which a game can end, found by playing every game move by move."""
    boards, ends = {"b" * 9}, set()
    for move in range(10):
        over = {b for b in boards if winner(b) or "b" not in b}
        ends |= over
        sign = "xo"[move % 2]
        boards = {b[:i] + sign + b[i + 1 :] for b in boards - over for i in range(9) if b[i] == "b"}
    return ends


def test_tic_tac_toe_has_exactly_the_ends_that_play_reaches_by_outcome():
    data = generate.tic_tac_toe()
    boards = ["".join(row) for row in data.X.itertuples(index=False)]
    assert len(boards) == 958
    assert set(boards) == ends_of_play()
    assert list(data.y) == ["positive" if winner(b) == "x" else "negative" for b in boards]


CONCEPTS = {
    1: lambda a1, a2, a3, a4, a5, a6: a1 == a2 or a5 == 1,
    2: lambda *a: a.count(1) == 2,
    3: lambda a1, a2, a3, a4, a5, a6: (a5 == 3 and a4 == 1) or (a5 != 4 and a2 != 3),
}


@pytest.mark.parametrize(("problem", "positive"), [(1, 216), (2, 142), (3, 228)])
def test_monks_hold_the_target_concept_for_every_robot(problem, positive):
    data = generate.monks(problem)
    robots = [tuple(map(int, row)) for row in data.X.itertuples(index=False)]
    assert robots == list(product(*[range(1, k + 1) for k in (3, 3, 2, 3, 4, 2)]))
    assert list(data.y) == [str(int(CONCEPTS[problem](*robot))) for robot in robots]
    assert data.y.value_counts()["1"] == positive


@pytest.mark.parametrize(("k", "irrelevant"), [(1, 0), (3, 2)])
def test_parity_needs_all_its_attributes(k, irrelevant):
    data = generate.parity(k, irrelevant)
    rows = data.X.astype(int).to_numpy()
    assert len(np.unique(rows, axis=0)) == len(rows) == 2 ** (k + irrelevant)
    odd = rows[:, :k].sum(axis=1) % 2 == 1
    np.testing.assert_array_equal(data.y == "odd", odd)
    for column in rows.T[1:] if k == 1 else rows.T:
        assert odd[column == 1].mean() == odd[column == 0].mean() == 0.5


def test_waveform_repeats_with_its_seed_and_has_the_moments_of_its_definition():
    again, other = generate.waveform(50, seed=3, noise=0), generate.waveform(50, noise=0)
    assert not np.isclose(again.X, other.X).any()
    assert load("waveform").X.equals(generate.waveform(5000, seed=1, noise=19).X)
    data = generate.waveform(60_000, seed=3)
    wave = {c: [max(6 - abs(i - c), 0) for i in range(1, 22)] for c in (11, 15, 7)}
    pairs = {"0": (11, 15), "1": (11, 7), "2": (15, 7)}
    np.testing.assert_allclose(data.y.value_counts() / len(data), 1 / 3, atol=0.01)
    for label, (first, second) in pairs.items():
        x = data.X[data.y == label].to_numpy()
        g, h = np.array(wave[first]), np.array(wave[second])
        mean = np.append((g + h) / 2, np.zeros(19))  # u has mean 1/2
        variance = np.append((g - h) ** 2 / 12, np.zeros(19)) + 1  # u has variance 1/12
        np.testing.assert_allclose(x.mean(axis=0), mean, atol=0.06)
        np.testing.assert_allclose(x.var(axis=0), variance, atol=0.15)


def in_group_a(function, p):
    """Whether a person is in group A, as the paper defines the ten groups."""
    k, band, pay = 1000, int(p.age >= 40) + int(p.age >= 60), p.salary + p.commission
    low = [50, 75, 25][band] * k
    inside = low <= p.salary <= low + 50 * k
    schooled = p.elevel in [(0, 1), (1, 2, 3), (2, 3, 4)][band]
    salary = [(50, 25), (75, 50), (25, 50)][band][schooled] * k
    loan = [(200, 100), (300, 200), (100, 300)][band][inside] * k
    equity, rest = 0.1 * p.hvalue * max(p.hyears - 20, 0), 0.67 * pay - 5 * k * p.elevel
    return [
        band != 1,
        inside,
        schooled,
        salary <= p.salary <= salary + 50 * k,
        loan <= p.loan <= loan + 200 * k,
        low <= pay <= low + 50 * k,
        0.67 * pay - 0.2 * p.loan - 20 * k > 0,
        rest - 20 * k > 0,
        rest - 0.2 * p.loan - 10 * k > 0,
        rest + 0.2 * equity - 10 * k > 0,
    ][function - 1]


@pytest.mark.parametrize("function", range(1, 11))
def test_the_ten_functions_case_by_case(function):
    data = rt.agrawal(1000, function, seed=function)
    people = data.X.assign(elevel=data.X["elevel"].cat.codes).itertuples()
    assert (data.y == "A").tolist() == [in_group_a(function, person) for person in people]


def test_the_attributes_are_drawn_as_the_paper_says():
    X = rt.agrawal(60_000).X
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


def test_noise_turns_its_share_of_the_groups_over_and_extra_attributes_say_nothing():
    clean, noisy = rt.agrawal(20_000, 3), rt.agrawal(20_000, 3, noise=0.1, extra=3)
    pd.testing.assert_frame_equal(noisy.X[list(clean.X)], clean.X)
    assert np.mean(noisy.y != clean.y) == pytest.approx(0.1, abs=0.01)
    assert [noisy.X[f"extra{k}"].dtype.kind for k in (1, 2, 3)] == ["O", "f", "O"]
    in_a = np.asarray(noisy.y == "A")
    assert noisy.X["extra2"][in_a].mean() == pytest.approx(noisy.X["extra2"].mean(), abs=0.02)


def test_files_hold_the_same_cases(tmp_path, monkeypatch):
    monkeypatch.setattr(import_module("ranktrees_lab.data.generate"), "PER_FILE", 700)
    monkeypatch.setattr(import_module("ranktrees_lab.data.generate"), "CHUNK", 200)
    paths = rt.data.write_agrawal(tmp_path / "new" / "folder", 1400, 6, 0.2, seed=3, extra=1)
    assert [path.name for path in paths] == [f"part-{k:04d}.parquet" for k in range(3)]
    assert [len(pd.read_parquet(path)) for path in paths] == [600, 600, 200]
    written = pd.concat([pd.read_parquet(path) for path in paths], ignore_index=True)
    pd.testing.assert_frame_equal(written, rt.agrawal(1400, 6, 0.2, seed=3, extra=1).frame)
    with pytest.raises(FileExistsError, match="folder has Parquet files already"):
        rt.data.write_agrawal(tmp_path / "new" / "folder", 10)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rt.agrawal(0), "n must be at least 1"),
        (lambda: rt.agrawal(10, True), "functions 1 to 10, but no True"),
        (lambda: rt.agrawal(10, noise=1.1), "noise is a share of the cases, 0 to 1, not 1.1"),
        (lambda: rt.agrawal(10, extra=1001), "extra must be at most 1,000 attributes"),
        (lambda: generate.parity(0, 0), "k must be at least 1, but it is 0"),
        (lambda: generate.parity(5, -1), "irrelevant must be at least 0, but it is -1"),
        (lambda: generate.parity(15, 6), r"at most 20 attributes in all, not 15 \+ 6"),
        (lambda: generate.monks(4), "no 4"),
        (lambda: generate.waveform(0), "n must be at least 1, but it is 0"),
        (lambda: generate.waveform(10, noise=-1), "noise must be at least 0, but it is -1"),
    ],
)
def test_what_cannot_be_generated_is_refused(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_the_command_names_its_number(tmp_path, capsys):
    main = import_module("ranktrees_lab.command").main
    call = ["generate", "agrawal", "--rows", "10", "--out", str(tmp_path / "a")]
    for extra, said in [
        ("1e9", "extra must be at most 1,000 attributes, but it is 1,000,000,000\n"),
        ("1.5", "--extra must be a whole number, not 1.5"),
    ]:
        assert main([*call, "--extra", extra]) == 2
        assert said in capsys.readouterr().err
    assert main([*call, "--extra", "1e1"]) == 0
    assert pd.read_parquet(tmp_path / "a").shape == (10, 20)
