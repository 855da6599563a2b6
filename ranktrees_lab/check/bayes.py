"""Checks of exercises on naive Bayes and belief networks."""

import numpy as np

from ranktrees_lab.check.answers import array, function, table
from ranktrees_lab.check.base import exercise, judge_measured, one_number, same

M_VALUES = (0.5, 2, 5, 20, 50, 100, 300)


@exercise("np.bincount counts codes; work with logs, and normalise at the end")
def posterior_function(answer):
    """Check a function (X, y, sizes, case) -> (2,): naive Bayes with Laplace on two classes."""
    from ranktrees_engine.models import NaiveBayes
    from ranktrees_engine.reading.encoder import Encoder
    from ranktrees_engine.reading.labels import read_classes
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
    """Return pairs: posteriors (n, 2) by a usual slip, and its message."""
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


@exercise(f"a dict {{m: mean AUC}} with the m {', '.join(map(str, M_VALUES))}")
def m_over_splits(answer):
    """Check {m: mean AUC over 20 splits of `rt.repeated`} of the m-estimate on breast-cancer."""
    from ranktrees_engine.evaluate import repeated
    from ranktrees_engine.models import NaiveBayes
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


@exercise("within one class, what does X tell about Y?")
def bits_of_parity(answer):
    """Check I(X; Y | C) in bits of two bits and their parity."""
    slips = {
        0: "Without the class, X and Y are independent. But look within one class.",
        0.5: "It is the mean over both classes, and X determines Y in each of them.",
        2: "It is the mean over the classes, not their sum.",
    }
    one_number(answer, 1, "in class odd, Y = 1 - X", slips)
    return (
        "Within each class X determines Y: one bit, though without the class they are independent."
    )
