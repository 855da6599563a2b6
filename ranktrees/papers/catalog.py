"""The papers that can be repeated: `PAPERS`, name -> declaration."""

from functools import partial

from ranktrees.bayes import NaiveBayes
from ranktrees.models import C44, C45, CITree, NewtonTree
from ranktrees.papers.label_leak import leaked_proba
from ranktrees.papers.paper import HONEST, PUBLISHED, Method, Paper, Protocol, read_printed
from ranktrees.papers.weka_bagging import WekaBagging


def _printed_sets(paper):
    """The data sets of a printed table, in its order; of segment the file in UCI's order."""
    names = dict.fromkeys(name for name in read_printed(f"{paper}.csv")["dataset"] if name != "all")
    return names | {"segment": "uci"}


SU2004 = Paper(
    name="su2004",
    title="J. Su and H. Zhang: Learning Conditional Independence Tree for Ranking, ICDM 2004",
    datasets=_printed_sets("su2004"),
    protocol=Protocol(
        runs=10,
        k=10,
        folds="weka",
        preparation="papers",
        measures=("auc-su2004", "auc"),
        printed={"auc-su2004": ("auc", 100), "nodes": ("nodes", 1)},
    ),
    models={
        "CITree": CITree,
        "NB": NaiveBayes,
        "C4.4": partial(C44, rules="wang2006"),
        "C4.4 collapsed": C44,
    },
    methods=(
        Method("CITree", "CITree", sizes=True),
        Method("NB", "NB"),
        Method("C4.4", "C4.4", sizes=True),
        Method("C4.4 collapsed", "C4.4 collapsed", sizes=True),  # not printed; nearer in size
    ),
)


def _estimated(model, X, y, estimate, **params):
    """Scores (m, C) by another estimate on the same tree."""
    return model.with_estimate(estimate, **params).predict_proba(X)


def _honest(name, **params):
    return {PUBLISHED: partial(_estimated, estimate=name, **params)}


def _both(name, **params):
    """The reading that meets the paper's cells, and the same without the leak."""
    reading = {} if name == "wpe" else AS_PUBLISHED
    return {
        PUBLISHED: partial(leaked_proba, estimate=name, **params),
        HONEST: partial(_estimated, estimate=name, **reading, **params),
    }


AS_PUBLISHED = {"reading": "as_published"}


def _columns(tree, table, all_leaves):
    """The seven columns of a table; `all_leaves` names the tree whose leaves vote in column L."""
    return (
        Method(f"{tree}-C", tree, _both("shrinkage+wpe"), table),
        Method(f"{tree}-S", tree, _honest("shrinkage", **AS_PUBLISHED), table),
        Method(f"{tree}-W", tree, _both("wpe"), table),
        Method(tree, tree, table=table, sizes=True),
        Method(f"{tree}-M", tree, _honest("m-branch"), table),
        Method(f"{tree}-L", all_leaves, _honest("ling-yan"), table),
        Method(f"{tree}-B", f"{tree}-B", table=table),
    )


def _rounds(n):
    """One point of Fig. 3: n rounds of Algorithm DIW."""
    readings = _both("shrinkage+wpe", iterations=n)
    return Method(f"C45-C x{n}", "C45", readings, "Fig. 3", datasets=("vehicle",))


S_FOR_W = {"C44-S": "C44-W", "C44-W": "C44-S"}
WANG2006 = Paper(
    name="wang2006",
    title="B. Wang and H. Zhang: Improving the Ranking Performance of Decision Trees, ECML 2006",
    datasets=_printed_sets("wang2006"),
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
        *_columns("C45", "3", "C45 collapsed"),
        *_columns("C44", "4", "C44"),
        *map(_rounds, (10, 100)),
    ),
    # Table 4's own means show that Table 2 prints each of these two under the other's name, but
    # not in the row of C44-B, whose entries are met as they are printed.
    swapped={("2", row): S_FOR_W for row in ("C44-S", "C44-W", "C44", "C44-M", "C44-L")},
)

_GROUPS = {
    "c=2": "kr-vs-kp monks-1 monks-2 monks-3 tic-tac-toe vote breast-cancer ionosphere sonar "
    "diabetes breast-w credit-g credit-a heart-c hepatitis",
    "c>2": "car nursery balance-scale iris glass vehicle wine ecoli segment waveform-5000 cmc tae "
    "autos lymph zoo",
    "nominal": "car kr-vs-kp monks-1 monks-2 monks-3 tic-tac-toe nursery vote breast-cancer",
    "numeric": "balance-scale iris glass ionosphere sonar vehicle diabetes wine ecoli segment "
    "waveform-5000 breast-w",
    "mixed": "credit-g credit-a heart-c cmc tae autos lymph zoo hepatitis",
}
GROUPS = {group: tuple(names.split()) for group, names in _GROUPS.items()}
NAMES = GROUPS["nominal"] + GROUPS["numeric"] + GROUPS["mixed"]

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
    models={"Newton": NewtonTree, "J48": partial(C44, numeric="thresholds")},
    methods=(
        Method("Newton", "Newton", table="averages", sizes=True),
        Method("J48", "J48", table="averages", sizes=True),
    ),
    groups=GROUPS,
)

PAPERS = {paper.name: paper for paper in (SU2004, WANG2006, MARTINEZ2010)}
