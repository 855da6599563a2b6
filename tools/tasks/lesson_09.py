"""Naive Bayes of all cases, and of those in a branch."""

import numpy as np

import ranktrees as rt
from tools.tasks import Part

TITLE = "Naive Bayes in a branch"


def draw(random):
    """Draw two attributes that are not informative alone; the values of one case."""
    small, large = ([random.randint(*bound) for _ in range(4)] for bound in ((1, 3), (5, 9)))
    n = {
        (0, 0): (large[0], small[0]),
        (0, 1): (small[1], large[1]),
        (1, 0): (small[2], large[2]),
        (1, 1): (large[3], small[3]),
    }
    a, b = random.choice([0, 1]), random.choice([0, 1])
    inside = {pair: counts for pair, counts in n.items() if pair[0] == a}
    even, odd = n[a, b]
    return {"n": n, "a": a, "b": b, "branch": [n[a, 0], n[a, 1]]}, {
        "at_root": (even_by_naive_bayes(n, [0, 1], (a, b)), even / (even + odd)),
        "in_branch": (even_by_naive_bayes(inside, [1], (a, b)), (even + 1) / (even + odd + 2)),
    }


def even_by_naive_bayes(n, attributes, case):
    """Return P(even | case) by naive Bayes of these attributes from counts {pair: (even, odd)}."""
    rows = [(*pair, c) for pair, counts in n.items() for c in (0, 1) for _ in range(counts[c])]
    X, y = np.array(rows)[:, attributes], np.array(rows)[:, 2]
    model = rt.plain.bayes.learn(X, y, [2] * len(attributes), 2)
    return rt.plain.bayes.posterior(model, [case[j] for j in attributes])[0]


TEXT = """
Two attributes, *a* and *b*, have the values 0 and 1. The table counts the cases of each class,
*even* and *odd*, with each pair of values:

| a | b | even | odd |
|---|---|---|---|
{% for (a, b), (even, odd) in n.items() %}
| {{ a }} | {{ b }} | {{ even }} | {{ odd }} |
{% endfor %}

Naive Bayes takes Laplace estimates for values and for classes. Give numbers to three decimals."""

PARTS = [
    Part(
        name="at_root",
        points=2,
        ask="""
**(a)** Naive Bayes learns from all cases. What does it give for *even*, with *a* = {{ a }} and
*b* = {{ b }}?""",
        slip="the share of *even* among cases with both values",
        solution="""
n = {{ n }}
even, odd = (
    (of_class + 1)
    * (sum(n[{{ a }}, v][c] for v in (0, 1)) + 1) / (of_class + 2)
    * (sum(n[u, {{ b }}][c] for u in (0, 1)) + 1) / (of_class + 2)
    for c in (0, 1)
    for of_class in [sum(pair[c] for pair in n.values())]
)
at_root = even / (even + odd)""",
    ),
    Part(
        name="in_branch",
        points=3,
        ask="""
**(b)** A CITree tests *a* at its root. Each of its two leaves is a naive Bayes of *b* alone, which
learns from the cases in the leaf. What does the leaf of this case give for *even*?""",
        slip="Laplace's estimate of the cases with both values",
        solution="""
(even_0, odd_0), (even_1, odd_1) = {{ branch }}
even, odd = even_0 + even_1, odd_0 + odd_1
even_b, odd_b = {{ branch[b] }}
for_even = (even + 1) * (even_b + 1) / (even + 2)
in_branch = for_even / (for_even + (odd + 1) * (odd_b + 1) / (odd + 2))""",
    ),
]
