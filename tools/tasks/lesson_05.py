"""AUC and cost of eight scored cases, and the AUC of a tree from the counts of its leaves."""

import ranktrees as rt
from tools.tasks import Part

TITLE = "Eight scored cases"


def draw(random):
    """Draw scores with a tie and a pair in wrong order; a threshold with errors of both kinds."""
    tenths = sorted(random.choices(range(2, 10), k=random.choice([3, 4])), reverse=True)
    positive = [score / 10 for score in tenths]
    tenths = sorted(random.choices(range(1, 9), k=8 - len(positive)), reverse=True)
    negative = [score / 10 for score in tenths]
    miss, threshold = random.randint(3, 8), random.choice([0.35, 0.45, 0.55])
    misses, alarms = sum(s < threshold for s in positive), sum(s > threshold for s in negative)
    has_tie = not {*positive}.isdisjoint(negative)
    if not (has_tie and max(negative) > min(positive) and misses and alarms):
        return None
    y, score = [1] * len(positive) + [0] * len(negative), positive + negative
    table = rt.confusion_matrix(y, [int(s > threshold) for s in score])
    numbers = {"positive": positive, "negative": negative, "miss": miss, "threshold": threshold}
    numbers |= {"misses": misses, "alarms": alarms, "seed": random.randrange(10**6)}
    won = sum(p > n for p in positive for n in negative) / len(positive) / len(negative)
    return numbers, {
        "auc": (rt.auc(y, score, 1), won),
        "cost": (rt.total_cost(table, [[0, 1], [miss, 0]]), misses + miss * alarms),
    }


TEXT = """
Positive cases score {{ positive | join(", ") }}.
Negative cases score {{ negative | join(", ") }}."""

PARTS = [
    Part(
        name="auc",
        points=2,
        ask="**(a)** What is the AUC, to three decimals?",
        slip="ties counted as lost",
        solution="""
pairs = [(p, n) for p in {{ positive }} for n in {{ negative }}]
auc = sum(1 if p > n else 0.5 if p == n else 0 for p, n in pairs) / len(pairs)""",
    ),
    Part(
        name="cost",
        points=1,
        ask="""
**(b)** The cases that score above {{ threshold }} are called positive. A false alarm costs 1 and a
miss costs {{ miss }}. What do the eight cases cost in all?""",
        slip="both prices exchanged",
        solution="cost = {{ alarms }} + {{ miss }} * {{ misses }}",
    ),
    Part(
        name="auc_of_leaves",
        points=3,
        ask="""
**(c)** Write `auc_of_leaves(positive, negative)`, which returns the AUC of a tree. `positive` and
`negative` are lists: how many test cases of each class arrive in each leaf, the leaf with the
highest score first. No two leaves have the same score. Use the counts alone: they can be so large
that a list of all cases does not fit into memory.""",
        stub="def auc_of_leaves(positive, negative):\n    return ...",
        example="""
assert auc_of_leaves([1, 0], [0, 1]) == 1, "a leaf of each class: the ranking is perfect\"""",
        hidden="""
import numpy as np
import ranktrees as rt
given = np.random.default_rng({{ seed }})
for leaves in (2, 5, 9):
    n = given.integers(0, 20, (2, leaves)) + [[1], [1]]
    score, y = np.tile(np.arange(leaves)[::-1], 2), np.repeat([1, 0], leaves)
    right = rt.auc(np.repeat(y, n.ravel()), np.repeat(score, n.ravel()), 1)
    found = auc_of_leaves(*n.tolist())
    assert abs(found - right) < 1e-9, f"{n.tolist()} give {right:g}, not {found}\"""",
        large="""
positive, negative = [k * 10**12 for k in range(3000)], [k * 10**12 for k in range(3000, 0, -1)]
found = auc_of_leaves(positive, negative)
assert abs(found - 1 / 6) < 1e-9, f"3,000 leaves with these counts give 1/6, not {found}\"""",
        solution="""
def auc_of_leaves(positive, negative):
    won = below = 0
    for p, n in zip(reversed(positive), reversed(negative)):
        won, below = won + p * (below + n / 2), below + n
    return won / (sum(positive) * sum(negative))""",
    ),
]
