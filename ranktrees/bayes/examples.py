"""The belief network of the lectures."""

from ranktrees.bayes.network import BayesNet

LUNG_CANCER = {  # Yang 2008, slides: P(LungCancer | FamilyHistory, Smoker)
    ("yes", "yes"): {"yes": 0.8, "no": 0.2},
    ("yes", "no"): {"yes": 0.5, "no": 0.5},
    ("no", "yes"): {"yes": 0.7, "no": 0.3},
    ("no", "no"): {"yes": 0.1, "no": 0.9},
}


def lung_cancer() -> BayesNet:
    """Six yes/no variables around lung cancer: the structure of Han & Kamber's figure.

    Only the table of LungCancer is printed on Yang's slide. ALL OTHER NUMBERS ARE ILLUSTRATIVE,
    made up so that questions can be asked; they are no medical facts.
    """
    parents = {
        "FamilyHistory": [],
        "Smoker": [],
        "LungCancer": ["FamilyHistory", "Smoker"],
        "Emphysema": ["Smoker"],
        "PositiveXRay": ["LungCancer"],
        "Dyspnea": ["LungCancer", "Emphysema"],
    }
    cpts = {
        "FamilyHistory": _yes(0.1),
        "Smoker": _yes(0.3),
        "LungCancer": LUNG_CANCER,
        "Emphysema": {"yes": _yes(0.2), "no": _yes(0.02)},
        "PositiveXRay": {"yes": _yes(0.9), "no": _yes(0.05)},
        "Dyspnea": {
            ("yes", "yes"): _yes(0.9),
            ("yes", "no"): _yes(0.6),
            ("no", "yes"): _yes(0.7),
            ("no", "no"): _yes(0.1),
        },
    }
    return BayesNet.from_cpts(parents, cpts)


def _yes(p):
    return {"yes": p, "no": 1 - p}
