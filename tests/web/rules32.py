"""What NumPy does on 32 bits: expressions, and the type of what each gives, or its error."""

import numpy as np
import pandas as pd

i32, i64 = np.array([0, 1], np.int32), np.array([0, 1], np.int64)
two, few = np.array([5, 6], np.int32), np.array([1, 2], np.int8)
yes = i32 > 0
GIVEN = {"np": np, "pd": pd, "i32": i32, "i64": i64, "two": two, "few": few, "yes": yes}
RULES = {
    **dict.fromkeys(  # an index of 64 bits is refused
        [
            "two.take(i64)",
            "two.take(i64, mode='clip')",
            "np.take(two, i64)",
            "two.take(i64.astype(np.uint32))",
            "np.bincount(i64)",
            "np.repeat(two, i64)",
            "two.repeat(i64)",
            "np.add.reduceat(two, i64)",
            "np.choose(i64, [1, 2])",
        ],
        "TypeError",
    ),
    **dict.fromkeys(  # the default integer is one of 32 bits
        [
            "np.arange(3)",
            "np.array([1, 2])",
            "np.zeros(2, int)",
            "np.full(2, -1)",
            "few.astype(int)",
            "two.sum()",
            "few.sum()",
            "few.cumsum()",
            "yes.sum()",
            "np.cumsum(yes)",
            "yes * 2",
            "np.arange(3) ** 2",
            "two << 40",
            "np.where(yes, 1, 0)",
            "np.append(two, 5)",
            "np.concatenate([[0], two])",
            "np.outer(two, two)",
            "two @ two",
            "np.flatnonzero(two)",
            "i64.argsort()",
            "i64.argmax()",
            "np.bincount(i32)",
            "two.searchsorted(i64)",
            "np.unique(i64, return_inverse=True)[1]",
            "np.triu_indices(3, 1)[0]",
            "np.random.default_rng(0).permutation(3)",
            "pd.Index(['a']).get_indexer(['a'])",
            "two[i64]",
            "np.array([2**20], int) * np.array([2**20], int)",
        ],
        "int32",
    ),
    **dict.fromkeys(  # and these stay as wide as on any machine
        [
            "np.array([2**40])",
            "np.arange(np.int64(3))",
            "two << np.int64(40)",
            "i64 + 1",
            "i64.sum()",
            "np.where(yes, i64, 0)",
            "np.concatenate([[0], i64])",
            "np.unique(i64, return_inverse=True)[0]",
            "np.random.default_rng(0).integers(3, size=2)",
            "pd.Series([1, 2])",
        ],
        "int64",
    ),
    "few * 2": "int8",
    "np.bincount(i32, i64)": "float64",
    "two.mean()": "float64",
    "two + 2**40": "OverflowError",
}


def broken(evaluate):
    """The rules that `evaluate(expression)` does not keep: {expression: what it gave}."""
    found = {rule: _given(evaluate, rule) for rule in RULES}
    return {rule: found[rule] for rule in RULES if found[rule] != RULES[rule]}


def _given(evaluate, expression):
    try:
        return str(evaluate(expression).dtype)
    except (TypeError, OverflowError) as error:
        return type(error).__name__


if __name__ == "__main__":
    wrong = broken(lambda expression: eval(expression, GIVEN))
    print(wrong)
    STATUS = int(bool(wrong))
