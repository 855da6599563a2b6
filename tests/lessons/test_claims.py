"""Who wins, as the lessons say it, holds on splits that no lesson has seen.

`claims.toml` has an entry for each such sentence. `make test-long` measures it on two fresh batches
of twenty halves and prints the table.
"""

import re

import numpy as np
import pandas as pd
import pytest
from claim_methods import FILE, METHODS, OTHER_MEASURES, SPLITS, data_set, values
from lesson_cells import cells_of

from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.evaluate import MEASURES
from ranktrees_lab.ask.questions import read_guess

CLAIMS = FILE["claim"]
FRESH = (101, 201)  # first seeds of the batches; the lessons' own splits are those of 1 to 20
FIELDS = {"lesson", "cell", "says", "methods", "data", "measure", "direction", "least", "batches"}
ALWAYS = re.compile(r"\b(?:all|always|every|everywhere|never|none|no|worst)\b", re.IGNORECASE)
COUNTED = re.compile(
    r"\bof (?:the )?(?:20|twenty)\b|every split|(?:all|most) (?:20 )?splits|neither leads"
)
# Cells with such words that ask or explain, and say of no two methods who wins
NO_CLAIM = {"e03299cf", "text-49", "l11-45", "l12-44b", "n04-03"}


def gains(claim, name, seed):
    """What the first method is better by than the second, split by split (20,), or of `halves`."""
    how = claim["measure"], seed, claim.get("halves", SPLITS)
    first, second = (values(method, name, *how) for method in claim["methods"])
    return first - second


def holds(claim, gain):
    """(the direction, the count) that the claim states: are they those of these splits?"""
    won, lost, least = (gain > TIE).sum(), (gain < -TIE).sum(), claim["least"]
    return {
        "ahead": (won > lost, won >= least),
        "by mean": (gain.mean() > TIE, won >= least),
        "not ahead": (won < least, won < least),
        "level": (max(won, lost) < least, max(won, lost) < least),
    }[claim["direction"]]


def named(claim):
    return f"{claim['lesson']} {claim['says'][:50]}"


@pytest.mark.long
def test_who_wins_wins_on_fresh_splits(capsys):
    rows, failed = [], []
    for claim, name in [(each, name) for each in CLAIMS for name in each["data"]]:
        batches = [gains(claim, name, seed) for seed in FRESH]
        kept = np.array([holds(claim, gain) for gain in batches])
        counts = [f"{(gain > TIE).sum()}:{(gain < -TIE).sum()}" for gain in batches]
        wanted = f"{claim['direction']} {claim['least']}"
        row = (claim["lesson"], " / ".join(claim["methods"]), name, claim["measure"], wanted)
        rows.append((*row, *counts))
        if not kept[:, 0].all() or kept[:, 1].sum() < claim["batches"]:
            failed.append((named(claim), *rows[-1]))
    head = ["lesson", "first / second", "data", "measure", "claim", "batch 1", "batch 2"]
    with capsys.disabled():
        print("\n" + pd.DataFrame(rows, columns=head).to_string(index=False))
    assert failed == []


def texts_of(lesson):
    """The lesson's texts by the ids of their cells."""
    cells = [cell for cell in cells_of(lesson) if cell["cell_type"] == "markdown"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


def text_of(lesson, cell):
    """The text of a cell, by its id, or of a guess, by "guess." and its name."""
    if not cell.startswith("guess."):
        return texts_of(lesson)[cell]
    asked = read_guess(f"{lesson}.{cell.removeprefix('guess.')}")
    return f"{asked['text']} {asked.get('says', '')}"


def test_entries_can_be_measured_and_their_words_stand_in_the_lessons():
    keys = []
    for claim in CLAIMS:
        assert set(claim) - {"halves"} == FIELDS, named(claim)
        assert set(claim["methods"]) <= set(METHODS), named(claim)
        assert all(len(data_set(name)) for name in claim["data"]), named(claim)
        assert claim["measure"] in {*MEASURES, *OTHER_MEASURES}, named(claim)
        holds(claim, np.zeros(1))  # its direction is known
        assert 0 <= claim["least"] <= claim.get("halves", SPLITS), named(claim)
        assert 1 <= claim["batches"] <= len(FRESH), named(claim)
        assert claim["says"] in text_of(claim["lesson"], claim["cell"]), named(claim)
        if ALWAYS.search(claim["says"]):
            assert claim["batches"] == len(FRESH), (named(claim), "needs every batch")
        row = *claim["methods"], claim["measure"], claim["direction"], claim["says"]
        keys += [(*row, name) for name in claim["data"]]
    assert len(keys) == len(set(keys)), "no entry stands twice"
    assert {method for row in keys for method in row[:2]} == set(METHODS), "all are claimed of"


@pytest.mark.parametrize("lesson", sorted({claim["lesson"] for claim in CLAIMS}))
def test_a_cell_that_counts_splits_has_an_entry(lesson):
    texts = texts_of(lesson)
    counted = {cell for cell, text in texts.items() if COUNTED.search(text)}
    known = {claim["cell"] for claim in CLAIMS if claim["lesson"] == lesson}
    assert counted - known - NO_CLAIM == set()
