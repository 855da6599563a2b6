"""What pictures refuse is said in words that name it."""

import numpy as np
import pandas as pd
import pytest
from drawings import PETALS, case, cells, data, fitted, folds, grown, of

import ranktrees as rt
from ranktrees.bayes import lung_cancer
from ranktrees_lab import plot

Y = ["a", "b", "b"]


def credit(*more, **named):
    return of(data("credit-g"), *more, **named)


def planes(name, *more):
    return of(grown(name), data(name), *more)


def bayes(*more, **how):
    return of(fitted("NaiveBayes", "tax-payers", **how), *more)


def votes(by, *columns):
    vote = data("vote")
    return of(vote.X[[*columns]] if columns else vote.X, vote.y, by=by)


def unseen():
    vote, model = data("vote"), fitted("CITree", "vote")
    return of(vote.X.assign(crime=pd.Categorical(["perhaps"] * len(vote))), vote.y, by=model)


def shares(models, splits=2):
    return of(models, data("labor"), splits=splits)


CASES = [
    ("tree", lambda: of(grown("iris"), style="boxs"), "no style 'boxs': did you mean 'boxes'"),
    ("tree", lambda: of(grown("iris"), max_depth=-1), "max_depth must be at least 0"),
    ("tree", lambda: of(rt.DecisionTree()), "call fit"),
    ("tree", lambda: of([1, 2]), "a fitted model or a Tree is needed, not list"),
    ("boundaries", lambda: planes("weather.nominal"), "two numeric attributes are needed"),
    ("boundaries", lambda: planes("credit-g", ("duration", "ages")), "did you mean 'age'"),
    ("boundaries", lambda: planes("credit-g", ("duration", "housing")), "choose two of duration"),
    ("boundaries", lambda: planes("credit-g", ("age", "age")), "two different names"),
    ("boundaries", lambda: planes("iris", PETALS, {"l": (0, 0, 1)}), "both weights are 0"),
    ("newton_tree", lambda: of(grown("iris")), r"DecisionTree: a tree without .* plot\.tree"),
    ("newton_tree", lambda: of([1]), "is needed, not list"),
    ("newton_tree", lambda: of(rt.NewtonTree()), r"no tree yet: call fit\(X, y\) first"),
    (
        "newton_tree",
        lambda: of(fitted("NewtonTree", "iris"), data("iris").X[:2]),
        "there are 2: pick one",
    ),
    ("newton_tree", lambda: of(fitted("NewtonTree", "iris"), max_depth=-1), "max_depth must be at"),
    ("attraction_map", lambda: of(fitted("NaiveBayes", "iris"), data("iris")), r"plot\.tree"),
    ("citree", lambda: of(rt.CITree()), "a fitted CITree or NBTree"),
    ("citree", lambda: bayes(), "a fitted CITree or NBTree"),
    ("citree", lambda: of(fitted("C45", "vote")), "naive Bayes at its leaves"),
    ("citree", lambda: of(fitted("CITree", "vote"), max_depth=-1), "max_depth must be at least 0"),
    ("citree", lambda: of(fitted("CITree", "vote"), strongest=-1), "strongest must be at least 0"),
    ("dependence", lambda: votes("crimes"), "did you mean 'crime'"),
    ("dependence", lambda: votes(7), "an attribute's name or a fitted tree"),
    ("dependence", lambda: votes(rt.CITree()), "a fitted tree"),
    ("dependence", lambda: votes("crime", "crime", "immigration"), "at least two attributes"),
    ("dependence", unseen, "never seen"),
    ("explanation", lambda: of(fitted("NaiveBayes", "iris").explain(case("iris"))), "plot.factors"),
    ("belief_network", lambda: of(lung_cancer(), evidence="Smokers"), "Smoker"),
    ("belief_network", lambda: of({"y": []}, apart="y"), "only node"),
    ("conditionals", lambda: bayes("Income", numeric="gaussian"), "Gaussian"),
    ("conditionals", lambda: bayes("Status", "Maried"), "Married"),
    ("conditionals", lambda: bayes("nonsense"), "Refund"),
    ("path_bayes", lambda: of(grown("iris"), case("iris")), "give PathBayes.* not DecisionTree"),
    ("path_bayes", lambda: of(rt.PathBayes, case("iris")), "not type"),
    ("path_bayes", lambda: of(rt.PathBayes(), case("iris")), "not fitted yet"),
    ("path_bayes", lambda: of(fitted("PathBayes", "iris"), data("iris").X[:2]), "there are 2"),
    ("split", lambda: credit("durations"), "'durations': did you mean 'duration'"),
    ("split", lambda: credit("age", criterion="ginni"), "'ginni': did you mean 'gini'"),
    ("split", lambda: credit("housing", threshold=3), "nominal, a threshold needs numbers"),
    ("split", lambda: credit("age", threshold="old"), "of 'age' must be a number, not 'old'"),
    ("split", lambda: credit("age", threshold=np.nan), "must be finite"),
    ("split", lambda: of(data("credit-g").X.iloc[:0], "age", y=[]), "X is empty"),
    ("split", lambda: of(data("credit-g").X, "age"), "give a Dataset, or y"),
    ("split", lambda: of(pd.DataFrame({"x": [np.nan] * 3}), "x", y=Y), "every value of 'x' is"),
    ("impurity", lambda: of({"x": (0, 0)}), "point 'x' must be two class counts"),
    ("table", lambda: of([[1, 2], [3, 4]], rows=["a"]), "rows names 1, but the table has 2"),
    ("table", lambda: of([1, 2]), "two axes"),
    ("roc", lambda: of(Y, {"m": [1, 2]}), "score of 'm' has shape"),
    ("roc", lambda: of(Y, {"m": np.zeros((3, 2))}), "two columns"),
    ("roc", lambda: of(Y, {"m": [1, 2, 3]}, positive="c"), "no class 'c': there is a, b"),
    ("gains", lambda: of(Y, {"m": [1, np.nan, 2]}), "score of 'm' is NaN in row 1"),
    ("gains", lambda: of(Y, {"m": [1, 2, -np.inf]}), "score of 'm' is infinite in row 2"),
    ("gains", lambda: of(Y, {"m": [1, 2, 3]}, letters=4), "letters must be at"),
    ("ranking", lambda: of(Y, {}), "scores is empty"),
    ("calibration", lambda: of(Y, {"m": [0.1, 1.4, 0.3]}), "probabilit"),
    ("residuals", lambda: of(cells().drop(columns="published")), "lack the column published"),
    ("residuals", lambda: of(cells().assign(measured=np.nan)), "no cell has both"),
    ("residuals", lambda: of(cells(methods=tuple("ABCDEFGHI"))), "9 methods are too many"),
    ("duel", lambda: of(folds()[0], folds()[1][:, 1:]), r"not \(5, 10\) and \(5, 9\)"),
    ("duel", lambda: of(*folds(), test="sign"), "unknown test"),
    ("duel", lambda: of(folds()[0] * np.nan, folds()[1]), "no fold in which both"),
    ("dumbbells", lambda: of(pd.DataFrame({"a": [0, 1], "b": [2, 3]}), "n", log=True), "no place"),
    ("fresh_shares", lambda: shares(dict.fromkeys("abcdefghi", rt.C44())), "9 panels are too"),
    ("fresh_shares", lambda: shares(rt.DecisionTree()), "not DecisionTree"),
    ("fresh_shares", lambda: shares({"tree": rt.DecisionTree()}, splits=0), "splits"),
]


@pytest.mark.parametrize(("name", "make", "words"), CASES, ids=[case[2] for case in CASES])
def test_it_is_named(name, make, words):
    given, named = make()
    with pytest.raises((TypeError, ValueError), match=words):
        getattr(plot, name)(*given, **named)
