"""A page to try things: data of one's own, a method, its tree, curves, cases, code."""

from ranktrees_lab.playground.page import Playground, playground

__all__ = ["Playground", "playground"]
