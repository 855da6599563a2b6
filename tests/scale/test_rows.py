"""Growing knows its cases by three methods: rows that count from batches grow the same trees."""

import numpy as np
import pytest
from oracles import quietly
from prunable import assert_same_tree
from strategies import coded

import ranktrees as rt
from ranktrees.growing.best import BestAttribute, split_kind
from ranktrees.growing.forest import TrainingSets
from ranktrees.growing.grow import Stop, grow
from ranktrees.growing.rows import Cases
from ranktrees.growing.tree import outcome_of


class Batches:
    """Rows that keep no case: batches are read anew, each case sent down a route from its root.

    As files are read, larger than memory: for each level only the tests and where they lead stay.
    """

    def __init__(self, codes, y, n_classes, size):
        self.codes, self.y, self.C, self.size = codes, y, n_classes, size
        self.route, self.scans = [], 0

    def read(self):
        """Each batch's codes, classes, and open nodes (m,), -1 for cases that are in a leaf."""
        self.scans += 1
        for start in range(0, len(self.y), self.size):
            X, y = (part[start : start + self.size] for part in (self.codes, self.y))
            node = np.zeros(len(y), np.intp)
            for tests, number in self.route:
                node = self.below(X, node, tests, number)
            yield X[node >= 0], y[node >= 0], node[node >= 0]

    def below(self, X, node, tests, number):
        """The open node (m,) of the next level to which each case goes."""
        if tests is None:
            return number[node]
        attribute = np.where(node < 0, -1, tests.attribute[node])
        code = X[np.arange(len(X)), attribute].astype(np.intp)
        outcome = code if tests.cut is None else outcome_of(code, tests.cut[node])
        if tests.branch is not None:
            branch = tests.branch[node, code]
            outcome = np.where(branch >= 0, branch, outcome)
        place = np.where(attribute < 0, -1, tests.start[node] + outcome)
        return np.append(number, -1)[place]

    def counts(self):
        """Class counts (1, C) of the root."""
        return sum(np.bincount(y, minlength=self.C) for _, y, _ in self.read())[None]

    def tables(self, level, groups):
        """One block of all nodes, batch by batch added up."""
        S = len(level.counts)
        sizes = [int(self.sizes[members].max()) for members in groups]
        totals = [np.zeros((S, len(m), V, self.C), int) for m, V in zip(groups, sizes, strict=True)]
        for X, y, node in self.read():
            for total, members in zip(totals, groups, strict=True):
                for j, a in enumerate(members):
                    np.add.at(total, (node, j, X[:, a], y), 1)
        yield np.arange(S), totals

    @property
    def sizes(self):
        return self.codes.max(axis=0).astype(int) + 1

    def send(self, tests, number):
        """Nothing moves: the route is one step longer."""
        self.route.append((tests, number))


@pytest.mark.parametrize("criterion", ["gini", "gain_ratio"])
@pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
@pytest.mark.parametrize("limits", [{}, {"max_depth": 2}, {"significance": 0.2}])
def test_batches_grow_the_tree_of_memory(criterion, split, limits):
    kinds = ["nominal", "numeric", "ordinal", "nominal"]
    codes, y = coded(4, n=300, sizes=(3, 90, 6, 4), classes=3, kinds=kinds)
    rules = [split_kind(info, split, "thresholds") for info in codes.schema]
    sizes, n_cases = codes.sizes[None], np.array([len(y)])
    wide = BestAttribute(sizes, n_cases, rules, criterion, wide=255)
    memory = BestAttribute(sizes, n_cases, rules, criterion)
    batches = Batches(codes.values, y, 3, size=70)
    from_files = grow(batches, wide, "abc", Stop(**limits))
    assert_same_tree(
        from_files, grow(Cases(TrainingSets.single(codes, y), 3), wide, "abc", Stop(**limits))
    )
    assert_same_tree(
        from_files, grow(Cases(TrainingSets.single(codes, y), 3), memory, "abc", Stop(**limits))
    )
    assert batches.scans <= from_files.depth + 2, "one scan for the root, one per level"
    assert len(from_files) > 5


def test_a_real_set_from_batches():
    data = rt.load("credit-g")
    codes = quietly(rt.Encoder().fit_transform, data.X)
    model = rt.DecisionTree(criterion="gain_ratio").fit(codes, data.y)
    y = model.training_[1]
    rules = [split_kind(info, "multiway") for info in codes.schema]
    propose = BestAttribute(codes.sizes[None], np.array([len(y)]), rules, "gain_ratio")
    tree = grow(Batches(codes.values, y, 2, size=128), propose, data.y.categories)
    for name in ("parent", "attribute", "child", "counts"):
        assert np.array_equal(getattr(tree, name), getattr(model.tree_, name)), name
