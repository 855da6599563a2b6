"""Centre splitting (Thornton 2000): whole cases go to the nearest centre of a class."""

from collections.abc import Sequence

import numpy as np

from ranktrees_engine.growing.grow import Proposal
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.newton.attraction import nearest_slot
from ranktrees_engine.newton.attributes import Attribute
from ranktrees_engine.newton.measured import Measured, distinct_values, line_numbers
from ranktrees_engine.newton.prototypes import own_prototypes
from ranktrees_engine.newton.tree import CENTRES, PrototypeInfo, PrototypeTree, with_prototypes
from ranktrees_engine.newton.values import values_of


class NearestCentre:
    """Proposer that sends each case to the nearest centre of the classes of its node.

    In every attribute a centre has the mean of the class's numbers, or the class's prototype. Cases
    and centres are compared by the root of the mean square of the distances, each divided by the
    attribute's span. `centres` has those of each level's splits (q, A) as numbers and codes.
    """

    weight = None  # missing values are filled in, so no case is divided

    def __init__(self, data: Measured, y):
        self.data, self.y, self.centres = data, y, []
        self.kinds = values_of(data, len(y))

    def __call__(self, rows, level) -> Proposal:
        """Return the split of each open node; a node becomes a leaf if one centre has all cases."""
        cases, node, counts = rows.cases, rows.node, level.counts
        present = (counts > 0).sum(axis=1)
        K = int(present.max())
        heaviest = np.argsort(-counts, axis=1, kind="stable")
        place = node * K + np.argsort(heaviest, axis=1)[node, self.y[cases]]
        centre = self._centres(cases, place, len(counts) * K)
        far = np.full((K, len(cases)), np.inf)
        for k in range(K):
            here = (present[node] > k).nonzero()[0]
            far[k, here] = self._squares(cases[here], centre[:, node[here] * K + k])
        slot = nearest_slot(far)
        used = np.bincount(node * K + slot, minlength=len(counts) * K).reshape(-1, K) > 0
        split, is_class = used.sum(axis=1) >= 2, np.arange(K) < present[:, None]
        self.centres.append(centre[:, (is_class & split[:, None]).ravel()].T)
        width = np.where(split, present, 0)
        return Proposal(np.where(split, 0, -1), width, outcome=slot)

    def finish(self, tree: Tree) -> PrototypeTree:
        """Return the grown tree with its centres, each a tuple of one value per attribute."""
        prototype, has_node = np.full(len(tree), -1), tree.child >= 0
        prototype[tree.child[has_node]] = np.arange(has_node.sum())
        centres = np.concatenate([np.empty((0, len(self.data.code))), *self.centres])[has_node]
        values = tuple(
            tuple(map(_value, self.data.attributes, centre)) for centre in centres.tolist()
        )
        schema = (PrototypeInfo("case", "any", values, distance=CENTRES),)
        return with_prototypes(tree, prototype, schema)

    def _centres(self, cases, place, n_places):
        """Return (A, S * K) numbers on lines of numbers, else codes; -1 if a class is absent."""
        data, size = self.data, np.maximum(np.bincount(place, minlength=n_places), 1)
        centre = own_prototypes(self.kinds, cases, place, n_places).astype(float)
        for a, line in enumerate(data.line):
            if line is None:
                continue
            if not len(line):
                centre[a] = np.nan
            elif data.attributes[a].kind == "numeric":
                share = line[data.code[a, cases]] / size[place]  # no sum beyond the numbers
                centre[a] = np.bincount(place, share, n_places)
            else:
                centre[a] = line[centre[a].astype(np.intp)]
        return centre

    def _squares(self, cases, centre):
        """Sum the squared distances of cases from centres (A, m): (m,)."""
        data, total = self.data, np.zeros(len(cases))
        for a in data.span.nonzero()[0]:
            code = data.code[a, cases]
            if data.line[a] is not None:
                far = data.line[a][code] - centre[a]
            elif data.table[a] is not None:
                far = data.table[a][code, centre[a].astype(np.intp)]
            else:
                far = code != centre[a]
            total += np.square(far / data.span[a])
        return total


def _value(attribute, x):
    if attribute.kind == "numeric":
        return None if np.isnan(x) else x
    return attribute.values[int(x)] if x >= 0 else None


class CentreAttraction:
    """The attraction of cases, given as columns, by the centres of a tree's nodes.

    Each attribute's distance is divided by its `span` (A,); an attribute of span 0 is left out.
    """

    def __init__(self, tree: PrototypeTree, attributes: Sequence[Attribute], columns, share, span):
        self.mass, self.share, values = tree.mass, share, tree.schema[0].values
        centres = zip(*(values[v] for v in tree.prototype[1:].tolist()), strict=True)
        each = zip(attributes, columns, span, centres, strict=False)  # a leaf alone has no centres
        self.parts = [_part(*one) for one in each if one[2] and one[3][0] is not None]

    def __call__(self, child: np.ndarray, cases) -> np.ndarray:
        """Return shares (K, F, m) of F groups of K siblings (K, F) for cases, a slice or (m,)."""
        with np.errstate(over="ignore"):  # a case infinitely far from all goes to the heaviest
            far = sum(np.square(part(child - 1, cases)) for part in self.parts)
        return self.share(far, self.mass[child][..., None])


def _part(attribute, column, span, values):
    """Return a function for the distances, in spans, of a column from the centres' values."""
    if attribute.is_line:
        number, x = attribute.numbers(values), line_numbers(attribute, column)
        return lambda node, cases: np.abs(x[cases] - number[node][..., None]) / span
    distinct, code = distinct_values(column)
    with np.errstate(over="ignore"):  # as above
        table = attribute.between(values, distinct) / span
    return lambda node, cases: table[node][..., code[cases]]
