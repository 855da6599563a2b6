"""Newton trees: attributes of any type, prototypes, and masses that attract (Martinez 2010)."""

from ranktrees_engine.newton.attributes import Attribute
from ranktrees_engine.newton.distances import DISTANCES
from ranktrees_engine.newton.tree import PrototypeInfo, PrototypeTree

__all__ = ["DISTANCES", "Attribute", "PrototypeInfo", "PrototypeTree"]
