"""How Newton trees grow: each class's prototype in each attribute, and splits by prototypes.

The prototype of a class is the class's value of lowest mean distance to its cases. The heaviest
class of a node chooses first. A class whose value is taken gets its next-best value; if all are
taken, it merges with the class that has its best one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.criteria.criteria import auc_split, gain_and_information
from ranktrees_engine.growing.grow import Proposal
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.newton.attraction import nearest_slot
from ranktrees_engine.newton.measured import Measured
from ranktrees_engine.newton.tree import PrototypeTree, prototype_info, with_prototypes
from ranktrees_engine.newton.values import Runs, Values, values_of

LEAST_GAIN = 1e-12
PLACES = 9  # decimals of masses: those that differ by rounding alone are equal
CRITERIA = ("gain_ratio", "auc")


def prototypes(values: Values, runs: Runs, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return value codes (A, S, K) of the prototypes, -1 for none, and their masses (A, S, K).

    `mass` (S, K) is the mass of each class of a node, the heaviest first. Prototypes are sorted by
    mass, and by class where masses are equal.
    """
    code = values.choice(runs).reshape(-1, *mass.shape)
    mass = np.where(code >= 0, mass, 0)
    for k in range(1, code.shape[2]):
        same = (code[..., :k] == code[..., k, None]) & (code[..., k, None] >= 0)
        taken = same.any(axis=-1)
        if not taken.any():
            continue
        segments = np.zeros(code.shape, bool)
        segments[..., k] = taken
        left, others = runs.only(segments.ravel()), code[taken]
        free = (left.code[:, None] != others[left.group, :k]).all(axis=1)
        run = values.next_best(left, free, others[:, k])
        code[taken, k] = np.where(run < 0, -1, left.code[run])
        a, s = (taken & (code[..., k] < 0)).nonzero()  # no value is left: the class merges
        mass[a, s, same[a, s].argmax(axis=-1)] += mass[a, s, k]
        mass[a, s, k] = 0
    near = mass.round(PLACES)
    if (near[..., :-1] < near[..., 1:]).any():
        order = np.argsort(-near, axis=-1, kind="stable")
        code, mass = (np.take_along_axis(part, order, axis=-1) for part in (code, mass))
    return code, mass


def own_prototypes(kinds: Sequence[Values], cases, place, n_places: int) -> np.ndarray:
    """Return the code (A, n_places) of the prototype of each place's cases, -1 if it has none."""
    code = np.empty((sum(len(values.members) for values in kinds), n_places), np.intp)
    for values in kinds:
        x = values.code[:, cases]
        runs = Runs.of(x, values.V, place, n_places, np.ones(len(place)))
        code[values.members] = values.choice(runs).reshape(len(x), n_places)
    return code


def whole_prototypes(data: Measured) -> np.ndarray:
    """Return the code (A,) of each whole column's prototype, -1 if the column has no value."""
    cases = np.arange(data.code.shape[1])
    return own_prototypes(values_of(data, len(cases)), cases, np.zeros_like(cases), 1)[:, 0]


class NodesOfClasses(NamedTuple):
    """Cases (m,), their open nodes (m,), and their `place` (m,), node * K + rank of their class.

    `mass` (S, K) is the mass of each class of a node, the heaviest first. If `weight` (m,) is None,
    every case has weight 1.
    """

    cases: np.ndarray
    node: np.ndarray
    place: np.ndarray
    mass: np.ndarray
    weight: np.ndarray | None


class NearestPrototype:
    """Proposer of the attribute, for every open node of a level, whose prototypes divide it best.

    Each attribute gives one split. A case goes to the prototype of least distance / mass ** power:
    the nearest if `power` is 0, the one of greatest attraction mass / distance ** 2 if it is 1/2; a
    tie goes to the heavier. A proposer is used for one growth, and gives cases a `weight` (n,) if
    values are missing. `prototypes` holds, level by level, the value codes of the prototypes of all
    nodes that are split, from the heaviest to the lightest.
    """

    def __init__(self, data: Measured, y, criterion="gain_ratio", power=0.0):
        self.data, self.y, self.criterion, self.power = data, y, criterion, power
        self.weight = np.ones(len(y)) if (data.code < 0).any() else None
        self.kinds, self.prototypes = values_of(data, len(y)), []
        self.kind, self.member = np.zeros((2, len(data.attributes)), np.intp)
        for k, values in enumerate(self.kinds):
            self.kind[values.members], self.member[values.members] = k, np.arange(len(values.code))
        self.order = np.argsort(np.concatenate([values.members for values in self.kinds]))

    def __call__(self, rows, level) -> Proposal:
        """Return the best test of each open node of a level."""
        n_classes = (level.counts > 0).sum(axis=1)
        attribute, outcome = np.full(len(n_classes), -1), np.full(len(rows.cases), -1)
        code = np.full((len(n_classes), n_classes.max()), -1)
        for nodes, inside, node in self._blocks(n_classes, rows.node):
            cases, counts, K = rows.cases[inside], level.counts[nodes], n_classes[nodes].max()
            order = (-counts.round(PLACES)).argsort(axis=1, kind="stable")
            place = node * K + order.argsort(axis=1)[node, self.y[cases]]
            mass = np.take_along_axis(counts, order[:, :K], axis=1)
            weight = None if rows.weight is None else rows.weight[inside]
            some = NodesOfClasses(cases, node, place, mass, weight)
            attribute[nodes], code[nodes, :K], outcome[inside] = self._best(some)
        self.prototypes.append(code[code >= 0])
        return Proposal(attribute, outcome=outcome, width=(code >= 0).sum(axis=1))

    def finish(self, tree: Tree) -> PrototypeTree:
        """Return the grown tree with its prototypes, whose values alone are kept and renumbered."""
        has_node = tree.child >= 0
        prototype, tested = np.full((2, len(tree)), -1)
        codes = np.concatenate([[], *self.prototypes]).astype(np.intp)
        prototype[tree.child[has_node]] = codes[has_node]
        tested[1:], schema = tree.attribute[tree.parent[1:]], []
        for a, attribute in enumerate(self.data.attributes):
            nodes = (tested == a).nonzero()[0]
            kept, prototype[nodes] = np.unique(prototype[nodes], return_inverse=True)
            schema.append(prototype_info(attribute, kept))
        return with_prototypes(tree, prototype, tuple(schema))

    def _blocks(self, n_classes, node):
        """Yield nodes whose tables fit in memory, their cases, and the node number of each case.

        Nodes with similar numbers of classes go together.
        """
        most = max(len(values.members) for values in self.kinds)
        order = np.argsort(-n_classes, kind="stable")
        while len(order):
            nodes = order[next(blocks(len(order), most * n_classes[order[0]] ** 2))]
            if len(nodes) == len(n_classes):
                yield slice(None), slice(None), node
                return
            number = np.full(len(n_classes), -1)
            number[nodes] = np.arange(len(nodes))
            inside = (number[node] >= 0).nonzero()[0]
            yield nodes, inside, number[node[inside]]
            order = order[len(nodes) :]

    def _best(self, level):
        """Return the best attribute (S,), its prototypes' codes (S, K), and case slots (m,)."""
        splits = [self._split(values, level) for values in self.kinds]
        code, mass, score = splits[0]
        if len(splits) > 1:
            parts = zip(*splits, strict=True)
            code, mass, score = (np.concatenate(part)[self.order] for part in parts)
        nodes = np.arange(len(level.mass))
        best = np.where((score > LEAST_GAIN).any(axis=0), first_best(score, axis=0), -1)
        code, mass = np.where(best[:, None] < 0, -1, code[best, nodes]), mass[best, nodes]
        kind = np.where(best < 0, -1, self.kind[best])[level.node]
        slot = np.full(len(level.node), -1)
        for k, values in enumerate(self.kinds):
            here = (kind == k).nonzero()[0]
            node = level.node.take(here)
            attribute = self.member.take(best.take(node))
            x = values.code[attribute, level.cases.take(here)]
            slot[here] = np.where(x < 0, -1, self._nearest(values, attribute, x, node, code, mass))
        return best, code, slot

    def _split(self, values, level):
        """Return prototypes' codes and masses (A, S, K), and the scores (A, S) of the splits."""
        S, K = level.mass.shape
        x = values.code.take(level.cases, axis=1)
        runs = Runs.of(x, values.V, level.place, S * K, level.weight)
        code, mass = prototypes(values, runs, level.mass)
        node = runs.segment // K
        slot = self._nearest(values, node // S, runs.code, node, code, mass)
        place = runs.segment + (node * (K - 1) + slot) * K  # (node * K + slot) * K + rank
        table = np.bincount(place, runs.weight, len(x) * S * K * K).reshape(-1, S, K, K)
        if level.weight is not None:
            return code, mass, self._score(_with_missing(table, x, level))
        return code, mass, self._score(table.astype(np.intp))  # whole: logarithms are looked up

    def _nearest(self, values, attribute, x, node, code, mass):
        """Return the slot (q,) of the prototype to which values x (q,) of attributes (q,) go.

        The prototypes of all nodes have codes and masses (..., K); `node` (q,) says which to use.
        """
        K = code.shape[-1]
        other = np.ascontiguousarray(code.reshape(-1, K).T).take(node, axis=1)
        far = values.distance(attribute, x, other)
        far[other < 0] = np.inf
        if not self.power:
            return nearest_slot(far)
        return nearest_slot(far, mass.reshape(-1, K).T.take(node, axis=1), self.power)

    def _score(self, table):
        """Return gain ratio or AUC (A, S) of tables (A, S, K, K), -inf if one divides nothing."""
        rows = table.sum(axis=-1)
        divides = (rows > 0).sum(axis=-1) >= 2
        if self.criterion == "auc":
            score = gain = _pairwise_auc(table)
        else:
            gain, information = gain_and_information(table, rows)
            score = gain / np.maximum(information, 1e-300)
        return np.where(divides & (gain > LEAST_GAIN), score, -np.inf)


def _with_missing(table, x, level):
    """Add to tables (A, S, K, K) cases without a value in x (A, m), divided as the others are."""
    A, P = len(x), level.mass.size
    a, case = (x < 0).nonzero()
    missing = np.bincount(a * P + level.place[case], level.weight[case], A * P)
    rows = table.sum(axis=-1, keepdims=True)
    total = rows.sum(axis=-2, keepdims=True)
    share = np.divide(rows, total, out=np.zeros(rows.shape), where=total > 0)
    return table + missing.reshape(A, -1, 1, level.mass.shape[1]) * share


def _pairwise_auc(table):
    """Average AUC - 1/2 over pairs of the node's classes (Hand & Till 2001): (A, S)."""
    present = table.any(axis=-2)
    total, pairs = np.zeros((2, *table.shape[:2]))
    for i in range(table.shape[-1]):
        for j in range(i):
            both = present[..., i] & present[..., j]
            total += np.where(both, auc_split(table[..., [j, i]]), 0)
            pairs += both
    return total / np.maximum(pairs, 1)
