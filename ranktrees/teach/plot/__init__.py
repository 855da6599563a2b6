"""Pictures of trees, splits and rankings: each function takes data and returns a `Picture`.

Every one has `figure=None`, a `Picture` to redraw on, and sets `alt`, a sentence computed from what
is drawn.
"""

from ranktrees.teach.plot.attraction import attraction_map
from ranktrees.teach.plot.choices import choices
from ranktrees.teach.plot.citree import citree
from ranktrees.teach.plot.conditionals import conditionals
from ranktrees.teach.plot.critical import critical_difference
from ranktrees.teach.plot.dependence import dependence
from ranktrees.teach.plot.duels import duel
from ranktrees.teach.plot.dumbbells import dumbbells
from ranktrees.teach.plot.factors import factors
from ranktrees.teach.plot.impurities import impurity
from ranktrees.teach.plot.methods import methods
from ranktrees.teach.plot.networks import belief_network
from ranktrees.teach.plot.newton import newton_tree
from ranktrees.teach.plot.operating import operating
from ranktrees.teach.plot.pairs import pairs
from ranktrees.teach.plot.paths import path
from ranktrees.teach.plot.picture import Picture, picture
from ranktrees.teach.plot.published import published
from ranktrees.teach.plot.rankings import gains, ranking, roc
from ranktrees.teach.plot.regions import boundaries
from ranktrees.teach.plot.reliability import calibration
from ranktrees.teach.plot.rounds import rounds
from ranktrees.teach.plot.series import series
from ranktrees.teach.plot.sizes import sizes
from ranktrees.teach.plot.splits import split
from ranktrees.teach.plot.staircase import staircase
from ranktrees.teach.plot.style import COLOURS, class_colours
from ranktrees.teach.plot.tables import table
from ranktrees.teach.plot.trees import tree

__all__ = [
    "COLOURS",
    "Picture",
    "attraction_map",
    "belief_network",
    "boundaries",
    "calibration",
    "choices",
    "citree",
    "class_colours",
    "conditionals",
    "critical_difference",
    "dependence",
    "duel",
    "dumbbells",
    "factors",
    "gains",
    "impurity",
    "methods",
    "newton_tree",
    "operating",
    "pairs",
    "path",
    "picture",
    "published",
    "ranking",
    "roc",
    "rounds",
    "series",
    "sizes",
    "split",
    "staircase",
    "table",
    "tree",
]
