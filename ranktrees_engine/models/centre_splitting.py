"""Centre splitting: whole cases go to the nearest centre of a class."""

from typing import NoReturn

from ranktrees_engine.basics.arguments import integer, one_of
from ranktrees_engine.estimator.params import param
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.models.prototypes import PrototypeModel, counts_estimate_field
from ranktrees_engine.newton.centres import CentreAttraction, NearestCentre


class CentreSplitting(PrototypeModel):
    """Centre splitting (Thornton 2000): cases go, as a whole, to the nearest centre of a class.

    The centre of a class has the mean of its numbers and the prototypes of its other attributes;
    an attribute's distances are divided by the largest one and their squares added. If cases of
    several classes share a nearest centre, they are divided again. Parameters as in `NewtonTree`.
    """

    distances: dict | None = param(default=None)
    estimate: str = counts_estimate_field()
    estimate_params: dict | None = fields.estimate_params_field()
    missing: str = param(default="impute", check=one_of("impute", "error"))
    max_depth: int | None = fields.max_depth_field()
    min_parent: int = param(default=2, check=integer(2))
    seed: int = fields.seed_field()

    @property
    def feature_importances_(self) -> NoReturn:
        """No importances, but an AttributeError: a test compares all attributes at once."""
        raise AttributeError("centre splitting has no importances: it compares all attributes")

    def _proposer(self, data, y):
        return NearestCentre(data, y)

    def _attract(self, columns, share):
        return CentreAttraction(self.tree_, self.attributes_, columns, share, self.span_)
