"""The belief network of the lectures."""

from itertools import product

from ranktrees.bayes.network import BayesNet


def lung_cancer() -> BayesNet:
    """Six yes/no variables around lung cancer: the structure of Han & Kamber's figure.

    Only the table of LungCancer is printed on Yang's slide (2008). ALL OTHER NUMBERS ARE
    ILLUSTRATIVE, made up so that questions can be asked; they are no medical facts.
    """
    nodes = {  # parents, and P(yes) from where all of them are yes to where all are no
        "FamilyHistory": ([], [0.1]),
        "Smoker": ([], [0.3]),
        "LungCancer": (["FamilyHistory", "Smoker"], [0.8, 0.5, 0.7, 0.1]),
        "Emphysema": (["Smoker"], [0.2, 0.02]),
        "PositiveXRay": (["LungCancer"], [0.9, 0.05]),
        "Dyspnea": (["LungCancer", "Emphysema"], [0.9, 0.6, 0.7, 0.1]),
    }
    net = BayesNet({name: parents for name, (parents, _) in nodes.items()})
    for name, (parents, shares) in nodes.items():
        rows = [{"yes": p, "no": round(1 - p, 9)} for p in shares]
        answers = product(("yes", "no"), repeat=len(parents))
        net.set_cpt(name, dict(zip(answers, rows, strict=True)) if parents else rows[0])
    return net
