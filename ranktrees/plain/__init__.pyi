"""The files of this room, for editors and type checkers; a test holds it complete."""

from ranktrees.plain import adopted as adopted
from ranktrees.plain import aode as aode
from ranktrees.plain import bagging as bagging
from ranktrees.plain import bayes as bayes
from ranktrees.plain import bins as bins
from ranktrees.plain import c45 as c45
from ranktrees.plain import centres as centres
from ranktrees.plain import citree as citree
from ranktrees.plain import citree_scores as citree_scores
from ranktrees.plain import criteria as criteria
from ranktrees.plain import estimates as estimates
from ranktrees.plain import evaluate as evaluate
from ranktrees.plain import growing as growing
from ranktrees.plain import newton as newton
from ranktrees.plain import newton_values as newton_values
from ranktrees.plain import path_bayes as path_bayes
from ranktrees.plain import path_forest as path_forest
from ranktrees.plain import path_weights as path_weights
from ranktrees.plain import pruning as pruning
from ranktrees.plain import pruning_c45 as pruning_c45
from ranktrees.plain import rainforest as rainforest
from ranktrees.plain import scale as scale
from ranktrees.plain import shrinkage as shrinkage
from ranktrees.plain import sliq as sliq
from ranktrees.plain import tree as tree
