"""Our models in scikit-learn's hands: scorers, wrappers, inspection and pictures agree."""

import pickle

import matplotlib as mpl
import numpy as np
import pytest
import sklearn
from oracles import SKLEARN, assert_every_check_passes
from sklearn import metrics as theirs
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.inspection import DecisionBoundaryDisplay, PartialDependenceDisplay
from sklearn.model_selection import GridSearchCV, PredefinedSplit, cross_val_score, cross_validate

import ranktrees as rt

IGNORED = "ignore:column .*:UserWarning", "ignore:Estimator .* does not inherit:UserWarning"
pytestmark = [*map(pytest.mark.filterwarnings, IGNORED)]
DAILY = [
    rt.DecisionTree(missing="error", discretize="entropy-mdl"),
    rt.C45(numeric="thresholds"), rt.C44(missing="error"), rt.C44(rules="wang2006"),
    rt.PathBayes(), rt.PathForest(2, missing="error"), rt.CITree(), rt.NBTree(scoring="auc"),
    rt.NewtonTree(), rt.DistanceTree(), rt.CentreSplitting(), rt.AODE(),
    rt.NaiveBayes("none", numeric="gaussian"), rt.Bagging(rt.NaiveBayes(), n_models=2),
]  # fmt: skip
OTHERS = [
    rt.DecisionTree(), rt.DecisionTree("gini", "binary", numeric="thresholds", estimate="laplace"),
    rt.C45(), rt.C44(numeric="thresholds", missing="value"), rt.PathForest(2),
    rt.NewtonTree(missing="error", reading="talk"), rt.NewtonTree(missing="impute"),
    rt.NaiveBayes(), rt.NaiveBayes("m", missing="error", discretize="entropy-mdl"),
    rt.Bagging(n_models=3), rt.Bagging(rt.C45(missing="error"), n_models=2),
]  # fmt: skip
CHECKED = [*DAILY, *(pytest.param(model, marks=pytest.mark.long) for model in OTHERS)]
NOT_MEANT = {
    "Bagging": {
        "check_sample_weight_equivalence_on_dense_data": "a weighted case is drawn as often, but "
        "not in the same draws, as its copies"
    },
    "C44(rules='wang2006')": {"check_classifiers_train": "rows of its Laplace sum to more than 1"},
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("default:::ranktrees")
@pytest.mark.parametrize("model", CHECKED, ids=repr)
def test_every_check_of_scikit_learn_passes(model):
    not_meant = NOT_MEANT.get(repr(model), NOT_MEANT.get(type(model).__name__, {}))
    assert_every_check_passes(model, **not_meant)


CREDIT = rt.load("credit-g")


def test_scorers_are_our_measures():
    for scoring, name in ("roc_auc", "auc"), ("accuracy", "accuracy"):
        own = rt.cross_validate(rt.C44(), CREDIT, k=3, measures=[name])[name]
        fold = PredefinedSplit(rt.stratified_folds(CREDIT.y, 3, 1))
        found = cross_val_score(rt.C44(), CREDIT.X, CREDIT.y, scoring=scoring, cv=fold)
        assert found == pytest.approx(own)


def test_pictures():
    """Displays that take a classifier draw what our measures say."""
    mpl.use("Agg")
    X, y = CREDIT.X[::2], CREDIT.y[::2]
    model = rt.C44().fit(CREDIT.X[1::2], CREDIT.y[1::2])
    proba = model.predict_proba(X)[:, 1]
    roc = theirs.RocCurveDisplay.from_estimator(model, X, y, drop_intermediate=False)
    np.testing.assert_allclose([roc.fpr, roc.tpr], rt.roc_curve(y, proba)[:2])
    assert roc.roc_auc == pytest.approx(rt.auc(y, proba))
    matrix = theirs.ConfusionMatrixDisplay.from_estimator(model, X, y).confusion_matrix
    assert (matrix == rt.confusion_matrix(y, model.predict(X)).to_numpy()).all()
    PartialDependenceDisplay.from_estimator(model, X, ["age", "duration"], grid_resolution=4)
    two = X[["age", "duration"]].to_numpy()
    gaussian = rt.NaiveBayes(numeric="gaussian").fit(two, y)
    DecisionBoundaryDisplay.from_estimator(gaussian, two, grid_resolution=8)
    mpl.pyplot.close("all")


class TestMetadataRouting:
    """What wrappers hand to `fit` and `score`: asked for, refused, or left out, never lost."""

    @pytest.fixture(autouse=True)
    def routed(self):
        with sklearn.config_context(enable_metadata_routing=True):
            yield

    @pytest.fixture
    def cases(self):
        X, y = CREDIT.X[::3], np.asarray(CREDIT.y)[::3]
        return X, y, np.where(y == "bad", 5.0, 1.0)

    def test_weights_that_nothing_was_said_of_are_refused(self, cases):
        X, y, weight = cases
        after = "{}.fit" if SKLEARN >= (1, 7) else "cross_validate's estimator: {}"
        words = f"not requested for {after}"
        for model in (rt.PathBayes(), rt.Bagging()):
            name = type(model).__name__
            with pytest.raises(UnsetMetadataPassedError, match=rf"{name}\.set_fit_request"):
                CalibratedClassifierCV(model).fit(X, y, sample_weight=weight)
            with pytest.raises(UnsetMetadataPassedError, match=words.format(name)):
                cross_validate(model, X, y, params={"sample_weight": weight})

    def test_fits_and_scores_of_a_cross_validation(self, cases):
        X, y, weight = cases
        fold = np.arange(len(y)) % 2
        model = rt.C45().set_fit_request(sample_weight="cost").set_score_request(sample_weight=True)
        given = {"cost": weight, "sample_weight": weight**2}
        found = cross_validate(model, X, y, cv=PredefinedSplit(fold), params=given)
        for f in (0, 1):
            fitted = rt.C45().fit(X[fold != f], y[fold != f], weight[fold != f])
            score = fitted.score(X[fold == f], y[fold == f], weight[fold == f] ** 2)
            assert found["test_score"][f] == pytest.approx(score)

    def test_a_search(self, cases):
        X, y, weight = cases
        model = rt.PathBayes().set_fit_request(sample_weight=True)
        model = model.set_score_request(sample_weight=True)
        search = GridSearchCV(model, {"min_child": [2, 20]}, cv=2, error_score="raise")
        search.fit(X, y, sample_weight=weight)
        proba = rt.PathBayes(**search.best_params_).fit(X, y, weight).predict_proba(X)
        np.testing.assert_array_equal(search.predict_proba(X), proba)

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
        sklearn.set_config(enable_metadata_routing=False)  # the fixture sets it back
        with pytest.raises(RuntimeError, match=r"set_config\(enable_metadata_routing=True\)"):
            rt.C45().set_fit_request(sample_weight=True)
