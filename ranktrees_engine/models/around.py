"""What models around another model share: which one it is, and its parameters as their own."""

from typing import Any, Self

from ranktrees_engine.basics.kinds import Model
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.estimator.params import param
from ranktrees_engine.models.c44 import C44


def check_member(what, model) -> None:
    """Raise TypeError unless a model predicts probabilities; None stands for the default."""
    if model is not None and (isinstance(model, type) or not hasattr(model, "predict_proba")):
        raise TypeError(f"{what} must be a classifier such as C44(), not {model!r}")


class Around(Classifier):
    """A classifier that fits another, its `model`, or `C44()` if that is None."""

    model: Model | None = param(default=None, check=check_member)

    def _single(self):
        """Return the model of which copies are fitted."""
        return C44() if self.model is None else self.model

    def _allows_missing(self):
        allows = getattr(self.model, "_allows_missing", None)
        return True if allows is None else allows()

    def get_params(self, deep: bool = True) -> dict:
        """Return the constructor's arguments; if `deep`, also the model's, as `model__name`."""
        params = super().get_params(deep)
        inner = self.model.get_params() if deep and hasattr(self.model, "get_params") else {}
        return {**params, **{f"model__{name}": value for name, value in inner.items()}}

    def set_params(self, **params: Any) -> Self:
        """Set arguments; `model__name` sets one of the model's."""
        own = {name: value for name, value in params.items() if not name.startswith("model__")}
        super().set_params(**own)
        for name in params.keys() - own.keys():
            if self.model is None:
                around = type(self).__name__
                raise ValueError(f"no model to set {name!r} of: give it one, {around}(C44())")
            self.model.set_params(**{name.removeprefix("model__"): params[name]})
        return self
