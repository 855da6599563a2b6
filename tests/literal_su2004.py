"""Su & Zhang (2004) and Kohavi (1996) as they are worded: one fold, one attribute, one case.

Probabilities are exact fractions, models are dictionaries of counts, and nothing is taken from the
package: trees with naive Bayes in their leaves, to hold a faster implementation against.
"""

import math
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

TIE = 1e-9
DECIMALS = 9


class Setting(NamedTuple):
    """Training cases and conventions; `setting` makes one out of lists or arrays."""

    X: list
    y: list
    sizes: list  # declared number of values of each attribute
    C: int
    k: int
    fold: dict  # {1: fold number of each case for choosing, 2: for pruning}
    order: dict  # {1: rank of each case for choosing, 2: for pruning}, for folds dealt anew
    folds: str = "global"  # or "leaf"
    scoring: str = "auc"  # or "accuracy", "log_loss"
    min_cases: int = 5


def setting(X, y, sizes, C, k, fold_1, fold_2=None, *, order_1=None, order_2=None, **how):
    """A Setting of plain integers; orders default to the order of the cases."""
    fold, order = {1: fold_1, 2: fold_2}, {1: order_1, 2: order_2}
    fold = {t: integers(one) for t, one in fold.items() if one is not None}
    order = {t: integers(range(len(y)) if one is None else one) for t, one in order.items()}
    rows = [integers(row) for row in X]
    s = Setting(rows, integers(y), integers(sizes), int(C), int(k), fold, order, **how)
    if s.folds not in ("global", "leaf") or s.scoring not in ("auc", "accuracy", "log_loss"):
        raise ValueError(f"unknown folds {s.folds!r} or scoring {s.scoring!r}")
    return s


def integers(row):
    """Python's own integers, which cannot overflow in a fraction."""
    return [int(one) for one in row]


def naive_bayes(s, training, attributes, x):
    """P(c | x) for every class, of a naive Bayes that learnt from these cases."""
    return classify(s, learn(s, training, attributes), attributes, x)


def learn(s, training, attributes):
    """Counts of the classes, and of (class, attribute, value)."""
    n_c = Counter(s.y[i] for i in training)
    n_cv = Counter((s.y[i], a, s.X[i][a]) for i in training for a in attributes)
    return n_c, n_cv


def classify(s, model, attributes, x):
    """P(c | x), normalised over all declared classes; a value of -1 takes no part."""
    n_c, n_cv = model
    joint = []
    for c in range(s.C):
        p = Fraction(n_c[c] + 1, sum(n_c.values()) + s.C)
        for a in attributes:
            if x[a] >= 0:
                p *= Fraction(n_cv[c, a, x[a]] + 1, n_c[c] + s.sizes[a])
        joint.append(p)
    return [p / sum(joint) for p in joint]


def off(s, path):
    """Attributes that are not on the path."""
    return [a for a in range(len(s.sizes)) if a not in path]


def deal(s, cases, t):
    """{case: fold} in the assignment t, 1 for choosing and 2 for pruning."""
    if s.folds == "global":
        return {i: s.fold[t][i] for i in cases}
    queue = sorted(cases, key=lambda i: (s.y[i], s.order[t][i]))
    return {i: position % s.k for position, i in enumerate(queue)}


def cross_validated(s, cases, attributes, t):
    """{case: P(c | case)} by the naive Bayes of the cases of the other folds."""
    if len(cases) < s.min_cases:
        return {i: [Fraction(1, s.C)] * s.C for i in cases}
    fold = deal(s, cases, t)
    models = {
        f: learn(s, [j for j in cases if fold[j] != f], attributes) for f in set(fold.values())
    }
    return {i: classify(s, models[fold[i]], attributes, s.X[i]) for i in cases}


def logarithm(p):
    """Natural logarithm of a fraction whose terms may be too large for a float."""
    return math.log(p.numerator) - math.log(p.denominator)


def log_odds(p):
    """Log odds of class 1, rounded, so that what is equal but for rounding is tied."""
    return round(logarithm(p[1] / p[0]), DECIMALS)


def score(s, probability):
    """What a set of cases is worth, {case: P(c | case)}; larger is better, None if undefined."""
    if s.scoring == "log_loss":
        return sum(logarithm(p[s.y[i]]) for i, p in probability.items()) / len(probability)
    if s.scoring == "accuracy":
        right = sum(most_probable(s, p) == s.y[i] for i, p in probability.items())
        return Fraction(right, len(probability))
    if s.C == 2:
        return area(s, {i: log_odds(p) for i, p in probability.items()}, 1, 0)
    return hand_till(s, probability)


def most_probable(s, p):
    """The class of the largest probability, the first of equals."""
    if s.C == 2:
        return int(log_odds(p) > 0)
    logs = [round(logarithm(one), DECIMALS) for one in p]
    return logs.index(max(logs))


def area(s, rank, positive, negative):
    """Share of the pairs in the right order, ties one half; None without a pair."""
    won, pairs = Fraction(0), 0
    for i in rank:
        for j in rank:
            if s.y[i] == positive and s.y[j] == negative:
                pairs += 1
                won += Fraction((rank[i] > rank[j]) * 2 + (rank[i] == rank[j]), 2)
    return won / pairs if pairs else None


def hand_till(s, probability):
    """Hand & Till's M over the pairs of classes that are both present."""
    present = sorted({s.y[i] for i in probability})
    logs = {
        c: {i: round(logarithm(p[c]), DECIMALS) for i, p in probability.items()} for c in present
    }
    of_pair = [
        (area(s, logs[i], i, j) + area(s, logs[j], j, i)) / 2
        for i in present
        for j in present
        if i < j
    ]
    return sum(of_pair) / len(of_pair) if of_pair else None


def branches(s, cases, a):
    """{value: cases of that value} for the values among the cases."""
    return {v: [i for i in cases if s.X[i][a] == v] for v in sorted({s.X[i][a] for i in cases})}


def pooled(s, cases, path, a, t):
    """Cross-validated probabilities of all branches of a candidate."""
    probability = {}
    for branch in branches(s, cases, a).values():
        probability.update(cross_validated(s, branch, off(s, [*path, a]), t))
    return probability


def candidates(s, cases, path):
    """Attributes off the path with two values or more among the cases."""
    return [a for a in off(s, path) if len({s.X[i][a] for i in cases}) >= 2]


def candidate_scores(s, cases, path=(), t=1):
    """{attribute: score} of all candidates of a node."""
    return {a: score(s, pooled(s, cases, path, a, t)) for a in candidates(s, cases, path)}


def leaf_score(s, cases, path=(), t=1):
    """Score of the node as a leaf."""
    return score(s, cross_validated(s, cases, off(s, path), t))


def best(scores):
    """The first attribute whose score is that of the best but for rounding."""
    return min(a for a in scores if scores[a] >= max(scores.values()) - TIE)


def is_final(s, cases, path):
    """Whether there is nothing to split: few cases, one class, or no candidate."""
    few, pure = len(cases) < s.min_cases, len({s.y[i] for i in cases}) == 1
    return few or pure or not candidates(s, cases, path)


def new_node(s, cases, path):
    """A leaf."""
    return {
        "cases": list(cases),
        "path": list(path),
        "attribute": None,
        "children": {},
        "scores": {},
        "leaf_score": leaf_score(s, cases, path),
    }


def grow(s, cases, path, keep):
    """Splits on the best attribute wherever keep(node, best attribute) says so."""
    node = new_node(s, cases, path)
    if is_final(s, cases, path):
        return node
    node["scores"] = candidate_scores(s, cases, path)
    a = best(node["scores"])
    if keep(node, a):
        node["attribute"] = a
        for v, branch in branches(s, cases, a).items():
            node["children"][v] = grow(s, branch, [*path, a], keep)
    return node


def better_as_children(s, node, a):
    """Whether the children as leaves beat the node as a leaf on the pruning folds."""
    cases, path = node["cases"], node["path"]
    node["split_score_2"] = score(s, pooled(s, cases, path, a, 2))
    node["leaf_score_2"] = leaf_score(s, cases, path, 2)
    return node["split_score_2"] - node["leaf_score_2"] > TIE


def better_as_subtree(s, node, a):
    """Whether the leaves below beat the node as a leaf on the pruning folds; a is not looked at."""
    probability = {}
    for leaf in leaves(node):
        probability.update(cross_validated(s, leaf["cases"], off(s, leaf["path"]), 2))
    node["split_score_2"] = score(s, probability)
    node["leaf_score_2"] = leaf_score(s, node["cases"], node["path"], 2)
    return node["split_score_2"] - node["leaf_score_2"] > TIE


def leaves(node):
    """The leaves below a node, or itself."""
    if node["attribute"] is None:
        return [node]
    return [leaf for child in node["children"].values() for leaf in leaves(child)]


def cut(s, node, rule):
    """Bottom-up, removes what lies below every node whose rule fails."""
    for child in node["children"].values():
        cut(s, child, rule)
    if node["attribute"] is not None and not rule(s, node, node["attribute"]):
        node["attribute"], node["children"] = None, {}


def citree(s, prune="children", lazy=True):
    """CITree; prune is "children", "subtree" or None, lazy leaves out what "children" removes."""
    everything = list(range(len(s.y)))
    if prune == "children" and lazy:
        return grow(s, everything, [], lambda node, a: better_as_children(s, node, a))
    tree = grow(s, everything, [], lambda node, a: True)
    rules = {"children": better_as_children, "subtree": better_as_subtree}
    if prune is not None:
        cut(s, tree, rules[prune])
    return tree


def nbtree(s, min_parent=30, least_reduction=Fraction(1, 20)):
    """NBTree: a split must take at least a twentieth of the node's cross-validated error."""
    if s.scoring != "accuracy":
        raise ValueError("NBTree chooses by accuracy")

    def keep(node, a):
        before, after = 1 - node["leaf_score"], 1 - node["scores"][a]
        return len(node["cases"]) >= min_parent and reduces(before, after, least_reduction)

    return grow(s, list(range(len(s.y))), [], keep)


def reduces(before, after, least):
    """Whether the relative reduction of the error is at least so much."""
    return before > 0 and (before - after) / before >= least


def predict(s, tree, x):
    """P(c | x) by the naive Bayes of the leaf, or of the last node on the way to no case."""
    node = tree
    while node["attribute"] is not None and x[node["attribute"]] in node["children"]:
        node = node["children"][x[node["attribute"]]]
    return naive_bayes(s, node["cases"], off(s, node["path"]), x)
