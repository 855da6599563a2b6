"""ranktrees: decision trees that rank.

    import ranktrees as rt

    data = rt.load("credit-g")
    model = rt.DecisionTree(estimate="laplace").fit(data.X, data.y)
    model.predict_proba(data.X)

Names are imported when they are first used, so that `import ranktrees` stays fast.
"""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec

__version__ = "0.2.0"

_HOME = {
    "ranktrees.data": "Dataset agrawal load datasets read_arff read_csv",
    "ranktrees.count": "tally",
    "ranktrees.criteria": "CRITERIA",
    "ranktrees.encode": "Codes Encoder prepare",
    "ranktrees.labels": "read_classes",
    "ranktrees.models": """
        PathBayes DecisionTree C45 C44 CITree NBTree NewtonTree DistanceTree CentreSplitting Bagging
    """,
    "ranktrees.newton": "Attribute",
    "ranktrees.tree": "Tree",
    "ranktrees.bayes": "NaiveBayes AODE BayesNet",
    "ranktrees.evaluate": """
        accuracy auc best_threshold brier calibration_curve confusion_matrix convex_hull
        cost_threshold error_rate expected_calibration_error expected_cost f_measure gains_curve
        hand_till least_cost_class lift lift_curve log_loss pairwise_auc precision recall
        roc_curve total_cost weighted_accuracy bootstrap bootstrap_632 cross_validate
        cross_val_proba holdout learning_curve leave_one_out random_subsampling stratified_folds
        weka_folds Results average_ranks compare corrected_t critical_difference friedman
        paired_t rank_sums repeated
        wilcoxon
    """,
    "ranktrees.explain": "Explanation",
    "ranktrees.scale": "scan",
    "ranktrees.storage": "load_model save",
    "ranktrees.teach.ask": "glossary guess quiz",
    "ranktrees.teach.playground": "playground",
}
_WHERE = {name: module for module, names in _HOME.items() for name in names.split()}
# Public names of rooms, and where these stand in the house: `import ranktrees.plot` finds both.
_ROOMS = {
    "casewise": "shrinkage",
    "check": "teach.check",
    "comparison": "evaluate",
    "discretize": "bins",
    "experiment": "papers",
    "explore": "teach.explore",
    "level": "count",
    "metrics": "evaluate",
    "plot": "teach.plot",
    "preprocess": "encode",
    "validate": "evaluate",
}
_MODULES = """
    bayes bins citree criteria data estimate evaluate explain newton papers path_bayes prune scale
    shrinkage split storage teach tree weights
"""

__all__ = sorted([*_WHERE, *_MODULES.split(), *_ROOMS])


class _Rooms(MetaPathFinder, Loader):
    """Finds `ranktrees.plot` and its like, and what lies in them, where they stand."""

    def find_spec(self, fullname, path=None, target=None):
        """The spec of a public name that stands for another module; None for all others."""
        package, _, room = fullname.partition(".")
        if package == __name__ and room.split(".")[0] in _ROOMS:
            return ModuleSpec(fullname, self)
        return None

    def create_module(self, spec):
        """The module that stands behind the name."""
        room, *rest = spec.name.split(".")[1:]
        stands = ".".join([__name__, _ROOMS[room], *rest])
        module = import_module(stands)
        spec.loader_state = module.__spec__
        for name in [name for name in sys.modules if name.startswith(f"{stands}.")]:
            sys.modules[spec.name + name.removeprefix(stands)] = sys.modules[name]
        return module

    def exec_module(self, module):
        """Nothing: the module is there, and keeps its own spec."""
        module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, _Rooms())


def __getattr__(name: str):
    if name in _WHERE:
        value = getattr(import_module(_WHERE[name]), name)
    elif name in __all__:
        value = import_module(f"{__name__}.{_ROOMS.get(name, name)}")
    else:
        raise AttributeError(f"module 'ranktrees' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})


if "ipykernel" in sys.modules:  # a notebook
    import_module("ranktrees.teach.hint").install()
