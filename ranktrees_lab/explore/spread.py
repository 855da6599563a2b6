"""The combinations of an explorer's controls: places spread evenly over what they offer."""

import json
from typing import NamedTuple

import numpy as np

from ranktrees_lab.explore.controls import Control


class Place(NamedTuple):
    """A place of a control: its number of steps from the first, its text and its value."""

    at: float
    text: str
    value: object


class Spread:
    """The combinations of an explorer's controls, each with at most `caps` {name: places}.

    `settings` [{name: value}] of the combinations. `tree` leads to their numbers, a level per
    control in the order of `names`: [a number in `plans`, [the tree below each place]], or below
    the one place of a disabled control. `plans` {"texts", "at", "start", "enabled", "follows"} say
    what a control offers, where it starts again, and the levels of those that it follows. `most`
    {name: places without a cap, if the control works}.
    """

    def __init__(self, explorer, caps: dict):
        self.explorer, self.caps, self.now = explorer, caps, explorer.settings
        self.names, self.most = explorer.order, dict.fromkeys(caps, 1)
        self.settings, self.plans, self._numbers = [], [], {}
        self.tree = self._below({})

    def _below(self, settings):
        if len(settings) == len(self.names):
            self.settings.append(settings)
            return len(self.settings) - 1
        name = self.names[len(settings)]
        control = self.explorer.control_of(name, settings)
        known = self._places(name, control, settings)
        self.most[name] = max(self.most[name], count(control) if control.enabled else 1)
        start = nearest(known, where(control, control.value))
        plan = {"texts": [place.text for place in known], "at": [place.at for place in known]}
        follows = [self.names.index(other) for other in control.follows]
        plan |= {"start": start, "enabled": control.enabled, "follows": follows}
        number = self._numbers.setdefault(json.dumps(plan), len(self.plans))
        if number == len(self.plans):
            self.plans.append(plan)
        if not control.enabled:
            here = where(control, self.now[name])
            known = [known[start if here is None else nearest(known, here)]]
        return [number, [self._below({**settings, name: place.value}) for place in known]]

    def _places(self, name, control, settings):
        """Return a control's places, among them where it is now and where it starts again."""
        stays = all(settings[other] == self.now[other] for other in control.follows)
        wanted = [control.value] * bool(control.follows) + [self.now[name]] * stays
        return places(control, self.caps[name], wanted)

    def present(self) -> list[float]:
        """Return the present places of the controls, in the order of `names`."""
        plans = self.explorer.plans(self.now)
        return [where(plans[name], self.now[name]) for name in self.names]

    def controls(self) -> list[dict]:
        """Return what a page shows at first of each control that has places to choose from."""
        shown = []
        for name, control in self.explorer.plans(self.now).items():
            known = self._places(name, control, self.now)
            here = {"level": self.names.index(name), "name": name, "label": control.label}
            here["kind"] = "select" if control.kind in ("Dropdown", "Checkbox") else "range"
            here |= {"texts": [place.text for place in known], "enabled": control.enabled}
            here["start"] = nearest(known, where(control, self.now[name]))
            shown += [here] if self.caps[name] > 1 else []
        return shown


def spread_of(explorer, most: int) -> Spread:
    """Spread places equally over all controls, as far as the limit of combinations allows."""
    spread = Spread(explorer, dict.fromkeys(explorer.settings, 1))
    waiting = list(spread.caps)
    while open_ones := [name for name in waiting if spread.caps[name] < spread.most[name]]:
        name = min(open_ones, key=spread.caps.get)
        more = Spread(explorer, {**spread.caps, name: spread.caps[name] + 1})
        if len(more.settings) <= most:
            spread = more
        else:
            waiting.remove(name)
    return spread


def places(control: Control, most: int, wanted: list) -> list[Place]:
    """Return at most this many places of a control, evenly, with those wanted and the last."""
    value_at = {where(control, value): value for value in wanted}
    value_at.pop(None, None)
    steps, known = evenly(count(control), most, *value_at), options(control)
    if known:
        return [Place(i, *known[int(i)]) for i in steps]
    low, step = control.traits["min"], control.traits["step"]
    values = [value_at[i] if i in value_at else _number(low + i * step, step) for i in steps]
    return [Place(i, text(control, value), value) for i, value in zip(steps, values, strict=True)]


def count(control: Control) -> int:
    """Count the places that a control has."""
    if known := options(control):
        return len(known)
    low, high, step = (control.traits[name] for name in ("min", "max", "step"))
    return int((high - low) / step + 1e-6) + 1  # the last step may not reach the end


def where(control: Control, value) -> float | None:
    """Return how many steps a value is from a control's first place; None for an unknown value."""
    if known := options(control):
        return next((float(i) for i, (_, v) in enumerate(known) if v == value), None)
    low, high, step = (control.traits[name] for name in ("min", "max", "step"))
    return round(float(value - low) / step, 6) if low <= value <= high else None


def nearest(known: list[Place], at: float) -> int:
    """Return the place nearest to a number of steps."""
    return min(range(len(known)), key=lambda i: abs(known[i].at - at))


def _number(value, step):
    """Return a slider's value: whole for whole steps, free of the rounding of added steps."""
    return int(value) if isinstance(step, int) else float(f"{value:.12g}")


def options(control: Control) -> list[tuple]:
    """Return (text, value) of a choice, as ipywidgets reads its options; [] for a number slider."""
    if control.kind == "Checkbox":
        return [("no", False), ("yes", True)]
    known = list(control.traits.get("options", []))
    if all(isinstance(option, list | tuple) and len(option) == 2 for option in known):
        return [tuple(option) for option in known]
    return [(str(option), option) for option in known]


def text(control: Control, value) -> str:
    """Format a number as its slider shows it."""
    if control.kind == "IntSlider":
        return str(int(value))
    return format(value, control.traits.get("readout_format", ".2f"))


def evenly(count: int, most: int, *at: float) -> list[float]:
    """Return at most this many of `count` places, evenly; each `at` replaces the nearest inner one.

    >>> evenly(5, 12, 2)
    [0.0, 1.0, 2.0, 3.0, 4.0]
    >>> evenly(101, 5, 30)
    [0.0, 30.0, 50.0, 75.0, 100.0]
    >>> evenly(101, 5, 30, 95)
    [0.0, 30.0, 50.0, 95.0, 100.0]
    """
    places = np.linspace(0, count - 1, min(count, most)).round()
    for wanted in at:
        if wanted not in places:
            inner = places[1:-1] if len(places) > 2 else places
            inner[np.abs(inner - wanted).argmin()] = wanted
    return sorted(places.tolist())
