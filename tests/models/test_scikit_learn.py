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
from sklearn.inspection import (
    DecisionBoundaryDisplay,
    PartialDependenceDisplay,
)
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import Pipeline

import ranktrees as rt

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


@pytest.fixture(scope="module")
def halves():
    """Train and test halves of the credit data, as numbers and as they are."""
    data = rt.load("credit-g")
    codes = rt.Encoder(missing="value").fit_transform(data.X).values.astype(float)
    train, test = rt.holdout(data.y, test=1 / 2, seed=3)
    return data.X, codes, np.asarray(data.y), train, test


def test_scorers_are_our_measures():
    two, three = rt.load("credit-g"), rt.load("iris")
    for data, scoring, name in [(two, "roc_auc", "auc"), (three, "accuracy", "accuracy")]:
        own = rt.cross_validate(rt.C44(), data, k=3, measures=[name])[name]
        fold = PredefinedSplit(rt.stratified_folds(data.y, 3, 1))
        found = cross_val_score(rt.C44(), data.X, data.y, scoring=scoring, cv=fold)
        assert found == pytest.approx(own)


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
        for model in (rt.PathBayes(), rt.NaiveBayes(), rt.Bagging()):
            name = type(model).__name__
            with pytest.raises(UnsetMetadataPassedError, match=rf"{name}\.set_fit_request"):
                CalibratedClassifierCV(model).fit(X, y, sample_weight=weight)
            with pytest.raises(UnsetMetadataPassedError, match=refused.format(name)):
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
