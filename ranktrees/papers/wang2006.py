"""B. Wang and H. Zhang, Improving the Ranking Performance of Decision Trees (ECML 2006)."""

from functools import partial

from ranktrees.models import C44, C45
from ranktrees.papers.label_leak import leaked_proba
from ranktrees.papers.paper import HONEST, PUBLISHED, Method, Paper, Protocol
from ranktrees.papers.weka_bagging import WekaBagging

DATASETS = dict.fromkeys(
    (
        *("anneal", "anneal.ORIG", "audiology", "autos", "balance-scale", "breast-cancer"),
        *("breast-w", "colic", "colic.ORIG", "credit-a", "credit-g", "diabetes", "glass"),
        *("heart-c", "heart-h", "heart-statlog", "hepatitis", "hypothyroid", "ionosphere", "iris"),
        *("kr-vs-kp", "labor", "lymph", "mushroom", "primary-tumor", "segment", "sick", "sonar"),
        *("soybean", "splice", "vehicle", "vote", "vowel", "waveform-5000", "zoo"),
    )
)
DATASETS["segment"] = "uci"  # the shipped file has the same cases in another order
ROUNDS = (10, 100)  # of Algorithm DIW, in Fig. 3


def estimated(name: str, params: dict, model, X, y):
    """Scores (m, C) by another estimate on the same tree."""
    return model.with_estimate(name, **params).predict_proba(X)


def leaked(name: str, params: dict, model, X, y):
    """Scores (m, C) when the test cases' own classes are compared, too."""
    return leaked_proba(model, X, y, name, **params)


def _honest(name, **params):
    return {PUBLISHED: partial(estimated, name, params)}


def _both(name, leak=None, **params):
    """The reading that meets the paper's cells, and the same without the leak."""
    return {
        PUBLISHED: partial(leaked, name, leak or {}),
        HONEST: partial(estimated, name, params),
    }


AS_PUBLISHED = {"reading": "as_published"}


def _methods(tree, table, all_leaves):
    """The seven columns of a table; `all_leaves` names the tree whose leaves vote in column L."""
    return (
        Method(f"{tree}-C", tree, _both("shrinkage+wpe", **AS_PUBLISHED), table),
        Method(f"{tree}-S", tree, _honest("shrinkage", **AS_PUBLISHED), table),
        Method(f"{tree}-W", tree, _both("wpe"), table),
        Method(tree, tree, table=table, sizes=True),
        Method(f"{tree}-M", tree, _honest("m-branch"), table),
        Method(f"{tree}-L", all_leaves, _honest("ling-yan"), table),
        Method(f"{tree}-B", f"{tree}-B", table=table),
    )


def _rounds(n):
    """One point of Fig. 3."""
    readings = _both("shrinkage+wpe", {"iterations": n}, iterations=n, **AS_PUBLISHED)
    return Method(f"C45-C x{n}", "C45", readings, "Fig. 3", datasets=("vehicle",))


WANG2006 = Paper(
    name="wang2006",
    title="B. Wang and H. Zhang: Improving the Ranking Performance of Decision Trees, ECML 2006",
    datasets=DATASETS,
    protocol=Protocol(
        runs=5,
        k=10,
        folds="weka",
        preparation="papers",
        measures=("auc-wang2006", "auc"),
        printed={"auc-wang2006": ("auc", 100)},
    ),
    models={
        "C45": C45,
        "C44": partial(C44, rules="wang2006"),
        "C45 collapsed": C44,  # C4.5 before it is pruned
        "C45-B": partial(WekaBagging, C45()),
        "C44-B": partial(WekaBagging, C44(rules="wang2006")),
    },
    methods=(
        *_methods("C45", "3", "C45 collapsed"),
        *_methods("C44", "4", "C44"),
        *map(_rounds, ROUNDS),
    ),
    # Table 4's own means show that Table 2 prints each of these two under the other's name.
    swapped={"2": {"C44-S": "C44-W", "C44-W": "C44-S"}},
    right_rows=(("2", "C44-B"),),  # whose entries are met as they are printed
)
