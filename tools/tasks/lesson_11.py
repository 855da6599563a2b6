"""A round of Algorithm DIW on a path of two nodes, and the mixture."""

import numpy as np

import ranktrees as rt
from tools.tasks import Part

TITLE = "The weights of a path"


def draw(random):
    """Draw late and punctual cases in a leaf, and more of them in the root."""
    late, on_time = random.randint(2, 4), random.randint(1, 2)
    more = [random.randint(1, 4), random.randint(3, 7)]
    y = [0] * late + [1] * on_time + [0] * more[0] + [1] * more[1]
    N, plain = len(y), rt.plain.shrinkage
    train = rt.plain.tree.Cases(np.zeros((N, 1), int), np.array(y), [1], 2)
    rows = [list(range(N)), list(range(late + on_time))]
    weights, nothing_out = (
        plain.diw(train, rows, plain.class_share, leave_out, 1) for leave_out in (True, False)
    )
    mixed = weights * plain.local_estimates(train, rows, plain.class_share, [0])
    late_mixed, on_time_mixed = mixed.sum(axis=0)
    root = [late + more[0], on_time + more[1]]
    return {"root": root, "leaf": [late, on_time], "N": N}, {
        "weight_left_out": (weights[2, 0], nothing_out[2, 0]),
        "shrunk": (late_mixed / (late_mixed + on_time_mixed), late_mixed),
    }


TEXT = """
A path has two nodes, the root and a leaf. Above the root there is a uniform node, which gives each
class 1/{{ N }}, one over the number of training cases.

| node | late | on time |
|---|---|---|
| root | {{ root | join(" | ") }} |
| leaf | {{ leaf | join(" | ") }} |

A node with $n_c$ cases of class $c$ among its $n$ cases gives $(n_c + 1/2)/(n + 1)$ (Equation 1).
Give numbers to three decimals."""

PARTS = [
    Part(
        name="weight_left_out",
        points=3,
        ask="""
**(a)** Run one round of Algorithm DIW. In Step 2 each training case of the leaf is taken out of the
counts of all nodes in its turn. What is the weight of the leaf for *late*?""",
        slip="nothing taken out",
        solution="""
def weights_of(c, root, leaf):
    given = np.zeros(3)
    for own in (0, 1):  # the leaf's cases of a class are alike
        gone = int(own == c)
        r, f = (root[c] - gone + 1 / 2) / sum(root), (leaf[c] - gone + 1 / 2) / sum(leaf)
        says = np.array([1 / sum(root), r, f])
        given += leaf[own] * says / says.sum()
    return given / given.sum()


root, leaf = {{ root }}, {{ leaf }}
weight_left_out = weights_of(0, root, leaf)[2]""",
    ),
    Part(
        name="shrunk",
        points=2,
        ask="""
**(b)** Find all weights in this way, those for *on time* too. Mix the estimates of the three nodes,
now from all cases, and normalise. What is the result for *late*?""",
        slip="not normalised",
        solution="""
mixed = []
for c in (0, 1):
    says = [1 / sum(root), (root[c] + 1 / 2) / (sum(root) + 1), (leaf[c] + 1 / 2) / (sum(leaf) + 1)]
    mixed.append(sum(weights_of(c, root, leaf) * says))
shrunk = mixed[0] / sum(mixed)""",
    ),
]
