"""The tree of prototypes: a `Tree` in which each node has a value of its parent's test."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.newton.attributes import Attribute, ascending
from ranktrees_engine.reading.schema import AttributeInfo, number

CENTRES = "all attributes"  # the distance of centres, whose values are those of all together


@dataclass(frozen=True)
class PrototypeInfo(AttributeInfo):
    """An attribute of a Newton tree: code v stands for values[v], the prototypes' values.

    `distance` is its distance in words.
    """

    distance: str = ""

    @property
    def size(self) -> int:
        """Number of values that are prototypes."""
        return len(self.values)

    def describe(self, codes: ArrayLike) -> str:
        """Describe the branch of the prototype with this code: `nearest to 1.4`."""
        return "nearest to " + " or ".join(value_text(self.values[c]) for c in codes)


@dataclass(frozen=True, eq=False, repr=False)
class PrototypeTree(Tree):
    """A tree whose tests are distances: a case is drawn to the prototypes of a node's children.

    `prototype` (T,) is the code of each node's value in the attribute of its parent, -1 at the
    root. `child` holds the prototypes' nodes from the heaviest class down, -1 where no training
    case was nearest.
    """

    of_prototypes = True
    prototype: np.ndarray = field(default_factory=lambda: np.array([-1]))

    def __post_init__(self):
        super().__post_init__()
        self.prototype.setflags(write=False)
        sizes = np.array([info.size for info in self.schema], int)
        if self.prototype.shape != self.parent.shape or self.prototype[0] != -1:
            raise ValueError("a tree of prototypes needs one for each node but the root")
        if (self.prototype[1:] < 0).any() or (self.prototype[1:] >= sizes[self.tested[1:]]).any():
            raise ValueError("a node's prototype is none of the values of its parent's attribute")

    @cached_property
    def tested(self) -> np.ndarray:
        """Attribute (T,) in which each node is compared with its siblings, -1 at the root."""
        return np.append(-1, self.attribute[self.parent[1:]])

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """Condition, in words, that leads to each node from its parent; empty at the root."""
        pairs = zip(self.tested[1:].tolist(), self.prototype[1:].tolist(), strict=True)
        return ("", *(self.schema[a].describe([v]) for a, v in pairs))

    @cached_property
    def mass(self) -> np.ndarray:
        """Training cases (T,) of each node."""
        return self.counts.sum(axis=1).astype(float)

    @cached_property
    def n_children(self) -> np.ndarray:
        """Number of children (T,) of each node."""
        return np.bincount(self.parent[1:], minlength=len(self))

    @cached_property
    def first_child(self) -> np.ndarray:
        """First child (T,) of each node; the others follow it."""
        return 1 + np.cumsum(self.n_children) - self.n_children

    def families(self, nodes: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield, for each K, positions (F,) in `nodes` (q,) of nodes with K children, and these.

        Children are in the order of their prototypes.
        """
        sizes = self.n_children[nodes]
        for K in sorted({*sizes.tolist()} - {0}):
            places = (sizes == K).nonzero()[0]
            yield places, self.first_child[nodes[places]] + np.arange(K)[:, None]

    def value(self, t: int) -> object:
        """Return the value of node t; None at the root."""
        return None if t == 0 else self.schema[self.tested[t]].values[self.prototype[t]]

    def known(self, A: int) -> list[tuple]:
        """Return the values of nodes in each of A attributes, with their centres or alone."""
        centres = self.schema[0].values if self.schema[0].distance == CENTRES else None
        if centres is None:
            return [info.values for info in self.schema]
        return [*zip(*centres, strict=True)] or [()] * A  # a leaf alone has none

    def n_outcomes(self) -> np.ndarray:
        """Return the number of prototypes (T,) of each node's test."""
        return np.where(self.attribute < 0, 0, np.diff(self.offset))

    def branches_of(self, t: int) -> np.ndarray:
        """Return the child id of each prototype of node t."""
        return self.child[self.offset[t] : self.offset[t + 1]]

    def apply(self, codes: np.ndarray) -> np.ndarray:
        """Raise TypeError: only the model has the distances to compare values."""
        raise TypeError("a tree of prototypes has no codes to apply: use the model's apply(X)")


def with_prototypes(tree: Tree, prototype: np.ndarray, schema: tuple) -> PrototypeTree:
    """Return a tree with the fields of a tree of prototypes."""
    names = [each.name for each in fields(Tree)]
    parts = {name: getattr(tree, name) for name in names}
    return PrototypeTree(**parts | {"schema": schema, "prototype": prototype})


def prototype_info(attribute: Attribute, codes: np.ndarray) -> PrototypeInfo:
    """Return what a tree keeps of an attribute: these codes' values, and the distance in words."""
    values, distance = attribute.values, attribute.distance
    values = values[codes].tolist() if attribute.kind == "numeric" else [values[v] for v in codes]
    if isinstance(distance, tuple):
        words = f"{distance[0]} {distance[1]:g}"
    elif callable(distance):
        words = getattr(distance, "__name__", "function")
    else:
        words = distance if isinstance(distance, str) else "precomputed"
    return PrototypeInfo(attribute.name, attribute.kind, tuple(values), distance=words)


def value_text(value) -> str:
    """Format a value: numbers in six digits, sets in braces, sequences in brackets."""
    if isinstance(value, bool | np.bool_):
        return str(value)
    if isinstance(value, int | float | np.number):
        return number(float(value))
    if isinstance(value, frozenset):
        return "{" + ", ".join(map(value_text, ascending(value))) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return str(value)
