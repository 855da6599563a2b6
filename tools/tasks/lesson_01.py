"""Information gain and gain ratio of a split with three branches."""

import numpy as np

import ranktrees as rt
from tools.tasks import Part

TITLE = "Gain and gain ratio"


def draw(random):
    """Draw good and bad cases in three branches, which differ."""
    n = [[random.randint(1, 9), random.randint(1, 9)] for _ in range(3)]
    counts, entropy = np.array(n), rt.criteria.entropy
    gain = float(rt.criteria.information_gain(counts))
    if gain <= 0.03:
        return None
    of_classes = entropy(counts.sum(axis=0))
    return {"n": n, "N": int(counts.sum())}, {
        "gain": (gain, of_classes - entropy(counts).mean()),
        "ratio": (float(rt.criteria.gain_ratio(counts)), gain / of_classes),
    }


TEXT = """
A split has three branches. The table counts the cases of each class in each branch:

| branch | good | bad |
|---|---|---|
{% for good, bad in n %}
| {{ loop.index }} | {{ good }} | {{ bad }} |
{% endfor %}

Logarithms have base 2. Give numbers to three decimals."""

PARTS = [
    Part(
        name="gain",
        points=2,
        ask="**(a)** What is the information gain of this split?",
        slip="each branch weighted alike",
        solution="""
def entropy(*counts):
    return -sum(k / sum(counts) * np.log2(k / sum(counts)) for k in counts)


branches = {{ n }}
before = entropy(sum(a for a, _ in branches), sum(b for _, b in branches))
gain = before - sum((a + b) / {{ N }} * entropy(a, b) for a, b in branches)""",
    ),
    Part(
        name="ratio",
        points=2,
        ask="**(b)** What is its gain ratio?",
        slip="divided by the entropy of the classes",
        solution="ratio = gain / entropy(*(a + b for a, b in branches))",
    ),
]
