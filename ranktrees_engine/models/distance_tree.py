"""Distance-based trees: cases go to the nearest prototype of a class."""

from ranktrees_engine.basics.arguments import integer, one_of
from ranktrees_engine.estimator.params import param
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.models.prototypes import PrototypeModel, counts_estimate_field
from ranktrees_engine.newton.prototypes import CRITERIA


class DistanceTree(PrototypeModel):
    """A distance-based decision tree (Estruch 2008): the tree of `NewtonTree`, used crisply.

    A case goes to the nearest prototype at each node, and gets the estimate of one leaf. Parameters
    as in `NewtonTree`; nothing is random.
    """

    distances: dict | None = param(default=None)
    criterion: str = param(default="gain_ratio", check=one_of(*CRITERIA))
    estimate: str = counts_estimate_field()
    estimate_params: dict | None = fields.estimate_params_field()
    missing: str = param(default="mass", check=one_of("mass", "impute", "error"))
    max_depth: int | None = fields.max_depth_field()
    min_parent: int = param(default=2, check=integer(2))
    seed: int = fields.seed_field()
