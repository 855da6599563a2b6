"""Answers in unusual forms: what is right is taken, what cannot be read is said and is no try."""

import collections
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab.check import base
from ranktrees_lab.check.answers import numbers
from ranktrees_lab.check.papers import JUDGED
from ranktrees_lab.check.trees import STUDY as DISTANCES
from ranktrees_lab.check.trees import SUPPORTED

SHARES = {
    "bits_of_parity": (1, 1),
    "held_out_probability": (5, 6),
    "pairs_by_hand": (9, 12),
    "printed_auc": (2, 5),
    "wpe_in_training": (79, 108),
}
FORMS = {
    "a fraction": Fraction,
    "a fraction in text": lambda a, b: f" {a}/{b} ",
    "a Decimal": lambda a, b: Decimal(a) / b,
    "a list of one": lambda a, b: [a / b],
    "an array": lambda a, b: np.array([[a / b]]),
    "a NumPy scalar": lambda a, b: np.float64(a / b),
    "a Series": lambda a, b: pd.Series({"answer": a / b}),
    "a frame": lambda a, b: pd.DataFrame({"answer": [a / b]}),
    "a decimal comma": lambda a, b: f"{a / b:.7f}".replace(".", ","),
    "with a unit": lambda a, b: f"{a / b!r} bits",
    "with about": lambda a, b: f"≈ {a / b!r}",
}


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """As in a notebook that was just started."""
    monkeypatch.setattr(base, "PATIENCE", 1)
    monkeypatch.setattr(base, "note", lambda *_: None)
    base.TRIES.clear()


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("form", FORMS)
def test_a_number_is_right_in_any_form(name, form):
    verdict = getattr(rt.check, name)(FORMS[form](*SHARES[name]))
    assert verdict.right is True, verdict


def test_per_cent_with_its_sign_is_a_share_and_without_it_is_no_try():
    check = rt.check.pairs_by_hand
    assert check("75.0 %")
    assert check("75,00%")
    assert check("9 of 12")
    assert "not per cent" in repr(check(75))
    assert not base.TRIES


@pytest.mark.parametrize("name", ["pairs_by_hand", "bits_of_parity"])
@pytest.mark.parametrize(
    "unread",
    ["seven", "", "1/0", [0.1, 0.2], np.nan, "nan", True, print, {0.5}, object(), {"a": 1}],
)
def test_what_is_no_number_is_said_and_is_no_try(name, unread):
    verdict = getattr(rt.check, name)(unread)
    assert verdict.right is False
    if unread != {0.5}:
        assert "Give one number" in repr(verdict)
        assert not base.TRIES


def frame(table):
    return pd.DataFrame({"name": list(table), "value": list(table.values())})


TABLES = {
    "a Series": pd.Series,
    "keys in text": lambda table: {str(key): value for key, value in table.items()},
    "keys with blanks": lambda table: {f" {key} ": value for key, value in table.items()},
    "pairs": lambda table: list(table.items()),
    "the values in order": lambda table: list(table.values()),
    "a frame of two columns": frame,
    "a frame of one column": lambda table: pd.Series(table).to_frame(),
    "a frame of one row": lambda table: pd.DataFrame([table]),
    "numbers in text": lambda table: {key: str(value) for key, value in table.items()},
    "lists of one": lambda table: {key: [value] for key, value in table.items()},
    "another order": lambda table: dict(reversed(table.items())),
}


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("followed_down", {"Ann": "No", "Ben": "Yes", "Cem": "No"}),
        ("supported_reading", SUPPORTED),
        ("distance_study", DISTANCES),
        ("judged", JUDGED),
    ],
)
def test_a_table_is_right_in_any_form(form, name, table):
    assert getattr(rt.check, name)(TABLES[form](table)).right is True


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("cartype_order", "multiway; sports,luxury; sports"),
        ("cartype_order", "Multiway > Sports, Luxury > sports"),
        ("cartype_order", pd.Series(["multiway", " sports, luxury ", "SPORTS"])),
        ("cartype_order", np.array(["multiway", "sports,luxury", "sports"])),
        ("cartype_order", ("multiway", "sports-luxury", "sports")),
        ("pruned_tests", " Owner "),
        ("pruned_tests", {"owner"}),
        ("pruned_tests", pd.Series(["owner"])),
        ("harmful_copies", [" Purpose"]),
        ("where_it_gains", "tic-tac-toe, monks-1"),
        ("where_it_gains", ("monks 1", "Tic Tac Toe")),
        ("where_it_gains", pd.Index(["monks-1", "tic-tac-toe"])),
        ("scans_per_level", [1, 1, 2, 4, 8, 13]),
        ("scans_per_level", "1, 1, 2, 4, 8 and 13"),
        ("scans_per_level", pd.Series([1.0, 1, 2, 4, 8, 13])),
    ],
)
def test_names_and_lists_in_any_form(name, answer):
    assert getattr(rt.check, name)(answer).right is True


@pytest.mark.parametrize("answer", [(15.5, 6.5), "15,5 and 6,5", {"width": 15.5, "frequency": 6.5}])
def test_two_numbers(answer):
    assert numbers(answer, 2, "Give a pair.") == [15.5, 6.5]


SLIPS = [  # recognised at the first try
    ("printed_auc", 6, "Divide by n_0 n_1"),
    ("pruned_tests", ["owner", "income"], "income is a tie"),
    ("criterion", rt.criteria.gini_gain, "invent another"),
    ("scans_per_level", [1, 1, 2, 4, 7, 11], "bytes by bytes"),
    ("followed_down", {"Ann": "No", "Ben": "No", "Cem": "No"}, "Ben earns more"),
    ("where_it_gains", ["balance-scale"], "more weight on the left"),
]


@pytest.mark.parametrize(("name", "answer", "words"), SLIPS)
def test_a_known_slip_is_named_at_the_first_try(name, answer, words):
    assert words in repr(getattr(rt.check, name)(answer))
    assert base.TRIES[name] == 1


def test_an_answer_with_a_part_untouched_is_none():
    assert rt.check.followed_down({"Ann": "No", "Ben": ..., "Cem": "No"}).right is None
    assert rt.check.pruned_tests([...]).right is None
    assert not collections.Counter(base.TRIES)
