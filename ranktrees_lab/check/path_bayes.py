"""Checks of exercises on path Bayes."""

import math

import numpy as np

from ranktrees_lab.check.answers import function, number, one_name
from ranktrees_lab.check.base import exercise, need, slip

COPIED = ("root", "purpose")


@exercise("a node is a leaf, or it is cut here, or every child has a pruning of its own")
def prunings_function(answer):
    """Check a function that counts a tree's prunings: 1 + the product over the root's children."""
    answer = function(answer)
    for name, tree in _trees().items():
        right, yours = number_of_prunings(tree), number(answer(tree))
        here = f"The tree of {name} has {right} prunings, not {yours:g}. "
        uncut, added = number_of_prunings(tree, 0), number_of_prunings(tree, 1, sum)
        why = {
            uncut: "Each node may also be cut, leaf or not: one more than the product.",
            2 ** int((~tree.is_leaf).sum()): "Where a node is cut, nothing below it can be chosen.",
            added: "Children choose on their own: their numbers are multiplied.",
        }
        slip(yours == right or yours not in why, here + why.get(yours, ""))
        need(yours == right, f"{here}Begin with a leaf, which has one.")
    return "1 for a leaf; else 1 for the cut, and the product of the children's numbers."


def number_of_prunings(tree, cut=1, together=math.prod, t=0):
    """Count the prunings of the subtree of node t; with other arguments, by a usual slip."""
    below = np.flatnonzero(tree.parent == t)
    parts = [number_of_prunings(tree, cut, together, s) for s in below]
    return int(cut + together(parts)) if len(below) else 1


def _trees():
    from ranktrees_engine.models import C45
    from ranktrees_lab.data import load

    sets = {name: load(name) for name in ("contact-lenses", "weather.nominal", "vote")}
    return {name: C45().fit(data.X, data.y).tree_ for name, data in sets.items()}


@exercise("which of both attributes is an end for itself at every case's first node?")
def harmful_copies(answer):
    """Check which copies raise path Bayes' log loss more: of "purpose", which the root leaves."""
    named = one_name(answer, COPIED, f"Answer {' or '.join(map(repr, COPIED))}.")
    why = "Below the root's test every copy of checking_status has one value left: which share do "
    need(named == "purpose", why + "deeper nodes give to it, and can an attribute look there?")
    return (
        "Below the root's test a copy of checking_status has one value left. There its share is "
        "nearly 1 for every class, so it changes little. Copies of purpose count in full."
    )
