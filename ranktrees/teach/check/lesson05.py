"""Checks of lesson 05, Newton trees."""

import numpy as np

from ranktrees.teach.check.base import Verdict, close, exercise

COLLIDING = {"punctual": "red", "late": "blue", "never": None}
STUDY = {"levenshtein": 0.984, "zero-one": 0.521, "length": 0.5}  # mean AUC over five folds


@exercise("30 / 2**2 against 10 / 1**2, as a share of their sum")
def attraction_by_hand(answer) -> Verdict:
    """Share of a mass of 30 at 2 beside one of 10 at 5, for an example at 4: 7.5 / 17.5."""
    heavy, light = 30 / 4, 10 / 1
    slips = {
        15 / 25: "The force goes by the square of the distance: 30 / 2**2, not 30 / 2.",
        0.25 / 1.25: "The masses pull, too: 30 and 10, not 1 and 1.",
        light / (heavy + light): "That is the share of the lighter prototype, at 5.",
        30 / 40: "That is the share of the masses. Divide each by its squared distance first.",
        heavy: f"7.5 is the attraction. Divide it by the sum of both, {heavy + light:g}.",
    }
    praise = "7.5 / 17.5: three times the mass does not make up for twice the distance."
    return close(answer, heavy / (heavy + light), praise, "add up 7.5 and 10", slips, tol=0.002)


@exercise('a dict such as {"punctual": "red", "late": ...}, all three; None: no value of its own')
def collision_by_hand(answer) -> Verdict:
    """Prototypes of three classes that all like red best: red, blue, and none."""
    if not isinstance(answer, dict) or set(answer) != set(COLLIDING):
        return Verdict(False, f"Give a dict with the keys {', '.join(map(repr, COLLIDING))}.")
    if answer["punctual"] != "red":
        return Verdict(False, "The heaviest class chooses first: which value does it like best?")
    if answer["late"] == "red":
        return Verdict(False, "red is taken. What is the next-best value that late itself has?")
    if answer["late"] == "green":
        return Verdict(False, "No late bus is green: a class can only choose among its own values.")
    if answer["never"] is not None:
        return Verdict(
            False, "never has red and no other value. It merges with punctual; that is None here."
        )
    if answer != COLLIDING:
        return Verdict(False, "late has red, red and blue. Which of its own values is free?")
    return Verdict(True, "Heaviest first, then the next-best own value; who has none, merges.")


@exercise("the smallest distance divided by each, squared, times the mass; then shares of the sum")
def shares_function(answer) -> Verdict:
    """A function (mass (K,), distance (K,)) -> shares (K,), safe with zeros and any size."""
    mass = np.array([30.0, 10.0, 5.0])
    cases = {
        "ordinary distances": ([2.0, 1.0, 4.0], [7.5, 10, 0.3125]),
        "one distance of zero": ([2.0, 0.0, 4.0], [0, 1, 0]),
        "two distances of zero": ([0.0, 0.0, 4.0], [30, 10, 0]),
        "distances of 1e-200": ([2e-200, 1e-200, 4e-200], [7.5, 10, 0.3125]),
        "distances of 1e200": ([2e200, 1e200, 4e200], [7.5, 10, 0.3125]),
    }
    for name, (distance, pull) in cases.items():
        expected = np.array(pull) / np.sum(pull)
        with np.errstate(all="ignore"):
            found = np.asarray(answer(mass.copy(), np.array(distance)), float)
        if found.shape != mass.shape:
            return Verdict(False, f"Three masses need three shares, not the shape {found.shape}.")
        if np.isnan(found).any():
            return Verdict(False, f"With {name} there is a NaN: {found}. Only the nearest pull.")
        if not np.allclose(found, expected):
            return Verdict(
                False, f"With {name} the shares are {expected.round(3)}, not {found.round(3)}."
            )
    return Verdict(True, "Zeros share by mass, and no distance is too small or too large.")


@exercise("rt.cross_validate(rt.NewtonTree(distances={'fragment': d}), data, k=5)['auc'].mean()")
def distance_study(answer) -> Verdict:
    """A dict {distance: mean AUC} for three distances of texts, on fragments(100, seed=5)."""
    if not isinstance(answer, dict) or set(answer) != set(STUDY):
        return Verdict(False, f"Give a dict with the keys {', '.join(map(repr, STUDY))}.")
    for name, expected in STUDY.items():
        if abs(float(answer[name]) - expected) > 0.0015:
            return Verdict(
                False,
                f"{name} has a mean AUC of {expected:.3f}, you have {answer[name]:.3f}. Use "
                "structured.fragments(100, seed=5), five folds and the default seed.",
            )
    best = max(STUDY, key=STUDY.get)
    return Verdict(
        True,
        f"{best} wins: the distance is where you say what being alike means. Lengths are "
        "alike in both classes, and hardly a text occurs twice: the other two see next to nothing.",
    )
