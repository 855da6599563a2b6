"""DIW, WPE and their combination worked out by hand, with every number on the way.

Six cases (a, b, class), root and leaf "a = 0" with three of them:

    x1 0 0 +    x2 0 0 +    x3 0 1 -    x4 1 0 -    x5 1 1 -    x6 1 1 -
"""

from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest
from strategies import by_estimate, schema_of

from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.estimates.shrinkage import (
    along_path,
    class_share,
    diw_weights,
    full_share,
    similarity,
)
from ranktrees_engine.growing.tree import Tree

X = np.array([[0, 0], [0, 0], [0, 1], [1, 0], [1, 1], [1, 1]])
Y = np.array([0, 0, 1, 1, 1, 1])
TREE = Tree(
    parent=np.array([-1, 0, 0]),
    attribute=np.array([0, -1, -1]),
    cut=np.full(3, -1),
    child=np.array([1, 2]),
    offset=np.array([0, 2, 2, 2]),
    counts=np.array([[2, 4], [2, 1], [0, 3]]),
    schema=schema_of((2, 2)),
    classes=("+", "-"),
)
COUNTS = PathCounts(TREE, X, Y)
LEAF = np.array([1])
UNIFORM = [F(1, 6), F(1, 6)]  # P of each class at the uniform node: 1 / |D_1|

# Eq. 1. x1 out: root (1, 4) of 5, leaf (1, 1) of 2; x3 out: root (2, 3) of 5, leaf (2, 0) of 2.
X1 = [UNIFORM, [F(3, 2) / 6, F(9, 2) / 6], [F(3, 2) / 3, F(3, 2) / 3]]
X3 = [UNIFORM, [F(5, 2) / 6, F(7, 2) / 6], [F(5, 2) / 3, F(1, 2) / 3]]
# Eq. 6, the class being one more attribute. x1 out: at the leaf x2 weighs 3 + 1, x3 1 + 1; at the
# root x2 4, x3 2, x4 2, x5 1, x6 1. x3 out: at the leaf x1 and x2 weigh 1 + 1; at the root x1 2,
# x2 2, x4 1 + 1, x5 2 + 1, x6 2 + 1.
LABEL_X1 = [UNIFORM, [F(9, 2) / 11, F(13, 2) / 11], [F(9, 2) / 7, F(5, 2) / 7]]
LABEL_X3 = [UNIFORM, [F(9, 2) / 13, F(17, 2) / 13], [F(9, 2) / 5, F(1, 2) / 5]]
# Without the class x1 loses a match with x2, and x3 one with each of x4, x5, x6.
PLAIN_X1 = [UNIFORM, [F(7, 2) / 10, F(13, 2) / 10], [F(7, 2) / 6, F(5, 2) / 6]]
PLAIN_X3 = [UNIFORM, [F(9, 2) / 10, F(11, 2) / 10], [F(9, 2) / 5, F(1, 2) / 5]]


def numbers(rows):
    return np.array([[float(one) for one in row] for row in rows])


def left_out(local):
    """What uniform node, root and leaf say of x1, x2, x3, each left out: (3 cases, 3 nodes, 2)."""
    return along_path(COUNTS, local, np.repeat(LEAF, 3), X[:3], Y[:3])


def by_hand(said, votes=(1, 1, 1)):
    """Eqs. 3 and 4 in fractions, once round from equal weights: (3 nodes, 2 classes)."""
    weights = []
    for c in range(2):
        beta = [F(0)] * 3
        for rows, times in zip(said, votes, strict=True):
            total = sum(row[c] for row in rows)
            beta = [b + times * row[c] / total for b, row in zip(beta, rows, strict=True)]
        assert sum(beta) == sum(votes)  # each case hands out one share in all
        weights.append([b / sum(beta) for b in beta])
    return list(zip(*weights, strict=True))


class TestShrinkage:
    def test_step_3(self):
        assert X1[1:] == [[F(1, 4), F(3, 4)], [F(1, 2), F(1, 2)]]
        assert X3[1:] == [[F(5, 12), F(7, 12)], [F(5, 6), F(1, 6)]]
        found = left_out(class_share)
        for case, said in enumerate((X1, X1, X3)):
            assert found[case] == pytest.approx(numbers(said), abs=1e-15)

    def test_steps_4_to_6(self):
        """Class +: x1 and x2 give 2/11, 3/11, 6/11 each, x3 gives 2/17, 5/17, 10/17."""
        weights = by_hand((X1, X1, X3))
        assert [w[0] for w in weights] == [F(90, 561), F(157, 561), F(314, 561)]
        assert [w[1] for w in weights] == [F(78, 561), F(317, 561), F(166, 561)]
        found = diw_weights(COUNTS, class_share, LEAF)[0]
        assert found == pytest.approx(numbers(weights), abs=1e-15)

    def test_equation_2(self):
        """A new case is told by all six: root (2.5, 4.5)/7, leaf (2.5, 1.5)/4."""
        plus = F(90, 561) * F(1, 6) + F(157, 561) * F(5, 14) + F(314, 561) * F(5, 8)
        minus = F(78, 561) * F(1, 6) + F(317, 561) * F(9, 14) + F(166, 561) * F(3, 8)
        assert round(float(plus), 4) == 0.4765
        assert round(float(minus), 4) == 0.4974
        found = by_estimate("shrinkage", TREE, X, Y, np.array([[0, 0], [0, 1], [0, -1]]))
        want = numbers([[plus / (plus + minus), minus / (plus + minus)]])
        assert found == pytest.approx(np.repeat(want, 3, axis=0), abs=1e-15)

    def test_as_published_nothing_is_left_out(self):
        said = [UNIFORM, [F(5, 14), F(9, 14)], [F(5, 8), F(3, 8)]]
        assert left_out(full_share)[0] == pytest.approx(numbers(said))
        weights = by_hand((said,) * 3)
        assert weights[0][0] == F(1, 6) / (F(1, 6) + F(5, 14) + F(5, 8)) == F(28, 193)
        found = diw_weights(COUNTS, full_share, LEAF)[0]
        assert found == pytest.approx(numbers(weights), abs=1e-15)


class TestSimilarity:
    def test_similarities_count_for_one_more(self):
        """(0, 0) agrees with x1, x2, x3 in 2, 2, 1 attributes: 3 + 3 against 2."""
        found = by_estimate("wpe", TREE, X, Y, np.array([[0, 0], [0, 1], [0, -1]]))
        want = [[F(13, 2) / 9, F(5, 2) / 9], [F(9, 2) / 8, F(7, 2) / 8], [F(9, 2) / 7, F(5, 2) / 7]]
        assert found == pytest.approx(numbers(want), abs=1e-15)

    @pytest.mark.parametrize("label", [True, False])
    def test_step_3(self, label):
        x1, x3 = (LABEL_X1, LABEL_X3) if label else (PLAIN_X1, PLAIN_X3)
        found = left_out(partial(similarity, compare_class=label))
        for case, said in enumerate((x1, x1, x3)):
            assert found[case] == pytest.approx(numbers(said), abs=1e-15)

    def test_all_three_readings(self):
        """(0, 0) meets the root's weights x1..x6 3, 3, 2, 2, 1, 1 and the leaf's 3, 3, 2."""
        here = [UNIFORM, [F(13, 2) / 13, F(13, 2) / 13], [F(13, 2) / 9, F(5, 2) / 9]]
        for reading, x1, x3 in [
            ("as_written", LABEL_X1, LABEL_X3),
            ("as_published", LABEL_X1, LABEL_X3),
            ("consistent", PLAIN_X1, PLAIN_X3),
        ]:
            weights = by_hand((x1, x1, x3))
            mixed = [sum(w[c] * p[c] for w, p in zip(weights, here, strict=True)) for c in (0, 1)]
            total = 1 if reading == "as_published" else sum(mixed)
            found = by_estimate("shrinkage+wpe", TREE, X, Y, np.array([[0, 0]]), reading=reading)
            assert found == pytest.approx(numbers([[m / total for m in mixed]]), abs=1e-15)
