"""Models, trees and results as a notebook shows them: HTML for screen readers, too; no scripts."""

import re
from html import escape

import pandas as pd

from ranktrees.growing.node import Node

SHOWN, OPEN = 300, 30  # nodes of a tree, and of those how many lie open
LETTERS, ROWS = 200, 60  # of a text, of a table
EQUAL_WIDTH = (
    'bins of equal width; discretize="entropy-mdl" gave path Bayes a mean AUC of .927 on 35 sets '
    "where these gave .921: ahead on 14, by 2.8 points in the mean, and behind on 18, by 1.0"
)
# Words that are written from the right: signs and numbers that follow them would turn, too.
FROM_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?: +[\u0590-\u08ff]+)*")
MARKS = {1: " ▲ better", 0: "", -1: " ▼ worse"}


def page(title: str, body: str) -> str:
    """HTML of a title and a body in which nothing begins a formula."""
    return no_formula(f"<p><strong>{_cut(title)}</strong></p>{body}")


def no_formula(source: str) -> str:
    """HTML in which no word turns what follows, nor a sign begins a formula (these end at tags)."""
    return FROM_RIGHT.sub(r"<bdi>\g<0></bdi>", re.sub(r"([$\\])", r"<span>\1</span>", source))


def wide(frame, **options) -> str:
    """A table that scrolls by itself where it is wider than the page."""
    return f'<div style="overflow-x: auto">{frame.to_html(border=0, **options)}</div>'


def tree_html(tree) -> str:
    """A tree as lists that fold, its first nodes open; it is said how many are left out below."""
    return page(repr(tree), f"<ul>{_item(Node(tree, 0))}</ul>")


def _item(node):
    test = f"{node.parent.name} {node.condition}" if node.id else "all cases"
    words = _cut(f"{test}: {node.summary}")
    if node.is_leaf:
        return f"<li>{words}</li>"
    shown = [child for child in node.children if child.id < SHOWN]
    left = node.n_below - sum(1 + child.n_below for child in shown)
    items = [*map(_item, shown), *[f"<li>… {left} nodes are left out here</li>"] * (left > 0)]
    is_open = " open" if node.children[-1].id < OPEN else ""
    below = "".join(items)
    return f"<li><details{is_open}><summary>{words}</summary><ul>{below}</ul></details></li>"


def model_html(model) -> str:
    """A model with the parameters that were changed, its data and size; all parameters fold out."""
    params = {name: repr(value) for name, value in model.get_params(deep=False).items()}
    items = "".join(f"<li>{_cut(line)}</li>" for line in _learnt(model))
    table = wide(pd.DataFrame({"value": params}))
    all_of_them = f"<details><summary>{len(params)} parameters</summary>{table}</details>"
    return page(repr(model), f"<ul>{items}</ul>{all_of_them}")


def _learnt(model):
    """From what a model learnt, and what, as far as it keeps it."""
    if not hasattr(model, "classes_"):
        return ["not fitted yet: call fit(X, y)"]
    tree, bag = getattr(model, "tree_", None), getattr(model, "models_", None)
    trees = getattr(model, "trees_", None)
    cases = getattr(model, "class_count_", None) if tree is None else tree.counts[0]
    names = ", ".join(getattr(model, "_names", None) or ["without names"])
    return [
        *([f"{cases.sum():,.10g} cases"] if cases is not None else []),
        f"{model.n_features_in_} attributes: {names}",
        f"{len(model.classes_)} classes: {', '.join(map(str, model.classes_))}",
        *(["numbers lie in " + EQUAL_WIDTH] if _has_equal_bins(model) else []),
        *([repr(tree)] if tree is not None else []),
        *([f"{len(bag)} models, such as {bag[0]!r}"] if bag else []),
        *([f"{len(trees)} trees, such as {trees[0]!r}"] if trees else []),
    ]


def _has_equal_bins(model):
    """Whether a fitted model cuts numbers into bins that look at no class."""
    encoder = getattr(model, "encoder_", None)
    if encoder is None or (encoder.numeric, encoder.discretize) != ("bins", "equal-width"):
        return False
    return any(info.kind == "numeric" for info in encoder.schema_)


def results_html(results) -> str:
    """The means of a measure, sets x methods, marked where they differ from the first method's."""
    measure = "auc" if "auc" in results.measures else results.measures[0]
    cells = results.table(measure).map("{:.3f}".format)
    first, *others = results.methods
    for name, part in results.frame.groupby("dataset", sort=False):
        try:
            tests = type(results)(part).pairs(measure)
        except ValueError:  # too few folds, or values that are not finite
            cells.loc[name, others] += " (no test)"
            continue
        for row in tests[tests["other"] == first].itertuples():
            cells.loc[name, row.method] += MARKS[row.verdict]
    against = f"; against {first} by the corrected resampled t-test, p < 0.05" if others else ""
    return page(repr(results), f"<p>{_cut(measure + against)}</p>{wide(cells, max_rows=ROWS)}")


def _cut(text):
    return escape(text if len(text) <= LETTERS else f"{text[:LETTERS]}…")
