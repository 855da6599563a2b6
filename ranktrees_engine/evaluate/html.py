"""Results as a notebook shows them: a table of means, with marks for differences."""

from ranktrees_engine.basics.html import cut, page, wide

ROWS = 60  # of a table
MARKS = {1: " ▲ better", 0: "", -1: " ▼ worse"}


def results_html(results) -> str:
    """Return a measure's means, sets x methods, marked where they differ from the first's."""
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
    return page(repr(results), f"<p>{cut(measure + against)}</p>{wide(cells, max_rows=ROWS)}")
