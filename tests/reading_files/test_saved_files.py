"""Files that an earlier version saved load, and predict what they predicted then."""

import json
from pathlib import Path

import numpy as np
import pytest
from model_cases import MODELS, table

import ranktrees as rt

SAVED = Path(__file__).parents[1] / "golden" / "saved"
VERSIONS = sorted(path.name for path in SAVED.iterdir())


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("version", VERSIONS)
def test_probabilities_of_a_saved_model(version, kind):
    name = kind.replace(" ", "_")
    expected = json.loads((SAVED / version / "expected.json").read_text(encoding="utf-8"))[name]
    model = rt.load_model(SAVED / version / f"{name}.json")
    assert repr(model) == repr(MODELS[kind])
    proba = model.predict_proba(table()[0].iloc[: len(expected)])
    np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_saved_network(version):
    net = rt.load_model(SAVED / version / "BayesNet.json")
    assert net.query("LungCancer", {"Dyspnea": "yes"})["yes"].round(2) == 0.7
