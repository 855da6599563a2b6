"""What a user writes, with the types that an editor shows for it: `make lint` checks it."""

from pathlib import Path
from typing import assert_type

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

import ranktrees as rt
from ranktrees_engine.evaluate.cross import Bootstrap632
from ranktrees_engine.evaluate.decisions import Threshold
from ranktrees_engine.evaluate.significance import Friedman, Significance


def data_is_read(path: Path) -> rt.Dataset:
    data = rt.load("credit-g")
    assert_type(data, rt.Dataset)
    assert_type(data.X, pd.DataFrame)
    return rt.read_csv(path, target="class")


def models_are_fitted(data: rt.Dataset, path: Path) -> np.ndarray:
    trees = rt.DecisionTree(estimate="laplace"), rt.C44(), rt.C45(confidence=0.1), rt.PathBayes()
    others = rt.CITree(), rt.NBTree(), rt.NewtonTree(), rt.CentreSplitting(), rt.DistanceTree()
    for model in (*trees, *others, rt.Bagging(rt.C44()), rt.NaiveBayes(), rt.AODE()):
        assert_type(model.predict_proba(data.X), np.ndarray)
    tree = assert_type(rt.DecisionTree().fit(data.X, data.y), rt.DecisionTree)
    rt.save(tree, path)
    assert_type(tree.tree_, rt.Tree)
    assert_type(rt.tally((2, 2), np.zeros(3, int), np.ones(3, int)), np.ndarray)
    return tree.predict_proba(data.X)


def rankings_are_measured(y: pd.Series, proba: np.ndarray, predicted: np.ndarray) -> None:
    score = proba[:, 1]
    assert_type(rt.auc(y, score), float)
    assert_type(rt.hand_till(y, proba), float)
    assert_type(rt.confusion_matrix(y, predicted), pd.DataFrame)
    assert_type(rt.roc_curve(y, score), tuple[np.ndarray, np.ndarray, np.ndarray])
    assert_type(rt.best_threshold(y, score, [[0, 1], [5, 0]]), Threshold)
    assert_type(rt.least_cost_class(proba, [[0, 1], [5, 0]]), np.ndarray)


def methods_are_compared(data: rt.Dataset) -> rt.Results:
    model = rt.C44()
    assert_type(rt.cross_validate(model, data), pd.DataFrame)
    assert_type(rt.cross_val_proba(model, data), np.ndarray)
    assert_type(rt.bootstrap_632(model, data), Bootstrap632)
    assert_type(rt.weka_folds(data.y), np.ndarray)
    assert_type(rt.paired_t([0.8, 0.9], [0.7, 0.9]), Significance)
    assert_type(rt.friedman([[0.8, 0.9], [0.7, 0.9]]), Friedman)
    results = rt.compare({"C4.4": model, "C4.5": rt.C45()}, [data])
    assert_type(results.table("auc"), pd.DataFrame)
    return results


def plain_methods_are_called(X: np.ndarray, y: np.ndarray) -> float:
    assert_type(rt.plain.c45.c44(X, y, [2, 3], 2).leaves(), list[rt.plain.tree.Node])
    assert_type(rt.plain.evaluate.auc([0.9], [0.1]), float)
    return rt.plain.criteria.information_gain(np.eye(2))


def frames_of_all_kinds_are_read(data: rt.Dataset, cases: list[list[float]]) -> None:
    model = rt.PathForest(n_models=3).fit(data.X, data.y, np.ones(len(data)))
    assert_type(model.predict_proba(cases), np.ndarray)
    codes = assert_type(rt.Encoder().fit(data.X, data.y).transform(data.X), rt.Codes)
    assert_type(rt.DecisionTree().fit(codes, data.y).apply(codes), np.ndarray)


def files_are_scanned_and_kept(path: Path) -> None:
    scan = assert_type(rt.scan([path], "class"), rt.scale.Scan)
    model = rt.DecisionTree().fit(scan, budget="1GB")
    assert_type(model.score(scan), float)
    rt.save(model, path)
    again = rt.load_model(path)
    assert_type(again.predict_proba(scan.sample(10).X), np.ndarray)
    assert_type(again.classes_, np.ndarray)


def answers_are_explained_and_drawn(data: rt.Dataset) -> rt.plot.Picture:
    model = rt.C44().fit(data.X, data.y)
    said = model.explain(data.X[:1])
    assert_type(said.table, pd.DataFrame)
    assert_type(rt.NaiveBayes().fit(data.X, data.y).explain({"a": 1}).lines, list[str])
    assert_type(rt.plot.explanation(said), rt.plot.Picture)
    assert_type(rt.explore.growing(model, data), rt.explore.Explorer)
    scores = {"C4.4": model.predict_proba(data.X)[:, 1]}
    assert_type(rt.plot.roc(data.y, scores), rt.plot.Picture)
    assert_type(rt.plot.roc(data.y, scores, ax=plt.gca()), rt.plot.Picture | Axes)
    return rt.plot.tree(model.tree_, figure=rt.plot.picture(None, (5, 3)))


def exercises_are_checked(answer: float) -> pd.DataFrame:
    assert_type(rt.check.printed_auc(answer), rt.check.Verdict)
    rt.guess("03.neck", reveal=lambda: answer)
    return rt.progress()
