"""Structures of belief networks: directed graphs without cycles, as {node: its parents}.

Any structure can be given; for classification there are naive Bayes and TAN, which adds a tree.
"""

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_list, check_name, check_text
from ranktrees_engine.basics.ties import TIE, first_best
from ranktrees_engine.bayes.tables import rows_of
from ranktrees_engine.criteria.criteria import xlog2x
from ranktrees_engine.growing.count import offsets_of, tally
from ranktrees_engine.reading.columns import Column, read_columns
from ranktrees_engine.reading.frames import as_pandas, refuse_twice


def read_parents(parents: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return every node's parents, parents first; a name that is only a parent becomes a root.

    Raises TypeError for anything but lists of names, and ValueError, which names it, for a repeated
    parent or a cycle.
    """
    if not isinstance(parents, Mapping):
        raise TypeError(f"parents must be a dict {{node: [parents]}}, not {type(parents).__name__}")
    if not parents:
        raise ValueError("a network needs at least one node: give {node: [parents]}")
    network = {}
    for node, above in parents.items():
        if isinstance(above, str) or not isinstance(above, Iterable):
            raise TypeError(f"the parents of {node!r} must be a list of names, not {above!r}")
        network[node] = above = list(above)
        refuse_twice(above, f"{node!r} has the parent", "more than once")
    for name in [name for above in network.values() for name in above]:
        network.setdefault(name, [])
    if wrong := [name for name in network if not isinstance(name, str)]:
        raise TypeError(
            f"nodes are named by text, but {wrong[0]!r} is of type {type(wrong[0]).__name__}"
        )
    return {node: network[node] for node in _parents_first(network)}


def _parents_first(parents):
    """Order the nodes so that parents come before children, else as given (Kahn 1962)."""
    order, place, sorter = [], list(parents).index, TopologicalSorter(parents)
    try:
        sorter.prepare()
    except CycleError as error:
        cycle = " -> ".join(map(repr, error.args[1]))
        raise ValueError(
            f"the network has a cycle: {cycle}; leave out one of these edges"
        ) from error
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=place)
        order += ready
        sorter.done(*ready)
    return order


def ancestors(parents: Mapping[str, list[str]], nodes: Iterable[str]) -> list[str]:
    """Return the nodes and all above them, on which alone they depend, in `parents`' order."""
    above = set(nodes)
    for node in reversed(parents):  # children before their parents
        if node in above:
            above.update(parents[node])
    return [node for node in parents if node in above]


def naive_bayes_structure(target: str, attributes: Iterable[str]) -> dict[str, list[str]]:
    """Make the class `target` the only parent of every attribute."""
    check_text(target=target)
    attributes = as_list("attributes", attributes)
    if wrong := [name for name in attributes if not isinstance(name, str)]:
        raise TypeError(f"attributes must be names, as text, not {wrong[0]!r:.80}")
    if target in attributes:
        raise ValueError(f"the class {target!r} is among the attributes: leave it out there")
    return {target: [], **{name: [target] for name in attributes}}


def tan_structure(frame: pd.DataFrame, target: str) -> dict[str, list[str]]:
    """Learn a tree-augmented naive Bayes (Friedman, Geiger & Goldszmidt 1997, section 4).

    Each attribute but the first has one attribute as a parent besides the class: the tree with the
    largest sum of conditional mutual information (Chow & Liu 1968); the first one in a tie.
    """
    information = conditional_mutual_information(frame, target)
    names = list(information.columns)
    parents = naive_bayes_structure(target, names)
    for child, parent in enumerate(_widest_tree(information.to_numpy())):
        if parent >= 0:
            parents[names[child]].append(names[parent])
    return parents


def _widest_tree(weight):
    """Return parents (A,) in the maximum spanning tree from node 0, whose parent is -1."""
    best, parent = weight[0].copy(), np.zeros(len(weight), int)
    outside = np.arange(len(weight)) > 0
    parent[0] = -1
    while outside.any():  # Prim: the outside node with the heaviest edge to the tree
        new = int(first_best(np.where(outside, best, -np.inf)))
        outside[new] = False
        closer = outside & (weight[new] > best + TIE)
        best, parent = np.where(closer, weight[new], best), np.where(closer, new, parent)
    return parent


def conditional_mutual_information(frame: pd.DataFrame, target: str) -> pd.DataFrame:
    """Return I(X; Y | class) in bits of each pair of attributes, A x A, 0 on the diagonal.

    The sum of P(x, y, c) log2 P(x, y | c) / (P(x | c) P(y | c)); shares of the cases in which
    both attributes and the class are known.
    """
    check_name("target", target)
    frame = check_frame(frame, [target], "class")
    if frame.shape[1] < 2:
        raise ValueError(f"the data hold nothing but the class {target!r}")
    codes, states = nominal_codes(read_columns(frame))
    y, C = codes.pop(target), len(states.pop(target))
    names, values = list(codes), np.stack(list(codes.values()), axis=1)[y >= 0]
    offsets = offsets_of([len(known) for known in states.values()])
    A, V = len(names), np.diff(offsets)
    cells = (offsets[-1] + 1) * C  # of the tables value x class of all attributes, and of gaps
    cell = rows_of(values, offsets) * C + y[y >= 0, None]
    bits = np.zeros((A, A))
    for a in range(A):
        code = np.where(values[:, a] < 0, V[a], values[:, a])
        tables = tally((V[a] + 1, cells), code[:, None], cell)[:-1].reshape(V[a], -1, C)
        bits[a] = _information(tables[:, :-1], offsets)
    np.fill_diagonal(bits, 0)
    return pd.DataFrame(bits, names, names)


def _information(n, offsets):
    """Return I(X; Y | class) (A,) of tables (V, M, C): X by rows, all Y end to end by columns."""
    first = offsets[:-1]
    n_y = n.sum(axis=0)  # (M, C)
    n_x = np.add.reduceat(n, first, axis=1)  # (V, A, C)
    n_c = n_x.sum(axis=0)  # (A, C)
    cells = np.add.reduceat(xlog2x(n).sum(axis=(0, 2)), first)
    of_y = np.add.reduceat(xlog2x(n_y).sum(axis=1), first)
    of_x, of_c = xlog2x(n_x).sum(axis=(0, 2)), xlog2x(n_c).sum(axis=1)
    bits = (cells - of_x - of_y + of_c) / np.maximum(n_c.sum(axis=1), 1)
    return np.where(bits > 1e-12, bits, 0.0)  # rounding must not decide between independent ones


def check_frame(frame, needed: Iterable[str] = (), what: str = "node") -> pd.DataFrame:
    """Return cases in pandas; TypeError unless a frame, ValueError if it lacks a column."""
    frame = as_pandas(frame)
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"cases must be a DataFrame whose columns are nodes, not {type(frame).__name__}"
        )
    if lacking := [name for name in needed if name not in frame.columns]:
        raise ValueError(f"the data have no column for the {what} {lacking[0]!r}")
    return frame


def nominal_codes(columns: list[Column]) -> tuple[dict, dict]:
    """Return codes (n,) and values of nominal columns, by name; ValueError names one of numbers."""
    for column in columns:
        if column.kind == "numeric":
            raise ValueError(
                f"column {column.name!r} holds numbers, but a network needs categories: bin them "
                "first, as rt.prepare does"
            )
    codes = {column.name: column.values.astype(np.intp) for column in columns}
    return codes, {column.name: column.categories.tolist() for column in columns}
