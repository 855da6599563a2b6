"""The check of the exercise on growing a tree: a way down."""

from ranktrees_lab.check.answers import one_name, table
from ranktrees_lab.check.base import exercise, slip

ELEVENTH = {"Ann": "No", "Ben": "Yes", "Cem": "No"}


@exercise('a dict such as {"Ann": "Yes", "Ben": ..., "Cem": ...}')
def followed_down(answer):
    """What the tree says of three new tax payers: No, Yes, No."""
    names = "Give a dict with the keys 'Ann', 'Ben' and 'Cem'."
    said = table(answer, ELEVENTH, names)
    said = {name: one_name(said[name], ("No", "Yes"), "Each is No or Yes.") for name in said}
    ann = "Ann is divorced and has no refund: her income decides, and 60 is at most 72.5."
    slip(said["Ann"] == ELEVENTH["Ann"], ann)
    ben = "Ben earns more than all three cheats do, but the tree asks only whether it is over 72.5."
    slip(said["Ben"] == ELEVENTH["Ben"], ben)
    slip(said["Cem"] == ELEVENTH["Cem"], "Cem is married: the first question decides.")
    return "Ben is called a cheat as well: the tree tests for no upper limit of income."
