"""An explorer on a page without a kernel: one control at a time, each of its states a picture."""

import base64
import html
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ranktrees_lab.explore.base import Explorer

from ranktrees.basics.arguments import check_number

MOST_BYTES = 1_500_000  # of an explorer's pictures and words
COLOURS = 128
SCRIPT = Path(__file__).with_name("explorer.js")


def states_of(explorer: "Explorer", most: int = 12) -> dict:
    """The states of each control that works, the others as they are set now, ready for JSON.

    {"controls": [{"name", "label", "kind", "texts", "start", "pictures": [{"src", "alt", "words",
    "others"}]}], "picture": the present one}: at most `most` states spread over a control's range,
    the present one, at `start`, among them; those that cannot be drawn are left out. `src` is a
    data URL, `words` HTML, `others` {name: text} of the controls that begin anew. There are fewer
    states where more would not fit into 1.5 MB. Raises ValueError for `most` below 2.
    """
    check_number("most", most, whole=True)
    if most < 2:
        raise ValueError(f"most must be 2 states or more per control, not {most}")
    now, controls = explorer.settings, []
    start = _shot(explorer, now)
    for name, control in explorer.plans(now).items():
        places = _places(control, now[name], most) if control.enabled else []
        shots = [start if v == now[name] else _moved(explorer, name, v) for _, v in places]
        drawn = [(*place, shot) for place, shot in zip(places, shots, strict=True) if shot]
        if len(drawn) > 1:
            texts, values, shots = map(list, zip(*drawn, strict=True))
            kind = "select" if control.kind in ("Dropdown", "Checkbox") else "range"
            here = {"name": name, "label": control.label, "kind": kind, "texts": texts}
            controls.append({**here, "start": values.index(now[name]), "pictures": shots})
    return {"controls": _fitting(controls), "picture": start}


def _shot(explorer, settings, others=None):
    """A state: its picture, compressed, as a data URL, alt text, words, what others begin at."""
    picture, tables = explorer.draw(**settings)
    words = f"<p>{html.escape(picture.alt)}</p>{tables}"
    return {"src": small(picture), "alt": picture.alt, "words": words, "others": others or {}}


def _moved(explorer, name, value):
    """The state after one control has moved, and the texts of those that begin anew with it.

    None where an explorer with a kernel would say that this cannot be drawn.
    """
    now, settings = explorer.settings, explorer.settings_with(**{name: value})
    plans = explorer.plans(settings)
    anew = [n for n in settings if n != name and settings[n] != now[n]]
    try:
        return _shot(explorer, settings, {n: _text(plans[n], settings[n]) for n in anew})
    except ValueError:
        return None


def small(picture) -> str:
    """A picture as a data URL, 100 pixels per inch: a WebP, smaller than PNG with a palette."""
    from PIL import Image

    image = Image.open(io.BytesIO(picture.png())).convert("RGB")
    size = tuple(round(side * 100) for side in picture.get_size_inches())
    image = image if image.size == size else image.resize(size, Image.Resampling.LANCZOS)
    image = image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    image.convert("RGB").save(out, "webp", lossless=True)
    return f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode('ascii')}"


def _places(control, value, most):
    """(text, value) of at most so many places of a control, the present one among them."""
    if control.kind == "Checkbox":
        return [("no", False), ("yes", True)]
    if "options" in control.traits:
        known = _options(control)
        at = next(i for i, (_, v) in enumerate(known) if v == value)
        return [known[int(i)] for i in evenly(len(known), most, at)]
    low, high, step = (control.traits[name] for name in ("min", "max", "step"))
    count, at = round((high - low) / step) + 1, (value - low) / step
    values = [value if i == at else _number(low + i * step, step) for i in evenly(count, most, at)]
    return [(_text(control, v), v) for v in values]


def _number(value, step):
    """A place of a slider: whole for whole steps, and without the dirt of adding up steps."""
    return int(value) if isinstance(step, int) else float(f"{value:.12g}")


def _options(control):
    """(text, value) of a choice, as ipywidgets reads its options."""
    options = list(control.traits["options"])
    if all(isinstance(option, list | tuple) and len(option) == 2 for option in options):
        return [tuple(option) for option in options]
    return [(str(option), option) for option in options]


def _text(control, value):
    """A value as its control shows it."""
    if control.kind == "Checkbox":
        return "yes" if value else "no"
    if "options" in control.traits:
        return next(text for text, v in _options(control) if v == value)
    if control.kind == "IntSlider":
        return str(int(value))
    return format(value, control.traits.get("readout_format", ".2f"))


def evenly(count: int, most: int, at: float) -> list[float]:
    """At most so many of `count` places, evenly, `at` in place of the nearest between the ends.

    >>> evenly(5, 12, 2)
    [0.0, 1.0, 2.0, 3.0, 4.0]
    >>> evenly(101, 5, 30)
    [0.0, 30.0, 50.0, 75.0, 100.0]
    """
    places = np.linspace(0, count - 1, min(count, most)).round()
    if at not in places:
        inner = places[1:-1] if len(places) > 2 else places
        inner[np.abs(inner - at).argmin()] = at
    return places.tolist()


def _fitting(controls):
    """The controls, the largest with fewer states until all fit; at last, with the fewest, none."""
    while controls and sum(map(_size, controls)) > MOST_BYTES:
        largest = max(controls, key=lambda control: (len(control["texts"]) > 2, _size(control)))
        states, start = len(largest["texts"]), largest["start"]
        if states <= 2:
            controls.remove(largest)
            continue
        kept = list(map(int, evenly(states, states - 1, start)))
        largest |= {key: [largest[key][i] for i in kept] for key in ("texts", "pictures")}
        largest["start"] = kept.index(start)
    return controls


def _size(control):
    return sum(len(shot["src"]) + len(shot["words"]) for shot in control["pictures"])


def page_of(states: dict, script: bool = True) -> str:
    """States as HTML that works by itself, in a group; `script` once per page is enough."""
    controls = "".join(map(_control, states["controls"]))
    shot = states["picture"]
    data = json.dumps(states["controls"]).replace("<", "\\u003c")  # no end of the script inside
    more = f"<script>{SCRIPT.read_text(encoding='utf-8')}</script>" if script else ""
    return (
        f'<div class="rt-explorer" role="group" aria-label="Explorer">'
        f'<div class="rt-controls">{controls}</div><p class="rt-said" role="status"></p>'
        f'<img alt="{html.escape(shot["alt"])}" src="{shot["src"]}" '
        f'style="max-width:100%;height:auto">'
        f'<div class="rt-words">{shot["words"]}</div>'
        f'<script type="application/json">{data}</script></div>{more}'
    )


def _control(control):
    """A list to choose from, or a slider and the text of its place, with a label."""
    label, start = html.escape(control["label"]), control["start"]
    text = html.escape(control["texts"][start])
    if control["kind"] == "select":
        chosen = ["", " selected"]
        options = "".join(
            f'<option value="{i}"{chosen[i == start]}>{html.escape(t)}</option>'
            for i, t in enumerate(control["texts"])
        )
        # With autocomplete a page that is loaded again would show what was set and not its picture.
        return (
            f'<span><label>{label} <select autocomplete="off">{options}</select></label> '
            f"<output></output></span> "
        )
    most = len(control["texts"]) - 1
    return (
        f'<span><label>{label} <input type="range" autocomplete="off" min="0" max="{most}" '
        f'step="1" value="{start}" aria-valuetext="{text}"></label> <output>{text}</output></span> '
    )
