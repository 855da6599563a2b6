"""The study of adopted trees: its declaration, the trees that it grows, and what mends them."""

import numpy as np
import pandas as pd
import pytest
from experiments import run
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_lab.papers import STUDIES
from ranktrees_lab.papers.adopted import FOLDS, GROWN, MENDED, Grown, in_thirds
from ranktrees_lab.papers.rivals import design

STUDY = STUDIES["adopted"]
METHODS = ["tree: own leaves", "tree: shrunk 50", "tree: path", "forest: path"]
METHODS += ["forest: temperature", "path Bayes"]


def test_no_choice_of_its_formulas_was_made_on_its_sets():
    chosen_on = STUDIES["path-bayes"].groups["design"]
    assert len(STUDY.datasets) == 26
    assert not {*chosen_on} & {*STUDY.datasets}
    rare = {
        name
        for m in STUDY.methods
        for name in {*STUDY.datasets} - {*(m.datasets or STUDY.datasets)}
    }
    assert rare == {"ecoli", "postoperative-patient", "yeast", "zoo"}
    assert {m.model for m in STUDY.methods} == {*STUDY.models}
    assert not any("," in m.name for m in STUDY.methods), "--methods A,B could not name it"


def test_readings_of_one_tree_and_a_run_that_goes_on(tmp_path):
    how = {"paper": STUDY, "datasets": ["labor", "iris"], "methods": METHODS}
    path, settings, found = run(tmp_path, **how)
    mean = found[found["measure"] == "log-loss-clipped"].groupby("method")["value"].mean()
    assert set(mean.index) == {*METHODS}
    assert mean["tree: path"] < mean["tree: shrunk 50"] < mean["tree: own leaves"]
    again, _, _ = run(tmp_path, **how)
    assert again.read_bytes() == path.read_bytes()
    assert settings["paper"] == "adopted"


def test_a_grown_tree_is_the_librarys_own_with_our_estimates():
    data = rt.load("labor")
    y = pd.Categorical.from_codes(data.y.codes, range(3))  # a class that no case has
    grown, columns = Grown(seed=3).fit(data.X, y), design(data.X, "one-hot")[0]
    theirs = DecisionTreeClassifier(random_state=3).fit(columns, y.codes)
    assert np.array_equal(grown.predict_proba(data.X)[:, :2], theirs.predict_proba(columns))
    assert (grown.predict_proba(data.X)[:, 2] == 0).all()
    ours = rt.adopt(theirs, columns, y.codes, estimate="hierarchical-shrinkage")
    found = grown.proba(data.X, "hierarchical-shrinkage")
    assert np.array_equal(found[:, :2], ours.predict_proba(columns))


@pytest.mark.parametrize("mended", MENDED)
@pytest.mark.parametrize("name", [*GROWN])
def test_what_other_libraries_mend(name, mended):
    if mended == "imodels":
        pytest.importorskip("imodels", reason="only the study needs it: pip install --group study")
    data = rt.load("iris")
    y = pd.Categorical.from_codes(data.y.codes, range(3))
    proba = Grown(name, mended).fit(data.X, y).predict_proba(data.X)
    assert np.allclose(proba.sum(axis=1), 1)
    assert rt.accuracy(y, proba.argmax(axis=1)) > 0.9


@pytest.mark.parametrize("seed", range(4))
def test_each_third_has_every_class(seed):
    y = np.random.default_rng(seed).permutation([0] * 40 + [1] * 7 + [2, 2, 3])
    rows = in_thirds(y, seed)
    assert {*rows.tolist()} == {*range(50)}
    assert len(rows) == 53  # a pair has one copy, a single case two
    thirds = np.array_split(rows, FOLDS)
    assert all({*y[third].tolist()} == {0, 1, 2, 3} for third in thirds)


@pytest.mark.parametrize("given", [{"name": "shrub"}, {"mended": "glue"}])
def test_what_is_unknown_is_refused(given):
    with pytest.raises(ValueError, match=r"shrub|glue"):
        Grown(**given).fit(rt.load("iris").X, pd.Categorical(rt.load("iris").y.codes))
