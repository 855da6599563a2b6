"""What every model says of every shipped set, in short: python tests/golden/record_models.py

A refactoring must not change it. Of each fitted model `models.json` holds a hash of its tree and of
the classes that it predicts, which are the same on every processor, and two weighted sums of its
probabilities and of the papers' AUCs, which agree up to rounding.
"""

import hashlib
import json
import math
import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.processors import answers, sets

FILE = Path(__file__).with_name("models.json")
ALIKE = 1e-9  # what a sum, divided by the number of its terms, may differ by


def digest(answer: dict[str, np.ndarray]) -> list:
    """The hash of what is exact, and the two sums of what may be rounded."""
    exact, rounded = hashlib.sha256(), []
    for array in answer.values():
        if array.dtype.kind == "f" and not np.array_equal(array, np.rint(array)):
            rounded.append(array.ravel())
        else:
            text = array.astype(str if array.dtype.kind in "US" else float)
            exact.update(repr((array.shape, text.ravel().tolist())).encode())
    numbers = np.nan_to_num(np.concatenate([np.zeros(1), *rounded]))
    return [exact.hexdigest()[:16], weighted_mean(numbers, 1009), weighted_mean(numbers, 2003)]


def weighted_mean(numbers: np.ndarray, prime: int) -> float:
    """The mean of numbers (n,), each times a fixed weight that differs from its neighbours'."""
    weight = np.arange(1, len(numbers) + 1) * 7919 % prime / prime
    return math.fsum((numbers * weight).tolist()) / len(numbers)


def digests(name: str) -> dict[str, list]:
    """The digest of each model that can be fitted to a data set, by the model's title."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {title: digest(answer) for title, answer in answers(name)}


def main() -> None:
    """Record the digests of all sets."""
    recorded = {name: digests(name) for name in sets()}
    lines = (f"{json.dumps(name)}: {json.dumps(each)}" for name, each in recorded.items())
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    FILE.write_text(text.replace("], ", "],\n  "), encoding="utf-8", newline="\n")
    print(f"{sum(map(len, recorded.values()))} models of {len(recorded)} sets: {FILE}")


if __name__ == "__main__":
    main()
