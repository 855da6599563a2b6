"""What can be measured, as declarations, name -> `Paper`: `PAPERS`, and with our own `STUDIES`."""

from dataclasses import replace
from functools import partial

from ranktrees_engine.models import (
    AODE,
    C44,
    C45,
    CITree,
    NaiveBayes,
    NewtonTree,
    PathBayes,
    PathForest,
)
from ranktrees_lab.papers import adopted
from ranktrees_lab.papers.label_leak import honest_proba, leaked_proba
from ranktrees_lab.papers.paper import HONEST, PUBLISHED, Method, Paper, Protocol, read_printed
from ranktrees_lab.papers.rivals import Rival, Tuned
from ranktrees_lab.papers.weka_bagging import WekaBagging


def _sets(names):
    """Return data sets of these names from the first source; of segment the file in UCI's order."""
    return dict.fromkeys(name for name in names if name != "all") | {"segment": "uci"}


def _weka(runs, measure, **sizes):
    """Return the protocol of the two papers that used Weka, each with an AUC of its own."""
    printed = {measure: ("auc", 100), **sizes}
    return Protocol(runs, 10, "weka", "papers", (measure, "auc"), printed)


SU2004 = Paper(
    name="su2004",
    title="J. Su and H. Zhang: Learning Conditional Independence Tree for Ranking, ICDM 2004",
    datasets=_sets(read_printed("su2004.csv")["dataset"]),
    protocol=_weka(10, "auc-su2004", nodes=("nodes", 1)),
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


def _honest(name):
    return {PUBLISHED: partial(honest_proba, estimate=name)}


def _both(name, **params):
    """Return the reading that reproduces the paper's cells, and the same without the leak."""
    return {
        PUBLISHED: partial(leaked_proba, estimate=name, **params),
        HONEST: partial(honest_proba, estimate=name, **params),
    }


def _columns(tree, table, all_leaves):
    """Return a table's seven columns; `all_leaves` names the tree whose leaves vote in column L."""
    return (
        Method(f"{tree}-C", tree, _both("shrinkage+wpe"), table),
        Method(f"{tree}-S", tree, _honest("shrinkage"), table),
        Method(f"{tree}-W", tree, _both("wpe"), table),
        Method(tree, tree, table=table, sizes=True),
        Method(f"{tree}-M", tree, _honest("m-branch"), table),
        Method(f"{tree}-L", all_leaves, _honest("ling-yan"), table),
        Method(f"{tree}-B", f"{tree}-B", table=table),
    )


ROUNDS = {n: _both("shrinkage+wpe", iterations=n) for n in (10, 100)}  # of Algorithm DIW, Fig. 3
S_FOR_W = {"C44-S": "C44-W", "C44-W": "C44-S"}
WANG2006 = Paper(
    name="wang2006",
    title="B. Wang and H. Zhang: Improving the Ranking Performance of Decision Trees, ECML 2006",
    datasets=_sets(read_printed("wang2006.csv")["dataset"]),
    protocol=_weka(5, "auc-wang2006"),
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
        Method("C45-C x10", "C45", ROUNDS[10], "Fig. 3", datasets=("vehicle",)),
        Method("C45-C x100", "C45", ROUNDS[100], "Fig. 3", datasets=("vehicle",)),
    ),
    # Table 4's own means show that Table 2 prints each of these two under the other's name, but
    # not in the row of C44-B, whose entries are reproduced as printed.
    swapped={("2", row): S_FOR_W for row in ("C44-S", "C44-W", "C44", "C44-M", "C44-L")},
)

GROUPS = {
    "c=2": "kr-vs-kp monks-1 monks-2 monks-3 tic-tac-toe vote breast-cancer ionosphere sonar "
    "diabetes breast-w credit-g credit-a heart-c hepatitis",
    "c>2": "car nursery balance-scale iris glass vehicle wine ecoli segment waveform-5000 cmc tae "
    "autos lymph zoo",
    "nominal": "car kr-vs-kp monks-1 monks-2 monks-3 tic-tac-toe nursery vote breast-cancer",
    "numeric": "balance-scale iris glass ionosphere sonar vehicle diabetes wine ecoli segment "
    "waveform-5000 breast-w",
    "mixed": "credit-g credit-a heart-c cmc tae autos lymph zoo hepatitis",
}
GROUPS = {group: tuple(names.split()) for group, names in GROUPS.items()}

MARTINEZ2010 = Paper(
    name="martinez2010",
    title="F. Martinez-Plumed et al.: Newton Trees, AI 2010 (slides; our choice of 30 sets, the "
    "paper's list is not known)",
    datasets=_sets(GROUPS["nominal"] + GROUPS["numeric"] + GROUPS["mixed"]),
    protocol=Protocol(
        runs=20,
        k=5,
        folds="stratified",
        preparation="complete-rows",
        measures=("auc", "accuracy", "brier"),
        printed={"accuracy": ("accuracy", 100), "auc": ("auc", 1), "brier": ("mse", 1)},
    ),
    models={
        "Newton": NewtonTree,
        "Newton (talk)": partial(NewtonTree, reading="talk"),
        "J48": partial(C44, numeric="thresholds"),
    },
    methods=(
        Method("Newton", "Newton", table="averages", sizes=True),
        Method("Newton (talk)", "Newton (talk)", table="averages", sizes=True, printed="Newton"),
        Method("J48", "J48", table="averages", sizes=True),
    ),
    groups=GROUPS,
)


DESIGN = (  # on these its formulas were chosen; the others are there to report
    "anneal anneal.ORIG autos breast-cancer colic colic.ORIG credit-g glass heart-h hepatitis "
    "ionosphere kr-vs-kp lymph primary-tumor sonar splice vote waveform-5000"
)
DESIGN = tuple(DESIGN.split())
MEASURED = "auc auc-wang2006 accuracy log-loss-clipped brier calibration-error"
GROWN = partial(C44, rules="wang2006")  # rows of its estimates must sum to 1 here
CUT_C45 = partial(C45, numeric="thresholds")
CUT_C44 = partial(C44, numeric="thresholds", estimate_params={"classes": "all"})
STUDIED = {
    "C4.4": partial(GROWN, estimate_params={"classes": "all"}),
    "C44-S": partial(GROWN, estimate="shrinkage", estimate_params={"reading": "as_published"}),
    "C44-C": partial(GROWN, estimate="shrinkage+wpe"),
    "hierarchical shrinkage": partial(  # the best of .1, 1, 10, 50, 100 in log loss on `DESIGN`
        GROWN, estimate="hierarchical-shrinkage", estimate_params={"lam": 50}
    ),
    "C4.5 (raw)": CUT_C45,
    "C4.4 (raw)": CUT_C44,
    "C5.0 (raw)": partial(Rival, "c5.0", "categories"),
    "C5.0 boosted (raw)": partial(Rival, "c5.0-boosted", "categories"),
    "CITree": CITree,
    "Newton tree (raw)": NewtonTree,
    "naive Bayes": NaiveBayes,
    "naive Bayes along the path": partial(C45, estimate="shrinkage+naive-bayes"),
    "AODE": AODE,
    "path Bayes": partial(C45, estimate="path-bayes"),
    "path Bayes EM": partial(GROWN, min_child=5, estimate="path-bayes-em"),
    "path Bayes MDL (raw)": partial(PathBayes, weights="equal"),
    "path Bayes MDL learnt (raw)": PathBayes,
    "path forest": partial(PathForest, weights="equal"),
    "path forest learnt": PathForest,
    "logistic regression": partial(Rival, "logistic-regression"),
    "random forest": partial(Rival, "random-forest", "numbers"),
    "random forest (raw)": partial(Rival, "random-forest"),
    "boosting": partial(Rival, "boosting", "numbers"),
    "boosting (raw)": partial(Rival, "boosting", "categories"),
}
RAW = {name for name in STUDIED if name.endswith("(raw)") or name.startswith("path forest")}
PATH_BAYES = Paper(
    name="path-bayes",
    title="Path Bayes beside the papers' methods and others: a study of this package",
    datasets=WANG2006.datasets,
    protocol=replace(WANG2006.protocol, measures=tuple(MEASURED.split()), printed={}),
    models=STUDIED,
    methods=tuple(
        Method(name, name, {HONEST: honest_proba}, table="", raw=name in RAW) for name in STUDIED
    ),
    groups={
        "design": DESIGN,
        "report": tuple(name for name in WANG2006.datasets if name not in DESIGN),
    },
    reference="path Bayes",
)

REPORT = PATH_BAYES.groups["report"]
OUTSIDE = (  # no choice of the forest's formulas or weights was made on these
    "cmc wine ecoli column3C haberman car nursery abalone satimage pendigits "
    "postoperative-patient wdbc digits"
)
OUTSIDE = tuple(OUTSIDE.split())
SLOW = {"adult", "digits", "pendigits", "satimage"}  # a fit of an EBM takes minutes there
BESIDE = {
    "path forest": PathForest,
    "path forest equal": partial(PathForest, weights="equal"),
    "path Bayes": PathBayes,
    "path Bayes equal": partial(PathBayes, weights="equal"),
    "logistic regression": partial(Rival, "logistic-regression"),
    "random forest": partial(Rival, "random-forest"),
    "boosting": partial(Rival, "boosting", "categories"),
    "LightGBM": partial(Rival, "lightgbm", "categories"),
    "LightGBM lightly tuned": Tuned,
    "C4.5": CUT_C45,
    "C4.4": CUT_C44,
    "C5.0": partial(Rival, "c5.0", "categories"),
    "C5.0 boosted": partial(Rival, "c5.0-boosted", "categories"),
    "EBM without pairs": partial(Rival, "ebm-without-pairs", "categories"),
}
# Of these the four sets took too long.
ON_FEWER = "LightGBM lightly tuned", "C4.5", "C4.4", "C5.0", "C5.0 boosted", "EBM without pairs"
_MOST = {name: WANG2006.datasets[name] for name in REPORT} | dict.fromkeys([*OUTSIDE, "adult"])
_NOT_SLOW = tuple(name for name in _MOST if name not in SLOW)
PATH_FOREST = replace(
    PATH_BAYES,
    name="path-forest",
    title="The path forest beside the Explainable Boosting Machine, LightGBM and others: a study "
    "of this package",
    datasets=_MOST,
    protocol=replace(PATH_BAYES.protocol, runs=1, k=5, folds="stratified"),
    models=BESIDE,
    methods=tuple(
        Method(
            name,
            name,
            {HONEST: honest_proba},
            table="",
            datasets=_NOT_SLOW if name in ON_FEWER else None,
            raw=name != "logistic regression",  # it takes no gaps, and so the papers' bins
        )
        for name in BESIDE
    ),
    groups={"report": REPORT, "outside": OUTSIDE, "adult": ("adult",)},
    reference="path forest",
)

RARE = {"ecoli", "postoperative-patient", "yeast", "zoo"}  # a class has under five cases in a fold
LARGE = {"nursery", "abalone", "satimage", "pendigits", "digits"}
ON_ADOPTED = (
    *(name for name in REPORT if name not in ("audiology", "mushroom")),
    *(name for name in OUTSIDE if name not in LARGE),
    *("yeast", "tic-tac-toe", "tae"),
)
ADOPTED = replace(
    PATH_FOREST,
    name="adopted",
    title="Estimates on trees and forests that scikit-learn grew: a study of this package",
    datasets={name: WANG2006.datasets.get(name) for name in ON_ADOPTED},
    models=adopted.MODELS | {"path Bayes": PathBayes, "path forest": PathForest},
    methods=(
        *adopted.methods(tuple(name for name in ON_ADOPTED if name not in RARE)),
        Method("path Bayes", "path Bayes", {HONEST: honest_proba}, table="", raw=True),
        Method("path forest", "path forest", {HONEST: honest_proba}, table="", raw=True),
    ),
    groups={},
    reference="tree: path",
)

PAPERS = {paper.name: paper for paper in (SU2004, WANG2006, MARTINEZ2010)}
# And three of our own, without printed figures.
STUDIES = PAPERS | {paper.name: paper for paper in (PATH_BAYES, PATH_FOREST, ADOPTED)}
