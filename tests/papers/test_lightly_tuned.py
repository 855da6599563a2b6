"""What the study `path-forest` adds: a tuned LightGBM, C5.0, and what the page says of them."""

import numpy as np
import pandas as pd
import pytest
from fresh import ROOT

import ranktrees as rt
from ranktrees_engine.evaluate.fitting import fit_each
from ranktrees_lab.papers import Rival
from ranktrees_lab.papers.label_leak import in_declared_order
from ranktrees_lab.papers.rivals import LEAVES, PATIENCE, ROUNDS, Tuned, held_out


def test_a_fifth_of_each_class_is_held_out_and_a_class_keeps_a_case():
    y = np.repeat([0, 1, 2, 3], [50, 9, 2, 1])
    test = held_out(y, seed=1)
    assert np.bincount(y[test], minlength=4).tolist() == [10, 1, 1, 0]
    assert (held_out(y, seed=1) == test).all()
    assert (held_out(y, seed=2) != test).any()


def test_the_best_of_the_leaves_and_trees_is_fitted_to_all_cases():
    lightgbm = pytest.importorskip("lightgbm", reason="pip install --group study")
    data = rt.load("diabetes")
    y = in_declared_order(data.y)
    (tuned,) = fit_each(Tuned(), data.X, y, [np.arange(len(y))])
    X, test = data.X.to_numpy(float), held_out(y.codes, 1)
    how = {"learning_rate": 0.05, "verbose": -1, "deterministic": True, "n_jobs": 1}
    how |= {"random_state": 1}
    losses = {}
    for leaves in LEAVES:
        model = lightgbm.LGBMClassifier(num_leaves=leaves, n_estimators=ROUNDS, **how)
        stop = lightgbm.early_stopping(PATIENCE, verbose=False)
        model.fit(X[~test], y.codes[~test], eval_X=X[test], eval_y=y.codes[test], callbacks=[stop])
        losses[leaves, model.best_iteration_] = model.best_score_["valid_0"]["binary_logloss"]
    leaves, trees = min(losses, key=losses.get)
    assert len({*losses.values()}) > 1
    assert (tuned.model_.num_leaves, tuned.model_.n_estimators) == (leaves, trees)
    want = lightgbm.LGBMClassifier(num_leaves=leaves, n_estimators=trees, **how).fit(X, y.codes)
    np.testing.assert_array_equal(tuned.predict_proba(data.X), want.predict_proba(X))


@pytest.mark.parametrize("name", ["c5.0", "c5.0-boosted"])
def test_c50_takes_nominal_attributes_and_gaps_as_they_are(name):
    pytest.importorskip("c50py", reason="only the study needs it: pip install --group study")
    X = pd.DataFrame({"hue": pd.Categorical(["red", "blue", "red", None] * 10), "n": range(40)})
    y = pd.Categorical.from_codes([0, 1, 0, 0] * 10, [0, 1])
    model = Rival(name, "categories").fit(X, y)
    assert model.model_.is_cat_ == [True, False]
    seen = model.predict_proba(X[:4])
    assert seen.argmax(axis=1)[:3].tolist() == [0, 1, 0]
    assert seen[3].min() > 0, "a gap goes down both branches"


def test_the_evidence_says_how_c50_ranks_and_what_tuning_changes():
    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    frame = rt.papers.results("path-forest")[1]
    means = frame.pivot_table("value", ["measure", "dataset"], "method")
    auc, loss = (means.loc[name].dropna() for name in ("auc", "log-loss-clipped"))
    tree = {name: f"{auc[name].mean():.3f}"[1:] for name in ("C5.0", "C4.5", "C4.4")}
    said = f"{tree['C5.0']} (C5.0 of c50py), {tree['C4.5']} (C4.5) and {tree['C4.4']} (C4.4)"
    assert said in page
    lead = {name: (auc["C5.0"] - auc[name]).round(9) for name in ("C4.5", "C4.4")}
    better, worse = (lead["C4.5"] > 0).sum(), (lead["C4.5"] < 0).sum()
    assert f"better than C4.5 on {better} sets and worse on {worse}, and worse than" in page
    assert f"C4.4 on {(lead['C4.4'] < 0).sum()}." in page
    assert f"Its log loss is {loss['C5.0'].mean():.3f}" in page
    means = {
        name: [f"{of[name].mean():.3f}"[1:] for of in (auc, loss)]
        for name in ("C5.0 boosted", "path Bayes")
    }
    (ranked, lost), (ours, less) = means.values()
    better = (auc["C5.0 boosted"] > auc["C5.0"]).sum()
    assert f"C5.0 to {ranked}, on {better} of the sets, and lowers its log loss to {lost};" in page
    assert f"one tree, has {ours} and {less} there." in page
    lower = (loss["LightGBM lightly tuned"] < loss["LightGBM"]).sum()
    assert f"LightGBM's log loss on {lower} of the {len(loss)} sets" in page
