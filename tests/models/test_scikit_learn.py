"""Our models in scikit-learn's hands: scorers, wrappers, inspection and pictures agree."""

import pickle

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import sklearn
from oracles import SKLEARN, assert_every_check_passes
from sklearn import metrics as theirs
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.inspection import (
    DecisionBoundaryDisplay,
    PartialDependenceDisplay,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import Pipeline

import ranktrees as rt

SETS = rt.datasets().query("source == 'shipped'")["name"].tolist()
CONSTANT = pytest.mark.filterwarnings("ignore:column .*:UserWarning")
PENDING = pytest.mark.filterwarnings("ignore:Estimator .* does not inherit:UserWarning")
pytestmark = [CONSTANT, PENDING]
CHECKED = [
    rt.DecisionTree(), rt.DecisionTree(missing="error", discretize="entropy-mdl"),
    rt.DecisionTree("gini", "binary", numeric="thresholds", estimate="laplace"),
    rt.C45(), rt.C45(numeric="thresholds"), rt.C44(missing="error"), rt.C44(rules="wang2006"),
    rt.C44(numeric="thresholds", missing="value"), rt.PathBayes(),
    rt.PathForest(2), rt.PathForest(2, missing="error"), rt.CITree(), rt.NBTree(scoring="auc"),
    rt.NewtonTree(), rt.NewtonTree(missing="error", reading="talk"), rt.DistanceTree(),
    rt.NewtonTree(missing="impute", criterion="auc"), rt.CentreSplitting(), rt.AODE(),
    rt.NaiveBayes(), rt.NaiveBayes("none", numeric="gaussian"),
    rt.NaiveBayes("m", missing="error", discretize="entropy-mdl"),
    rt.Bagging(n_models=3), rt.Bagging(rt.C45(missing="error"), n_models=2),
    rt.Bagging(rt.NaiveBayes(), n_models=2),
]  # fmt: skip
NOT_MEANT = {
    "Bagging": {
        "check_sample_weight_equivalence_on_dense_data": "a weighted case is drawn as often, but "
        "not in the same draws, as its copies"
    },
    "C44(rules='wang2006')": {"check_classifiers_train": "rows of its Laplace sum to more than 1"},
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit:UserWarning")
@pytest.mark.filterwarnings("default:::ranktrees")
@pytest.mark.parametrize("model", CHECKED, ids=repr)
def test_every_check_of_scikit_learn_passes(model):
    not_meant = NOT_MEANT.get(repr(model), NOT_MEANT.get(type(model).__name__, {}))
    assert_every_check_passes(model, **not_meant)


def folds_of(data):
    """Classes that occur, and three folds of them."""
    y = pd.Series(data.y).cat.remove_unused_categories()
    enough = y.map(y.value_counts()).to_numpy(int) >= 3
    y = y[enough].cat.remove_unused_categories()
    return data.X[enough].reset_index(drop=True), y.reset_index(drop=True)


@pytest.mark.parametrize("name", SETS)
def test_scorers_agree_on_every_shipped_set(name):
    model = rt.C44()
    X, y = folds_of(rt.load(name, source="shipped"))
    fold = rt.stratified_folds(y, 3)
    two = y.nunique() == 2
    scorers = {
        "accuracy": rt.accuracy,
        "neg_log_loss": lambda t, p: -rt.log_loss(t, p),
        "roc_auc" if two else "roc_auc_ovo": lambda t, p: (
            rt.auc(t, p[:, 1]) if two else rt.hand_till(t, p)
        ),
    }
    # Of two classes with names, and before 1.7 of more, theirs gives nan for all models.
    if not two and SKLEARN >= (1, 7):
        scorers["neg_brier_score"] = lambda t, p: -p.shape[1] * rt.brier(t, p)
    for scoring, measure in scorers.items():
        found = cross_val_score(model, X, y, scoring=scoring, cv=PredefinedSplit(fold))
        for f, score in enumerate(found):
            train, test = fold != f, fold == f
            fitted = type(model)().fit(X[train], y[train])
            proba = fitted.predict_proba(X[test])
            said = fitted.predict(X[test]) if scoring == "accuracy" else proba
            digits = 1e-6 if scoring == "neg_log_loss" else 1e-9  # theirs takes 1 - p, and clips
            assert measure(y[test], said) == pytest.approx(score, abs=digits), (scoring, f)


def test_classes_of_another_order():
    data = rt.load("credit-g")
    y = pd.Categorical.from_codes(data.y.codes, ["yes", "no"])
    fold = rt.stratified_folds(y, 3)
    own = rt.cross_val_proba(rt.C44(), data.X, y, folds=fold)
    again = cross_val_predict(rt.C44(), data.X, y, cv=PredefinedSplit(fold), method="predict_proba")
    np.testing.assert_allclose(again, own, atol=1e-12)
    ours = rt.auc(y, own[:, 1])
    assert ours == pytest.approx(theirs.roc_auc_score(np.asarray(y) == "yes", own[:, 1]))
    assert 0.6 < ours < 0.8


@pytest.fixture(scope="module")
def halves():
    """Train and test halves of the credit data, as numbers and as they are."""
    data = rt.load("credit-g")
    codes = rt.Encoder(missing="value").fit_transform(data.X).values.astype(float)
    train, test = rt.holdout(data.y, test=1 / 2, seed=3)
    return data.X, codes, np.asarray(data.y), train, test


def test_voting_and_stacking(halves):
    X, codes, y, train, test = halves
    models = [("tree", rt.C44()), ("bayes", rt.NaiveBayes())]
    vote = VotingClassifier(models, voting="soft").fit(X.iloc[train], y[train])
    each = [m.fit(X.iloc[train], y[train]).predict_proba(X.iloc[test]) for _, m in models]
    np.testing.assert_allclose(vote.predict_proba(X.iloc[test]), np.mean(each, axis=0))
    stack = StackingClassifier([*models, ("line", LogisticRegression(max_iter=2000))], cv=3)
    stack.fit(codes[train], y[train])
    assert rt.auc(y[test], stack.predict_proba(codes[test])[:, 1]) > rt.auc(y[test], each[0][:, 1])


def test_pictures(halves):
    """Displays that take a classifier draw what our measures say."""
    X, codes, y, train, test = halves
    mpl.use("Agg")
    model = rt.C44().fit(X.iloc[train], y[train])
    case, truth = X.iloc[test], y[test]
    proba = model.predict_proba(case)[:, 1]
    roc = theirs.RocCurveDisplay.from_estimator(model, case, truth, drop_intermediate=False)
    fpr, tpr, _ = rt.roc_curve(truth, proba)
    np.testing.assert_allclose([roc.fpr, roc.tpr], [fpr, tpr])
    assert roc.roc_auc == pytest.approx(rt.auc(truth, proba))
    matrix = theirs.ConfusionMatrixDisplay.from_estimator(model, case, truth).confusion_matrix
    assert (matrix == rt.confusion_matrix(truth, model.predict(case)).to_numpy()).all()
    PartialDependenceDisplay.from_estimator(model, case, ["age", "duration"], grid_resolution=4)
    two = rt.NaiveBayes(numeric="gaussian").fit(codes[:, :2], y)
    DecisionBoundaryDisplay.from_estimator(two, codes[:, :2], grid_resolution=8)
    mpl.pyplot.close("all")


class TestMetadataRouting:
    """What wrappers hand to `fit` and `score`: asked for, refused, or left out, never lost."""

    @pytest.fixture(autouse=True)
    def routed(self):
        with sklearn.config_context(enable_metadata_routing=True):
            yield

    @pytest.fixture
    def cases(self, halves):
        X, _, y, train, _ = halves
        return X.iloc[train], y[train], np.where(y[train] == "bad", 5.0, 1.0)

    def proba(self, model, cases, rows):
        X, y, weight = cases
        return model.fit(X.iloc[rows], y[rows], weight[rows]).predict_proba(X)

    def test_weights_that_nothing_was_said_of_are_refused(self, cases):
        X, y, weight = cases
        words = "not requested for {}.fit", "not requested for cross_validate's estimator: {}"
        refused = words[SKLEARN < (1, 7)]
        for model in (rt.PathBayes(), rt.PathForest(), rt.NaiveBayes(), rt.AODE(), rt.Bagging()):
            name = type(model).__name__
            with pytest.raises(UnsetMetadataPassedError, match=rf"{name}\.set_fit_request"):
                CalibratedClassifierCV(model).fit(X, y, sample_weight=weight)
            with pytest.raises(UnsetMetadataPassedError, match=refused.format(name)):
                cross_validate(model, X, y, params={"sample_weight": weight})

    def test_fits_and_scores_of_a_cross_validation(self, cases):
        X, y, weight = cases
        fold = np.arange(len(y)) % 2
        model = rt.C45().set_fit_request(sample_weight="cost").set_score_request(sample_weight=True)
        found = cross_validate(
            model,
            X,
            y,
            cv=PredefinedSplit(fold),
            params={"cost": weight, "sample_weight": weight**2},
        )
        for f in (0, 1):
            fitted = rt.C45().fit(X[fold != f], y[fold != f], weight[fold != f])
            score = fitted.score(X[fold == f], y[fold == f], weight[fold == f] ** 2)
            assert found["test_score"][f] == pytest.approx(score)

    @pytest.mark.parametrize("of_step", [False, True])
    def test_a_search_over_a_pipeline(self, cases, of_step):
        X, y, weight = cases
        model = rt.PathBayes().set_fit_request(sample_weight=True)
        model = model.set_score_request(sample_weight=True)
        grid = {"min_child": [2, 20]}
        if of_step:
            if SKLEARN < (1, 8):
                pytest.skip("before 1.8 a pipeline's score is not routed")
            model, grid = (
                Pipeline([("rows", "passthrough"), ("tree", model)]),
                {f"tree__{name}": values for name, values in grid.items()},
            )
        search = GridSearchCV(model, grid, cv=2, error_score="raise")
        search.fit(X, y, sample_weight=weight)
        best = rt.PathBayes(min_child=next(iter(search.best_params_.values())))
        meant = self.proba(best, cases, np.arange(len(y)))
        np.testing.assert_array_equal(search.predict_proba(X), meant)

    def test_every_argument_besides_the_data(self):
        asked = rt.DecisionTree().get_metadata_routing().fit.requests
        assert asked == dict.fromkeys(["sample_weight", "budget", "engine", "progress"])
        assert rt.CITree().get_metadata_routing().fit.requests == {"progress": None}
        for kind in (rt.CITree, rt.Bagging, rt.NewtonTree):
            assert kind().get_metadata_routing().score.requests == {"sample_weight": None}

    def test_what_was_said_stays_with_the_model(self):
        model = rt.Bagging(rt.C44().set_fit_request(sample_weight=True))
        model.set_fit_request(sample_weight=False).set_score_request(sample_weight="w")
        twin = clone(model)
        for one in (model, twin, pickle.loads(pickle.dumps(model))):
            assert one.get_metadata_routing().fit.requests == {"sample_weight": False}
            assert one.get_metadata_routing().score.requests == {"sample_weight": "w"}
            assert one.model.get_metadata_routing().fit.requests["sample_weight"] is True
        twin.set_fit_request(sample_weight=None)
        assert model.get_metadata_routing().fit.requests == {"sample_weight": False}
        assert rt.Bagging().get_metadata_routing().fit.requests == {"sample_weight": None}

    def test_what_cannot_be_asked_for(self):
        with pytest.raises(TypeError, match=r"fit of C45 has no 'weights': .* 'sample_weight'"):
            rt.C45().set_fit_request(weights=True)
        with pytest.raises(TypeError, match=r"fit of CITree has no 'sample_weight': .* 'progress'"):
            rt.CITree().set_fit_request(sample_weight=True)
        with pytest.raises(ValueError, match="sample_weight"):
            rt.C45().set_fit_request(sample_weight="no name")
        with (
            sklearn.config_context(enable_metadata_routing=False),
            pytest.raises(RuntimeError, match=r"set_config\(enable_metadata_routing=True\)"),
        ):
            rt.C45().set_fit_request(sample_weight=True)
