"""Checks of exercises on naive Bayes and belief networks."""

import numpy as np

from ranktrees_lab.check.answers import array, count, function, table
from ranktrees_lab.check.base import (
    exercise,
    judge_measured,
    need,
    one_number,
    same,
    slip,
)

M_VALUES = (0.5, 2, 5, 20, 50, 100, 300)
AODE_SETS = "diabetes", "glass", "ionosphere", "labor", "iris"


@exercise("np.bincount counts codes; work with logs, and normalise at the end")
def posterior_function(answer):
    """A function (X, y, sizes, case) -> (2,) that is naive Bayes with Laplace on two classes."""
    from ranktrees.models import NaiveBayes
    from ranktrees.reading.encoder import Encoder
    from ranktrees.reading.labels import read_classes
    from ranktrees_lab.data import load

    data = load("weather.nominal")
    codes, y = Encoder().fit_transform(data.X), read_classes(data.y)[0]
    X, sizes = codes.values.astype(int), codes.sizes.tolist()
    answer, shape = function(answer), "One case must give 2 numbers, but gave shape {shape}."
    posterior = np.array([array(answer(X, y, sizes, case), (2,), shape) for case in X])
    model = NaiveBayes().fit(codes, data.y)
    right, totals = model.predict_proba(codes), posterior.sum(axis=1)
    last = "Only the last step is missing: divide by the sum, so that they sum to 1."
    slips = [*_slips(model, codes, right), (right * totals[:, None], last)]
    text = f"{right[0].round(3).tolist()}, not {posterior[0].round(3).tolist()}"
    text = f"The first case should give {text}."
    if not np.allclose(totals, 1) and (posterior > 0).all():
        text = f"The two must sum to 1, but sum to {totals[0]:.3g}."
    same(posterior, right, slips, text)
    return "The same numbers as rt.NaiveBayes, in a few lines."


def _slips(model, codes, right):
    """Pairs: posteriors (n, 2) by a usual slip, and what to say of it."""
    n, V = model.class_count_, codes.sizes[:, None]
    no_prior = right / model.class_prior_
    plain = model.with_smoothing("none").predict_proba(codes)
    return [
        (right[:, ::-1], "The two are swapped: the posterior of class 0 comes first."),
        (np.log(right), "Those are logarithms: take exp at the end."),
        (_shares(np.exp(right)), "You took exp once too often."),
        (plain, "These are plain shares. Laplace: add 1 to each count, prior included."),
        (
            _shares(right * ((n + V) / (n + 2)).prod(axis=0)),
            "You added the 2 classes. Each attribute has its own number of values, sizes[j].",
        ),
        (_shares(no_prior), "You left out the prior."),
        (_shares(no_prior * n), "The prior is smoothed, too: (n_c + 1) / (n + 2)."),
    ]


def _shares(joint):
    return joint / joint.sum(axis=1, keepdims=True)


@exercise("sum over the two values of FamilyHistory: P(FH) x P(LC | FH, smoker)")
def smoker_risk(answer):
    """P(LungCancer=yes | Smoker=yes) in the belief network, with P(FamilyHistory=yes) = .1."""
    slips = {
        0.75: "You took the plain mean of .8 and .7. Only one in ten has a family history.",
        0.79: "The weights are swapped: .1 goes with .8, .9 with .7.",
        0.08: "That is only the part with a family history. Add those without.",
        0.63: "That is only the part without a family history. Add those with.",
        0.8: "That is with a family history. Nine in ten have none.",
        0.7: "That is without a family history. One in ten has one.",
        0.24: "That counts all people; here everyone smokes.",
        0.3
        * 0.71: "That is P(LungCancer and Smoker). Given that they smoke, .3 has no part in it.",
    }
    one_number(answer, 0.71, "condition on FamilyHistory", slips)
    return ".1 x .8 + .9 x .7 = .71."


@exercise(f"a dict {{m: mean AUC}} with the m {', '.join(map(str, M_VALUES))}")
def m_over_splits(answer):
    """{m: mean AUC over the 20 splits of `rt.repeated`} of the m-estimate on breast-cancer."""
    from ranktrees.evaluate import repeated
    from ranktrees.models import NaiveBayes
    from ranktrees_lab.data import load

    study = table(answer, M_VALUES, f"The keys must be these m: {', '.join(map(str, M_VALUES))}.")
    result = repeated({f"{m:g}": NaiveBayes("m", m=m) for m in M_VALUES}, load("breast-cancer"))
    expected = dict(zip(M_VALUES, result.table.mean(), strict=True))
    how = "rt.repeated with its defaults, then .table.mean()"
    judge_measured(study, expected, f"m = {{key}} should give {{right}}: {how}.")
    best = max(expected, key=expected.get)
    splits = (result.table.idxmax(axis=1) == f"{best:g}").sum()
    return (
        f"Best by mean AUC is m = {best:g}, by {expected[best] - expected[0.5]:.3f} over m = 0.5; "
        f"yet it is the best of the seven in {splits} of 20 splits only."
    )


@exercise("odds: the prior odds once, and the factor twice; then odds / (1 + odds)")
def counted_twice(answer):
    """P(bad) by naive Bayes with prior odds of 1 to 2 and one factor of 3, entered twice."""
    slips = {
        0.6: "That is with the factor once: odds of 1.5. Naive Bayes multiplies by it twice.",
        0.75: "Factors are multiplied, not added: 3 x 3.",
        0.9: "You left out the prior odds, 1 to 2.",
        2.25 / 3.25: "The prior odds count once: only the attribute is in the data twice.",
        4.5: "Those are the odds. P = odds / (1 + odds).",
    }
    one_number(answer, 4.5 / 5.5, "start from odds of 1/2", slips)
    return "Odds of 1/2 x 3 x 3 = 4.5, so P = 4.5 / 5.5 = 0.818; entered once it is 0.6."


@exercise("within one class, what does X tell about Y?")
def bits_of_parity(answer):
    """I(X; Y | C) in bits of two bits and their parity."""
    slips = {
        0: "Without the class, X and Y are independent. But look within one class.",
        0.5: "It is the mean over both classes, and X determines Y in each of them.",
        2: "It is the mean over the classes, not their sum.",
    }
    one_number(answer, 1, "in class odd, Y = 1 - X", slips)
    return (
        "Within each class X determines Y: one bit, though without the class they are independent."
    )


@exercise("a dict {name: in how many of 20 splits AODE is better}")
def wins_of_aode(answer):
    """{name: wins of AODE over naive Bayes in the 20 splits of `rt.repeated`} on five sets."""
    from ranktrees.evaluate import repeated
    from ranktrees.models import AODE, NaiveBayes
    from ranktrees_lab.data import load

    wins = table(answer, AODE_SETS, f"The keys must be {', '.join(AODE_SETS)}.")
    models = {"AODE": AODE(), "naive Bayes": NaiveBayes()}
    wins = {name: count(wins[name], 20, f"{name}: ") for name in AODE_SETS}
    for name in AODE_SETS:
        result = repeated(models, load(name))
        right, lost = result.wins("AODE", "naive Bayes"), result.wins("naive Bayes", "AODE")
        swapped = f"{name}: {lost} are the wins of naive Bayes. Name AODE first."
        slip(right == lost or wins[name] != lost, swapped)
        need(wins[name] == right, f"{name}: AODE wins in {right}, you have {wins[name]}.")
    return (
        "From none to all, and the number of cases does not decide: it wins on glass, which has "
        "214, and loses on diabetes, which has 768. So measure."
    )
