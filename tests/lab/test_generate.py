"""Generated data sets against their definitions, counted by hand or one by one."""

import itertools

import numpy as np
import pytest

from ranktrees_lab.data import generate, load


def test_balance_scale_tips_to_the_heavier_moment():
    data = generate.balance_scale()
    assert list(data.y.categories) == ["L", "B", "R"]
    assert data.y.value_counts().to_dict() == {"L": 288, "B": 49, "R": 288}
    settings = list(itertools.product([1.0, 2.0, 3.0, 4.0, 5.0], repeat=4))
    assert list(data.X.itertuples(index=False, name=None)) == settings
    for (lw, ld, rw, rd), y in zip(settings, data.y, strict=True):
        assert y == ("L" if lw * ld > rw * rd else "R" if lw * ld < rw * rd else "B")


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    for line in LINES:
        signs = {board[i] for i in line}
        if len(signs) == 1 and signs != {"b"}:
            return signs.pop()
    return None


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
    key = [([*"xo", None].index(winner(b)), *map("xob".index, b)) for b in boards]
    assert key == sorted(key)
    assert [*data.X.columns[[0, 8]]] == ["top-left-square", "bottom-right-square"]


CONCEPTS = {
    1: lambda a1, a2, a3, a4, a5, a6: a1 == a2 or a5 == 1,
    2: lambda *a: a.count(1) == 2,
    3: lambda a1, a2, a3, a4, a5, a6: (a5 == 3 and a4 == 1) or (a5 != 4 and a2 != 3),
}


@pytest.mark.parametrize(("problem", "positive"), [(1, 216), (2, 142), (3, 228)])
def test_monks_hold_the_target_concept_for_every_robot(problem, positive):
    data = generate.monks(problem)
    assert data.X.columns.tolist() == ["a1", "a2", "a3", "a4", "a5", "a6"]
    robots = [tuple(map(int, row)) for row in data.X.itertuples(index=False)]
    assert robots == list(itertools.product(*[range(1, k + 1) for k in (3, 3, 2, 3, 4, 2)]))
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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: generate.parity(0, 0), "k must be at least 1, but it is 0"),
        (lambda: generate.parity(5, -1), "irrelevant must be at least 0, but it is -1"),
        (lambda: generate.parity(15, 6), r"at most 20 attributes in all, not 15 \+ 6"),
        (lambda: generate.monks(4), "no 4"),
        (lambda: generate.waveform(0), "n must be at least 1, but it is 0"),
        (lambda: generate.waveform(10, noise=-1), "noise must be at least 0, but it is -1"),
    ],
)
def test_what_cannot_be_laid_out_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_tax_payers_of_the_slides():
    data = load("tax-payers")
    assert data.X["Income"].tolist() == [125, 100, 70, 120, 95, 60, 220, 85, 75, 90]
    assert list(data.y) == ["No"] * 4 + ["Yes", "No", "No", "Yes", "No", "Yes"]
    cheat = data.y == "Yes"
    # as the slides count: P(Married | No) = 4/7, P(Refund = Yes | Yes) = 0/3
    assert sum(data.X["Status"][~cheat] == "Married") == 4
    assert sum(data.X["Refund"][cheat] == "Yes") == 0
    assert (cheat.sum(), len(data)) == (3, 10)


def test_waveform_repeats_with_its_seed_and_has_the_moments_of_its_definition():
    again, other = generate.waveform(50, seed=3, noise=0), generate.waveform(50, noise=0)
    assert again.X.equals(generate.waveform(50, seed=3, noise=0).X)
    assert not np.isclose(again.X, other.X).any()
    assert again.X.shape == (50, 21)
    assert load("waveform").X.equals(generate.waveform(5000, seed=1, noise=19).X)
    data = generate.waveform(60_000, seed=3)
    assert data.X.shape == (60_000, 40)
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
