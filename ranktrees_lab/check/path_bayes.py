"""Checks of exercises on path Bayes."""

import math

import numpy as np

from ranktrees_lab.check.answers import function, named_first, number, one_name
from ranktrees_lab.check.base import exercise, judge_study, known_set, need, one_number, slip

COPIED = ("root", "purpose")
STUDIED = ("path Bayes", "learnt", "unpruned", "naive Bayes")
MOST = 1000


@exercise("take the four cases one after the other, such as + + - -: 1/2 comes first")
def evidence_of_two_and_two(answer):
    """Evidence of two cases of either class: (1/2 · 3/2)(1/2 · 3/2) / (1 · 2 · 3 · 4) = 9/384."""
    slips = {
        1 / 16: "That is the probability if both shares were known to be 1/2. Here nothing is "
        "known of them, and the cases before say how probable the next one is.",
        0.5625: "That is above the line. Below it stands 1 · 2 · 3 · 4.",
        6 * 9 / 384: "That is for all six orders together. The evidence is of one order.",
        1 / 30: "You began with a whole case of each value. Here each begins with half a case.",
    }
    one_number(answer, 9 / 384, "each class gives 1/2 · 3/2", slips, tol=5e-5)
    return "9/384 = 0.0234, less than with 3 against 1: an even mixture is the hardest to predict."


@exercise("a node is a leaf, or it is cut here, or every child has a pruning of its own")
def prunings_function(answer):
    """A function of a tree: how many prunings it has, 1 + the product over the root's children."""
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
    """Prunings of the subtree of node t; with other arguments, by a usual slip."""
    below = np.flatnonzero(tree.parent == t)
    parts = [number_of_prunings(tree, cut, together, s) for s in below]
    return int(cut + together(parts)) if len(below) else 1


def _trees():
    from ranktrees.models import C45
    from ranktrees_lab.data import load

    sets = {name: load(name) for name in ("contact-lenses", "weather.nominal", "vote")}
    return {name: C45().fit(data.X, data.y).tree_ for name, data in sets.items()}


@exercise("which of both attributes is an end for itself at every case's first node?")
def harmful_copies(answer):
    """Which copies raise path Bayes' log loss more: those of "purpose", which the root leaves."""
    named = one_name(answer, COPIED, f"Answer {' or '.join(map(repr, COPIED))}.")
    why = "Below the root's test every copy of checking_status has one value left: which share do "
    need(named == "purpose", why + "deeper nodes give to it, and can an attribute look there?")
    return "The picture below measures it, and the text says why."


@exercise("rt.cross_validate(model, data)['auc'].mean() for each of the four models")
def learnt_depth_study(answer):
    """A pair (set, {name: mean AUC}) of the models of `STUDIED`, ten folds of seed 1."""
    from ranktrees.models import C44, C45, NaiveBayes

    name, study = named_first(answer, "Give a pair: a set's name and {model: mean AUC}.")
    data = known_set(name, MOST)
    models = C45(estimate="path-bayes"), C45(estimate="path-bayes-em"), C44(estimate="path-bayes")
    models = dict(zip(STUDIED, (*models, NaiveBayes()), strict=True))
    auc = judge_study(study, models, data)
    best = max(auc, key=auc.get)
    return f"On {name} the best of the four is {best}, by one run of ten folds: look at 20 runs."
