"""Checks of lesson 02, naive Bayes and belief networks."""

import numpy as np

from ranktrees.teach.check.base import Verdict, close, exercise

PER_CENT = "Give a number from 0 to 1, not per cent."


@exercise(
    "P(S) is .5 of the sick plus .05 of the healthy; the sick ones' share of it is the answer"
)
def ward_posterior(answer) -> Verdict:
    """P(meningitis | stiff neck) on a ward: prior 1/100, P(S | M) = .5, P(S | not M) = .05."""
    sick, healthy = 0.5 * 0.01, 0.05 * 0.99
    expected = sick / (sick + healthy)
    slips = {
        round(100 * expected, 2): PER_CENT,
        0.09: "Nearly: give one more digit.",
        0.5: "That is the likelihood P(S | M), the other way round.",
        sick: "That is P(S and M). Divide by P(S): who else has a stiff neck?",
        0.1: "You divided by P(S | not M). P(S) is .5 x .01 + .05 x .99.",
        sick / healthy: "Those are odds, sick against healthy. Divide by all stiff necks instead.",
    }
    praise = f".005 / (.005 + .0495) = {expected:.4f}: most stiff necks are still something else."
    return close(answer, expected, praise, "count 10,000 patients", slips, tol=0.0004)


@exercise("add 1 to the count, and to the total 1 for each value that Status can have")
def laplace_by_hand(answer) -> Verdict:
    """P(Status=Divorced | Cheat=No) of the ten tax payers, by Laplace: (1 + 1)/(7 + 3)."""
    slips = {
        20: PER_CENT,
        1 / 7: "That is the plain share: one of seven. Imagine a case of each value more.",
        2 / 9: "You added the 2 classes. Status has 3 values: the three estimates must sum to 1.",
        2 / 8: "Each of the 3 values gets an imagined case, so the total grows by 3.",
        2 / 7: "The total grows, too: the imagined cases are counted among the class's cases.",
        2 / 6: "That is for Cheat=Yes. Seven tax payers have Cheat=No.",
        2 / 13: "The total is that of the class, 7, not that of all ten.",
    }
    return close(answer, 0.2, "(1 + 1) / (7 + 3) = 0.2.", "there are 7 of class No", slips)


def _coded():
    """A training set in codes, some cases to ask for, and the package's model of it."""
    from ranktrees.bayes import NaiveBayes
    from ranktrees.data import load
    from ranktrees.encode import Encoder
    from ranktrees.labels import read_classes

    data = load("weather.nominal")
    codes = Encoder().fit_transform(data.X)
    return codes, read_classes(data.y)[0], NaiveBayes().fit(codes, data.y)


@exercise("np.bincount counts codes; work with logs, and normalise at the end")
def posterior_function(answer) -> Verdict:
    """A function (X, y, sizes, case) -> (2,) that is naive Bayes with Laplace on two classes."""
    codes, y, model = _coded()
    X, sizes = codes.values.astype(int), [int(s) for s in codes.sizes]
    got = [np.asarray(answer(X, y.astype(int), sizes, case), float) for case in X]
    if got[0].shape != (2,):
        return Verdict(False, f"One case must give 2 numbers, but gave shape {got[0].shape}.")
    got, right = np.array(got), model.predict_proba(codes)
    if np.allclose(got, right):
        return Verdict(True, "The same numbers as rt.NaiveBayes, in a few lines.")
    if np.allclose(got[:, ::-1], right):
        return Verdict(False, "The two are swapped: the posterior of class 0 comes first.")
    if np.allclose(got, np.log(right)):
        return Verdict(False, "Those are logarithms: take exp at the end.")
    totals = got.sum(axis=1)
    if not np.allclose(totals, 1) and (got > 0).all():
        if np.allclose(got / totals[:, None], right):
            return Verdict(False, "Only the last step lacks: divide by the sum, so that it is 1.")
        return Verdict(False, f"The two must sum to 1, but sum to {totals[0]:.3g}.")
    if np.allclose(got, np.exp(right) / np.exp(right).sum(axis=1, keepdims=True)):
        return Verdict(False, "You took exp once too often.")
    return Verdict(False, _which(got, model, codes))


def _which(got, model, codes):
    """Which usual slip gives these posteriors."""
    plain = model.with_smoothing("none").predict_proba(codes)
    if np.allclose(got, plain):
        return "These are plain shares. Laplace: add 1 to each count, prior included."
    if np.allclose(got, _as_on_the_slide(model, codes)):
        return "You added the 2 classes. Each attribute has its own number of values, sizes[j]."
    n = model.class_count_
    no_prior = model.predict_proba(codes) / model.class_prior_
    raw_prior = no_prior * n
    for slip, text in ((no_prior, "You left out the prior."), (raw_prior, _PRIOR)):
        if np.allclose(got, slip / slip.sum(axis=1, keepdims=True)):
            return text
    first = model.predict_proba(codes)[0]
    return f"The first case should give {first.round(3).tolist()}, not {got[0].round(3).tolist()}."


def _as_on_the_slide(model, codes):
    """Posteriors (n, 2) by (count + 1) / (n_c + number of classes)."""
    n = model.class_count_
    V = np.array([info.size for info in codes.schema])
    joint = model.predict_proba(codes) * ((n + V[:, None]) / (n + 2)).prod(axis=0)
    return joint / joint.sum(axis=1, keepdims=True)


_PRIOR = "The prior is smoothed, too: (n_c + 1) / (n + 2)."


@exercise("sum over the two values of FamilyHistory: P(FH) x P(LC | FH, smoker)")
def smoker_risk(answer) -> Verdict:
    """P(LungCancer=yes | Smoker=yes) in the belief network, with P(FamilyHistory=yes) = .1."""
    slips = {
        71: PER_CENT,
        0.75: "You took the plain mean of .8 and .7. Only one in ten has a family history.",
        0.79: "The weights are swapped: .1 goes with .8, .9 with .7.",
        0.08: "That is only the part with a family history. Add those without.",
        0.63: "That is only the part without a family history. Add those with.",
        0.8: "That is with a family history. Nine in ten have none.",
        0.7: "That is without a family history. One in ten has one.",
        0.24: "That counts all people; here everyone smokes.",
        0.3 * 0.71: "That is P(LungCancer and Smoker). Given the smoking, .3 takes no part.",
    }
    return close(answer, 0.71, ".1 x .8 + .9 x .7 = .71.", "condition on FamilyHistory", slips)


M_VALUES = (0.5, 2, 5, 20, 50, 100, 300)


@exercise(f"a dict {{m: AUC}} with the m {', '.join(map(str, M_VALUES))}")
def m_study(answer) -> Verdict:
    """{m: mean AUC of 5-fold cross-validation} of the m-estimate on breast-cancer, seed 1."""
    from ranktrees.bayes import NaiveBayes
    from ranktrees.data import load
    from ranktrees.evaluate import cross_validate

    found = {float(m): float(value) for m, value in dict(answer).items()}
    if set(found) != set(map(float, M_VALUES)):
        return Verdict(False, f"The keys must be these m: {', '.join(map(str, M_VALUES))}.")
    if not all(0 <= value <= 1 for value in found.values()):
        return Verdict(False, "An AUC lies between 0 and 1.")
    data = load("breast-cancer")
    for m in M_VALUES:
        folds = cross_validate(NaiveBayes("m", m=m), data, k=5, measures=("auc",))
        if abs(found[m] - float(folds["auc"].mean())) > 0.002:
            how = 'NaiveBayes(smoothing="m", m=m), breast-cancer, k=5, the mean of the column auc'
            return Verdict(False, f"m = {m} should give {folds['auc'].mean():.3f}: {how}.")
    best = max(found, key=found.get)
    return Verdict(
        True,
        f"Best by AUC is m = {best:g}, by {found[best] - found[0.5]:.3f} over m = 0.5. But you "
        "chose it on the cases that measured it: a fresh set would be less kind.",
    )
