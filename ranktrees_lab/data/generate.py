"""Data sets that a few lines of code generate exactly, and the waveform generator."""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_path, check_number, check_seed
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_engine.basics.optional import optional
from ranktrees_files.dataset import Dataset

MOST_EXTRA = 1000  # attributes of 2**16 cases in memory: half a gigabyte
PER_FILE = 1 << 22  # rows of a file


def _product(*values: Sequence) -> np.ndarray:
    """Return all combinations of indices (rows x attributes), the last attribute fastest."""
    return np.indices([len(v) for v in values]).reshape(len(values), -1).T


def _nominal(codes: np.ndarray, names: Sequence[str], values: Sequence[Sequence[str]]):
    """Return a frame of nominal columns from value codes (rows x attributes)."""
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(column, categories=list(declared))
            for name, column, declared in zip(names, codes.T, values, strict=True)
        }
    )


def balance_scale() -> Dataset:
    """Generate all 625 settings of a balance: it tips left (L), stays (B) or tips right (R).

    Source: Siegler 1976, Three aspects of cognitive development; UCI Balance Scale.
    """
    names = ["left-weight", "left-distance", "right-weight", "right-distance"]
    setting = _product(*[range(5)] * 4) + 1
    left, right = setting[:, :2].prod(axis=1), setting[:, 2:].prod(axis=1)
    y = pd.Categorical.from_codes(1 + np.sign(right - left), categories=["L", "B", "R"])
    X = pd.DataFrame(setting.astype("float64"), columns=names)
    return Dataset(X, y, "balance-scale", "stated by code; Siegler 1976, UCI Balance Scale")


TIC_TAC_TOE_LINES = np.array(
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
)


def tic_tac_toe() -> Dataset:
    """Generate the 958 ends of a game that x begins; positive: x has three in a line.

    Order: 626 won by x, 316 won by o, 16 draws, each in product order of x, o, b.
    Source: Aha 1991, UCI Tic-Tac-Toe Endgame; Matheus & Rendell 1989.
    """
    board = _product(*["xob"] * 9)
    x, o, blank = (np.sum(board == i, axis=1) for i in range(3))
    won_x, won_o = ((board[:, TIC_TAC_TOE_LINES] == i).all(axis=2).any(axis=1) for i in range(2))
    ends = [won_x & ~won_o & (x == o + 1), won_o & ~won_x & (x == o), ~won_x & ~won_o & (x == 5)]
    ends[2] &= (o == 4) & (blank == 0)
    rows = np.concatenate([np.flatnonzero(end) for end in ends])
    names = [
        f"{v}-{h}-square" for v in ("top", "middle", "bottom") for h in ("left", "middle", "right")
    ]
    values = np.array([2, 1, 0])[board[rows]]  # declared b, o, x, as in the UCI file
    y = pd.Categorical.from_codes(won_x[rows].astype(int), categories=["negative", "positive"])
    source = "stated by code; Aha 1991, UCI Tic-Tac-Toe Endgame"
    return Dataset(_nominal(values, names, ["box"] * 9), y, "tic-tac-toe", source, target="Class")


def monks(problem: int) -> Dataset:
    """Generate all 432 robots with the concept of MONK's problem 1, 2 or 3 (no noise).

    1: a1 = a2 or a5 = 1. 2: exactly two attributes have their first value.
    3: a5 = 3 and a4 = 1, or a5 not 4 and a2 not 3. Source: Thrun et al. 1991.
    """
    if isinstance(problem, bool) or problem not in (1, 2, 3):
        raise ValueError(f"there are MONK's problems 1, 2 and 3, but no {problem!r}")
    values = ["123", "123", "12", "123", "1234", "12"]
    codes = _product(*values)
    a1, a2, _, a4, a5, _ = codes.T + 1
    concept = {
        1: (a1 == a2) | (a5 == 1),
        2: np.sum(codes == 0, axis=1) == 2,
        3: ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3)),
    }[problem]
    X = _nominal(codes, [f"a{i}" for i in range(1, 7)], values)
    y = pd.Categorical.from_codes(concept.astype(int), categories=["0", "1"])
    return Dataset(X, y, f"monks-{problem}", "stated by code; Thrun et al. 1991, MONK's problems")


def parity(k: int = 5, irrelevant: int = 0) -> Dataset:
    """Generate all settings of k binary attributes; the class says if the number of ones is odd.

    The irrelevant attributes take all their settings with each of the others: 2^(k + irrelevant)
    rows, at most 2^20. No single attribute carries information: the limit of greedy splitting.
    """
    check_number("k", k, 1, whole=True)
    check_number("irrelevant", irrelevant, 0, whole=True)
    if k + irrelevant > 20:
        raise ValueError(f"k + irrelevant is at most 20 attributes in all, not {k} + {irrelevant}")
    codes = _product(*["01"] * (k + irrelevant))
    names = [f"a{i + 1}" for i in range(k)] + [f"irrelevant{i + 1}" for i in range(irrelevant)]
    X = _nominal(codes, names, ["01"] * len(names))
    y = pd.Categorical.from_codes(codes[:, :k].sum(axis=1) % 2, categories=["even", "odd"])
    return Dataset(X, y, "parity", f"stated by code; parity of {k} attributes")


TAX_PAYERS = """
Yes Single 125 No, No Married 100 No, No Single 70 No, Yes Married 120 No, No Divorced 95 Yes,
No Married 60 No, Yes Divorced 220 No, No Single 85 Yes, No Married 75 No, No Single 90 Yes
"""


def tax_payers() -> Dataset:
    """Return ten tax payers: refund, marital status, taxable income in thousands; do they cheat?

    Source: Yang 2008, Classification (slides).
    """
    rows = [row.split() for row in TAX_PAYERS.split(",")]
    refund, status, income, cheat = zip(*rows, strict=True)
    X = pd.DataFrame(
        {
            "Refund": pd.Categorical(refund, categories=["Yes", "No"]),
            "Status": pd.Categorical(status, categories=["Single", "Married", "Divorced"]),
            "Income": np.array(income, dtype="float64"),
        }
    )
    y = pd.Categorical(cheat, categories=["No", "Yes"])
    return Dataset(X, y, "tax-payers", "Yang 2008, Classification (slides)", target="Cheat")


def waveform(n: int = 5000, seed: int = 1, noise: int = 19) -> Dataset:
    """Draw n cases of 21 + noise numbers: a random mixture of two of three waves plus N(0, 1).

    Class 0 mixes waves 1 and 2, class 1 waves 1 and 3, class 2 waves 2 and 3; equal priors.
    The noise attributes are N(0, 1) alone. Source: Breiman et al. 1984, CART, section 2.6.2.
    """
    check_number("n", n, 1, whole=True)
    check_number("noise", noise, 0, whole=True)
    check_seed(seed)
    rng = np.random.default_rng(seed)
    centre = np.array([[11], [15], [7]])
    wave = np.maximum(6 - np.abs(np.arange(1, 22) - centre), 0)
    pair = np.array(list(itertools.combinations(range(3), 2)))
    y, u = rng.integers(3, size=n), rng.random((n, 1))
    x = rng.standard_normal((n, 21 + noise))
    x[:, :21] += u * wave[pair[y, 0]] + (1 - u) * wave[pair[y, 1]]
    X = pd.DataFrame(x, columns=[f"x{i}" for i in range(1, 22 + noise)])
    classes = pd.Categorical.from_codes(y, categories=["0", "1", "2"])
    return Dataset(X, classes, "waveform", f"generated, seed {seed}; Breiman et al. 1984, CART")


CHUNK = 1 << 16  # cases that are drawn from one stream, so that any number of them starts alike
AGRAWAL = 0xA6A4A1  # sets these streams apart from others of the same seed
NOMINAL = {
    "elevel": [str(v) for v in range(5)],
    "car": [str(v) for v in range(1, 21)],
    "zipcode": [str(v) for v in range(9)],
}


def agrawal(
    n: int, function: int = 1, noise: float = 0.0, seed: int = 1, extra: int = 0
) -> Dataset:
    """Draw n people who apply for a loan, in group A or B by one of ten functions: a `Dataset`.

    Six numbers and three nominal attributes, as in the papers on SPRINT and RainForest. `noise` is
    the share of cases whose group is flipped; `extra` adds attributes, nominal and numeric in turn,
    that carry no information. A larger n begins with the cases of a smaller n. Source: Agrawal,
    Imielinski & Swami 1993, Database mining: a performance perspective.
    """
    parts = list(agrawal_parts(n, function, noise, seed, extra))
    frame = pd.concat(parts, ignore_index=True)
    y = frame.pop("group").array
    source = f"generated, function {function}, noise {noise}, seed {seed}; Agrawal et al. 1993"
    return Dataset(frame, y, "agrawal", source, target="group")


def agrawal_parts(
    n: int, function: int = 1, noise: float = 0.0, seed: int = 1, extra: int = 0
) -> Iterator[pd.DataFrame]:
    """Yield the same in frames of 2^16 cases with the class in "group", never all in memory."""
    check_number("n", n, 1, whole=True)
    check_number("extra", extra, 0, whole=True)
    if extra > MOST_EXTRA:
        raise ValueError(f"extra must be at most {MOST_EXTRA:,} attributes, but it is {extra:,}")
    check_seed(seed)
    check_number("noise", noise, 0)
    if noise > 1:
        raise ValueError(f"noise is a share of the cases, 0 to 1, not {noise!r}")
    if function not in range(1, 11) or isinstance(function, bool):
        raise ValueError(f"there are Agrawal's functions 1 to 10, but no {function!r}")
    for chunk in range(-(-n // CHUNK)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(AGRAWAL, chunk)))
        numbers, codes = _applicants(rng)
        in_a = _group_a(function, numbers, codes["elevel"])
        in_a ^= rng.random(CHUNK) < noise
        columns = {**numbers}
        for name, code in codes.items():
            columns[name] = pd.Categorical.from_codes(code, NOMINAL[name])
        for k in range(1, extra + 1):
            code = rng.integers(10, size=CHUNK)
            nominal = pd.Categorical.from_codes(code, [str(v) for v in range(10)])
            columns[f"extra{k}"] = nominal if k % 2 else rng.random(CHUNK)
        columns["group"] = pd.Categorical.from_codes(np.where(in_a, 0, 1), ["A", "B"])
        yield pd.DataFrame(columns).iloc[: n - chunk * CHUNK]


def write_agrawal(
    folder: AnyPath, n: int, function: int = 1, noise: float = 0.0, seed: int = 1, extra: int = 0
) -> list[Path]:
    """Write the n cases of `rt.agrawal` to Parquet files in a folder, and return their paths.

    At most a batch is in memory, so n may be 10^8. Raises FileExistsError for a folder that already
    has Parquet files.
    """
    pa, parquet = optional("pyarrow"), optional("pyarrow.parquet")
    folder, paths = as_path("folder", folder), []
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("*.parquet")):
        raise FileExistsError(f"{folder} has Parquet files already: name another folder")
    parts = agrawal_parts(n, function, noise, seed, extra)
    for first in parts:
        paths.append(folder / f"part-{len(paths):04d}.parquet")
        schema = pa.Schema.from_pandas(first, preserve_index=False)
        with parquet.ParquetWriter(paths[-1], schema) as writer:
            for frame in itertools.chain([first], itertools.islice(parts, PER_FILE // CHUNK - 1)):
                writer.write_table(pa.Table.from_pandas(frame, schema))
    return paths


def _applicants(rng):
    """Draw numbers and codes (CHUNK,) of the nine attributes."""
    salary = rng.uniform(20_000, 150_000, CHUNK)
    commission = np.where(salary >= 75_000, 0, rng.uniform(10_000, 75_000, CHUNK))
    age = rng.uniform(20, 80, CHUNK)
    codes = {name: rng.integers(len(values), size=CHUNK) for name, values in NOMINAL.items()}
    hvalue = (codes["zipcode"] + 1) * 100_000 * rng.uniform(0.5, 1.5, CHUNK)
    hyears = rng.integers(1, 31, CHUNK).astype(float)
    loan = rng.uniform(0, 500_000, CHUNK)
    numbers = {"salary": salary, "commission": commission, "age": age}
    return {**numbers, "hvalue": hvalue, "hyears": hyears, "loan": loan}, codes


def _group_a(function, x, elevel):
    """Return which of the applicants (n,) are in group A."""
    young, old = x["age"] < 40, x["age"] >= 60

    def by_age(first, second, third):
        return np.where(young, first, np.where(old, third, second))

    def within(values, low, high):
        return (values >= low * 1000) & (values <= high * 1000)

    total, loan = x["salary"] + x["commission"], x["loan"]
    pay = total if function == 6 else x["salary"]
    low, middling, high = within(pay, 25, 75), within(pay, 50, 100), within(pay, 75, 125)
    if function == 1:
        return young | old
    if function in (2, 6):
        return by_age(middling, high, low)
    schooled = by_age(elevel <= 1, (elevel >= 1) & (elevel <= 3), elevel >= 2)
    if function == 3:
        return schooled
    if function == 4:
        return np.where(schooled, by_age(low, middling, middling), by_age(middling, high, low))
    if function == 5:
        small, medium, large = (within(loan, least, least + 200) for least in (100, 200, 300))
        one, other = by_age(small, medium, large), by_age(medium, large, small)
        return np.where(by_age(middling, high, low), one, other)
    equity = 0.1 * x["hvalue"] * np.maximum(x["hyears"] - 20, 0)
    school, interest = 5_000 * elevel, 0.2 * loan
    costs = {7: interest + 20_000, 8: school + 20_000, 9: school + interest + 10_000}
    return 0.67 * total > costs.get(function, school - 0.2 * equity + 10_000)
