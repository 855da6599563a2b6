"""J. Su and H. Zhang, Learning Conditional Independence Tree for Ranking (ICDM 2004)."""

from functools import partial

from ranktrees.bayes import NaiveBayes
from ranktrees.models import C44
from ranktrees.papers.paper import Method, Paper, Protocol, lazily

DATASETS = dict.fromkeys(
    (
        *("abalone", "adult", "anneal", "balance-scale", "breast-w", "car", "colic", "credit-a"),
        *("credit-g", "diabetes", "hypothyroid", "ionosphere", "iris", "kr-vs-kp", "letter"),
        *("mushroom", "nursery", "pendigits", "satimage", "segment", "sick", "soybean", "splice"),
        *("tic-tac-toe", "vehicle", "vote", "vowel", "waveform-5000", "yeast"),
    )
)
DATASETS["segment"] = "uci"  # the shipped file has the same cases in another order

SU2004 = Paper(
    name="su2004",
    title="J. Su and H. Zhang: Learning Conditional Independence Tree for Ranking, ICDM 2004",
    datasets=DATASETS,
    protocol=Protocol(
        runs=10,
        k=10,
        folds="weka",
        preparation="papers",
        measures=("auc-su2004", "auc"),
        printed={"auc-su2004": ("auc", 100), "nodes": ("nodes", 1)},
    ),
    models={
        "CITree": partial(lazily, "CITree"),
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
