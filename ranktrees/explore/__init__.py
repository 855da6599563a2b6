"""Sliders for the lessons: each one is a widget whose picture also reads without a kernel."""

from ranktrees.explore.base import Explorer
from ranktrees.explore.mailing import MailingExplorer, mailing
from ranktrees.explore.split import SplitExplorer, split

__all__ = [
    "Explorer",
    "MailingExplorer",
    "SplitExplorer",
    "mailing",
    "split",
]
