"""Folds and random numbers equal to those that Weka and Java gave (golden/record_folds.py)."""

import json
from functools import cache
from pathlib import Path
from time import process_time
from timeit import repeat

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


@pytest.mark.parametrize("name", NAMES)
def test_every_case_is_tested_in_the_fold_and_order_of_weka(name):
    y, recorded = rt.load(name).y, golden(name)
    for k in (3, 10):
        for seed in range(1, 6):
            fold = weka_folds(y, k, seed)
            assert "".join(map(str, fold)) == recorded["folds"][str(k)][str(seed)]
            assert (weka_folds(np.asarray(y), k, seed) == fold).all()
            assert (weka_folds(y.codes.copy(), k, seed) == fold).all()
    splits = weka_splits(y, 3)
    assert [train.tolist() for train, _ in splits] == recorded["trained"]
    assert [test.tolist() for _, test in splits] == recorded["tested"]


@pytest.mark.parametrize("draws", golden("random")["draws"], ids=lambda d: str(d["seed"]))
def test_draws_are_those_of_java(draws):
    bounds = np.resize(golden("random")["bounds"], len(draws["numbers"]))
    assert JavaRandom(draws["seed"]).integers(bounds).tolist() == draws["numbers"]
    one_by_one = JavaRandom(draws["seed"])
    assert [int(one_by_one.integers([b])[0]) for b in bounds] == draws["numbers"]


class Counted:
    """`java.util.Random`: s <- s 0x5DEECE66D + 0xB modulo 2^48 (Knuth, TAOCP 2, 3.2.1)."""

    def __init__(self, seed: int):
        self.state, self.drawn = (seed ^ 0x5DEECE66D) % 2**48, 0

    def bits(self) -> int:
        """The next 31 bits: the highest of 48."""
        self.drawn += 1
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


def test_refused_draws_are_used_up_wherever_they_fall():
    bounds = np.random.default_rng(0).integers(1, 2**31 - 1, 70_000)
    plain, fast = Counted(8), JavaRandom(8)
    expected = [plain.below(int(b)) for b in bounds]
    assert plain.drawn - len(bounds) > 50
    found = [fast.integers(part) for part in np.split(bounds, [1, 7, 400])]
    assert np.concatenate(found).tolist() == expected


def test_bounds_beyond_java_are_refused():
    for bad in ([0], [2**31], [5, -1]):
        with pytest.raises(ValueError, match="between 1 and"):
            JavaRandom(1).integers(bad)
    assert JavaRandom(1).integers([]).tolist() == []


def test_twenty_thousand_cases_take_milliseconds():
    y = np.random.default_rng(1).integers(0, 26, 20_000)
    took = repeat(lambda: weka_folds(y, 10, 1), timer=process_time, repeat=5, number=1)
    assert min(took) < 0.15  # about 0.015 on a laptop
