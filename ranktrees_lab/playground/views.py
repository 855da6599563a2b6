"""Views of a model: picture, text, and the code that does the same."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from html import escape
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.html import no_formula
from ranktrees_engine.estimates import estimate_names
from ranktrees_engine.evaluate import (
    UndefinedMeasure,
    auc,
    auc_interval,
    compare,
    compare_auc,
    cross_val_proba,
    stratified_folds,
)
from ranktrees_engine.evaluate.subsamples import Repeated
from ranktrees_engine.models import NaiveBayes
from ranktrees_engine.models.tuned import TunedThreshold
from ranktrees_engine.newton.tree import PrototypeTree
from ranktrees_engine.reading.labels import read_classes
from ranktrees_lab import plot
from ranktrees_lab.data import Dataset
from ranktrees_lab.explore.base import table_html
from ranktrees_lab.playground.methods import code_of
from ranktrees_lab.plot.inputs import interval

NO_AUC = "The AUC is defined in none of ten folds: there are too few cases."
VERDICTS = {1: "better", 0: "no difference is shown", -1: "worse"}


class View(NamedTuple):
    """A picture, HTML below it, and code: a cell shows the picture, a script prints its words."""

    picture: plot.Picture
    words: str
    code: str


class Source:
    """A data set, the code that reads it, and what was learnt from it so far.

    `occurring` are the classes that occur, the rarest first.
    """

    def __init__(self, data: Dataset, code: str):
        self.data, self.code, self.known = data, code, {}
        self.classes = [str(c) for c in read_classes(data.y, "The playground")[1]]
        counts = data.y.value_counts()
        self.occurring = [str(c) for c in counts[counts > 0].sort_values(kind="stable").index]

    def fitted(self, model):
        """Return the model, fitted to all cases."""
        return self._once("fit", model, lambda: model.fit(self.data.X, self.data.y))

    def held_out(self, model, positive: str):
        """Return P(positive) (n,) of each case from a model not trained on it: ten folds."""
        proba = self._once("folds", model, lambda: cross_val_proba(model, self.data))
        return proba[:, self.classes.index(positive)]

    def _once(self, what, model, work: Callable):
        key = what, repr(model)
        if key not in self.known:
            self.known[key] = work()
        return self.known[key]


def draw(
    view: str, source: Source, models: dict, positive: str, case: int, miss: float = 1.0
) -> View:
    """Draw a view by its name; the first of `models` {name: model} is shown.

    A missed case of the class `positive` costs `miss` times as much as a false alarm.
    """
    return VIEWS[view](source, models, positive, case, miss)


def _tree(source, models, positive, case, miss):
    model = source.fitted(first(models))
    tree = getattr(model, "tree_", None)
    if tree is None:
        name = next(iter(models))
        raise ValueError(f"There is no single tree in {name}: look at one case, or at its ROC.")
    if isinstance(tree, PrototypeTree):
        name = "newton_tree"
    else:
        name = "tree" if tree.tables is None else "citree"
    picture = getattr(plot, name)(model)
    return View(picture, "", _code(source, _fit(model), f"rt.plot.{name}(model)"))


def _case(source, models, positive, case, miss):
    model, row = source.fitted(first(models)), source.data.X.iloc[[case]]
    said, arguments = model.explain(row), (model, row)
    if getattr(model, "estimate", None) in estimate_names("tables"):
        name = "path_bayes"
    elif type(model) is NaiveBayes:
        name = "factors"
    elif isinstance(getattr(model, "tree_", None), PrototypeTree):
        name = "newton_tree"
    else:
        name, arguments = "explanation", (said,)
    lines = [
        *_fit(model),
        f"case = data.X.iloc[[{case}]]  # of class {str(source.data.y[case])!r}",
        "said = model.explain(case)",
        "print(said)",
    ]
    call = "said" if name == "explanation" else "model, case"
    picture = getattr(plot, name)(*arguments)
    code = _code(source, lines, f"rt.plot.{name}({call})", words=())
    return View(picture, said._repr_html_(), code)


def _curve(name, source, models, positive, case, miss):
    scores = {label: source.held_out(model, positive) for label, model in models.items()}
    picture = getattr(plot, name)(source.data.y, scores, positive)
    lines = [
        *_models(models),
        f"c = {source.classes.index(positive)}  # the column of {positive!r}, classes sorted",
        "scores = {}",
        "for name, model in models.items():",
        "    scores[name] = rt.cross_val_proba(model, data)[:, c]",
    ]
    said = "<p>Ten folds: no case is scored by a model that saw it. The curve puts the folds "
    said += "together, so that its AUC differs a little from the mean of theirs.</p>"
    if name == "roc":
        place = [str(c) for c in source.data.y.categories].index(positive)
        said += _intervals(source.data.y.codes == place, scores)
        lines += [f"hit = data.y == data.y.categories[{place}]", *_INTERVALS]
        lines += _TEST if len(scores) > 1 else []
    code = _code(source, lines, f"rt.plot.{name}(data.y, scores, {positive!r})")
    return View(picture, said, code)


_INTERVALS = ["for name in scores:", "    print(name, rt.auc_interval(hit, scores[name]))"]
_TEST = ["print(rt.compare_auc(hit, scores))  # DeLong's test of each pair"]


def _intervals(hit, scores):
    """Return a row per method: AUC of all folds together, DeLong's interval and test, as HTML."""
    first, rows = next(iter(scores)), []
    try:
        p = {first: ""}
        if len(scores) > 1:
            tests = compare_auc(hit, scores).query("a == @first")
            p |= {test.b: f"{test.p:.3f}" for test in tests.itertuples()}
        for name, score in scores.items():
            auc = auc_interval(hit, score)
            rows.append((name, auc.auc, f"{auc.low:.3f} to {auc.high:.3f}", p[name]))
    except UndefinedMeasure as error:
        return f"<p>{safe(error)}.</p>"
    head = ["method", "AUC", "95 % interval (DeLong)", f"p against {first}"]
    return no_formula(table_html(head, rows, ".3f"))


def _threshold(source, models, positive, case, miss):
    """Choose the threshold of P(positive) by inner folds, for these costs."""
    model, data = first(models), source.data
    place = [str(c) for c in data.y.categories].index(positive)
    hit = data.y == data.y.categories[place]
    tuned = TunedThreshold(model, cost=[[0, 1], [miss, 0]])
    tuned = source._once("tuned", (tuned, positive), lambda: tuned.fit(data.X, hit))
    score = source._once("score", (model, positive), lambda: cross_val_proba(model, data.X, hit))
    score = score[:, 1]
    lines = [
        f"hit = data.y == data.y.categories[{place}]  # {positive!r} against the rest",
        f"tuned = rt.TunedThreshold({code_of(model)}, cost={tuned.cost})",
        "tuned.fit(data.X, hit)  # tuned.predict(X) says who is called positive",
        "print(tuned.threshold_, tuned.cost_)",
        f"score = rt.cross_val_proba({code_of(model)}, data.X, hit)[:, 1]",
    ]
    call = f"rt.plot.operating(data.y, score, tuned.threshold_, {miss!r}, positive={positive!r})"
    picture = plot.operating(data.y, score, tuned.threshold_, miss, positive=positive)
    said = f"Five inner folds chose the threshold {tuned.threshold_:.3f}, at a cost of "
    said += f"{tuned.cost_:.3f} per case. The curve is that of ten other folds."
    return View(picture, f"<p>{said}</p>", _code(source, lines, call))


def _comparison(source, models, positive, case, miss):
    if len(models) < 2:
        raise ValueError("One method alone is no comparison: choose others under compare with.")
    results = source._once("compare", models, lambda: compare(models, source.data, progress=False))
    rows = results.frame.query("measure == 'auc'")
    folds = rows.pivot_table("value", "fold", "method")[list(models)].dropna()
    if folds.empty:
        raise ValueError(NO_AUC)
    lines = [
        *_models(models),
        "results = rt.compare(models, data)  # ten folds, the same for all",
        'print(results.table("auc"))',
        "rows = results.frame.query(\"measure == 'auc'\")",
        'auc = rows.pivot_table("value", "fold", "method")[list(models)].dropna()',
    ]
    code = _code(source, lines, 'rt.plot.strips(Repeated(auc, "auc"))')
    return View(plot.strips(Repeated(folds, "auc")), _table(results, folds), code)


def _table(results, folds):
    """Return a row per method: AUC with its interval, accuracy, a test against the first."""
    accuracy, verdicts, first = results.table("accuracy").iloc[0], {}, folds.columns[0]
    with suppress(ValueError):  # too few folds have an AUC
        tests = results.pairs().query("other == @first")
        verdicts = {row.method: VERDICTS[row.verdict] for row in tests.itertuples()}
    head = ["method", "AUC", "95 % interval", "accuracy", f"AUC against {first}"]
    rows = [
        (name, mean, span(folds[name]), accuracy[name], verdicts.get(name, ""))
        for name, mean in folds.mean().items()
    ]
    return no_formula(table_html(head, rows, ".3f"))


def fold_aucs(y, hit, score) -> list[float]:
    """Return the AUC of ten folds: do scores (n,) put the cases marked in `hit` (n,) first?

    A fold without marked cases, or without others, has none. ValueError if no fold has one.
    """
    fold = stratified_folds(y)
    tested = [fold == f for f in range(10) if 0 < hit[fold == f].mean() < 1]
    if not tested:
        raise ValueError(NO_AUC)
    return [auc(hit[rows], score[rows]) for rows in tested]


def span(folds) -> str:
    """Format the 95 % interval of the mean AUC (K,) of K folds, by the corrected t-test."""
    ends = interval(np.array([folds]), "corrected")
    return (
        "none: too few folds" if ends is None else "{:.3f} to {:.3f}".format(*np.clip(ends, 0, 1))
    )


VIEWS = {
    "tree": _tree,
    "one case": _case,
    "ROC": partial(_curve, "roc"),
    "calibration": partial(_curve, "calibration"),
    "comparison": _comparison,
    "threshold": _threshold,
}

OF_VIEWS = {  # the fields that a view needs
    "one case": ("case",),
    **dict.fromkeys(("ROC", "calibration"), ("positive", "against")),
    "comparison": ("against",),
    "threshold": ("positive", "miss"),
}


def first(models: dict):
    """Return the model that is shown."""
    return next(iter(models.values()))


def _fit(model):
    return [f"model = {code_of(model)}", "model.fit(data.X, data.y)"]


def _models(models):
    items = [f"    {name!r}: {code_of(model)}," for name, model in models.items()]
    return ["models = {", *items, "}"]


def _code(source, lines, picture, words=("print(picture.alt)",)):
    """Return a script; `words` are its lines that print what it shows, if `lines` do not."""
    head = ["import warnings", "", "import ranktrees as rt"]
    if "Repeated(" in picture:
        head.append("from ranktrees_engine.evaluate.subsamples import Repeated")
    head += ["", 'warnings.simplefilter("once")  # each one is said once', f"data = {source.code}"]
    shown = [f"picture = {picture}", 'picture.savefig("ranktrees.png")', *words, "picture", ""]
    return "\n".join([*head, *lines, *shown])


def safe(text) -> str:
    """Return text as HTML, without tags or formulas."""
    return no_formula(escape(str(text)))
