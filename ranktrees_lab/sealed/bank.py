"""A bank's 1,500 clients, drawn with a seed: only this file knows their true probabilities.

The bank writes to its clients and offers a deposit. Everything is drawn and computed in whole
numbers, so that the same seed gives the same clients on every processor.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from ranktrees_files.dataset import Dataset

TRAINING, BOARD, SEALED = 700, 500, 300  # clients, in this order
N, RANKED = TRAINING + BOARD + SEALED, BOARD + SEALED
CLASSES = ("no", "yes")
# What each value adds to the probability, in per mille.
HOUSING = {"owner": 80, "tenant": -80, "with parents": 0}
EDUCATION = {"none": -60, "school": -20, "vocational": 20, "degree": 60}
OCCUPATIONS = {
    "clerk": 0, "craftsman": -40, "driver": -40, "nurse": 20, "pensioner": 40,
    "self-employed": -20, "student": 10, "teacher": 30,
}  # fmt: skip
REGIONS = ("coast", "hills", "city", "border", "lakes")
GAPS = {"income": 8, "education": 6, "months_since_contact": 12}  # per cent


@dataclass(frozen=True)
class Bank:
    """A student's data: 700 clients with outcomes (`X`, `y`), and 800 `clients` to rank.

    `train` holds the 700 as a Dataset. Money is in euros (income per month), age in years.
    """

    train: Dataset
    clients: pd.DataFrame

    @property
    def X(self) -> pd.DataFrame:
        """Attributes (700 x 12) of the clients with outcomes."""
        return self.train.X

    @property
    def y(self) -> pd.Categorical:
        """Outcomes, "no" or "yes", of the 700: whether each took the deposit."""
        return self.train.y

    def __repr__(self):
        return (
            f"<Bank: {TRAINING} clients with outcomes (X, y; train is the Dataset), "
            f"{RANKED} clients to rank, {self.X.shape[1]} attributes>"
        )


@lru_cache(maxsize=8)
def draw(seed: str) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Draw attributes (1500 x 12), outcomes (1500,), true probabilities (1500,) in per mille."""
    rng = np.random.default_rng(list(f"sealed bank {seed}".encode()))
    number = {
        "age": 19 + rng.integers(33, size=N) + rng.integers(33, size=N),
        "income": 1100 + 10 * rng.integers(20, size=N) * rng.integers(20, size=N),
        "balance": 2 * rng.integers(100, size=N) * rng.integers(100, size=N) - 700,
        "months_since_contact": 1 + rng.integers(36, size=N),
    }
    kinds = {
        "occupation": len(OCCUPATIONS),
        "housing": len(HOUSING),
        "education": len(EDUCATION),
        "region": len(REGIONS),
        "app": 2,
        "letter": 2,
    }
    code = {name: rng.integers(k, size=N) for name, k in kinds.items()}
    chance = _per_mille(number, code)
    outcome = rng.integers(1000, size=N) < chance
    X = _table(rng, number, code, outcome)
    return X, outcome, chance


def _per_mille(number, code):
    """Return the true probabilities (n,) of an outcome "yes"."""
    # A printed letter reaches those without the app, an e-mail those with it: neither column tells
    # anything alone.
    reached = np.where(code["app"] == code["letter"], 1, -1)
    recent = number["months_since_contact"] <= 12
    points = np.array(list(OCCUPATIONS.values()))[code["occupation"]]
    points = points + np.array(list(HOUSING.values()))[code["housing"]]
    points += np.array(list(EDUCATION.values()))[code["education"]]
    points += np.searchsorted([600, 3600], number["balance"], side="right") * 300 - 300
    points += np.where(np.abs(number["age"] - 51) >= 12, 160, -160)
    points += np.where(recent, 60, -30)
    return np.clip(400 + 260 * reached + points, 15, 985)


def _table(rng, number, code, outcome):
    """Return the attributes as a student sees them, with gaps."""
    names = rng.permutation(90000)[:N] + 10000
    # The call follows the answer to the letter, and the sealed clients have not answered yet.
    minutes = 1 + rng.integers(12, size=N) + np.where(outcome, rng.integers(12, size=N), 0)
    X = pd.DataFrame(
        {
            "client": [f"B-{k}" for k in names],
            "age": number["age"],
            "income": number["income"].astype(float),
            "balance": number["balance"],
            "occupation": np.array(list(OCCUPATIONS), object)[code["occupation"]],
            "housing": np.array(list(HOUSING), object)[code["housing"]],
            "education": pd.Categorical.from_codes(code["education"], [*EDUCATION], ordered=True),
            "region": np.array(REGIONS, object)[code["region"]],
            "app": code["app"] == 1,
            "letter": np.array(["printed", "e-mail"], object)[code["letter"]],
            "months_since_contact": number["months_since_contact"].astype(float),
            "call_minutes": minutes.astype(float),
        }
    )
    for name, percent in GAPS.items():
        X.loc[rng.integers(100, size=N) < percent, name] = None
    X.loc[TRAINING + BOARD :, "call_minutes"] = None
    return X


def bank(seed: str) -> Bank:
    """Return the clients of a seed, without what students must not see."""
    X, outcome, _ = draw(seed)
    y = pd.Categorical.from_codes(outcome[:TRAINING].astype(int), CLASSES)
    source = f"generated, seed {seed}"
    train = Dataset(X[:TRAINING].copy(), y, "sealed-bank", source, ("client",), "deposit")
    return Bank(train, X[TRAINING:].reset_index(drop=True))
