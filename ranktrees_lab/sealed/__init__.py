"""A bank whose last 300 clients stay sealed until the end: rank, submit, and open once."""

from ranktrees_lab.sealed.bank import Bank
from ranktrees_lab.sealed.results import Results
from ranktrees_lab.sealed.submissions import close, collect, data, open, submit

__all__ = ["Bank", "Results", "close", "collect", "data", "open", "submit"]
