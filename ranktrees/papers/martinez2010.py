"""F. Martinez-Plumed and others, Newton Trees (AI 2010), after the slides of the talk."""

from functools import partial

from ranktrees.models import C44
from ranktrees.papers.paper import Method, Paper, Protocol, lazily

GROUPS = {
    "nominal": (
        *("car", "kr-vs-kp", "monks-1", "monks-2", "monks-3", "tic-tac-toe", "nursery", "vote"),
        "breast-cancer",
    ),
    "numeric": (
        *("balance-scale", "iris", "glass", "ionosphere", "sonar", "vehicle", "diabetes", "wine"),
        *("ecoli", "segment", "waveform-5000", "breast-w"),
    ),
    "mixed": (
        *("credit-g", "credit-a", "heart-c", "cmc", "tae", "autos", "lymph", "zoo", "hepatitis"),
    ),
}
TWO_CLASSES = (
    *("kr-vs-kp", "monks-1", "monks-2", "monks-3", "tic-tac-toe", "vote", "breast-cancer"),
    *("ionosphere", "sonar", "diabetes", "breast-w", "credit-g", "credit-a", "heart-c"),
    "hepatitis",
)
NAMES = tuple(name for names in GROUPS.values() for name in names)

MARTINEZ2010 = Paper(
    name="martinez2010",
    title="F. Martinez-Plumed et al.: Newton Trees, AI 2010 (slides; our choice of 30 sets, the "
    "paper's list is not known)",
    datasets=dict.fromkeys(NAMES) | {"segment": "uci"},
    protocol=Protocol(
        runs=20,
        k=5,
        folds="stratified",
        preparation="complete-rows",
        measures=("auc", "accuracy", "brier"),
        printed={"accuracy": ("accuracy", 100), "auc": ("auc", 1), "brier": ("mse", 1)},
    ),
    models={
        "Newton": partial(lazily, "NewtonTree"),
        "J48": partial(C44, numeric="thresholds"),
    },
    methods=(
        Method("Newton", "Newton", table="averages", sizes=True),
        Method("J48", "J48", table="averages", sizes=True),
    ),
    groups={
        "c=2": TWO_CLASSES,
        "c>2": tuple(name for name in NAMES if name not in TWO_CLASSES),
        **GROUPS,
    },
)
