"""Folds and random numbers equal to those that Weka and Java gave (golden/record_folds.py)."""

import json
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import ranktrees as rt
from ranktrees.evaluate import JavaRandom, weka_folds, weka_splits

FOLDER = Path(__file__).parents[1] / "golden" / "folds"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != "random")

pytestmark = pytest.mark.filterwarnings("ignore:the smallest class has:UserWarning")


@cache
def golden(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_six_sets_are_recorded():
    assert len(NAMES) == 6


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", [3, 10])
@pytest.mark.parametrize("seed", range(1, 6))
def test_every_case_is_tested_in_the_fold_of_weka(name, k, seed):
    y = rt.load(name).y
    fold = weka_folds(y, k, seed)
    assert "".join(map(str, fold)) == golden(name)["folds"][str(k)][str(seed)]


@pytest.mark.parametrize("name", NAMES)
def test_cases_are_trained_and_tested_in_the_order_of_weka(name):
    splits = weka_splits(rt.load(name).y, 3, 1)
    assert [train.tolist() for train, _ in splits] == golden(name)["trained"]
    assert [test.tolist() for _, test in splits] == golden(name)["tested"]


@pytest.mark.parametrize("draws", golden("random")["draws"], ids=lambda d: str(d["seed"]))
def test_draws_are_those_of_java(draws):
    bounds = np.resize(golden("random")["bounds"], len(draws["numbers"]))
    assert JavaRandom(draws["seed"]).integers(bounds).tolist() == draws["numbers"]
    one_by_one = JavaRandom(draws["seed"])
    assert [int(one_by_one.integers([b])[0]) for b in bounds] == draws["numbers"]


class LiteralRandom:
    """`java.util.Random`: s <- s 0x5DEECE66D + 0xB modulo 2^48 (Knuth, TAOCP 2, 3.2.1)."""

    def __init__(self, seed: int):
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def bits(self) -> int:
        """The next 31 bits: the highest of 48."""
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        return self.state >> 17

    def below(self, bound: int) -> int:
        """`nextInt(bound)`; draws from the last, incomplete block of numbers are refused."""
        bits = self.bits()
        if bound & (bound - 1) == 0:  # a power of two: the high bits
            return (bound * bits) >> 31
        while bits - bits % bound + bound - 1 >= 2**31:
            bits = self.bits()
        return bits % bound


class Counted(LiteralRandom):
    """The plain generator, which says how many draws it made."""

    drawn = 0

    def bits(self):
        self.drawn += 1
        return super().bits()


def test_refused_draws_are_used_up_wherever_they_fall():
    bounds = np.random.default_rng(0).integers(1, 2**31 - 1, 500)
    plain, fast = Counted(8), JavaRandom(8)
    expected = [plain.below(int(b)) for b in bounds]
    assert plain.drawn - len(bounds) > 50
    assert np.concatenate([fast.integers(b) for b in np.split(bounds, [1, 7, 400])]).tolist() == (
        expected
    )


def test_a_sequence_longer_than_a_block_goes_on():
    plain, bounds = LiteralRandom(3), np.arange(70_000, 1, -1)
    assert JavaRandom(3).integers(bounds).tolist() == [plain.below(int(b)) for b in bounds]


def test_bounds_beyond_java_are_refused():
    for bad in ([0], [2**31], [5, -1]):
        with pytest.raises(ValueError, match="between 1 and"):
            JavaRandom(1).integers(bad)
    assert JavaRandom(1).integers([]).tolist() == []


def test_labels_and_codes_give_the_folds_of_the_categorical():
    y = rt.load("labor").y
    expected = weka_folds(y, 5, 2).tolist()
    assert weka_folds(np.asarray(y), 5, 2).tolist() == expected
    assert weka_folds(y.codes.copy(), 5, 2).tolist() == expected


def test_twenty_thousand_cases_take_milliseconds():
    y = np.random.default_rng(1).integers(0, 26, 20_000)
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        weka_folds(y, 10, 1)
        best = min(best, time.perf_counter() - start)
    assert best < 0.15  # about 0.015 on a laptop
