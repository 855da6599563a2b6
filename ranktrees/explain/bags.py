"""One prediction of a bag: what each of its models says."""

import numpy as np
import pandas as pd

from ranktrees.base import not_fitted
from ranktrees.explain.case import one_case
from ranktrees.explain.explanation import Explanation
from ranktrees.ties import first_best


def explain_bag(model, case) -> Explanation:
    """The `Explanation` of a fitted `Bagging` for a single case, as for `one_case`."""
    if not hasattr(model, "models_"):
        raise not_fitted(model)
    case = one_case(model.models_[0], case)
    each = model.each_proba(case)[:, 0]
    names, mean = [str(c) for c in model.classes_], model.predict_proba(case)[0]
    best, votes = int(first_best(mean)), np.bincount(first_best(each), minlength=len(names))
    heard = [f"{votes[c]} for {names[c]}" for c in np.argsort(-votes, kind="stable") if votes[c]]
    column, kinds = each[:, best], {type(member).__name__ for member in model.models_}
    lines = [
        f"{len(each)} models of kind {', '.join(sorted(kinds))}, each fitted to its own sample.",
        f"Their own answers: {', '.join(heard)}.",
        f"P({names[best]}) lies between {column.min():.3f} and {column.max():.3f} among them; "
        f"its mean is {mean[best]:.3f}.",
    ]
    table = pd.DataFrame(each, columns=[f"P({name})" for name in names])
    table.index = pd.RangeIndex(1, len(each) + 1, name="model")
    return Explanation.of(model.classes_, mean, lines, table)
