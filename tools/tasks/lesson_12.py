"""The votes of six cases, and WPE as a function."""

import numpy as np

import ranktrees as rt
from tools.tasks import Part

TITLE = "Votes"
VALUES = [["car", "bus", "bike"], ["rain", "sun"], ["exam", "free"]]


def draw(random):
    """Draw six cases and one to predict; it shares three different numbers of values with them."""
    days = [list(map(random.choice, VALUES)) for _ in range(6)]
    late = ["yes", "no", random.choice(["yes", "no"]), "yes", "no", "no"]
    day = list(map(random.choice, VALUES))
    agree = [sum(a == b for a, b in zip(case, day, strict=True)) for case in days]
    if len({*agree}) < 3 or max(agree) == 3:
        return None
    vote_of = list(zip(agree, late, strict=True))
    votes = {c: sum(s + 1 for s, label in vote_of if label == c) for c in ("yes", "no")}
    total = sum(votes.values())
    numbers = {"days": days, "late": late, "day": day, "agree": agree, "total": total}
    return numbers | {"seed": random.randrange(10**6)}, {
        "votes": (votes["yes"], votes["yes"] - late.count("yes")),
        "p_late": (late_by_wpe(days, late, day), votes["yes"] / total),
    }


def late_by_wpe(days, late, day):
    """Return P(yes) of a day by the package's plain WPE."""
    codes = [
        [values.index(value) for values, value in zip(VALUES, case, strict=True)]
        for case in [*days, day]
    ]
    y = np.array([c == "yes" for c in late], int)
    node = rt.plain.tree.Cases(np.array(codes[:-1]), y, list(map(len, VALUES)), 2)
    return rt.plain.shrinkage.wpe(node, codes[-1])[1]


TEXT = """
Six training cases of a node:

| way | weather | next day | late |
|---|---|---|---|
{% for case, c in zip(days, late) %}
| {{ case | join(" | ") }} | {{ c }} |
{% endfor %}

A test case, ({{ day | join(", ") }}), comes to this node. Give numbers to three decimals."""

PARTS = [
    Part(
        name="votes",
        points=1,
        ask="""
**(a)** In WPE each training case votes for its class. What is the sum of the votes for *yes*?""",
        slip="without the one that is added to each similarity",
        solution="""
cases = zip({{ agree }}, {{ late }})
votes = sum(similarity + 1 for similarity, c in cases if c == "yes")""",
    ),
    Part(
        name="p_late",
        points=2,
        ask=r"**(b)** What is $P(\text{yes})$ by WPE?",
        slip="not smoothed",
        solution="p_late = (votes + 1 / 2) / ({{ total }} + 1)",
    ),
    Part(
        name="wpe",
        points=3,
        ask="""
**(c)** Write `wpe(cases, classes, case, names)`, which returns WPE's probabilities for a `case`, a
list of values. `cases` is a list of such lists, the training cases, and `classes` has the class of
each of them. `names` lists all classes, two or more. Return a dict {class: probability} with a key
for each of `names`, also for a class that no training case has.""",
        stub="def wpe(cases, classes, case, names):\n    return ...",
        example="""
found = wpe([["sun"]], ["yes"], ["sun"], ["yes", "no"])
assert sorted(found) == ["no", "yes"], "a dict with both classes\"""",
        hidden="""
import numpy as np
import ranktrees as rt
given = np.random.default_rng({{ seed }})
for C in (2, 3, 4):
    X, y = given.integers(0, 3, (12, 4)), given.integers(0, C, 12)
    right = rt.plain.shrinkage.wpe(rt.plain.tree.Cases(X, y, [3] * 4, C), X[0])
    found = wpe(X.tolist(), y.tolist(), X[0].tolist(), list(range(C)))
    same = all(abs(found[c] - right[c]) < 1e-9 for c in range(C))
    assert same, f"{right} for {C} classes, not {found}\"""",
        large="""
cases = [[i % 3, i % 5, i % 7] * 5 for i in range(20000)]
found = wpe(cases, ["yes", "no"] * 10000, cases[0], ["yes", "no"])
assert abs(found["yes"] - 0.50002853) < 1e-8, f"20,000 cases give 0.50002853, not {found}\"""",
        solution="""
def wpe(cases, classes, case, names):
    weight = dict.fromkeys(names, 0)
    for values, c in zip(cases, classes):
        weight[c] += sum(a == b for a, b in zip(values, case)) + 1
    total = sum(weight.values())
    return {c: (weight[c] + 1 / len(names)) / (total + 1) for c in names}""",
    ),
]
