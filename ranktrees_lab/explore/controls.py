"""The controls of an explorer: choices, sliders, and what they offer."""

from typing import NamedTuple

from ranktrees_lab.plot.inputs import check_known, check_place


class Control(NamedTuple):
    """A control: its kind of widget, its label, its first value and its other options.

    It returns to its first value if a control that it `follows` has changed.
    """

    kind: str
    label: str
    value: object
    traits: dict = {}  # noqa: RUF012
    enabled: bool = True
    follows: tuple[str, ...] = ()


def choice(label: str, options, value, follows=(), slider: bool = False) -> Control:
    """Offer one of several `options`, values or pairs (text, value), in a row if `slider`."""
    kind = "SelectionSlider" if slider else "Dropdown"
    return Control(kind, label, value, {"options": options}, True, follows)


def numbers(label: str, low, high, step, value, enabled=True, follows=(), **traits) -> Control:
    """Offer a slider from `low` to `high`, with whole numbers if the step is one."""
    kind = "IntSlider" if isinstance(step, int) else "FloatSlider"
    traits |= {"min": low, "max": high, "step": step}
    return Control(kind, label, value, traits, enabled, follows)


def named_choice(what: str, names, name: str | None, label: str = "", none=False) -> Control:
    """Offer these names, first `name` (with `none`, None comes first); ValueError for others."""
    name = next(iter(names)) if none and name is None else name
    check_known(what, name, names)
    return choice(label or what, list(names), name)


def case_slider(n: int, case: int) -> Control:
    """Offer a slider over the numbers of n cases; ValueError if `case` is not among them."""
    check_place("case", case, n)
    return numbers("case", 0, n - 1, 1, case)
