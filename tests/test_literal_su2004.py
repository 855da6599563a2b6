"""The literal CITree and NBTree against numbers worked by hand.

Six cases (a, b, class), dealt to two folds in turn; b is the class itself:

    0: 0 0 -    1: 0 0 -    2: 0 1 +    3: 1 1 +    4: 1 1 +    5: 1 0 -
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from literal_su2004 import (
    best,
    candidate_scores,
    citree,
    cross_validated,
    deal,
    leaf_score,
    leaves,
    log_odds,
    most_probable,
    naive_bayes,
    nbtree,
    pooled,
    predict,
    reduces,
    score,
    setting,
)

SIX = [[0, 0], [0, 0], [0, 1], [1, 1], [1, 1], [1, 0]]
LABEL = [0, 0, 1, 1, 1, 0]
IN_TURN = [0, 1, 0, 1, 0, 1]


def six(min_cases=3, sizes=(2, 2), **how):
    """The six cases, with branches of three cases large enough."""
    return setting(SIX, LABEL, sizes, 2, 2, IN_TURN, IN_TURN, min_cases=min_cases, **how)


def odds(probability):
    """P(+) / P(-) of each case, in the order of the cases."""
    return [p[1] / p[0] for _, p in sorted(probability.items())]


def parity(bits, copies, k=2, **how):
    """All combinations of bits, class their parity, every fold with the same copies of each."""
    rows = [(*row, j % k) for row in product((0, 1), repeat=bits) for j in range(copies)]
    fold = [row[-1] for row in rows]
    X = [row[:-1] for row in rows]
    return setting(X, [sum(row) % 2 for row in X], [2] * bits, 2, k, fold, fold, **how)


def random_setting(seed, **how):
    """Forty cases of three noisy classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (40, 3))
    y = np.where(rng.random(40) < 0.7, (X[:, 0] + X[:, 1]) % 3, rng.integers(0, 3, 40))
    folds = [rng.permutation(40) % 3 for _ in range(2)]
    orders = {"order_1": rng.permutation(40), "order_2": rng.permutation(40)}
    return setting(X, y, [3, 3, 4], 3, 3, *folds, **orders, **how)


def shape(node):
    """Attributes and cases of a tree, without its scores."""
    below = {v: shape(child) for v, child in node["children"].items()}
    return node["attribute"], node["cases"], below


def test_naive_bayes_of_no_case_is_uniform():
    assert naive_bayes(six(), [], [0, 1], [0, 1]) == [F(1, 2), F(1, 2)]


def test_node_as_leaf_by_hand():
    # Fold 0 learns from 1, 3, 5: prior 3/5, 2/5; P(a=0|-) = 2/4, P(b=0|-) = 3/4, P(a=0|+) = 1/3,
    # P(b=0|+) = 1/3. Case 0: (2/5 . 1/3 . 1/3) / (3/5 . 1/2 . 3/4) = (2/45) / (9/40) = 16/81;
    # case 2: (4/45) / (3/40) = 32/27; case 4: (8/45) / (3/40) = 64/27.
    # Fold 1 learns from 0, 2, 4, the same with the signs and the values turned round.
    expected = [F(16, 81), F(27, 64), F(32, 27), F(81, 16), F(64, 27), F(27, 32)]
    assert odds(cross_validated(six(), range(6), [0, 1], 1)) == expected
    assert leaf_score(six(), range(6)) == 1
    own = math.log(F(81 * 64 * 32, 97 * 91 * 59)) / 3
    assert leaf_score(six(scoring="log_loss"), range(6)) == pytest.approx(own, rel=1e-12)


def test_candidate_a_by_hand():
    # a=0, fold 0 learns from case 1 (b=0, -): prior 2/3, 1/3; P(b=0|-) = 2/3, P(b|+) = 1/2.
    # Case 0: (1/6) / (4/9) = 3/8; case 2: (1/6) / (2/9) = 3/4. Fold 1 learns from 0 and 2: 1/2.
    # a=1, fold 0 learns from 3 and 5: case 4: 2. Fold 1 learns from 4: 8/3 and 4/3.
    expected = [F(3, 8), F(1, 2), F(3, 4), F(8, 3), F(2), F(4, 3)]
    assert odds(pooled(six(), range(6), [], 0, 1)) == expected
    # Of nine pairs only (2, 5) is in the wrong order; 2 and 5 are on the wrong side of 1.
    assert candidate_scores(six(), range(6))[0] == F(8, 9)
    assert candidate_scores(six(scoring="accuracy"), range(6))[0] == F(4, 6)


def test_candidate_b_by_hand():
    # b=0 holds - only. Fold 0 learns from 1 and 5: 1/4 . 1/2 over 3/4 . 1/2; fold 1 from 0.
    expected = [F(1, 3), F(3, 8), F(4, 3), F(3), F(8, 3), F(3, 4)]
    assert odds(pooled(six(), range(6), [], 1, 1)) == expected
    assert candidate_scores(six(), range(6))[1] == 1


def test_small_branches_give_ties():
    assert candidate_scores(six(min_cases=4), range(6)) == {0: F(1, 2), 1: F(1, 2)}
    all_first = candidate_scores(six(min_cases=4, scoring="accuracy"), range(6))
    assert all_first == {0: F(1, 2), 1: F(1, 2)}


def test_split_as_good_as_the_leaf_is_removed():
    unpruned = citree(six(), prune=None)
    assert unpruned["attribute"] == 1
    assert unpruned["scores"] == {0: F(8, 9), 1: 1}
    assert [leaf["cases"] for leaf in leaves(unpruned)] == [[0, 1, 5], [2, 3, 4]]
    assert [leaf["leaf_score"] for leaf in leaves(unpruned)] == [None, None]
    pruned = citree(six())
    assert (pruned["attribute"], pruned["split_score_2"], pruned["leaf_score_2"]) == (None, 1, 1)


@pytest.mark.parametrize("prune", ["children", "subtree"])
def test_pruning_looks_at_the_second_folds(prune):
    # In a single fold nothing is left to learn from: every case is tied, split or not.
    s = setting(SIX, LABEL, (2, 2), 2, 2, IN_TURN, [0] * 6, min_cases=3)
    root = citree(s, prune=prune)
    assert (root["scores"][1], root["leaf_score"]) == (1, 1)
    assert (root["split_score_2"], root["leaf_score_2"]) == (F(1, 2), F(1, 2))


def test_nodes_that_are_final():
    unpruned = citree(setting(SIX, LABEL, (2, 2), 2, 2, IN_TURN, min_cases=7), prune=None)
    assert (unpruned["attribute"], unpruned["scores"]) == (None, {})  # fewer than seven
    same = setting([[0, 0]] * 6, LABEL, (2, 2), 2, 2, IN_TURN, min_cases=2)
    assert citree(same, prune=None)["attribute"] is None  # nothing differs
    with pytest.raises(ValueError, match="unknown folds"):
        six(folds="none")


def test_path_attributes_are_no_candidates():
    assert candidate_scores(six(), [0, 1, 2], [1]) == {}
    assert set(candidate_scores(six(), [0, 1, 2])) == {1}  # all have a=0


def test_predict_by_hand():
    s = six(sizes=(2, 3))
    tree = citree(s, prune=None)
    # Leaf b=0: (4/5 . 3/5) against (1/5 . 1/2). The root: P(a=0|-) = 3/5, P(a=0|+) = 2/5, and
    # the value b=2 nobody has is as likely, 1/6, in either class.
    assert predict(s, tree, [0, 0]) == [F(24, 29), F(5, 29)]
    assert predict(s, tree, [-1, 0]) == [F(4, 5), F(1, 5)]
    assert predict(s, tree, [0, -1]) == [F(3, 5), F(2, 5)]
    assert predict(s, tree, [0, 2]) == [F(3, 5), F(2, 5)]
    # Without case 5 the tree goes on below a=0, where b=2 ends: prior 3/5, 2/5, the tested b does
    # take part with 1/5 against 1/4, so 3/25 against 1/10.
    deeper = setting(SIX[:5], LABEL[:5], (2, 3), 2, 2, IN_TURN[:5], min_cases=2)
    tree = citree(deeper, prune=None)
    assert (tree["attribute"], tree["children"][0]["attribute"]) == (0, 1)
    assert predict(deeper, tree, [0, 2]) == [F(6, 11), F(5, 11)]


def test_hand_till_by_hand():
    p = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/3", "1/3", "1/3"], ["1/4", "1/8", "5/8"]]
    s = setting([[0]] * 4, [0, 0, 1, 2], [1], 3, 2, [0] * 4)
    probability = {i: [F(one) for one in row] for i, row in enumerate(p)}
    # (0,1): A(0|1) = 1/2 (case 0 above case 2, case 1 below), A(1|0) = 1/2.
    # (0,2): A(0|2) = 3/4 (case 1 tied with case 3), A(2|0) = 1. (1,2): A(1|2) = 1, A(2|1) = 1.
    assert score(s, probability) == (F(1, 2) + F(7, 8) + 1) / 3
    del probability[2]  # class 1 absent: only the pair (0, 2)
    assert score(s, probability) == F(7, 8)


def test_equal_probabilities_go_to_the_first_class():
    three = setting([[0]], [0], [1], 3, 2, [0])
    assert most_probable(three, [F(1, 5), F(2, 5), F(2, 5)]) == 1
    assert most_probable(six(), [F(1, 2), F(1, 2)]) == 0
    # A difference in the eleventh decimal is a tie, one in the eighth is none.
    assert log_odds([F(1), 1 + F(1, 10**11)]) == 0
    assert most_probable(six(), [F(1), 1 + F(1, 10**8)]) == 1


def test_first_of_tied_attributes():
    assert best({3: 0.5, 1: 0.9, 2: 0.9 + 1e-12}) == 1
    assert best({0: 0.9, 2: 0.9 + 1e-8}) == 2


def test_folds_dealt_anew():
    how = {"folds": "leaf", "order_1": [5, 4, 3, 2, 1, 0], "order_2": range(6)}
    # Class - in the order 5, 1, 0, then + in the order 4, 3, 2; the others' folds do not matter.
    assert deal(six(**how), range(6), 1) == {5: 0, 1: 1, 0: 0, 4: 1, 3: 0, 2: 1}
    assert deal(six(**how), [0, 2, 3, 5], 2) == {0: 0, 5: 1, 2: 0, 3: 1}
    assert deal(six(), [0, 3, 5], 2) == {0: 0, 3: 1, 5: 1}


def test_exclusive_or_is_worth_splitting():
    s = parity(2, 6)
    # Every fold is a copy of the other: no attribute tells anything alone, all cases are tied.
    assert leaf_score(s, range(24)) == F(1, 2)
    assert candidate_scores(s, range(24)) == {0: 1, 1: 1}
    tree = citree(s)
    assert tree["attribute"] == 0
    assert [child["attribute"] for child in tree["children"].values()] == [None, None]
    assert len(leaves(citree(s, prune=None))) == 4


def test_children_stop_where_the_subtree_would_go_on():
    s = parity(3, 4)
    assert citree(s)["attribute"] is None
    deep = citree(s, prune="subtree")
    assert deep["split_score_2"] == 1
    # Two levels decide; splits of the eight cases into four and four give 1/C and go.
    assert [leaf["path"] for leaf in leaves(deep)] == [[0, 1]] * 4


def test_nbtree_needs_cases_and_a_twentieth_of_the_error():
    tree = nbtree(parity(2, 8, scoring="accuracy"))
    assert (tree["leaf_score"], tree["scores"][0], tree["attribute"]) == (F(1, 2), 1, 0)
    assert nbtree(parity(2, 6, scoring="accuracy"))["attribute"] is None
    assert nbtree(parity(2, 6, scoring="accuracy"), min_parent=24)["attribute"] == 0
    assert reduces(F(20, 90), F(19, 90), F(1, 20))
    assert not reduces(F(21, 90), F(20, 90), F(1, 20))
    assert not reduces(F(0), F(0), F(0))


@pytest.mark.parametrize("folds", ["global", "leaf"])
@pytest.mark.parametrize("scoring", ["auc", "accuracy", "log_loss"])
def test_lazy_growth_is_full_growth_cut_back(folds, scoring):
    sizes = set()
    for seed in range(4):
        s = random_setting(seed, folds=folds, scoring=scoring)
        lazy = citree(s)
        assert shape(lazy) == shape(citree(s, lazy=False))
        sizes.add(len(leaves(lazy)))
        for x in s.X:
            assert sum(predict(s, lazy, x)) == 1
    assert max(sizes) > 1
