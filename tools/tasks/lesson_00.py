"""Accuracy and AUC of a tree with three leaves."""

import ranktrees as rt
from tools.tasks import Part

TITLE = "Three leaves, two measures"


def draw(random):
    """Draw bad and good test cases in three leaves, whose scores fall."""
    leaves = [
        (random.randint(5, 9), random.randint(1, 4)),
        (random.randint(2, 6), random.randint(2, 6)),
        (random.randint(1, 3), random.randint(6, 12)),
    ]
    bounds = (70, 95), (51, 65), (5, 40)
    scores = [random.randint(*bound) / 100 for bound in bounds]
    y, score = [], []
    for (bad, good), s in zip(leaves, scores, strict=True):
        y += ["bad"] * bad + ["good"] * good
        score += [s] * (bad + good)
    predicted = ["bad" if s > 0.5 else "good" for s in score]
    (a, b), (c, d), (e, f) = leaves
    won = (a * (d + f) + c * f) / ((a + c + e) * (b + d + f))
    return {"leaves": leaves, "scores": scores, "N": len(y)}, {
        "accuracy": (rt.accuracy(y, predicted), (a + c) / len(y)),
        "auc": (rt.auc(y, score, "bad"), won),
    }


TEXT = """
A tree has three leaves. The table gives the score of each leaf for *bad*, and counts the test cases
that arrive there:

| leaf | score for bad | bad cases | good cases |
|---|---|---|---|
{% for (bad, good), score in zip(leaves, scores) %}
| {{ loop.index }} | {{ "%.2f" % score }} | {{ bad }} | {{ good }} |
{% endfor %}

Give numbers to three decimals."""

PARTS = [
    Part(
        name="accuracy",
        points=1,
        ask="""
**(a)** The tree predicts *bad* where the score is above one half, and else *good*. What is its
accuracy on these cases?""",
        slip="good cases that are right not counted",
        solution="""
accuracy = ({{ leaves[0][0] }} + {{ leaves[1][0] }} + {{ leaves[2][1] }}) / {{ N }}""",
    ),
    Part(
        name="auc",
        points=2,
        ask="**(b)** What is its AUC, with *bad* as the positive class?",
        slip="ties counted as lost",
        solution="""
(a, b), (c, d), (e, f) = {{ leaves }}
auc = (a * (d + f) + c * f + (a * b + c * d + e * f) / 2) / ((a + c + e) * (b + d + f))""",
    ),
]
