"""Which attribute a tree of ten trains tests first."""

import numpy as np

import ranktrees as rt
from tools.tasks import Part

TITLE = "The first question"
VALUES = {"sky": ["sun", "rain", "fog"], "wind": ["calm", "windy"], "late": ["yes", "no"]}


def draw(random):
    """Draw ten trains; two attributes of which one is clearly better."""
    days = [tuple(map(random.choice, VALUES.values())) for _ in range(10)]
    late = [day[2] for day in days]
    tables = {name: table([day[j] for day in days], late) for j, name in enumerate(("sky", "wind"))}
    gains = {name: float(rt.criteria.gini_gain(np.array(n))) for name, n in tables.items()}
    if min(map(len, tables.values())) == 1 or abs(gains["sky"] - gains["wind"]) <= 0.02:
        return None
    first, second = sorted(gains, key=gains.get, reverse=True)
    numbers = {"days": days, "late": late, "first": first, "table": tables[first]}
    return numbers, {"question": (first, second), "gini_gain": (gains[first], gains[second])}


def table(column, late):
    """Count how many are late, and not, for each value that occurs."""
    pairs = list(zip(column, late, strict=True))
    return [[pairs.count((value, c)) for c in ("yes", "no")] for value in sorted(set(column))]


TEXT = """
Ten trains, and whether they came late:

| sky | wind | late |
|---|---|---|
{% for day in days %}
| {{ day | join(" | ") }} |
{% endfor %}

A tree is grown by Gini gain, with a branch for each value. Give numbers to three decimals."""

PARTS = [
    Part(
        name="question",
        points=1,
        ask="""**(a)** Which attribute does the root test? Write `"sky"` or `"wind"`.""",
        slip="the other attribute",
        solution="question = '{{ first }}'",
    ),
    Part(
        name="gini_gain",
        points=2,
        ask="**(b)** What is the Gini gain of this test?",
        slip="that of the other attribute",
        solution="""
def gini(*counts):
    return 1 - sum((k / sum(counts)) ** 2 for k in counts)


gini_gain = gini({{ late.count("yes") }}, {{ late.count("no") }})
gini_gain -= sum((a + b) / 10 * gini(a, b) for a, b in {{ table }})""",
    ),
]
