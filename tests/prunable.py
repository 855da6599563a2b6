"""Trees to prune, worked out by hand or grown on noise, shared by the tests of pruning."""

from itertools import product

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.schema import AttributeInfo

SEEDS = st.integers(0, 2**31)
ARRAYS = ("parent", "attribute", "cut", "child", "offset", "counts")


def hand_tree():
    """a0 at the root; a1 below its first value: errors 7 -> 3 + 1 -> (1 + 2) + 1."""
    return Tree(
        parent=np.array([-1, 0, 0, 1, 1]),
        attribute=np.array([0, 1, -1, -1, -1]),
        cut=np.full(5, -1),
        child=np.array([1, 2, 3, 4]),
        offset=np.array([0, 2, 4, 4, 4, 4]),
        counts=np.array([[9, 7], [8, 3], [1, 4], [6, 1], [2, 2]]),
        schema=schema_of((2, 2)),
        classes=("no", "yes"),
    )


def stump(one, two):
    """A root with two leaves of these class counts."""
    counts = np.array([np.add(one, two), one, two])
    none, leaf = np.full(3, -1), np.array([0, -1, -1])
    offset, parent = np.array([0, 2, 2, 2]), np.array([-1, 0, 0])
    return Tree(parent, leaf, none, np.array([1, 2]), offset, counts, schema_of((2,)), (0, 1))


def twin():
    """A root over two inner nodes of two leaves each."""
    return Tree(
        parent=np.array([-1, 0, 0, 1, 1, 2, 2]),
        attribute=np.array([0, 1, 1, -1, -1, -1, -1]),
        cut=np.full(7, -1),
        child=np.arange(1, 7),
        offset=np.array([0, 2, 4, 6, 6, 6, 6, 6]),
        counts=np.array([[8, 8], [4, 4], [4, 4], [3, 1], [1, 3], [2, 2], [2, 2]]),
        schema=schema_of((2, 2)),
        classes=(0, 1),
    )


def grown(seed, split="multiway", n=80, sizes=(3, 4, 2, 5), **params):
    codes, y = coded(seed, n=n, sizes=sizes, noise=0.4)
    model = rt.DecisionTree("gini", split, **params).fit(codes, pd.Categorical(y, [0, 1, 2]))
    return model.tree_, codes.values, y


def prunings(tree, t=0):
    """Every set of nodes that can be leaves: the leaf sets of all pruned subtrees of node t."""
    yield (t,)
    below = np.unique(tree.child[tree.offset[t] : tree.offset[t + 1]])
    below = below[below >= 0]
    if len(below):
        for parts in product(*(list(prunings(tree, int(c))) for c in below)):
            yield tuple(node for part in parts for node in part)


def check_sound(tree):
    """What `Tree` promises of its arrays."""
    row = np.repeat(np.arange(len(tree)), np.diff(tree.offset))
    taken = tree.child >= 0
    assert np.array_equal(tree.parent[tree.child[taken]], row[taken])
    assert np.all(tree.parent[1:] < np.arange(1, len(tree)))
    assert np.all(np.diff(tree.parent) >= 0), "breadth first"
    assert np.unique(tree.child[taken]).tolist() == list(range(1, len(tree)))
    assert np.all(np.diff(tree.offset)[tree.is_leaf] == 0)
    assert np.all(tree.cut[tree.is_leaf] == -1)
    assert tree.counts.any(axis=1).all()
    inner = ~tree.is_leaf
    total = np.zeros_like(tree.counts)
    np.add.at(total, tree.parent[1:], tree.counts[1:])
    assert np.array_equal(total[inner], tree.counts[inner])


def same(one, two):
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in ARRAYS)


def nested(small, large):
    """Every node of the small tree is one of the large, by its path and counts."""
    known = {(n.path, tuple(n.counts)) for n in large.nodes()}
    return {(n.path, tuple(n.counts)) for n in small.nodes()} <= known


def errors_of(tree, codes, y):
    """Cases (n, A) whose class (n,) is not the majority where they end."""
    return (tree.counts.argmax(axis=1)[tree.apply(codes)] != y).sum()


def chain(n):
    """A tree of n tests, x <= 0.5, x <= 1.5, ..., each with a leaf, of alternating classes."""
    T = 2 * n + 1
    t = np.arange(T)
    inner = (t % 2 == 0) & (t < 2 * n)
    parent = np.where(t > 0, (t - 1) // 2 * 2, -1)
    counts = np.zeros((T, 2), int)
    counts[~inner, (t[~inner] // 2) % 2] = 1
    for node in t[:0:-1]:
        counts[parent[node]] += counts[node]
    info = AttributeInfo("x", "numeric", (), tuple(np.arange(n) + 0.5))
    cut = np.where(inner, t // 2, -1)
    offset = np.append(0, np.cumsum(2 * inner))
    return Tree(parent, np.where(inner, 0, -1), cut, t[1:], offset, counts, (info,), ("a", "b"))


def assert_same_tree(one, other):
    for name in ARRAYS:
        mine, its = getattr(one, name), getattr(other, name)
        assert np.array_equal(mine, its), name
        assert mine.dtype.kind == its.dtype.kind == "i", name
        assert not mine.flags.writeable, name
    assert (one.schema, one.classes) == (other.schema, other.classes)
