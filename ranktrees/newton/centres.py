"""Centre splitting (Thornton 2000): whole cases go to the nearest centre of a class."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ranktrees.columns import Column
from ranktrees.grow import Proposal
from ranktrees.newton.attributes import Attribute
from ranktrees.newton.measured import Measured
from ranktrees.newton.prototypes import best_values
from ranktrees.newton.tree import PrototypeInfo, PrototypeTree, with_prototypes
from ranktrees.newton.use import CELLS, distinct_values, line_numbers
from ranktrees.tree import Tree

FAR = 2.0**500  # spans: beyond, all centres are as far, and the sum of squares is a number


class NearestCentre:
    """Proposes to send each case to the nearest centre of the classes of its node.

    A centre has in every attribute the mean of the class's numbers, or its prototype. Cases and
    centres are compared by the root of the mean square of the distances, each divided by the
    attribute's span. `found` has the centres of each level's splits (q, A) as numbers and codes.
    """

    def __init__(self, data: Measured, y):
        self.data, self.y, self.found = data, y, []

    def __call__(self, rows, level) -> Proposal:
        """The split of each open node, a leaf where one centre has all cases."""
        cases, node, counts = rows.cases, rows.node, level.counts
        K = int((counts > 0).sum(axis=1).max())
        heaviest = np.argsort(-counts, axis=1, kind="stable")
        rank = np.argsort(heaviest, axis=1)[node, self.y[cases]]
        centre = self._centres(cases, node * K + rank, len(counts) * K)
        far = np.full((K, len(cases)), np.inf)
        for k in range(K):
            here = np.flatnonzero((counts > 0).sum(axis=1)[node] > k)
            far[k, here] = self._squares(cases[here], centre[:, node[here] * K + k])
        slot = far.argmin(axis=0)
        used = np.bincount(node * K + slot, minlength=len(counts) * K).reshape(-1, K) > 0
        split, there = used.sum(axis=1) >= 2, np.arange(K) < (counts > 0).sum(axis=1)[:, None]
        self.found.append(centre[:, (there & split[:, None]).ravel()].T)
        width = np.where(split, there.sum(axis=1), 0)
        return Proposal(np.where(split, 0, -1), width, outcome=slot)

    def _centres(self, cases, place, n_places):
        """(A, S * K) numbers on lines of numbers, else value codes; -1 where there is no class."""
        code = self.data.code.take(cases, axis=1)
        centre = best_values(self.data, code, place, n_places).astype(float)
        size = np.maximum(np.bincount(place, minlength=n_places), 1)
        for a, attribute in enumerate(self.data.attributes):
            if attribute.is_line:
                centre[a] = self.data.numbers(np.array([a]), centre[a].astype(np.intp))
            if attribute.is_numeric and len(attribute):
                share = self.data.line[a][code[a]] / size[place]  # no sum beyond the numbers
                centre[a] = np.bincount(place, share, minlength=n_places)
        return centre

    def _squares(self, cases, centre):
        """Sum (m,) of the squared distances of cases from centres (A, m)."""
        total = np.zeros(len(cases))
        for a, attribute in enumerate(self.data.attributes):
            code, to, span = self.data.code[a, cases], centre[a], self.data.span[a]
            if not span or (code < 0).any():
                continue
            if attribute.is_line:
                far = self.data.line[a][code] - to
            elif attribute.is_nominal:
                far = code != to
            else:
                far = self.data.table[a][code, to.astype(np.intp)]
            total += np.square(far / span)
        return total


def centre_tree(tree: Tree, found: np.ndarray, data: Measured) -> PrototypeTree:
    """A grown tree with its centres (q, A); their values are lists, one value an attribute."""
    prototype, there = np.full(len(tree), -1), tree.child >= 0
    prototype[tree.child[there]] = np.arange(there.sum())
    values = tuple(
        tuple(_value(*pair) for pair in zip(data.attributes, row.tolist(), strict=True))
        for row in found[there]
    )
    schema = (PrototypeInfo("case", "any", values, distance="all attributes"),)
    return with_prototypes(tree, prototype, schema)


def _value(attribute, x):
    if attribute.is_numeric:
        return None if np.isnan(x) else x / attribute.scale
    return attribute.values[int(x)] if x >= 0 else None


class CentreDistances:
    """Distances (T, n) of cases from the centres of a tree's nodes, for some cases at a time."""

    def __init__(self, tree: PrototypeTree, attributes: Sequence[Attribute], span):
        self.tree, self.attributes, self.span = tree, attributes, span
        values = tree.schema[0].values
        self.centres = list(zip(*(values[v] for v in tree.prototype[1:].tolist()), strict=True))

    def shares(self, columns: Sequence[Column], share: Callable) -> Iterator[np.ndarray]:
        """Yield shares (T, n') of cases until all n are done: `share(tree, distances (T, n'))`."""
        n, step = len(columns[0].values), max(1, CELLS // len(self.tree))
        parts = self._parts(columns) if self.centres else []
        for start in range(0, n, step):
            cases = slice(start, start + step)
            total = np.zeros((len(self.tree), min(n, start + step) - start))
            for table, at, scale in parts:
                if scale is None:
                    total[1:] += np.square(table[:, at[cases]])
                else:
                    with np.errstate(over="ignore"):
                        far = np.abs(table - at[cases]) / scale
                    total[1:] += np.square(np.minimum(far, FAR))
            yield share(self.tree, total)

    def _parts(self, columns):
        """What each attribute has to say that differs, and that has a value in training."""
        each = zip(self.attributes, self.span, columns, self.centres, strict=True)
        return [self._part(*one) for one in each if one[1] and one[-1][0] is not None]

    def _part(self, attribute, span, column, values):
        """Numbers of the centres (T - 1, 1), those of the cases (n,) and the span; or a table."""
        if attribute.is_line:
            x = line_numbers(attribute, column)
            return attribute.numbers(values)[:, None], x, span
        distinct, code = distinct_values(column)
        return attribute.between(values, distinct) / span, code, None
