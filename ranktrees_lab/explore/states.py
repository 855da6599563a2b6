"""An explorer on a page without a kernel: all its controls move, over pictures drawn before."""

import base64
import gc
import hashlib
import html
import json
import multiprocessing
import os
import re
import sys
import warnings
import zlib
from pathlib import Path
from typing import NamedTuple

from ranktrees_engine.basics.arguments import check_number
from ranktrees_files.paths import replacing
from ranktrees_lab.explore.spread import Spread, spread_of

STATES = 600  # combinations of an explorer's controls that are drawn
MOST_BYTES = 1_000_000  # of an explorer's states, as a page holds them
ALONE = 12  # states for which a second process is not worth its start
AT_ONCE = 20  # pictures whose memory is freed together, some 50 MB
# Texts of states are cut behind tags and sentences: these are the parts that they share.
PARTS = re.compile(r"(?<=>)|(?<=\. )")
DRAWN: list[float] = []  # processor seconds of each explorer whose states were drawn for pages
SCRIPT = Path(__file__).with_name("explorer.js")


def states_of(explorer, most: int = STATES) -> dict:
    """Return the states of at most `most` combinations of all controls, ready for JSON.

    {"controls": [{"level", "name", "label", "kind", "texts", "start", "enabled"}], "picture":
    {"src", "alt", "words", "width"}, "data", "whole"}: the controls that move, what is shown first,
    and whether all their places are there.
    "data" is for explorer.js, deflated JSON in base64: "tree", "plans" and "now" as in `Spread`,
    "shots" of the combinations, each three lists of positions in "parts" (SVG, alt text, tables) or
    the sentence why it cannot be drawn. If these would take more than 1 MB there are fewer. Raises
    ValueError for `most` below 2, and for an explorer that cannot draw its present settings.
    """
    check_number("most", most, whole=True)
    if most < 2:
        raise ValueError(f"most must be 2 states or more, not {most}")
    picture, tables = explorer.draw(**explorer.settings)
    src = f"data:image/png;base64,{base64.b64encode(picture.png()).decode('ascii')}"
    here = {"src": src, "alt": picture.alt, "words": tables, "width": picture.width}
    shots = {}
    while True:
        spread = spread_of(explorer, most)
        every = {repr(settings): settings for settings in spread.settings}
        new = [key for key in every if key not in shots]
        shots |= zip(new, drawn(explorer.draw, [every[key] for key in new]), strict=True)
        whole = all(spread.caps[name] >= spread.most[name] for name in spread.caps)
        data = _packed(spread, [shots[key] for key in every])
        if len(data) <= MOST_BYTES or most == 1:
            return {"controls": spread.controls(), "picture": here, "data": data, "whole": whole}
        most = max(1, int(0.9 * len(every) * MOST_BYTES / len(data)))


def drawn(draw, every: list[dict]) -> list:
    """Draw each of these settings: (SVG, alt text, tables), or the sentence why it cannot be drawn.

    A second process draws the second half, if it can be forked.
    """
    if len(every) < ALONE or sys.platform != "linux":
        return _shots(draw, every)
    half, fork = len(every) // 2, multiprocessing.get_context("fork")
    inlet, outlet = fork.Pipe(duplex=False)

    def draw_rest():
        outlet.send(_shots(draw, every[half:]))

    child = fork.Process(target=draw_rest, daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
        child.start()
    outlet.close()
    try:
        return _shots(draw, every[:half]) + inlet.recv()
    except EOFError as error:
        what = "the process that draws half of the states has ended: its error stands above"
        raise RuntimeError(what) from error
    finally:
        child.kill()
        child.join()


def spent() -> float:
    """Return the processor seconds of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def _shots(draw, every):
    """Draw these settings, one by one.

    A figure is a knot of references, which garbage collection unties. Left to itself it takes a
    quarter of the time, since it looks at all that was there before, again and again.
    """
    collects = gc.isenabled()
    gc.freeze()
    gc.disable()
    try:
        shots = []
        for settings in every:
            shots.append(_shot(draw, settings))
            if len(shots) % AT_ONCE == 0:
                gc.collect()
        return shots
    finally:
        gc.unfreeze()
        if collects:
            gc.enable()


def _shot(draw, settings):
    try:
        picture, tables = draw(**settings)
    except ValueError as error:
        return str(error)
    return picture.svg(), picture.alt, tables


def _packed(spread: Spread, shots: list) -> str:
    """Return what explorer.js reads of these states."""
    parts = {}

    def numbers(text):
        return [parts.setdefault(part, len(parts)) for part in PARTS.split(text)]

    shots = [shot if isinstance(shot, str) else [*map(numbers, shot)] for shot in shots]
    data = {"tree": spread.tree, "plans": spread.plans, "now": spread.present()}
    text = json.dumps({**data, "shots": shots, "parts": [*parts]}, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


class ForPages(NamedTuple):
    """Maker of outputs' states: how many, and where they are kept, by what they `depend` on."""

    most: int = STATES
    folder: str | None = None
    depend: str = ""

    def states(self, explorer) -> dict:
        """Return an explorer's states, drawn or kept: by controls, picture and code so far.

        A file that is used gets a new time, so that old ones can be removed.
        """
        if self.folder is None:
            return explorer.states(self.most)
        from IPython import get_ipython

        code = get_ipython().user_ns["In"] if get_ipython() else []
        depend = self.depend, self.most, code, explorer.settings, explorer.picture.svg()
        digest = hashlib.sha256(repr((*depend, explorer.words.value)).encode()).hexdigest()
        kept = Path(self.folder, f"{digest[:16]}.json")
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            begun = spent()
            with replacing(kept) as new:
                new.write_text(json.dumps(explorer.states(self.most)), encoding="utf-8")
            DRAWN.append(spent() - begun)
        os.utime(kept)
        return json.loads(kept.read_text(encoding="utf-8"))


def page_of(states: dict, script: bool = True) -> str:
    """Return states as HTML that works by itself, in a group; `script` once per page is enough.

    Without JavaScript it is a picture with its alt text and tables, and disabled controls.
    """
    controls, here = "".join(map(_control, states["controls"])), states["picture"]
    more = f"<script>{SCRIPT.read_text(encoding='utf-8')}</script>" if script else ""
    alt = html.escape(here["alt"])
    return (
        f'<div class="rt-explorer" role="group" aria-label="Explorer">'
        f'<div class="rt-controls">{controls}</div><p class="rt-said" role="status"></p>'
        f'<div class="wide"><img alt="{alt}" src="{here["src"]}" width="{here["width"]}" '
        f'style="max-width:100%;height:auto"></div>'
        f'<div class="rt-words"><p aria-live="polite">{alt}</p><div>{here["words"]}</div></div>'
        f'<script type="text/plain">{states["data"]}</script></div>{more}'
    )


def _control(control):
    """Return a list to choose from, or a slider and the text of its place, with a label."""
    label, start = html.escape(control["label"]), control["start"]
    texts = [*map(html.escape, control["texts"])]
    # With autocomplete a page that is loaded again would show what was set and not its picture.
    known = f'disabled autocomplete="off" data-level="{control["level"]}"'
    if control["kind"] == "select":
        chosen = ["", " selected"]
        options = "".join(
            f'<option value="{i}"{chosen[i == start]}>{text}</option>'
            for i, text in enumerate(texts)
        )
        return f"<span><label>{label} <select {known}>{options}</select></label></span> "
    return (
        f'<span><label>{label} <input type="range" {known} min="0" max="{len(texts) - 1}" '
        f'step="1" value="{start}" aria-valuetext="{texts[start]}"></label> '
        f"<output>{texts[start]}</output></span> "
    )
