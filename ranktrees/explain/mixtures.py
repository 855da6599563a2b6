"""What the nodes on a case's way say of it, and with what weight: estimates that differ by case."""

from typing import NamedTuple

import numpy as np

from ranktrees.shrinkage import LOCAL, at_nodes, local_of, weights_by

RAW = "as_published"  # the reading in which shrinkage of WPE is not normalised


class Mixture(NamedTuple):
    """Local estimates and weights (K, C) of the uniform node, the root, ..., the last node.

    `weights` is None where the last node alone counts, and `votes` (C,) what the training cases
    there weigh under WPE, None for other estimates.
    """

    local: np.ndarray
    weights: np.ndarray | None
    votes: np.ndarray | None


def mixture_of(model, case: np.ndarray) -> Mixture | None:
    """The mixture behind a model's probabilities of one case, codes (A,); None if it has none."""
    if model.estimate not in LOCAL:
        return None
    params, counts, tree = dict(model._params()), model.path_counts_, model.tree_
    local = local_of(model.estimate, params.pop("reading", "as_written"))
    end = tree.apply(case[None])
    path = counts.paths[end[0]]
    path = path[path >= 0]
    rows = np.repeat(case[None], len(path), axis=0)
    if model.estimate == "leaf-naive-bayes":
        rows = np.where(tree.settled[path], -1, rows)
    uniform = np.full((1, counts.n_classes), 1 / len(counts.y))
    said = np.concatenate([uniform, at_nodes(counts, local, path, rows)])
    if model.estimate.startswith("shrinkage"):
        return Mixture(said, weights_by(**params)(counts, local, end)[0, : len(said)], None)
    if model.estimate != "wpe":
        return Mixture(said, None, None)
    return Mixture(said, None, at_nodes(counts, _votes, end, case[None])[0])


def _votes(n, left_out, agree, *_):
    """What the cases of a node weigh under WPE, class by class (q, C)."""
    return agree.sum(axis=0) + n


def in_words(model, mixture: Mixture, c: int, name: str, cases: float, p: float) -> str:
    """How the probability p of class c comes about at the last node, of so many cases."""
    said, weights, votes = mixture
    if weights is not None:
        return _mixed(model, weights * said, mixture, c, name, p)
    if votes is None:
        return (
            f'Estimate "{model.estimate}": a naive Bayes of the cases of this node, {cases:g}, '
            f"gives P({name}) = {p:.3f}."
        )
    return (
        f'Estimate "{model.estimate}": each case of this node weighs the number of attributes in '
        f"which it agrees with this one, plus 1; all weigh {votes.sum():g}, those of {name} "
        f"{votes[c]:g}: P({name}) = ({votes[c]:g} + 1/{len(votes)}) / ({votes.sum():g} + 1) = "
        f"{p:.3f}."
    )


def _mixed(model, parts, mixture, c, name, p):
    said, weights, _ = mixture
    terms = zip(weights[:, c], said[:, c], strict=True)
    text = " + ".join(f"{w:.3f} * {q:.3f}" for w, q in terms)
    line = (
        f'Estimate "{model.estimate}": weight times estimate of the uniform node above the root, '
        f"of the root and of each node on the way is {text} = {parts[:, c].sum():.3f} for {name}"
    )
    if model.estimate == "shrinkage+wpe" and model._params().get("reading") == RAW:
        return f"{line}; as published, it is not divided by the sum over all classes."
    return f"{line}; divided by the sum over all classes, {parts.sum():.3f}: P({name}) = {p:.3f}."
