"""No module changes or relies on what a process shares: warnings, seterr, locale, random."""

import random
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees import models

ROOMS = [Path(rt.__file__).parents[1] / name for name in ("ranktrees", "ranktrees_scale")]
CHANGES = re.compile(  # what would change it, for all threads
    r"np\.seterr\(|setlocale|np\.random\.(seed|rand|choice|shuffle)|^import random|random\.seed"
)


def results(model, data):
    fitted = model.fit(data.X, data.y)
    proba = fitted.predict_proba(data.X)
    return proba, "" if isinstance(model, rt.Bagging) else str(fitted.explain(data.X.iloc[[0]]))


MODELS = {  # on data of which something is too small for a double
    "credit-g": [rt.PathBayes(), rt.PathForest(n_models=2), rt.C44()],
    "glass": [rt.NaiveBayes(numeric="gaussian"), rt.NewtonTree(exponent=300, max_depth=2)],
    "labor": [rt.Bagging(rt.PathBayes(), n_models=2)],
}


@pytest.mark.parametrize("name", MODELS)
def test_models_are_the_same_whatever_seterr_says(name):
    data = rt.load(name)
    for model in MODELS[name]:
        proba, text = results(model, data)
        with np.errstate(all="raise"):
            again, text_again = results(model, data)
        np.testing.assert_array_equal(again, proba)
        assert text_again == text


def test_no_room_changes_what_a_process_shares():
    sources = {
        path: path.read_text(encoding="utf-8") for room in ROOMS for path in room.rglob("*.py")
    }
    assert len(sources) > 100
    assert not [path.name for path, text in sources.items() if CHANGES.search(text)]


def test_fits_leave_filters_and_random_numbers_as_they_are():
    filters, state = [*warnings.filters], random.getstate()
    numbers, said = np.random.get_state()[1].copy(), np.geterr()  # noqa: NPY002
    data = rt.load("labor")
    for name in ("PathBayes", "PathForest", "Bagging", "NewtonTree"):
        getattr(models, name)().fit(data.X, data.y).predict_proba(data.X)
    with pytest.warns(UserWarning, match="only one value"):
        rt.cross_validate(rt.C44(), pd.DataFrame({"one": 1, "n": range(57)}), data.y, k=3)
    assert warnings.filters == filters
    assert random.getstate() == state
    assert (np.random.get_state()[1] == numbers).all()  # noqa: NPY002
    assert np.geterr() == said
