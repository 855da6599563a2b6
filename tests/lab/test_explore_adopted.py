"""An explorer of a tree that scikit-learn grew: what is shown is what an adopted tree says."""

import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_lab.explore.adopted import NAMES, PARAMS
from ranktrees_lab.plot.judged import PALE


@pytest.fixture(scope="module")
def credit():
    return rt.load("credit-g")


@pytest.fixture(scope="module")
def halves(credit):
    return rt.holdout(credit.y, test=1 / 2, seed=1)


@pytest.fixture(scope="module")
def explorer(credit, halves):
    return rt.explore.adopted(credit, "bad", halves[0])


def cells(words, name):
    row = re.search(f">{re.escape(name)}</td>(.*?)</tr>", words)[1]
    return [float(number) for number in re.findall(r"<td[^>]*>([\d.]+)</td>", row)]


@pytest.mark.parametrize("estimate", NAMES)
def test_the_numbers_are_those_of_the_same_tree_adopted(explorer, credit, halves, estimate):
    train, test = halves
    X, bad = pd.get_dummies(credit.X), np.asarray(credit.y[test] == "bad")
    grown = DecisionTreeClassifier(random_state=0).fit(X.iloc[train], credit.y[train])
    how = {"estimate": estimate, "estimate_params": PARAMS.get(estimate)}
    model = rt.adopt(grown, X.iloc[train], credit.y[train], **how)
    score = model.predict_proba(X.iloc[test])[:, list(model.classes_).index("bad")]
    explorer.controls["estimate"].value = estimate
    assert np.allclose(explorer.scores[NAMES[estimate]], score)
    if estimate == "frequency":
        assert np.array_equal(score, grown.predict_proba(X.iloc[test])[:, 0])
    area, error = roc_auc_score(bad, score), brier_score_loss(bad, score)
    lost = log_loss(bad, np.clip(score, 1e-15, 1 - 1e-15))
    found = area, error, lost, len(np.unique(score.round(9)))
    assert cells(explorer.words.value, NAMES[estimate]) == pytest.approx(found, abs=6e-4)
    alt = explorer.picture.alt
    assert alt.startswith(f"A tree of scikit-learn with {grown.tree_.node_count} nodes, judged on")
    assert f"{NAMES[estimate]}: area under the ROC curve of class bad (150 of 500 cases)" in alt
    assert f"{area:.3f}; reliability in 10 bins: Brier score {error:.3f}" in alt
    pale = [name for name in NAMES.values() if name != NAMES[estimate]]
    assert alt.endswith(f" Pale lines: {', '.join(pale)}.")


def test_one_estimate_is_in_colour_and_all_others_are_pale(explorer):
    explorer.controls["estimate"].value = "path"
    left, right = explorer.picture.axes
    for plane in (left, right):
        colours = [to_hex(line.get_color()).upper() for line in plane.lines]
        assert colours.count(PALE["color"]) == len(NAMES) - 1
        assert len(colours) == len(NAMES) + 1, "the diagonal, too"
    assert explorer.picture.get_figheight() * 100 <= 480
    fpr, tpr = np.transpose([line.get_xydata()[-1] for line in left.lines])
    assert (fpr == 100).all()
    assert (tpr == 100).all()


@pytest.mark.parametrize("name", ["labor", "glass", "breast-cancer", "soybean"])
def test_gaps_text_and_empty_classes_are_no_trouble(name):
    explorer = rt.explore.adopted(rt.load(name), estimate="path")
    assert explorer.settings == {"estimate": "path"}
    assert len(re.findall("<tr>", explorer.words.value)) == 1 + len(NAMES)
    assert len({each.tree_.to_text() for each in explorer.models.values()}) == 1
