"""Pictures of trees, splits and rankings: each function takes data and returns a `Picture`.

Each has `figure=None`, a `Picture` to redraw on, and sets `alt`, a sentence computed from what is
drawn.
"""

from ranktrees_lab.plot.attribute import attribute
from ranktrees_lab.plot.bayes import belief_network, citree
from ranktrees_lab.plot.cases import conditionals, factors, path
from ranktrees_lab.plot.comparisons import differences, dumbbells, residuals, strips
from ranktrees_lab.plot.dependence import dependence
from ranktrees_lab.plot.estimates import one_path
from ranktrees_lab.plot.falling import falling_cases
from ranktrees_lab.plot.growth import bins, growing, impurity, lens
from ranktrees_lab.plot.numbers import series, sizes, table
from ranktrees_lab.plot.operating import operating
from ranktrees_lab.plot.paths import explanation, path_bayes
from ranktrees_lab.plot.picture import Picture, picture
from ranktrees_lab.plot.planes import attraction_map, boundaries
from ranktrees_lab.plot.pruning import prune_path
from ranktrees_lab.plot.rainforest import rainforest
from ranktrees_lab.plot.rankings import gains, pairs, ranking, roc, staircase
from ranktrees_lab.plot.recall import pr
from ranktrees_lab.plot.reliability import calibration
from ranktrees_lab.plot.scale import traffic
from ranktrees_lab.plot.separable import separable
from ranktrees_lab.plot.shares import fresh_shares
from ranktrees_lab.plot.splits import split
from ranktrees_lab.plot.stops import stops
from ranktrees_lab.plot.style import COLOURS, class_colours
from ranktrees_lab.plot.trees import newton_tree, tree
from ranktrees_lab.plot.verdicts import duel, rounds
from ranktrees_lab.plot.verdicts import rank_diagram as critical_difference
from ranktrees_lab.plot.votes import votes

__all__ = [
    "COLOURS",
    "Picture",
    "attraction_map",
    "attribute",
    "belief_network",
    "bins",
    "boundaries",
    "calibration",
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
    "falling_cases",
    "fresh_shares",
    "gains",
    "growing",
    "impurity",
    "lens",
    "newton_tree",
    "one_path",
    "operating",
    "pairs",
    "path",
    "path_bayes",
    "picture",
    "pr",
    "prune_path",
    "rainforest",
    "ranking",
    "residuals",
    "roc",
    "rounds",
    "separable",
    "series",
    "sizes",
    "split",
    "staircase",
    "stops",
    "strips",
    "table",
    "traffic",
    "tree",
    "votes",
]
