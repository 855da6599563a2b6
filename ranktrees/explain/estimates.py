"""What the nodes on a case's way say of it, and how its estimate comes about, in numbers."""

import numpy as np

from ranktrees.shrinkage import CASEWISE, LOCAL, at_nodes, local_of, weights_by


def nodes_say(model, nodes: np.ndarray, case: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Estimates (K, C) of the nodes (K,) on the way of a case, codes (A,), and their weights.

    With shrinkage the uniform node stands before the root; no weights, None, for other estimates.
    """
    if model.estimate not in LOCAL:
        return model.node_proba_[nodes], None
    tree, counts, params = model.tree_, model.path_counts_, dict(model._params())
    local, rows = local_of(model.estimate, params.pop("reading", "as_written")), case[None]
    settled = tree.settled[nodes] & (model.estimate == "leaf-naive-bayes")
    said = at_nodes(counts, local, nodes, np.where(settled, -1, rows))
    if not model.estimate.startswith("shrinkage"):
        return said, None
    said = np.concatenate([np.full_like(said[:1], 1 / len(counts.y)), said])
    return said, weights_by(**params)(counts, local, nodes[-1:])[0, : len(said)]


def in_words(model, nodes: np.ndarray, case: np.ndarray, said, weights, c: int, p: float) -> str:
    """How the probability p of class c comes about at the last node."""
    name = model.tree_.class_name(c)
    start, say = f'Estimate "{model.estimate}"', f"P({name})"
    if weights is not None:
        return f"{start}: {_mixture(model, said, weights, c, name, p)}"
    if model.estimate == "wpe":
        return f"{start}: {_votes(model, nodes[-1:], case, c, name)} = {p:.3f}."
    if model.estimate in LOCAL:
        cases = model.tree_.counts[nodes[-1]].sum()
        return (
            f"{start}: a naive Bayes of the cases of this node, {cases:g}, gives {say} = {p:.3f}."
        )
    own = said[-1, c]
    if model.estimate in CASEWISE:
        alone = f"where this node alone says {own:.3f}"
        return f"{start} looks at the whole case: {say} = {p:.3f}, {alone}."
    if formula := _formula(model, nodes[-1], c):
        return f"{start}: {say} = {formula} = {own:.3f}."
    steps = ", ".join(f"{share:.3f}" for share in said[:, c])
    return f"{start}: {say} from the root down is {steps}."


def _mixture(model, said, weights, c, name, p):
    parts = weights * said
    terms = zip(weights[:, c], said[:, c], strict=True)
    text = " + ".join(f"{weight:.3f} * {share:.3f}" for weight, share in terms)
    line = (
        "weight times estimate of the uniform node above the root, of the root and of each node on "
        f"the way is {text} = {parts[:, c].sum():.3f} for {name}"
    )
    published = model._params().get("reading") == "as_published"
    if published and model.estimate == "shrinkage+wpe":
        return f"{line}; as published, it is not divided by the sum over all classes."
    return f"{line}; divided by the sum over all classes, {parts.sum():.3f}: P({name}) = {p:.3f}."


def _votes(model, end, case, c, name):
    """WPE as what each class's cases at the last node weigh."""
    votes = at_nodes(
        model.path_counts_, lambda n, _, agree, *__: agree.sum(axis=0) + n, end, case[None]
    )[0]
    return (
        "each case of this node weighs the number of attributes in which it agrees with this one, "
        f"plus 1; all weigh {votes.sum():g}, those of {name} {votes[c]:g}: "
        f"P({name}) = ({votes[c]:g} + 1/{len(votes)}) / ({votes.sum():g} + 1)"
    )


def _formula(model, t, c):
    """The estimate of class c at node t as a formula in numbers, "" for one of many nodes."""
    counts, params = model.tree_.counts, model._params()
    n, N = counts[t, c], counts[t].sum()
    if model.estimate == "frequency":
        return f"{n:g} / {N:g}"
    if model.estimate == "m":
        m = params.get("m", 2)
        return f"({n:g} + {m:g} * {counts[0, c] / counts[0].sum():.3f}) / ({N:g} + {m:g})"
    if model.estimate != "laplace":
        return ""
    if params.get("classes") != "parent":
        return f"({n:g} + 1) / ({N:g} + {counts.shape[1]})"
    if not model.tree_.is_leaf[t]:
        return f"1 / {np.count_nonzero(counts[t])}"
    parent = counts[max(int(model.tree_.parent[t]), 0)]
    return f"({n:g} + 1) / ({N:g} + {np.count_nonzero(parent)})"
