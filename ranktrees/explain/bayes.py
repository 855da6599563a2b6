"""One prediction of naive Bayes, attribute by attribute."""

import numpy as np
import pandas as pd

from ranktrees.explain.explanation import Explanation, one_case
from ranktrees.schema import number

DECIMALS = 9  # what agrees so far differs by rounding alone: the first goes first


def explain_naive(model, case) -> Explanation:
    """The `Explanation` of a fitted `NaiveBayes` for a single case, as for `one_case`."""
    case = one_case(model, case)
    factors, proba = model.log_factors(case)[0], model.predict_proba(case)[0]
    first, second = np.argsort(-np.round(proba, DECIMALS), kind="stable")[:2]
    names = [str(c) for c in model.classes_]
    shown, weight = _values(model, case), _log_odds(factors, first, second)
    table = pd.DataFrame({"value": pd.Series(shown, dtype=object)})
    for c, name in enumerate(names):
        table[f"P(value | {name})"] = np.exp(factors[:, c])
    table.index = pd.Index([info.name for info in model.schema_], name="attribute")
    table["log odds"] = weight
    absent = np.array([text is None for text in shown])
    order = np.lexsort((-np.round(np.abs(weight), DECIMALS), absent))
    table = table.iloc[order]
    prior = model.class_prior_[[first, second]]
    lines = _lines(table, names[first], names[second], prior, proba[[first, second]])
    return Explanation.of(model.classes_, proba, lines, table)


def _log_odds(factors, first, second):
    """log P(x | first) - log P(x | second) (A,), 0 where both are impossible."""
    one, two = factors[:, first], factors[:, second]
    both = np.isneginf(one) & np.isneginf(two)
    return np.where(both, 0, one) - np.where(both, 0, two)


def _values(model, case):
    """Each attribute's value as text, None where it takes no part."""
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
    lines = [f"Before any attribute: {_odds(prior)} for {first} against {second}."]
    for name, row in table.iterrows():
        if row["value"] is None:
            lines.append(f"{name}: missing or never seen, takes no part.")
            continue
        lines.append(f"{name} {row['value']}: {_says(row['log odds'], first, second)}.")
    return [*lines, f"Together: {_odds(proba)} for {first} against {second}."]


def _says(weight, first, second):
    if abs(weight) < 1e-12:
        return "says nothing"
    favoured, other = (first, second) if weight > 0 else (second, first)
    if np.isinf(weight):
        return f"impossible for {other}"
    return f"times {np.exp(abs(weight)):.3g} for {favoured}"


def _odds(pair):
    first, second = pair.tolist()
    odds = first / second if second else np.inf
    return f"odds of {odds if first else 0:.3g} to 1"
