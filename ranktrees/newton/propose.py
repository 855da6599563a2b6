"""The proposer of Newton trees: each attribute's split by prototypes, the best for each node."""

import numpy as np

from ranktrees.criteria import auc_split, gain_and_information
from ranktrees.grow import Proposal
from ranktrees.newton.counted import MOST, Counted, with_lost
from ranktrees.newton.measured import Measured
from ranktrees.newton.prototypes import find_prototypes

LEAST_GAIN = 1e-12
TIE = 1e-9  # the first attribute so near to the best wins
CELLS = 1 << 20  # of the tables of the nodes that are looked at together
SMALL = 1 << 14  # so few are looked at together, even where many of them are empty
CRITERIA = ("gain_ratio", "auc")


class NearestPrototype:
    """Proposes, for every open node of a level, the attribute whose prototypes divide it best.

    The number of splits to evaluate is the number of attributes. A case goes to the nearest
    prototype; with `power`, to the one of least distance / mass ** power, which for 1/2 is the
    greatest attraction mass / distance ** 2 of the slides. Of equal ones the heavier has it. One
    proposer serves one growth: `found` has, level by level, the value codes of the prototypes of
    all nodes that are split, from the heaviest to the lightest.
    """

    def __init__(self, data: Measured, y, criterion="gain_ratio", power=0.0):
        self.data, self.y, self.criterion, self.power = data, y, criterion, power
        nominal = np.array([attribute.is_nominal for attribute in data.attributes])
        kind = np.where(nominal & (data.sizes <= MOST), 0, np.where(data.on_line, 1, 2))
        self.members = [at for at in ((kind == k).nonzero()[0] for k in range(3)) if len(at)]
        self.parts = [
            Counted(data, at) if kind[at[0]] == 0 else Compared(data.only(at), power)
            for at in self.members
        ]
        self.order = np.argsort(np.concatenate(self.members))
        self.part, self.local = np.zeros((2, len(kind)), np.intp)
        for p, at in enumerate(self.members):
            self.part[at], self.local[at] = p, np.arange(len(at))
        self.width = max([0, *(part.width for part in self.parts if isinstance(part, Counted))])
        self.found = []

    def __call__(self, rows, level) -> Proposal:
        """The best test of each open node of a level."""
        cases, node, counts, weight = rows.cases, rows.node, level.counts, rows.weight
        S, most = len(counts), int((counts > 0).sum(axis=1).max())
        attribute, width, outcome = np.full(S, -1), np.zeros(S, np.intp), np.full(len(cases), -1)
        code = np.full((S, most), -1)
        for nodes in self._blocks(counts):
            inside, local = slice(None), node
            if len(nodes) < S:
                number = np.full(S, -1)
                number[nodes] = np.arange(len(nodes))
                inside = np.flatnonzero(number[node] >= 0)
                local = number[node[inside]]
            mine = None if weight is None else weight[inside]
            best, chosen, slot = self._best(cases[inside], local, counts[nodes], mine)
            attribute[nodes], outcome[inside] = best, slot
            width[nodes] = (chosen >= 0).sum(axis=1)
            code[nodes, : chosen.shape[1]] = chosen
        split = attribute >= 0
        self.found.append(code[split][code[split] >= 0])
        return Proposal(attribute, outcome=outcome, width=width)

    def _blocks(self, counts):
        """Nodes of alike numbers of classes go together, as `CELLS` allows; where few, all do."""
        K = (counts > 0).sum(axis=1)
        cells = len(self.part) * K * np.maximum(K, self.width)
        if len(K) * cells.max() <= (CELLS if K.max() <= 2 * K.min() else SMALL):
            yield np.arange(len(K))
            return
        order = np.argsort(K, kind="stable")
        while len(order):
            take = cells[order] * np.arange(1, len(order) + 1) <= CELLS
            take &= 2 * K[order[0]] >= K[order]
            take[0] = True
            yield np.sort(order[take])
            order = order[~take]

    def _best(self, cases, node, counts, weight):
        """Best attribute (S,), its prototypes' codes (S, K), and the slot (m,) of each case."""
        K = int((counts > 0).sum(axis=1).max())
        heaviest = np.argsort(-counts, axis=1, kind="stable")
        rank = np.argsort(heaviest, axis=1)[node, self.y[cases]]
        mass = counts[np.arange(len(counts))[:, None], heaviest[:, :K]]
        code, tables, slots = zip(
            *(part(cases, node, rank, mass, weight) for part in self.parts), strict=True
        )
        score = self._score(self._all(tables), mass)
        top = score.max(axis=0)
        best = np.where(top > LEAST_GAIN, (score >= top - TIE).argmax(axis=0), -1)
        chosen = self._all(code)[best, np.arange(len(best))]
        chosen[best < 0] = -1
        return best, chosen, self._slots(best[node], chosen, slots)

    def _all(self, parts):
        """What the parts have of their attributes, in the order of all attributes."""
        return parts[0] if len(parts) == 1 else np.concatenate(parts)[self.order]

    def _slots(self, best, chosen, slots):
        """The slot (m,) of each case in its node's best attribute (m,)."""
        if len(slots) == 1:
            return slots[0](slice(None), best, chosen)
        found = np.full(len(best), -1)
        for p, of in enumerate(slots):
            at = ((best >= 0) & (self.part[best] == p)).nonzero()[0]
            found[at] = of(at, self.local[best[at]], chosen)
        return found

    def _score(self, tables, mass):
        """(A, S) gain ratio or AUC of tables (A, S, K, K), -inf where they divide nothing."""
        rows = tables.sum(axis=-1)
        divides = (rows > 0).sum(axis=-1) >= 2
        if self.criterion == "auc":
            score = _pairwise_auc(tables)
            return np.where(divides & (score > LEAST_GAIN), score, -np.inf)
        gain, information = gain_and_information(tables, rows)
        ratio = gain / np.maximum(information, 1e-300)
        return np.where(divides & (gain > LEAST_GAIN), ratio, -np.inf)


class Compared:
    """The splits of attributes on lines, or of others with distances; see `NearestPrototype`."""

    def __init__(self, data: Measured, power: float):
        self.data, self.power = data, power
        self.lines = np.flatnonzero(data.on_line)
        self.numbers = data.numbers(self.lines[:, None], data.code[self.lines])

    def __call__(self, cases, node, rank, mass, weight):
        """Prototypes' codes (A, S, K), tables (A, S, K, K), and which slot has which case."""
        S, K = mass.shape
        codes = self.data.code.take(cases, axis=1)
        prototypes = find_prototypes(self.data, codes, node * K + rank, mass, weight)
        slot = self._nearest(prototypes, cases, codes, node)
        tables = _tables(slot, node, rank, S, K, weight)

        def slots(at, attribute, chosen):
            return slot[attribute, np.arange(len(node))[at]]

        return prototypes.code, tables, slots

    def _nearest(self, prototypes, cases, codes, node):
        """The slot (A, m) of the prototype that has each case, -1 where its value is missing."""
        slot = np.zeros(codes.shape, np.intp)
        heavy = None
        if self.power:
            with np.errstate(over="ignore"):  # a heavy one has all, as in the limit
                heavy = prototypes.mass.astype(float) ** self.power
        if len(self.lines):
            slot[self.lines] = self._on_lines(prototypes.code, heavy, cases, node)
        for a in np.flatnonzero(~self.data.on_line):
            table = self.data.table[a]
            if table is None:
                for k in range(1, prototypes.code.shape[2]):
                    slot[a][codes[a] == prototypes.code[a, node, k]] = k
            else:
                to = prototypes.code[a][node]
                far = np.where(to >= 0, table[codes[a][:, None], to], np.inf)
                far = _lighter(far, heavy[a][node]) if self.power else far
                slot[a] = far.argmin(axis=1)
        slot[codes < 0] = -1
        return slot

    def _on_lines(self, code, heavy, cases, node):
        """The nearest slot (A', m) in the attributes on lines, one slot after the other."""
        number = self.data.numbers(self.lines[:, None, None], code[self.lines])
        x = self.numbers.take(cases, axis=1)
        slot = np.zeros(x.shape, np.intp)
        for k in range(code.shape[2]):
            far = number[..., k].take(node, axis=1)
            far -= x
            np.abs(far, out=far)
            if self.power:
                far = _lighter(far, heavy[self.lines, :, k].take(node, axis=1))
            if not k:
                least = far
                continue
            nearer = far < least  # never so where there is no such prototype, which is NaN
            np.copyto(slot, k, where=nearer)
            if k < code.shape[2] - 1:
                np.fmin(least, far, out=least)
        return slot


def _lighter(far, heavy):
    """Distances divided by the prototypes' masses, which may be 0 or beyond all numbers."""
    with np.errstate(over="ignore"):
        return far / np.maximum(heavy, 1e-300)


def _tables(slot, node, rank, S, K, weight):
    """(A, S, K, K) what each slot has of each class; missing values by the mass of the others."""
    A = len(slot)
    place = (np.arange(A)[:, None] * S + node) * K
    place += slot
    place *= K
    place += rank
    if weight is None:
        return np.bincount(place.ravel(), minlength=A * S * K * K).reshape(A, S, K, K)
    known, weight = slot >= 0, np.broadcast_to(weight, slot.shape)
    size = A * S * K * K
    tables = np.bincount(place[known], weight[known], minlength=size).reshape(A, S, K, K)
    lost = (np.arange(A)[:, None] * S + node) * K + rank
    lost = np.bincount(lost[~known], weight[~known], minlength=A * S * K).reshape(A, S, 1, K)
    return with_lost(tables, lost)


def _pairwise_auc(tables):
    """The mean over pairs of the node's classes of AUC - 1/2 (Hand & Till 2001): (A, S)."""
    present = tables.any(axis=-2)
    total, pairs = np.zeros((2, *tables.shape[:2]))
    for i in range(tables.shape[-1]):
        for j in range(i):
            both = present[..., i] & present[..., j]
            total += np.where(both, auc_split(tables[..., [j, i]]), 0)
            pairs += both
    return total / np.maximum(pairs, 1)
