"""Answers to the exercises, checked at once: `rt.check.<exercise>(answer)` says what to do next."""

from ranktrees.teach.check import bayes, growing, papers, path_bayes, ranking, scale, trees  # noqa: F401 (register)
from ranktrees.teach.check.base import EXERCISES, Verdict

globals().update(EXERCISES)
__all__ = ["Verdict", *sorted(EXERCISES)]
