"""One split as a picture: what it does to the classes, and how the criterion judges all cuts."""

import numpy as np

from ranktrees.teach.plot.bars import Bars, draw_bars
from ranktrees.teach.plot.cuts import Cuts, draw_cuts
from ranktrees.teach.plot.inputs import named_criterion, one_attribute
from ranktrees.teach.plot.picture import Picture
from ranktrees.teach.plot.style import cases


def split(
    data, attribute, y=None, threshold=None, criterion="information_gain", figure=None
) -> Picture:
    """The split of a data set's root on one attribute, scored by a criterion.

    A nominal attribute: the classes before, then of each value, as bars as thick as it has cases.
    Numbers: the cases, the criterion's score of every cut, the best one and the `threshold` chosen
    (default: the best). An ordered attribute is cut like its codes; its `threshold` is a value (the
    last below the cut) or a number between codes. Cases with a missing value are left out.
    Raises ValueError for an unknown attribute or criterion, or a threshold of a nominal attribute.
    """
    score = named_criterion(criterion)
    given = one_attribute(data, attribute, y)
    known = ~given.column.missing
    if not known.any():
        raise ValueError(f"every value of {attribute!r} is missing: nothing can be split")
    gone = _left_out(len(known) - int(known.sum()), attribute)
    values, codes, column = given.column.values[known], given.y[known], given.column
    if column.kind == "nominal":
        if threshold is not None:
            raise ValueError(f"{attribute!r} is nominal, a threshold needs numbers: leave it out")
        bars = Bars.count(values, codes, [str(v) for v in column.categories], given.classes)
        return draw_bars(bars, attribute, criterion, score, gone, figure)
    ticks = None if column.kind == "numeric" else [str(v) for v in column.categories]
    chosen = _threshold(threshold, ticks, attribute)
    cuts = Cuts.of(values.astype(float), codes, len(given.classes), attribute, criterion, ticks)
    fig = draw_cuts(cuts, values, codes, given.classes, chosen, figure)
    fig.alt += gone
    return fig


def _left_out(missing, attribute):
    if not missing:
        return ""
    are = "is" if missing == 1 else "are"
    return f" {cases(missing)} without a value of {attribute} {are} left out."


def _threshold(threshold, ticks, attribute):
    """The threshold as a number; a value of an ordered attribute lies half a code below its cut."""
    if threshold is None:
        return None
    if ticks is not None and str(threshold) in ticks:
        return ticks.index(str(threshold)) + 0.5
    try:
        number = float(threshold)
    except (TypeError, ValueError) as error:
        message = f"threshold of {attribute!r} must be a number, not {threshold!r}"
        raise ValueError(message) from error
    if not np.isfinite(number):
        raise ValueError(f"threshold of {attribute!r} must be finite, not {threshold!r}")
    return number
