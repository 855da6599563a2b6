"""Three estimates of one leaf, from the counts on its path."""

import numpy as np

import ranktrees as rt
from tools.tasks import Part

TITLE = "One leaf, three estimates"


def draw(random):
    """Draw counts of three classes at a leaf and at two nodes above it."""
    leaf = [random.randint(0, 5), random.randint(1, 6), random.randint(0, 3)]
    inner = [n + random.randint(4, 9) for n in leaf]
    root = [n + random.randint(20, 60) for n in inner]
    N = sum(leaf)
    m, v = random.choice([3, 5, 8]), N + random.randint(1, sum(inner) - N)
    path = [rt.plain.tree.Node(np.array(n)) for n in (root, inner, leaf)]
    say = rt.plain.estimates
    return {"leaf": leaf, "inner": inner, "root": root, "m": m, "v": v}, {
        "laplace": (say.laplace(path)[0], (leaf[0] + 1) / (N + 2)),
        "smoothed": (say.m_estimate(path, m)[0], (leaf[0] + m / 3) / (N + m)),
        "curtailed": (say.curtailment(path, v)[0], leaf[0] / N),
    }


TEXT = """
A client's path to a leaf has three nodes. The table counts their training cases, which have three
classes (the client pays *late*, *never* or *on time*):

| node | late | never | on time |
|---|---|---|---|
{% for name, n in (("root", root), ("inner node", inner), ("leaf", leaf)) %}
| {{ name }} | {{ n | join(" | ") }} |
{% endfor %}

Give numbers to three decimals."""

PARTS = [
    Part(
        name="laplace",
        points=1,
        ask="**(a)** What is the leaf's Laplace estimate of *late*?",
        slip="as with two classes",
        solution="laplace = ({{ leaf[0] }} + 1) / ({{ leaf | sum }} + 3)",
    ),
    Part(
        name="smoothed",
        points=2,
        ask="""
**(b)** What is the leaf's m-estimate of *late*, with $m = {{ m }}$ and the root's shares as the
prior?""",
        slip="1/3 as prior",
        solution="""
prior = {{ root[0] }} / {{ root | sum }}
smoothed = ({{ leaf[0] }} + {{ m }} * prior) / ({{ leaf | sum }} + {{ m }})""",
    ),
    Part(
        name="curtailed",
        points=1,
        ask="""
**(c)** What does curtailment give for *late*, with $v = {{ v }}$ as the least number of cases that
a node must have?""",
        slip="the share in the leaf",
        solution="curtailed = {{ inner[0] }} / {{ inner | sum }}",
    ),
]
