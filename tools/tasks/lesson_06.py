"""Tests of two methods in ten folds, Holm's correction, and stratified folds."""

import numpy as np

import ranktrees as rt
from tools.tasks import Part

TITLE = "Ten folds, and five tests"


def draw(random):
    """Draw two methods of which A is better; p-values of which Holm clearly keeps some."""
    a = [random.randint(70, 90) / 100 for _ in range(10)]
    b = [round(v - random.choice([-2, -1, 0, 1, 2, 3, 4, 5]) / 100, 2) for v in a]
    d = np.subtract(a, b)
    plain = rt.paired_t(a, b).statistic
    p = [thousandths / 1000 for thousandths in random.sample(range(2, 60), 5)]
    corrected = rt.holm(p)
    significant = int(sum(corrected <= 0.05))
    if plain <= 1 or not 1 <= significant < 5 or min(abs(corrected - 0.05)) <= 0.001:
        return None
    numbers = {"a": a, "b": b, "p": p, "k": random.choice([3, 4, 5])}
    return numbers | {"seed": random.randrange(10**6)}, {
        "t": (plain, d.mean() / (d.std() / 10**0.5)),
        "corrected": (rt.corrected_t(a, b).statistic, rt.corrected_t(a, b, 1 / 10).statistic),
        "significant": (significant, sum(v <= 0.05 for v in p)),
    }


TEXT = """
The AUC of two methods in the ten folds of one cross-validation:

| fold |{% for fold in range(1, 11) %} {{ fold }} |{% endfor +%}
|---|{% for fold in range(10) %}---|{% endfor +%}
| A |{% for auc in a %} {{ "%.2f" % auc }} |{% endfor +%}
| B |{% for auc in b %} {{ "%.2f" % auc }} |{% endfor +%}

Give numbers to three decimals."""

PARTS = [
    Part(
        name="t",
        points=1,
        ask="**(a)** Take the differences A minus B. What is $t$ in Student's paired test?",
        slip="the variance divided by 10, not by 9",
        solution="""
d = np.array({{ a }}) - np.array({{ b }})
t = d.mean() / (d.std(ddof=1) / np.sqrt(10))""",
    ),
    Part(
        name="corrected",
        points=2,
        ask="**(b)** What is $t$ in the corrected test of Nadeau and Bengio?",
        slip="a test set taken as 1/10 of the training set, not 1/9",
        solution="corrected = d.mean() / np.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1))",
    ),
    Part(
        name="significant",
        points=2,
        ask="""
**(c)** Five comparisons have the p-values {{ p | join(", ") }}. How many of the five differences
are significant at the level .05 after Holm's correction?""",
        slip="not corrected",
        solution="""
significant = 0
for i, p in enumerate(sorted({{ p }})):
    if p * (5 - i) > 0.05:
        break
    significant += 1""",
    ),
    Part(
        name="deal",
        points=3,
        ask="""
**(d)** Write `deal(y, k)`, which deals cases into `k` stratified folds. `y` is the list of their
classes. Return a list with the fold of each case, a number from 0 to `k` - 1. The sizes of two
folds differ by one case at most, in each class and also over all cases.""",
        stub="def deal(y, k):\n    return ...",
        example="""
assert sorted(deal(["yes", "yes", "no"], 3)) == [0, 1, 2], "three folds, and a case in each\"""",
        hidden="""
from collections import Counter
import numpy as np
given = np.random.default_rng({{ seed }})
for share in (0.1, 0.5, 0.9):
    y = ["no", "yes"] * 3 + given.choice(["yes", "no"], 40, p=[share, 1 - share]).tolist()
    fold = list(deal(y, {{ k }}))
    assert len(fold) == len(y), "a fold for each case"
    of_class = [[f for f, c in zip(fold, y) if c == label] for label in ("yes", "no")]
    for part in (fold, *of_class):
        sizes = [Counter(part)[f] for f in range({{ k }})]
        assert sum(sizes) == len(part), f"folds are numbers from 0 to {{ k - 1 }}: {fold}"
        assert max(sizes) - min(sizes) <= 1, f"sizes of folds: {sizes}\"""",
        large="""
from collections import Counter
y = ["no", "yes", "no"] * 50000
sizes = Counter(zip(y, deal(y, {{ k }})))
most, least = (how(sizes["yes", f] for f in range({{ k }})) for how in (max, min))
assert most - least <= 1, f"of 50,000 cases of yes a fold has {least} to {most}\"""",
        solution="""
def deal(y, k):
    fold = [0] * len(y)
    for place, case in enumerate(sorted(range(len(y)), key=lambda i: y[i])):
        fold[case] = place % k
    return fold""",
    ),
]
