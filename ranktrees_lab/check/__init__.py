"""Checks of answers to the exercises: `rt.check.<exercise>(answer)` says what to do next."""

from ranktrees_lab.check import (  # noqa: F401 (register)
    bayes,
    papers,
    path_bayes,
    ranking,
    scale,
    shrinkage,
    trees,
)
from ranktrees_lab.check.base import EXERCISES, Verdict
from ranktrees_lab.check.challenges import challenge

globals().update(EXERCISES)
__all__ = ["Verdict", "challenge", *sorted(EXERCISES)]
