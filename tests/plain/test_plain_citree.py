"""The plain CITree and NBTree against numbers worked by hand.

Six cases (a, b, class), dealt to two folds in turn; b is the class itself:

    0: 0 0 -    1: 0 0 -    2: 0 1 +    3: 1 1 +    4: 1 1 +    5: 1 0 -
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from oracles import pruned_by_subtrees

from ranktrees.plain.bayes import leaf_naive_bayes
from ranktrees.plain.citree import citree, grow, nbtree
from ranktrees.plain.citree_scores import Search, branches, cross_validated, deal, pooled_score
from ranktrees.plain.tree import Cases

SIX = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [1, 1], [1, 0]])
LABEL = np.array([0, 0, 1, 1, 1, 0])
ALL = np.arange(6)


def six(min_cases=3, sizes=(2, 2), X=SIX, y=LABEL, choosing=ALL, pruning=ALL, **how):
    """The six cases, with branches of three cases large enough; a case keeps its fold."""
    how = {"inner_folds": 2, "min_cases": min_cases, **how}
    return Search(X, y, np.array(sizes), 2, choosing, pruning, **how)


def parity(bits, copies, **how):
    """All combinations of bits, class their parity, both folds with the same copies of each."""
    rows = np.array([(*row, j % 2) for row in product((0, 1), repeat=bits) for j in range(copies)])
    X, fold = rows[:, :-1], rows[:, -1]
    return Search(X, X.sum(axis=1) % 2, np.full(bits, 2), 2, fold, fold, inner_folds=2, **how)


def pooled(s, a):
    """P(+) / P(-) of each case after a split on attribute a, in the order of the cases."""
    odds = np.zeros(6)
    for rows, path in branches(s, ALL, [], a):
        proba = cross_validated(s, rows, path, s.choosing)
        odds[rows] = proba[:, 1] / proba[:, 0]
    return odds.tolist()


def close(expected):
    return pytest.approx([float(one) for one in expected], rel=1e-12)


def score_of(s, a):
    return pooled_score(s, branches(s, np.arange(len(s.y)), [], a), s.choosing)


def unpruned(s):
    return grow(s, np.arange(len(s.y)), [], lambda *_: True)


def probabilities(root, s, cases):
    """P(+) of cases by the leaves' naive Bayes."""
    return leaf_naive_bayes(root, Cases(s.X, s.y, s.sizes, s.C), np.array(cases))[:, 1]


def test_candidate_a_by_hand():
    # a=0, fold 0 learns from case 1 (b=0, -): prior 2/3, 1/3; P(b=0|-) = 2/3, P(b|+) = 1/2.
    # Case 0: (1/6) / (4/9) = 3/8; case 2: (1/6) / (2/9) = 3/4. Fold 1 learns from 0 and 2: 1/2.
    # a=1, fold 0 learns from 3 and 5: case 4: 2. Fold 1 learns from 4: 8/3 and 4/3.
    assert pooled(six(), 0) == close([F(3, 8), F(1, 2), F(3, 4), F(8, 3), F(2), F(4, 3)])
    # Of nine pairs only (2, 5) is in the wrong order; 2 and 5 are on the wrong side of 1.
    assert score_of(six(), 0) == pytest.approx(8 / 9)
    assert score_of(six(scoring="accuracy"), 0) == pytest.approx(4 / 6)
    # P(own class): 8/11, 2/3, 3/7 and the same again.
    log_loss = math.log(F(8, 11) * F(2, 3) * F(3, 7)) / 3
    assert score_of(six(scoring="log_loss"), 0) == pytest.approx(log_loss)


def test_a_split_as_good_as_the_leaf_is_removed():
    root = unpruned(six())
    assert root.attribute == 1
    assert [leaf.counts.tolist() for leaf in root.leaves()] == [[3, 0], [0, 3]]
    assert citree(six()).is_leaf


@pytest.mark.parametrize(
    "pruned",
    [citree, lambda s: citree(s, lazy=False), lambda s: pruned_by_subtrees(s, unpruned(s))],
    ids=["lazy", "grown first", "subtrees"],
)
def test_pruning_looks_at_the_second_folds(pruned):
    # In a single fold nothing is left to learn from: every case is tied, split or not. If that is
    # so in the second deal, the split goes; in the first deal alone it does no harm.
    s = six(pruning=2 * ALL)
    assert pooled_score(s, branches(s, ALL, [], 1), s.pruning) == 0.5
    assert pooled_score(s, [(ALL, [])], s.pruning) == 0.5
    assert pruned(s).is_leaf
    s = parity(2, 6)._replace(choosing=np.zeros(24, int))
    assert pruned(s).attribute == 0


def test_predictions_by_hand():
    s = six(sizes=(2, 3))
    root = unpruned(s)
    # Leaf b=0: (4/5 . 3/5) against (1/5 . 1/2). The root: P(a=0|-) = 3/5, P(a=0|+) = 2/5, and
    # the value b=2 nobody has is as likely, 1/6, in either class.
    cases = [[0, 0], [-1, 0], [0, -1], [0, 2]]
    assert probabilities(root, s, cases) == close([F(5, 29), F(1, 5), F(2, 5), F(2, 5)])
    # Without case 5 the tree goes on below a=0, where b=2 ends: prior 3/5, 2/5, the tested b does
    # take part with 1/5 against 1/4, so 3/25 against 1/10.
    s = six(min_cases=2, sizes=(2, 3), X=SIX[:5], y=LABEL[:5])
    root = unpruned(s)
    assert (root.attribute, root.branches[0].attribute) == (0, 1)
    assert probabilities(root, s, [[0, 2]]) == close([F(5, 11)])


def test_folds_dealt_anew_in_each_leaf():
    # Class - in the order 5, 1, 0, then + in the order 4, 3, 2; in the second deal by number.
    s = six(folds="leaf")
    first, second = np.array([2, 1, 5, 4, 3, 0]), np.array([0, 1, 3, 4, 5, 2])
    assert deal(s, ALL, first).tolist() == [0, 1, 1, 0, 1, 0]
    assert deal(s, np.array([0, 2, 3, 5]), second).tolist() == [0, 0, 1, 1]
    assert deal(six(), np.array([0, 3, 5]), ALL).tolist() == [0, 1, 1]


def test_exclusive_or_is_worth_splitting_for_children_alone():
    s = parity(2, 6)
    # Either fold is a copy of the other: no attribute tells anything alone, all cases are tied.
    assert pooled_score(s, [(np.arange(24), [])], s.choosing) == 0.5
    assert [score_of(s, 0), score_of(s, 1)] == [1, 1]
    assert [node.attribute for node in citree(s).nodes()] == [0, -1, -1]  # the first of equals
    s = parity(3, 4)
    assert citree(s).is_leaf
    # Two levels decide; splits of the eight cases into four and four give 1/C and go.
    deep = pruned_by_subtrees(s, unpruned(s))
    assert [node.attribute for node in deep.nodes()] == [0, 1, 1, -1, -1, -1, -1]


def test_nbtree_needs_cases_and_a_share_of_the_error():
    assert nbtree(parity(2, 8), min_reduction=1).attribute == 0  # from 1/2 to 0
    assert nbtree(parity(2, 6)).is_leaf  # 24 cases
    assert nbtree(parity(2, 6), min_parent=24).attribute == 0
    s = parity(1, 40, scoring="accuracy")
    assert pooled_score(s, [(np.arange(80), [])], s.choosing) == 1
    assert nbtree(s, min_reduction=0).is_leaf  # there is no error to reduce
