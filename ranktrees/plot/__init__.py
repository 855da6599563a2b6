"""Pictures of trees, splits and rankings: each function takes data and returns a `Picture`.

Every one has `figure=None`, a `Picture` to redraw on, and sets `alt`, a sentence computed from what
is drawn.
"""

from ranktrees.plot.impurities import impurity
from ranktrees.plot.picture import Picture, picture
from ranktrees.plot.rankings import gains, ranking, roc
from ranktrees.plot.regions import boundaries
from ranktrees.plot.splits import split
from ranktrees.plot.style import COLOURS, class_colours
from ranktrees.plot.tables import table
from ranktrees.plot.trees import tree

__all__ = [
    "COLOURS",
    "Picture",
    "boundaries",
    "class_colours",
    "gains",
    "impurity",
    "picture",
    "ranking",
    "roc",
    "split",
    "table",
    "tree",
]
