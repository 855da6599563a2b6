"""Models, trees and results as a notebook shows them: HTML for screen readers, too; no scripts."""

from html import escape

import pandas as pd

from ranktrees.node import Node

SHOWN, OPEN = 300, 30  # nodes of a tree, and of those how many lie open
LETTERS, ROWS = 200, 60  # of a text, of a table
MARKS = {1: " ▲ better", 0: "", -1: " ▼ worse"}


def tree_html(tree) -> str:
    """A tree as lists that fold, its first nodes open; it is said how many are left out below."""
    lines, pending = [f"<p><strong>{escape(repr(tree))}</strong></p><ul>"], ["</ul>", 0]
    while pending:
        t = pending.pop()
        if isinstance(t, str):
            lines.append(t)
            continue
        node = Node(tree, t)
        test = f"{node.parent.name} {node.condition}" if t else "all cases"
        words = _cut(f"{test}: {node.summary}")
        if node.is_leaf:
            lines.append(f"<li>{words}</li>")
            continue
        below = [child.id for child in node.children]
        shown = [child for child in below if child < SHOWN]
        left = node.n_below - len(shown) - int(tree.n_below[shown].sum())
        is_open = " open" if below[-1] < OPEN else ""
        lines.append(f"<li><details{is_open}><summary>{words}</summary><ul>")
        rest = [f"<li>… {left} nodes are left out here</li>"] if left else []
        pending += ["</ul></details></li>", *rest, *reversed(shown)]
    return _page("\n".join(lines))


def model_html(model) -> str:
    """A model with the parameters that were changed, its data and size; all parameters fold out."""
    params = {name: repr(value) for name, value in model.get_params(deep=False).items()}
    items = "".join(f"<li>{_cut(line)}</li>" for line in _learnt(model))
    table = pd.DataFrame({"value": params}).to_html(border=0)
    return _page(
        f"<p><strong>{_cut(repr(model))}</strong></p><ul>{items}</ul>"
        f"<details><summary>{len(params)} parameters</summary>{table}</details>"
    )


def _learnt(model):
    """From what a model learnt, and what, as far as it keeps it."""
    if not hasattr(model, "classes_"):
        return ["not fitted yet: call fit(X, y)"]
    tree, bag = getattr(model, "tree_", None), getattr(model, "models_", None)
    cases = getattr(model, "class_count_", None) if tree is None else tree.counts[0]
    names = ", ".join(getattr(model, "_names", None) or ["without names"])
    return [
        *([f"{cases.sum():,.10g} cases"] if cases is not None else []),
        f"{model.n_features_in_} attributes: {names}",
        f"{len(model.classes_)} classes: {', '.join(map(str, model.classes_))}",
        *([repr(tree)] if tree is not None else []),
        *([f"{len(bag)} models, such as {bag[0]!r}"] if bag else []),
    ]


def results_html(results) -> str:
    """The means of a measure, sets x methods, marked where they differ from the first method's."""
    measure = "auc" if "auc" in results.measures else results.measures[0]
    cells = results.table(measure).map("{:.3f}".format)
    first, *others = results.methods
    for name, part in results.frame.groupby("dataset", sort=False) if others else ():
        try:
            tests = type(results)(part).pairs(measure)
        except ValueError:  # too few folds, or values that are not finite
            cells.loc[name, others] += " (no test)"
            continue
        for row in tests[tests["other"] == first].itertuples():
            cells.loc[name, row.method] += MARKS[row.verdict]
    against = f"; against {first} by the corrected resampled t-test, p < 0.05" if others else ""
    return _page(
        f"<p><strong>{_cut(repr(results))}</strong></p><p>{_cut(measure + against)}</p>"
        f'<div style="overflow-x: auto">{cells.to_html(border=0, max_rows=ROWS)}</div>'
    )


def _cut(text):
    return escape(text if len(text) <= LETTERS else f"{text[:LETTERS]}…")


def _page(source):
    """HTML in which no dollar sign begins a formula: formulas do not reach over a tag."""
    return source.replace("$", "<span>$</span>")
