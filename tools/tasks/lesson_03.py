"""A posterior of naive Bayes, with Laplace's estimates."""

import numpy as np

import ranktrees as rt
from tools.tasks import Part

TITLE = "A posterior by hand"


def draw(random):
    """Draw bad and good clients, and how many of them have each of two values."""
    n = [random.randint(5, 9), random.randint(11, 19)]
    sizes = [random.choice([2, 3, 4]), 2]
    with_value = [[random.randint(2, n[0]), random.randint(0, 8)] for _ in sizes]
    prior = (np.array(n) + 1) / (sum(n) + 2)
    tables = [
        ((np.array(row) + 1) / (np.array(n) + size))[np.newaxis]
        for row, size in zip(with_value, sizes, strict=True)
    ]
    posterior = rt.plain.bayes.posterior
    return {"n": n, "sizes": sizes, "with_value": with_value}, {
        "share": (tables[0][0, 0], with_value[0][0] / n[0]),
        "posterior": (
            posterior((prior, tables), [0, 0])[0],
            posterior((np.array([0.5, 0.5]), tables), [0, 0])[0],
        ),
    }


TEXT = """
Of {{ n[0] + n[1] }} clients {{ n[0] }} were *bad* and {{ n[1] }} *good*. A new client rents a flat
and has a guarantor.

| attribute | values that it can have | this value among the bad | among the good |
|---|---|---|---|
| housing = rent | {{ sizes[0] }} | {{ with_value[0][0] }} | {{ with_value[0][1] }} |
| guarantor = yes | {{ sizes[1] }} | {{ with_value[1][0] }} | {{ with_value[1][1] }} |

All shares, those of the classes too, are Laplace estimates. Give numbers to three decimals."""

PARTS = [
    Part(
        name="share",
        points=1,
        ask=r"**(a)** What is $P(\text{housing = rent} \mid \text{bad})$?",
        slip="the frequency, not smoothed",
        solution="share = ({{ with_value[0][0] }} + 1) / ({{ n[0] }} + {{ sizes[0] }})",
    ),
    Part(
        name="posterior",
        points=3,
        ask="**(b)** What is the posterior of *bad* for this client by naive Bayes?",
        slip="without the prior",
        solution="""
bad, good = ({{ n[0] }} + 1) / {{ n | sum + 2 }}, ({{ n[1] }} + 1) / {{ n | sum + 2 }}
for (of_bad, of_good), V in zip({{ with_value }}, {{ sizes }}):
    bad, good = bad * (of_bad + 1) / ({{ n[0] }} + V), good * (of_good + 1) / ({{ n[1] }} + V)
posterior = bad / (bad + good)""",
    ),
]
