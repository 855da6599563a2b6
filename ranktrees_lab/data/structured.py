"""Data of the lessons, drawn from their definitions with a seed: baskets, texts, a board, trains.

They are not in `rt.datasets()`, whose data sets every model can read: a set of items is neither a
number nor nominal.
"""

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number, check_seed
from ranktrees_files.dataset import Dataset

ITEMS = (
    "apples", "bread", "butter", "candles", "cheese", "coffee", "crisps", "eggs", "lemonade",
    "milk", "nappies", "pasta", "pizza", "soap", "tea", "wine",
)  # fmt: skip
USUAL = {
    "family": ("milk", "nappies", "bread", "apples", "pasta"),
    "party": ("crisps", "lemonade", "wine", "pizza", "candles"),
    "office": ("coffee", "tea", "milk", "soap", "butter"),
}
HOURS = {"family": 10.0, "party": 23.5, "office": 8.0}
CARD = {"family": 0.5, "party": 0.3, "office": 0.9}
MOTIF, LETTERS = "TATAAT", "ACGT"


def baskets(n: int = 240, seed: int = 1) -> Dataset:
    """Draw n purchases: what was bought (a set), the hour (0 to 24), how it was paid; who bought?

    Each class (family, party, office; equal priors) buys each of its five usual items with
    probability 0.6, and each other item with 0.12; milk is usual in two classes. Hours scatter by
    2.5 around 10, 23.5 and 8, past midnight too; cards pay 50, 30 and 90 per cent.
    """
    check_number("n", n, 1, whole=True)
    check_seed(seed)
    rng = np.random.default_rng(seed)
    names = list(USUAL)
    y = rng.integers(len(names), size=n)
    usual = np.array([[item in USUAL[name] for item in ITEMS] for name in names])
    bought = rng.random((n, len(ITEMS))) < np.where(usual[y], 0.6, 0.12)
    hour = rng.normal(np.array([HOURS[name] for name in names])[y], 2.5) % 24
    card = rng.random(n) < np.array([CARD[name] for name in names])[y]
    sets = [frozenset(item for item, k in zip(ITEMS, row, strict=True) if k) for row in bought]
    X = pd.DataFrame(
        {
            "basket": pd.Series(sets, dtype=object),
            "hour": hour.round(1) % 24,
            "payment": pd.Categorical.from_codes(card.astype(int), categories=["cash", "card"]),
        }
    )
    return Dataset(
        X, pd.Categorical.from_codes(y, names), "baskets", f"generated, seed {seed}", target="buyer"
    )


def fragments(n: int = 200, seed: int = 1, mutation: float = 0.15) -> Dataset:
    """Draw n fragments of about nine letters A, C, G, T; half carry the motif TATAAT, mutated.

    In "promoter" fragments each letter of the motif is replaced by a random one with probability
    `mutation`; none to three random letters come before and after it, so that positions do not
    match. "other" fragments are random, of the same lengths. The motif is the Pribnow box of
    bacterial promoters.
    """
    check_number("n", n, 1, whole=True)
    check_seed(seed)
    check_number("mutation, a probability from 0 to 1,", mutation, 0)
    if mutation > 1:
        raise ValueError(f"mutation must be a probability from 0 to 1, not {mutation!r}")
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.5
    texts = []
    for promoter in y:
        before, behind = rng.integers(0, 4, 2)
        letters = rng.choice(list(LETTERS), before + len(MOTIF) + behind)
        if promoter:
            kept = rng.random(len(MOTIF)) >= mutation
            letters[before : before + len(MOTIF)][kept] = np.array(list(MOTIF))[kept]
        texts.append("".join(letters))
    X = pd.DataFrame({"fragment": pd.Series(texts, dtype=object)})
    classes = pd.Categorical.from_codes(y.astype(int), ["other", "promoter"])
    return Dataset(X, classes, "fragments", f"generated, seed {seed}")


def board(n: int = 400, seed: int = 5, noise: float = 0.0) -> Dataset:
    """Draw sixteen classes, the cells of a 4 x 4 board in two numbers; three more are useless.

    `noise`: the share of labels that are replaced by random ones.
    """
    check_number("n", n, 1, whole=True)
    check_number("noise", noise, 0, most=1)
    check_seed(seed)
    rng = np.random.default_rng(seed)
    x = rng.random((n, 5))
    cell = (4 * x[:, 0]).astype(int) * 4 + (4 * x[:, 1]).astype(int)
    anew = rng.random(n) < noise
    cell[anew] = rng.integers(16, size=anew.sum())
    X = pd.DataFrame(x).add_prefix("x")
    return Dataset(X, cell.astype(str), "board", f"generated, seed {seed}", target="cell")


def trains(n: int = 40, seed: int = 325) -> Dataset:
    """Draw n trains, late or on time: weather (foul, fair), hour, line and day, two values each.

    In foul weather and the rush hour 90 per cent are late in the north and 50 in the south; else in
    foul weather 55 in the week, 15 at a weekend; in fair weather 25 and 2.
    """
    check_number("n", n, 1, whole=True)
    check_seed(seed)
    rng = np.random.default_rng(seed)
    code = rng.integers(0, 2, (n, 4))
    foul, rush, north, week = (code == 0).T
    foul_day = np.where(rush, np.where(north, 0.9, 0.5), np.where(week, 0.55, 0.15))
    late = rng.random(n) < np.where(foul, foul_day, np.where(week, 0.25, 0.02))
    values = [("foul", "fair"), ("rush", "quiet"), ("north", "south"), ("week", "weekend")]
    columns = zip(("weather", "hour", "line", "day"), code.T, values, strict=True)
    X = pd.DataFrame({name: pd.Categorical.from_codes(c, v) for name, c, v in columns})
    y = pd.Categorical(np.where(late, "late", "on time"))
    return Dataset(X, y, "trains", f"generated, seed {seed}", target="arrival")
