"""Naive Bayes as an SQL query: the code of each value, the sum of its logarithms, the shares."""

import numpy as np

from ranktrees_engine.basics.kinds import Names
from ranktrees_engine.explain.sql import (
    _check_names,
    _column,
    _inside,
    _joined,
    _kept,
    _number,
    _quoted,
    _test,
)

BETWEEN = ",\n    "


def bayes_to_sql(model, table: str, keep: Names = ()) -> str:
    """Return a SELECT of a naive Bayes' class probabilities for each row, as `to_sql` for a tree.

    Values that training never saw add nothing, as in `predict_proba`. Raises ValueError for a
    Gaussian, and for a probability of 0, whose logarithm SQL has not.
    """
    if model.gaussian_.any():
        raise ValueError('SQL has no densities here: take NaiveBayes(numeric="bins")')
    prior = np.log(model.class_prior_) if model.class_prior_.all() else None
    if prior is None or not np.isfinite(model.tables_).all():
        raise ValueError('a probability is 0, and SQL has no logarithm of it: smoothing="laplace"')
    kept, classes = _kept(keep), [str(c) for c in model.classes_]
    _check_names(model.schema_, table, kept, classes)
    keeps = "".join(f", rt_keep{k}" for k in range(len(kept)))
    sums = [f"{_sum(model, c, prior[c])} AS rt_s{c}" for c in range(len(classes))]
    tops = [f"SELECT rt_row, rt_s{c} AS rt_s FROM rt_sums" for c in range(len(classes))]
    total = _joined(" + ", [f"exp(rt_s{c} - rt_top)" for c in range(len(classes))])
    said = [f"rt_keep{k} AS {_quoted(name)}" for k, name in enumerate(kept)]
    for c, name in enumerate(classes):
        share = f"CASE WHEN rt_known THEN exp(rt_s{c} - rt_top) / {total} END"
        said.append(f"{share} AS {_quoted(name)}")
    return f"""WITH {_codes(model, table, kept, keeps)}, rt_sums AS (
  SELECT rt_row{keeps}, rt_known,
    {BETWEEN.join(sums)}
  FROM rt_codes
), rt_tops AS (
  SELECT rt_row AS rt_of, MAX(rt_s) AS rt_top FROM ({" UNION ALL ".join(tops)}) AS rt_all
  GROUP BY rt_row
)
SELECT {", ".join(said)}
FROM rt_sums JOIN rt_tops ON rt_of = rt_row
ORDER BY rt_row"""


def _codes(model, table, kept, keeps):
    """Write the cases as the model reads them, and the code of each value; NULL of a new one."""
    fill = model.encoder_.fill_ if model.missing == "impute" else [None] * len(model.schema_)
    read = [f"rt_table.{_quoted(name)} AS rt_keep{k}" for k, name in enumerate(kept)]
    read += [f"{_column(i, f)} AS {_inside(i)}" for i, f in zip(model.schema_, fill, strict=True)]
    read.append("row_number() OVER () AS rt_row")
    gaps = [f"{_inside(info)} IS NOT NULL" for info in model.schema_]
    known = _joined(" AND ", gaps if model.missing == "error" else ["1 = 1"])
    codes = [f"{_code(info)} AS rt_v{a}" for a, info in enumerate(model.schema_)]
    return f"""rt_cases AS (
  SELECT
    {BETWEEN.join(read)}
  FROM {_quoted(table)} AS rt_table
), rt_codes AS (
  SELECT rt_row{keeps}, {known} AS rt_known,
    {BETWEEN.join(codes)}
  FROM rt_cases
)"""


def _code(info):
    tests = (f"WHEN {_test(info, np.array([v]))} THEN {v}" for v in range(info.size))
    return f"CASE {' '.join(tests)} END"


def _sum(model, c, prior):
    """Write the sum of a class's logarithms: its prior, and one for each attribute's code."""
    terms = [_number(prior)]
    for a in range(len(model.schema_)):
        table = model.tables_[model.offsets_[a] : model.offsets_[a + 1], c]
        values = " ".join(f"WHEN {v} THEN {_number(x)}" for v, x in enumerate(table.tolist()))
        terms.append(f"CASE rt_v{a} {values} ELSE 0e0 END")
    return _joined(" + ", terms)
