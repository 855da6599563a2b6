"""Pictures of trees, splits and rankings: each function takes data and returns a `Picture`.

Every one has `figure=None`, a `Picture` to redraw on, and sets `alt`, a sentence computed from what
is drawn.
"""

from ranktrees.teach.plot.bayes import belief_network, citree
from ranktrees.teach.plot.cases import conditionals, factors, path
from ranktrees.teach.plot.comparisons import differences, dumbbells, methods, published, strips
from ranktrees.teach.plot.dependence import choices, dependence
from ranktrees.teach.plot.growth import bins, growing, lens
from ranktrees.teach.plot.numbers import impurity, series, sizes, table
from ranktrees.teach.plot.operating import operating
from ranktrees.teach.plot.paths import explanation, path_bayes
from ranktrees.teach.plot.picture import Picture, picture
from ranktrees.teach.plot.planes import attraction_map, boundaries
from ranktrees.teach.plot.rankings import calibration, gains, pairs, ranking, roc, staircase
from ranktrees.teach.plot.scale import traffic
from ranktrees.teach.plot.splits import split
from ranktrees.teach.plot.style import COLOURS, class_colours
from ranktrees.teach.plot.trees import newton_tree, tree
from ranktrees.teach.plot.verdicts import duel, rounds
from ranktrees.teach.plot.verdicts import rank_diagram as critical_difference

__all__ = [
    "COLOURS",
    "Picture",
    "attraction_map",
    "belief_network",
    "bins",
    "boundaries",
    "calibration",
    "choices",
    "citree",
    "class_colours",
    "conditionals",
    "critical_difference",
    "dependence",
    "differences",
    "duel",
    "dumbbells",
    "explanation",
    "factors",
    "gains",
    "growing",
    "impurity",
    "lens",
    "methods",
    "newton_tree",
    "operating",
    "pairs",
    "path",
    "path_bayes",
    "picture",
    "published",
    "ranking",
    "roc",
    "rounds",
    "series",
    "sizes",
    "split",
    "staircase",
    "strips",
    "table",
    "traffic",
    "tree",
]
