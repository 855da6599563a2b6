"""What the checks of the lessons answer: the lessons' own solutions are right, slips are named."""

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from lesson_cells import NOTEBOOKS, cells_of
from scipy.special import softmax

import ranktrees as rt
from ranktrees_lab.check import challenges
from ranktrees_lab.check.path_bayes import number_of_prunings
from ranktrees_lab.student import CHECK, tags

ANSWERS = tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))
ROWS = [
    (check, kind == "right", answer, words)
    for check, kinds in ANSWERS.items()
    for kind, rows in kinds.items()
    for answer, words in rows
]
NUMBERS = sorted(path.name[:2] for path in NOTEBOOKS.glob("[01]*.ipynb"))


@pytest.mark.parametrize(("check", "right", "answer", "words"), ROWS)
def test_an_answer_is_judged_and_its_slip_named(check, right, answer, words):
    verdict = getattr(rt.check, check)(answer)
    assert verdict.right is right
    assert words in repr(verdict)


def test_each_solution_of_a_lesson_is_right_and_each_check_has_one():
    solved = []
    for cell in (cell for number in NUMBERS for cell in cells_of(number)):
        if "solution" in tags(cell):
            solved += CHECK.findall("".join(cell["source"]))
            assert re.search(r'(?:"|\\n)Right\.', json.dumps(cell["outputs"])), solved[-1]
    names = {*rt.check.__all__} - {"Verdict", "challenge"}
    assert sorted(solved) == sorted([*names, *challenges.all_tasks()])


def posterior(added=1, prior=True, prior_added=1, values=None, last=lambda p: p / p.sum()):
    """Naive Bayes for two classes with a choice of mistakes."""

    def function(X, y, sizes, case):
        n = np.bincount(y, minlength=2)
        p = (n + prior_added) / (n.sum() + 2 * prior_added) if prior else np.ones(2)
        for x, V, v in zip(X.T, sizes, case, strict=True):
            p = p * (np.bincount(y[x == v], minlength=2) + added) / (n + added * (values or V))
        return last(p)

    return function


@pytest.mark.parametrize(
    ("check", "function", "words"),
    [
        ("posterior", posterior(), "Right. The same numbers"),
        ("posterior", posterior(last=lambda p: p), "divide by the sum"),
        ("posterior", posterior(last=lambda p: 2 * p / p.sum() + 0.1), "sum to 1, but sum to"),
        ("posterior", posterior(last=lambda p: softmax(p / p.sum())), "once too often"),
        ("posterior", posterior(added=0, prior_added=0), "plain shares"),
        ("posterior", posterior(prior=False), "left out the prior"),
        ("posterior", posterior(prior_added=0), "prior is smoothed, too"),
        ("posterior", posterior(added=7), "The first case should give"),
        ("posterior", posterior(last=lambda p: p[:1]), "2 numbers"),
        ("posterior", posterior(last=lambda p: p[::-1] / p.sum()), "swapped"),
        ("posterior", posterior(last=lambda p: np.log(p / p.sum())), "logarithms"),
        ("posterior", posterior(values=2), "You added the 2 classes"),
        ("prunings", number_of_prunings, "Right. 1 for a leaf"),
        ("prunings", lambda tree: number_of_prunings(tree, cut=0), "Each node may also be cut"),
        ("prunings", lambda tree: number_of_prunings(tree, together=sum), "multiplied"),
        ("prunings", lambda tree: 2 ** int((~tree.is_leaf).sum()), "nothing below it can"),
        ("prunings", lambda tree: 12, "contact-lenses has 4 prunings, not 12. Begin with a leaf"),
        ("prunings", lambda tree: "many", "cannot be read"),
    ],
)
def test_a_function_has_its_slip_named(check, function, words):
    verdict = getattr(rt.check, f"{check}_function")(function)
    assert verdict.right is words.startswith("Right.")
    assert words in repr(verdict)
