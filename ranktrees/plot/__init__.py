"""Pictures of trees, splits and rankings: each function takes data and returns a `Picture`.

Every one has `figure=None`, a `Picture` to redraw on, and sets `alt`, a sentence computed from what
is drawn.
"""

from ranktrees.plot.attraction import attraction_map
from ranktrees.plot.choices import choices
from ranktrees.plot.citree import citree
from ranktrees.plot.conditionals import conditionals
from ranktrees.plot.critical import critical_difference
from ranktrees.plot.dependence import dependence
from ranktrees.plot.duels import duel
from ranktrees.plot.dumbbells import dumbbells
from ranktrees.plot.factors import factors
from ranktrees.plot.impurities import impurity
from ranktrees.plot.methods import methods
from ranktrees.plot.networks import belief_network
from ranktrees.plot.newton import newton_tree
from ranktrees.plot.operating import operating
from ranktrees.plot.pairs import pairs
from ranktrees.plot.paths import path
from ranktrees.plot.picture import Picture, picture
from ranktrees.plot.published import published
from ranktrees.plot.rankings import gains, ranking, roc
from ranktrees.plot.regions import boundaries
from ranktrees.plot.reliability import calibration
from ranktrees.plot.rounds import rounds
from ranktrees.plot.series import series
from ranktrees.plot.sizes import sizes
from ranktrees.plot.splits import split
from ranktrees.plot.staircase import staircase
from ranktrees.plot.style import COLOURS, class_colours
from ranktrees.plot.tables import table
from ranktrees.plot.trees import tree

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
