"""What is shown of a model: picture, words, and the code that does the same."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape
from typing import NamedTuple

import pandas as pd

from ranktrees.basics.html import no_formula
from ranktrees.estimates import estimate_names
from ranktrees.evaluate import compare, cross_val_proba
from ranktrees.evaluate.html import results_html
from ranktrees.evaluate.subsamples import Repeated
from ranktrees.models import NaiveBayes
from ranktrees.newton.tree import PrototypeTree
from ranktrees.reading.labels import read_classes
from ranktrees_lab import plot
from ranktrees_lab.data import Dataset
from ranktrees_lab.playground.methods import code_of

IDENTIFIED = 20  # cases, from which on a column can be seen to number or name each of them


class View(NamedTuple):
    """A picture, HTML below it, and code: a cell shows the picture, a script prints its words."""

    picture: plot.Picture
    words: str
    code: str


class Source:
    """A data set, the code that reads it, warnings of that, and what was learnt from it so far."""

    def __init__(self, data: Dataset, code: str, notes: list = ()):
        self.data, self.code, self.notes, self.known = data, code, notes, {}
        self.classes = [str(c) for c in read_classes(data.y, "The playground")[1]]
        occur = set(map(str, data.y.remove_unused_categories().categories))
        self.occurring = [name for name in self.classes if name in occur]
        found = [name for name in data.X if _names_cases(data.X[name])]
        self.identifiers = found if len(found) < data.X.shape[1] else []

    def without(self, names: tuple[str, ...]) -> "Source":
        """The same data without these attributes; ValueError where none is left."""
        X = self.data.X.drop(columns=list(names))
        if not names:
            return self
        if X.empty:
            raise ValueError("Every attribute is left out: keep one or more.")
        code = f"{self.code}\nX = data.X.drop(columns={list(names)!r})"
        code += "\ndata = replace(data, X=X)  # without what is left out"
        reduced = replace(self.data, X=X, ids=tuple(set(self.data.ids) - set(names)))
        return self._once("without", names, lambda: Source(reduced, code, self.notes))

    def fitted(self, model):
        """The model, fitted to all cases."""
        return self._once("fit", model, lambda: model.fit(self.data.X, self.data.y))

    def held_out(self, model, positive: str):
        """P(positive) (n,) of each case by a model that did not train on it: ten folds."""
        proba = self._once("folds", model, lambda: cross_val_proba(model, self.data))
        return proba[:, self.classes.index(positive)]

    def _once(self, what, model, work: Callable):
        key = what, repr(model)
        if key not in self.known:
            self.known[key] = work()
        return self.known[key]


def _names_cases(x) -> bool:
    """Whether a column has another name or a running number for each case."""
    if len(x) < IDENTIFIED or x.nunique() < len(x):
        return False
    if not pd.api.types.is_numeric_dtype(x):
        return True
    return bool((x % 1 == 0).all() and x.max() - x.min() < 2 * len(x))


def draw(view: str, source: Source, models: dict, positive: str, case: int) -> View:
    """A view by its name; `models` {name: model}, the first one is in question."""
    return VIEWS[view](source, models, positive, case)


def _tree(source, models, positive, case):
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


def _case(source, models, positive, case):
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


def _curve(name, source, models, positive, case):
    scores = {label: source.held_out(model, positive) for label, model in models.items()}
    picture = getattr(plot, name)(source.data.y, scores, positive)
    lines = [
        *_models(models),
        f"c = {source.classes.index(positive)}  # the column of {positive!r}, classes sorted",
        "scores = {}",
        "for name, model in models.items():",
        "    scores[name] = rt.cross_val_proba(model, data)[:, c]",
    ]
    said = "<p>Ten folds, the same for every method and those of the comparison: no case is scored "
    said += "by a model that saw it. Here the folds are put together, there each is measured.</p>"
    code = _code(source, lines, f"rt.plot.{name}(data.y, scores, {positive!r})")
    return View(picture, said, code)


def _comparison(source, models, positive, case):
    if len(models) < 2:
        raise ValueError("One method alone is no comparison: choose others under compare with.")
    results = source._once("compare", models, lambda: compare(models, source.data, progress=False))
    rows = results.frame.query("measure == 'auc'")
    auc = rows.pivot_table("value", "fold", "method")[list(models)].dropna()
    if auc.empty:
        raise ValueError("The AUC is defined in none of ten folds: there are too few cases.")
    lines = [
        *_models(models),
        "results = rt.compare(models, data)  # ten folds, the same for all",
        'print(results.table("auc"))',
        "rows = results.frame.query(\"measure == 'auc'\")",
        'auc = rows.pivot_table("value", "fold", "method")[list(models)].dropna()',
    ]
    code = _code(source, lines, 'rt.plot.strips(Repeated(auc, "auc"))')
    return View(plot.strips(Repeated(auc, "auc")), results_html(results), code)


VIEWS = {
    "tree": _tree,
    "one case": _case,
    "ROC": partial(_curve, "roc"),
    "calibration": partial(_curve, "calibration"),
    "comparison": _comparison,
}


def first(models: dict):
    """The model in question."""
    return next(iter(models.values()))


def _fit(model):
    return [f"model = {code_of(model)}", "model.fit(data.X, data.y)"]


def _models(models):
    items = [f"    {name!r}: {code_of(model)}," for name, model in models.items()]
    return ["models = {", *items, "}"]


def _code(source, lines, picture, words=("print(picture.alt)",)):
    """A script; `words` are its lines that print what it shows, where `lines` do not."""
    head = ["import ranktrees as rt", "", f"data = {source.code}"]
    shown = [f"picture = {picture}", *words, "picture", ""]
    used = "\n".join([source.code, picture])
    if "Repeated(" in used:
        head.insert(1, "from ranktrees.evaluate.subsamples import Repeated")
    if "replace(data" in used:
        head.insert(0, "from dataclasses import replace\n")
    return "\n".join([*head, *lines, *shown])


def safe(text) -> str:
    """Text as HTML, in which nothing is a tag or a formula."""
    return no_formula(escape(str(text)))
