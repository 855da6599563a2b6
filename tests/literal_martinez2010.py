"""A slow, literal transcription of Newton trees (Martinez et al. 2010), with loops and no arrays.

Columns are (values, distance): a list of values, None where missing, and a function of two values;
a third item lists the distinct values in declared order. A node is a dict of `counts` and, if it is
split, `attribute`, `prototypes` and `children`.
"""

import math

TIE = 1e-9


def grow(columns, y, C, *, class_mass=False, min_parent=2):
    """The root of the tree of all cases, classes y (codes below C)."""
    cases = [(i, 1.0) for i in range(len(y))]
    return _node(columns, y, C, cases, class_mass, min_parent)


def _node(columns, y, C, cases, class_mass, min_parent):
    counts = [sum(w for i, w in cases if y[i] == c) for c in range(C)]
    node = {"counts": counts, "children": []}
    if max(counts) == sum(counts) or sum(counts) < min_parent:
        return node
    found = [_split(column, y, counts, cases, class_mass) for column in columns]
    scores = [score for score, _, _ in found]
    if max(scores) == -math.inf:
        return node
    best = next(a for a, score in enumerate(scores) if score >= max(scores) - TIE)
    _, prototypes, groups = found[best]
    node["attribute"], node["prototypes"] = best, []
    for value, group in zip(prototypes, groups, strict=True):
        if group:
            node["prototypes"].append(value)
            child = _node(columns, y, C, group, class_mass, min_parent)
            node["children"].append(child)
    return node


def _split(column, y, counts, cases, class_mass):
    """Gain ratio, prototypes and the cases (i, weight) of each."""
    values, distance, *_ = column
    chosen = prototypes(column, y, counts, cases)
    groups = [[] for _ in chosen]
    lost = []
    for i, w in cases:
        if values[i] is None:
            lost.append((i, w))
        else:
            groups[_nearest(values[i], chosen, distance, class_mass)].append((i, w))
    masses = [sum(w for _, w in group) for group in groups]
    for group, mass in zip(groups, masses, strict=True):
        if mass:
            group += [(i, w * mass / sum(masses)) for i, w in lost]
    return _score(groups, y, counts), [value for value, _ in chosen], groups


def prototypes(column, y, counts, cases):
    """(value, mass) of each prototype, the heaviest first; see METHODS' rules 1 and 2."""
    values, distance, *declared = column
    order = declared[0].index if declared else _order
    chosen = []
    for c in sorted(range(len(counts)), key=lambda c: -counts[c]):
        own = [(values[i], w) for i, w in cases if y[i] == c and values[i] is not None]
        if not own:
            continue
        distinct = sorted({value for value, _ in own}, key=order)
        cost = {u: sum(w * distance(u, v) for v, w in own) for u in distinct}
        taken = [value for value, _ in chosen]
        best = _cheapest(distinct, cost)
        if best not in taken:
            chosen.append([best, counts[c]])
        elif free := [u for u in distinct if u not in taken]:
            chosen.append([_cheapest(free, cost), counts[c]])
        else:
            chosen[taken.index(best)][1] += counts[c]
    return sorted(chosen, key=lambda pair: -pair[1])


def _cheapest(values, cost):
    least = min(cost[u] for u in values)
    return next(u for u in values if cost[u] <= least * (1 + TIE))


def _order(value):
    return sorted(value) if isinstance(value, frozenset) else value


def _nearest(value, chosen, distance, class_mass):
    def pull(k):
        far = distance(value, chosen[k][0])
        return far / math.sqrt(chosen[k][1]) if class_mass else far

    pulls = [pull(k) for k in range(len(chosen))]  # of equal ones the first, the heaviest
    return next(k for k, far in enumerate(pulls) if far <= min(pulls) * (1 + TIE))


def _entropy(numbers):
    total = sum(numbers)
    return -sum(n / total * math.log2(n / total) for n in numbers if n > 0)


def _score(groups, y, counts):
    filled = [group for group in groups if group]
    if len(filled) < 2:
        return -math.inf
    sizes = [sum(w for _, w in group) for group in filled]
    within = 0.0
    for group, size in zip(filled, sizes, strict=True):
        of_class = [sum(w for i, w in group if y[i] == c) for c in range(len(counts))]
        within += size / sum(sizes) * _entropy(of_class)
    gain = _entropy(counts) - within
    return gain / _entropy(sizes) if gain > 1e-12 else -math.inf


def probabilities(node, columns, case):
    """The classes' probabilities of one case, a list of values: steps 1 and 2 of the slides."""
    if not node["children"]:
        total = sum(node["counts"]) + len(node["counts"])
        return [(n + 1) / total for n in node["counts"]]
    shares = attraction(node, columns, case)
    below = [probabilities(child, columns, case) for child in node["children"]]
    return [
        sum(p * vector[c] for p, vector in zip(shares, below, strict=True))
        for c in range(len(node["counts"]))
    ]


def attraction(node, columns, case):
    """p of each child: the softmax of ln m - 2 ln d."""
    value, distance = case[node["attribute"]], columns[node["attribute"]][1]
    masses = [sum(child["counts"]) for child in node["children"]]
    if value is None:
        return [m / sum(masses) for m in masses]
    far = [distance(value, prototype) for prototype in node["prototypes"]]
    if min(far) == 0:
        masses = [m if d == 0 else 0 for m, d in zip(masses, far, strict=True)]
        return [m / sum(masses) for m in masses]
    pull = [math.log(m) - 2 * math.log(d) for m, d in zip(masses, far, strict=True)]
    pull = [math.exp(x - max(pull)) for x in pull]
    return [x / sum(pull) for x in pull]
