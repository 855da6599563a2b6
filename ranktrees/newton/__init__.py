"""Newton trees: attributes of any type, prototypes, and masses that attract (Martinez 2010)."""

from ranktrees.newton.attributes import Attribute
from ranktrees.newton.distances import DISTANCES
from ranktrees.newton.tree import PrototypeInfo, PrototypeTree

__all__ = ["DISTANCES", "Attribute", "PrototypeInfo", "PrototypeTree"]
