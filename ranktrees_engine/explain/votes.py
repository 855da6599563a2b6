"""One prediction of models that combine parts: attributes, leaves of prototypes, bagged models."""

import numpy as np
import pandas as pd

from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import Array, Case, Model
from ranktrees_engine.basics.logarithms import normalised, tiny_is_zero
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.estimates.shown import heaviest_first, two_likeliest
from ranktrees_engine.explain.explanation import Explanation, one_case
from ranktrees_engine.reading.schema import number

MOST_STEPS = 6  # of the way down that are told


@tiny_is_zero()
def explain_naive(model: Model, case: Case) -> Explanation:
    """Explain the prediction of a fitted `NaiveBayes` for a single case, as for `one_case`."""
    case = one_case(model, case)
    factors, proba = model.log_factors(case)[0], model.predict_proba(case)[0]
    first, second = two_likeliest(proba)
    names = [str(c) for c in model.classes_]
    one, two = factors[:, first], factors[:, second]
    both = np.isneginf(one) & np.isneginf(two)  # impossible for both classes: says nothing
    shown, weight = _values(model, case), np.where(both, 0, one) - np.where(both, 0, two)
    table = pd.DataFrame({"value": pd.Series(shown, dtype=object)})
    for c, name in enumerate(names):
        table[f"P(value | {name})"] = np.exp(factors[:, c])
    table.index = pd.Index([info.name for info in model.schema_], name="attribute")
    table["log odds"] = weight
    absent = np.array([text is None for text in shown])
    table = table.iloc[heaviest_first(weight, absent)]
    prior = model.class_prior_[[first, second]]
    lines = _lines(table, names[first], names[second], prior, proba[[first, second]])
    return Explanation.of(model.classes_, proba, lines, table)


def _values(model, case):
    """Return each attribute's value as text, None where it takes no part."""
    values, numbers = model._read(case)
    codes, x = iter(values[0].tolist()), iter(numbers[0].tolist())
    shown = []
    for info, normal in zip(model.schema_, model.gaussian_, strict=True):
        if normal:
            shown.append(None if np.isnan(value := next(x)) else number(value))
        else:
            shown.append(None if (code := next(codes)) < 0 else str(info.labels[code]))
    return shown


def _lines(table, first, second, prior, proba):
    lines = [f"Before any attribute: {_odds(*prior.tolist())} for {first} against {second}."]
    for name, row in table.iterrows():
        weight = row["log odds"]
        favoured, other = (first, second) if weight > 0 else (second, first)
        if row["value"] is None:
            lines.append(f"{name}: missing or never seen, takes no part.")
        elif abs(weight) < 1e-12:
            lines.append(f"{name} {row['value']}: says nothing.")
        elif np.isinf(weight):
            lines.append(f"{name} {row['value']}: impossible for {other}.")
        else:
            says = f"times {np.exp(abs(weight)):.3g} for {favoured}"
            lines.append(f"{name} {row['value']}: {says}.")
    return [*lines, f"Together: {_odds(*proba.tolist())} for {first} against {second}."]


def _odds(first, second):
    odds = first / second if second else np.inf
    return f"odds of {odds if first else 0:.3g} to 1"


@tiny_is_zero()
def explain_aode(model: Model, case: Case) -> Explanation:
    """Explain the prediction of a fitted `AODE` for a single case, as for `one_case`."""
    case = one_case(model, case)
    joint, proba = model.log_estimates(case)[0], model.predict_proba(case)[0]
    heard, best = joint[:, 0] > -np.inf, int(first_best(proba))
    alone = normalised(joint.copy(), model.class_prior_)
    alone[~heard] = np.nan
    mass = np.exp(joint - np.where(heard.any(), joint.max(), 0)).sum(axis=1)
    table = pd.DataFrame({"value": pd.Series(_values(model, case), dtype=object)})
    for c, name in enumerate(model.classes_):
        table[f"P({name})"] = alone[:, c]
    table.index = pd.Index([info.name for info in model.schema_], name="attribute")
    table["share"] = mass / (mass.sum() or 1)
    table = table.iloc[heaviest_first(table["share"], ~heard)]
    lines = [
        f"{heard.sum()} of {len(heard)} attributes have a value of at least {model.min_count:g} "
        "cases, on which all others may depend besides the class."
    ]
    for name, row in table[: min(heard.sum(), MOST_STEPS)].iterrows():
        says = f"P({model.classes_[best]}) = {row.iloc[1 + best]:.3f}"
        lines.append(f"{name} {row['value']}: {says}, {row['share']:.3f} of the sum.")
    if not heard.any():
        lines.append("So naive Bayes answers.")
    return Explanation.of(model.classes_, proba, lines, table)


@tiny_is_zero()
def explain_prototypes(model: Model, case: Case) -> Explanation:
    """Explain how prototypes attract one case down a fitted tree, and the leaves' estimates.

    `case` as for `one_case`. The lines follow the strongest attraction; the table has all leaves,
    the likeliest first, with the probability of reaching them and their estimate of each class.
    """
    X = one_case(model, case)
    tree, proba = model.tree_, model.predict_proba(X)[0]
    reach, p = model.reach(X)[0], model.attraction(X)[0]
    lines, node = [f"Training data: {tree.root.summary}, {tree.mass[0]:g} cases."], tree.root
    while not node.is_leaf and len(lines) <= MOST_STEPS:
        below = max(node.children, key=lambda child: p[child.id])
        lines.append(
            f"{node.name}, {below.condition}, draws it with {p[below.id]:.3f} of the attraction of "
            f"{len(node.children)} prototypes: {below.summary}, reached with {reach[below.id]:.3f}."
        )
        node = below
    best = int(first_best(proba))
    lines.append(
        f"All {tree.n_leaves} leaves together, each by the probability of reaching it, give "
        f"P({tree.class_name(best)}) = {proba[best]:.3f}."
    )
    return Explanation.of(model.classes_, proba, lines, _leaves(model, reach))


def _leaves(model, reach):
    """Return all leaves (L rows), the likeliest first: path, cases, p(leaf), P of each class."""
    tree = model.tree_
    leaves = np.flatnonzero(tree.is_leaf)
    leaves = leaves[np.argsort(-reach[leaves], kind="stable")]
    table = pd.DataFrame(
        {
            "path": [tree.path_words[t] for t in leaves],
            "cases": tree.mass[leaves],
            "p(leaf)": reach[leaves],
        },
        index=pd.Index(leaves, name="node"),
    )
    for c in range(tree.counts.shape[1]):
        table[f"P({tree.class_name(c)})"] = model.node_proba_[leaves, c]
    return table


@tiny_is_zero()
def explain_bag(model: Model, case: Case) -> Explanation:
    """Explain the prediction of a fitted `Bagging` for a single case, as for `one_case`."""
    check_fitted(model, "models_")
    case = one_case(model.models_[0], case)
    each, kinds = model.each_proba(case)[:, 0], {type(member).__name__ for member in model.models_}
    what = f"{len(each)} models of kind {', '.join(sorted(kinds))}, each fitted to its own sample."
    return explain_votes(model.classes_, each, model.predict_proba(case)[0], what)


def explain_votes(classes: Array, each: Array, proba: Array, what: str) -> Explanation:
    """Explain probabilities (C,) of classes (C,) by those of each of K models, (K, C)."""
    names, mean = [str(c) for c in classes], each.mean(axis=0)
    best, votes = int(first_best(proba)), np.bincount(first_best(each), minlength=len(names))
    heard = [f"{votes[c]} for {names[c]}" for c in np.argsort(-votes, kind="stable") if votes[c]]
    column = each[:, best]
    lines = [
        what,
        f"Their own answers: {', '.join(heard)}.",
        f"P({names[best]}) lies between {column.min():.3f} and {column.max():.3f} among them; "
        f"its mean is {mean[best]:.3f}.",
    ]
    table = pd.DataFrame(each, columns=[f"P({name})" for name in names])
    table.index = pd.RangeIndex(1, len(each) + 1, name="model")
    return Explanation.of(classes, proba, lines, table)
