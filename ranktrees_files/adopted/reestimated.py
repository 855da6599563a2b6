"""`Reestimated`, or what says that it needs scikit-learn where that is not installed."""

from typing import Any

from ranktrees_engine.basics.optional import optional

try:
    from ranktrees_files.adopted.meta import Reestimated
except ModuleNotFoundError:

    class Reestimated:
        """A stand-in: `rt.Reestimated` is an estimator of scikit-learn, which is not installed."""

        def __init__(self, *args: Any, **params: Any):
            optional("sklearn", "adopted trees", "lab")


__all__ = ["Reestimated"]
