"""Wang & Zhang (2006), sections 3 to 5 and 7, as they are printed: one case, one node, one class.

Nothing is counted in advance and nothing is shared with the package but the tree's arrays: every
training instance is a record of values and a class, every node a list of such records.
"""

import math
from typing import NamedTuple

from strategies import child_of


class Instance(NamedTuple):
    """Attribute values as codes, -1 for one that was never seen, and the class or None."""

    values: tuple
    label: int | None = None


def path_of(tree, values):
    """Node ids from the root to where these values lead; an empty branch ends the path."""
    path = [0]
    while (a := int(tree.attribute[path[-1]])) >= 0:
        below = child_of(tree, path[-1], values[a]) if values[a] >= 0 else -1
        if below < 0:
            break
        path.append(below)
    return path


def training_subsets(tree, X, y):
    """The instances D_i that come to each node."""
    subsets = [[] for _ in range(len(tree))]
    for values, label in zip(X.tolist(), y.tolist(), strict=True):
        instance = Instance(tuple(values), label)
        for node in path_of(tree, values):
            subsets[node].append(instance)
    return subsets


def without(subset, x):
    """The subset with the very instance x removed, not its doubles."""
    return [other for other in subset if other is not x]


def equation_1(c, subset, C):
    """(n_j + 1/|C|) / (|D_i| + 1)."""
    return (sum(r.label == c for r in subset) + 1 / C) / (len(subset) + 1)


def equation_5(one, two, labels):
    """Number of attributes in which two instances agree; with `labels` the class is one more."""
    same = sum(a == b and a >= 0 for a, b in zip(one.values, two.values, strict=True))
    return same + (labels and one.label == two.label)


def equation_6(c, e, subset, C, labels):
    """Every instance of the subset weighs its similarity to e plus one."""
    weight = {True: 0, False: 0}
    for r in subset:
        weight[r.label == c] += equation_5(e, r, labels) + 1
    return (weight[True] + 1 / C) / (weight[True] + weight[False] + 1)


def naive_bayes(e, subset, C, sizes):
    """P(c | e) for all classes c of a naive Bayes that learnt from the subset, with Laplace."""
    score = []
    for c in range(C):
        mine = [r for r in subset if r.label == c]
        factors = [(len(mine) + 1) / (len(subset) + C)]
        for j, size in enumerate(sizes):
            if e.values[j] >= 0:
                agree = sum(r.values[j] == e.values[j] for r in mine)
                factors.append((agree + 1) / (len(mine) + size))
        score.append(math.prod(factors))
    return [one / sum(score) for one in score]


def algorithm_diw(path, subsets, c, local, leave_out, iterations):
    """Weights of class c for the nodes N_0 (uniform), N_1 (the root), ..., N_k of a path.

    `local(c, x, subset, training=True)` is what Step 3 asks at each node. With `leave_out` False
    Step 2 removes nothing. |D_1| in Step 3 counts all training instances, x among them.
    """
    k = len(path)
    w = [1 / (k + 1)] * (k + 1)  # Step 1
    for _ in range(iterations):
        beta = [0.0] * (k + 1)
        marked = []
        unmarked = list(subsets[path[-1]])
        while unmarked:
            x = unmarked[0]  # Step 2
            D = [without(subsets[node], x) if leave_out else subsets[node] for node in path]
            P = [1 / len(subsets[0])]  # Step 3
            P += [local(c, x, D[i], training=True) for i in range(k)]
            whole = sum(w[m] * P[m] for m in range(k + 1))
            for i in range(k + 1):  # Step 4, Eq. 3
                beta[i] += w[i] * P[i] / whole
            marked.append(x)  # Step 5: x is back, as only copies D lacked it
            unmarked = without(unmarked, x)
        assert len(marked) == len(subsets[path[-1]])
        w = [b / sum(beta) for b in beta]  # Step 6, Eq. 4
    return w


def local_of(estimate, reading, C, sizes):
    """local(c, e, subset, training) of an estimate by name, and whether Step 2 leaves x out."""

    def share(c, e, subset, training):
        return equation_1(c, subset, C)

    def wpe(c, e, subset, training):
        return equation_6(c, e, subset, C, labels=training and reading != "consistent")

    def bayes(c, e, subset, training):
        return naive_bayes(e, subset, C, sizes)[c]

    part = estimate.removeprefix("shrinkage+")
    local = {"shrinkage": share, "wpe": wpe, "naive-bayes": bayes}[part]
    return local, not (part == "shrinkage" and reading == "as_published")


def probabilities(
    tree, X, y, new, estimate, reading="as_written", weights="diw", iterations=1
) -> list[list[float]]:
    """Rows of class probabilities for the codes `new`, one instance after the other."""
    C, sizes = tree.counts.shape[1], [a.size for a in tree.schema]
    subsets, known = training_subsets(tree, X, y), {}
    local, leave_out = local_of(estimate, reading, C, sizes)
    rows = []
    for values in new.tolist():
        e, path = Instance(tuple(values)), path_of(tree, values)
        row = []
        for c in range(C):
            here = [local(c, e, subsets[node], training=False) for node in path]
            if "shrinkage" not in estimate:
                row.append(here[-1])
                continue
            if weights == "uniform":
                w = [1 / (len(path) + 1)] * (len(path) + 1)
            else:
                if (path[-1], c) not in known:
                    rule = local, leave_out, iterations
                    known[path[-1], c] = algorithm_diw(path, subsets, c, *rule)
                w = known[path[-1], c]
            P = [1 / len(subsets[0]), *here]
            row.append(sum(a * b for a, b in zip(w, P, strict=True)))  # Eq. 2
        if not (estimate == "shrinkage+wpe" and reading == "as_published"):
            row = [one / sum(row) for one in row]
        rows.append(row)
    return rows
