"""No model says anything else than what was recorded: see tests/golden/record_models.py."""

import json

import pytest
from golden.record_models import ALIKE, FILE, digests, sets

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_shipped_set_is_recorded():
    assert [*RECORDED] == sets()


@pytest.mark.parametrize("name", [*RECORDED])
def test_models_say_what_was_recorded(name):
    now, before = digests(name), RECORDED[name]
    assert now.keys() == before.keys()
    assert {t: d[0] for t, d in now.items()} == {t: d[0] for t, d in before.items()}
    for title, (_, *sums) in now.items():
        assert sums == pytest.approx(before[title][1:], rel=0, abs=ALIKE), title
