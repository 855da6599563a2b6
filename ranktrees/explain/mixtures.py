"""What the nodes on a case's way say of it, and with what weight: estimates that differ by case."""

from typing import NamedTuple

import numpy as np

from ranktrees.casewise import LOCAL, local_of, path_of

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
    params = dict(model._params())
    counts = model.path_counts_
    local = local_of(model.estimate, counts, params.pop("reading", "as_written"))
    said, weights = path_of(local, case, **params)
    if model.estimate.startswith("shrinkage"):
        return Mixture(said, weights, None)
    if model.estimate != "wpe":
        return Mixture(said, None, None)
    end, cells = model.tree_.apply(case[None]), counts.cells_of(case[None])
    return Mixture(said, None, (counts.matches(end, cells) + model.tree_.counts[end])[0])


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
