"""An explorer of each kind, on small data, and as cells with the arguments of the lessons."""

import tempfile

import ranktrees as rt
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.controls import Control, choice, numbers


def ranked(name="labor"):
    data = rt.load(name)
    model = rt.C44().fit(data.X, data.y)
    return data.y, model.predict_proba(data.X)[:, 0], str(model.classes_[0])


def letters():
    y, score, positive = ranked()
    return rt.explore.mailing(y, {"C4.4": score}, positive)


def payers():
    data = rt.load("tax-payers")
    return rt.DecisionTree().fit(data.X, data.y), data


def stopping():
    data = rt.load("weather.nominal")
    return rt.explore.stops(rt.C45(estimate="path-bayes").fit(data.X, data.y))


def days():
    data = rt.load("weather.nominal")
    return rt.DecisionTree(criterion="information_gain").fit(data.X, data.y), data


def budget():
    with tempfile.TemporaryDirectory() as folder:
        rt.data.write_agrawal(folder, 600, function=7, noise=0.05)
        people = rt.scan(folder, target="group")
        model = rt.DecisionTree(criterion="gini", split="binary", n_bins=20, max_depth=3)
        return rt.explore.budget(rt.scale.grow(model, people, "rf-read"))


EXPLORERS = {
    "adopted": lambda: rt.explore.adopted(rt.load("labor")),
    "bins": lambda: rt.explore.bins(rt.load("iris")),
    "budget": budget,
    "citree_growth": lambda: rt.explore.citree_growth(rt.load("contact-lenses")),
    "falling_cases": lambda: rt.explore.falling_cases(*payers()),
    "folds": lambda: rt.explore.folds(rt.load("labor")),
    "growing": lambda: rt.explore.growing(*payers()),
    "lens": rt.explore.lens,
    "mailing": letters,
    "newton": lambda: rt.explore.newton(rt.load("iris"), depth=1),
    "one_path": lambda: rt.explore.one_path(rt.load("labor")),
    "pairs": lambda: rt.explore.pairs(list("aababb"), [3, 2, 2, 1, 0, 0], "a"),
    "path_bayes": lambda: rt.explore.path_bayes(rt.load("labor")),
    "pruning": lambda: rt.explore.pruning(rt.load("labor")),
    "rainforest": lambda: rt.explore.rainforest(*days(), step=16),
    "results": lambda: rt.explore.results("wang2006"),
    "roc": lambda: rt.explore.roc(*ranked()),
    "separable": rt.explore.separable,
    "shrinkage": lambda: rt.explore.shrinkage(rt.load("labor"), weights="mine"),
    "smoothing": lambda: rt.explore.smoothing(rt.load("labor")),
    "split": lambda: rt.explore.split(rt.load("iris")),
    "stops": stopping,
    "wpe_votes": lambda: rt.explore.wpe_votes(rt.load("labor")),
}


def said(text, alt="What is said."):
    """A picture that is quick to draw, with an alt text, and a text in place of tables."""
    picture = rt.plot.Picture((1, 1))
    picture.alt = alt
    return picture, text


def animals():
    """Controls of each kind: the animals follow the place, the number works for pets alone."""
    known = {"house": ["cat", "dog"], "farm": ["cow", "dog", "hen"]}

    def animal(now):
        return choice("animal", known[now["place"]], known[now["place"]][-1], ("place",))

    def number(now):
        high, pet = 2 if now["animal"] == "cow" else 5, now["place"] == "house"
        return numbers("how many", 1, high, 1, high, enabled=pet, follows=("animal",))

    return Explorer(
        lambda **settings: said(str(sorted(settings.items()))),
        {"known": known},
        animal=animal,
        number=number,
        place=choice("place", list(known), "house"),
        weight=numbers("weight", 0.0, 1.0, 0.1, 0.3),
        loud=Control("Checkbox", "loud", False),
    )


CELLS = [  # the first has what the others need
    """import numpy as np
import ranktrees as rt
credit, payers, iris = rt.load("credit-g"), rt.load("tax-payers"), rt.load("iris")
cancer = rt.prepare(rt.load("breast-cancer"), "papers")
model = rt.C44().fit(credit.X, credit.y)
scores = {"C4.4": model.predict_proba(credit.X)[:, 0]}
growth = None""",
    """eleven = np.array(["bad"] * 5 + ["good"] * 6)
rt.explore.pairs(eleven, np.array([6, 10, 8, 4, 2, 7, 6, 5, 3, 1, 0]), "bad")""",
    'rt.explore.mailing(credit.y, scores, positive="bad")',
    "rt.explore.lens(node=(6, 6), branch=(5, 2))",
    "rt.explore.separable()",
    'rt.explore.split(credit, "duration", criterion="gini")',
    """cuts = {"criterion": "gini", "split": "binary", "numeric": "thresholds"}
rt.explore.growing(rt.DecisionTree(**cuts).fit(payers.X, payers.y), payers, case=7)""",
    """shallow = rt.DecisionTree(criterion="gini", split="binary", max_depth=3)
some = rt.Dataset(credit.X[:100], credit.y[:100], "some", "")
rt.explore.falling_cases(shallow.fit(credit.X, credit.y), some)""",
    'rt.explore.bins(credit, "age", n_bins=5)',
    """married = {"Refund": "No", "Status": "Married", "Income": 92.0}
rt.explore.smoothing(payers, "Status", case=married, smoothing="m")""",
    'rt.explore.roc(credit.y, scores["C4.4"], positive="bad")',
    'rt.explore.folds(rt.load("labor"), rt.C44())',
    'rt.explore.pruning(credit, method="C4.5", estimate="m-branch")',
    'rt.explore.citree_growth(rt.load("vote"))',
    "rt.explore.newton(iris, case=70)",
    'rt.explore.shrinkage(cancer, case=2, weights="mine")',
    'rt.explore.shrinkage(cancer, case=2, estimate="WPE")',
    "rt.explore.wpe_votes(cancer, case=2)",
    "rt.explore.one_path(credit, case=2)",
    'rt.explore.adopted(credit, "bad")',
    'rt.explore.results("wang2006")',
    'rt.explore.path_bayes(credit, rt.C45(estimate="path-bayes"), case=2)',
    """weather = rt.load("weather.nominal")
rt.explore.stops(rt.C45(estimate="path-bayes").fit(weather.X, weather.y))""",
    """days = rt.DecisionTree(criterion="information_gain").fit(weather.X, weather.y)
rt.explore.rainforest(days, weather, "RF-Read", room=2, step=16)""",
    """import tempfile
with tempfile.TemporaryDirectory() as folder:
    rt.data.write_agrawal(folder, 600, function=7, noise=0.05)
    people = rt.scan(folder, target="group")
    small = rt.DecisionTree(criterion="gini", split="binary", n_bins=20, max_depth=3)
    run = rt.scale.grow(small, people, "rf-read")
rt.explore.budget(run)""",
]
