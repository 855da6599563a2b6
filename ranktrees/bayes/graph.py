"""The structure of a belief network: a directed graph without cycles, as {node: its parents}."""

from collections.abc import Iterable, Mapping


def read_parents(parents: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """The parents of every node, parents first; a name that is only a parent becomes a root.

    Raises TypeError for anything but lists of names, ValueError for a repeated parent or a cycle,
    which is named.
    """
    if not isinstance(parents, Mapping):
        raise TypeError(f"parents must be a dict {{node: [parents]}}, not {type(parents).__name__}")
    if not parents:
        raise ValueError("a network needs at least one node: give {node: [parents]}")
    found = {}
    for node, above in parents.items():
        if isinstance(above, str) or not isinstance(above, Iterable):
            raise TypeError(f"the parents of {node!r} must be a list of names, not {above!r}")
        found[node] = list(above)
        if twice := [name for i, name in enumerate(found[node]) if name in found[node][:i]]:
            raise ValueError(f"{node!r} has the parent {twice[0]!r} more than once")
    for name in [name for above in found.values() for name in above]:
        found.setdefault(name, [])
    if wrong := [name for name in found if not isinstance(name, str)]:
        raise TypeError(f"nodes are named by text, but {wrong[0]!r} is a {type(wrong[0]).__name__}")
    return {node: found[node] for node in _parents_first(found)}


def _parents_first(parents):
    """All nodes so that parents stand before children, else in the given order (Kahn 1962)."""
    order, waiting = [], list(parents)
    while waiting:
        ready = [node for node in waiting if all(p in order for p in parents[node])]
        if not ready:
            cycle = " -> ".join(map(repr, _cycle(parents, waiting)))
            raise ValueError(f"the network has a cycle: {cycle}; leave out one of these edges")
        order += ready
        waiting = [node for node in waiting if node not in ready]
    return order


def _cycle(parents, waiting):
    """A cycle, parent before child; every node in `waiting` has a parent there."""
    path = [waiting[0]]
    while path[-1] not in path[:-1]:
        path.append(next(p for p in parents[path[-1]] if p in waiting))
    return path[path.index(path[-1]) :][::-1]


def ancestors(parents: Mapping[str, list[str]], nodes: Iterable[str]) -> list[str]:
    """The nodes and all above them, in the order of `parents`: nothing else bears on them."""
    found, pending = set(), list(nodes)
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += parents[node]
    return [node for node in parents if node in found]
