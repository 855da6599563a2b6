"""Explorers on a page without a kernel: the states of all controls, and the page of them."""

import base64
import html
import json
import os
import re
import sys
import zlib

import pytest
from explorers import EXPLORERS, animals, said

import ranktrees as rt
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.base import STATES
from ranktrees_lab.explore.controls import choice, numbers
from ranktrees_lab.explore.spread import spread_of
from ranktrees_lab.explore.states import ALONE, ForPages, drawn

HOSTILE = ["$x$", "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "a\"b'c"]


def opened(states):
    """What explorer.js reads; its shots as (SVG, alt text, tables), or a sentence."""
    data = json.loads(zlib.decompress(base64.b64decode(states["data"])))
    for i, shot in enumerate(data["shots"]):
        if not isinstance(shot, str):
            data["shots"][i] = tuple("".join(data["parts"][k] for k in part) for part in shot)
    return data


def walked(data, now):
    """The number of the shot at these places of all controls, and what they offer there."""
    node, plans = data["tree"], []
    for at in now:
        plans.append(data["plans"][node[0]])
        node = node[1][plans[-1]["at"].index(at) if plans[-1]["enabled"] else 0]
    return node, plans


@pytest.mark.parametrize("name", sorted({*rt.explore.__all__} - {"Candidates", "Explorer"}))
def test_states_are_few_and_those_of_the_live_explorer(name):
    explorer = EXPLORERS[name]()
    states = explorer.states(most=2)
    start, data = states["picture"], opened(states)
    alt, words = explorer.picture.alt, start["words"]
    assert data["shots"][walked(data, data["now"])[0]][1:] == (alt, words)
    assert f"<p>{html.escape(alt)}</p>{words}" == explorer.words.value
    assert start["alt"] == alt
    assert len({*data["shots"]}) == 2, "the control changes what is shown"
    for control in states["controls"]:
        assert len(set(control["texts"])) == len(control["texts"]) == 2
        assert control["label"] == explorer.controls[control["name"]].description
        assert control["enabled"] != explorer.controls[control["name"]].disabled
    moved = spread_of(explorer, 4).settings[-1]
    for control in explorer.order:
        explorer.controls[control].value = moved[control]
    assert explorer.settings == moved
    picture, tables = explorer.draw(**moved)
    assert f"<p>{html.escape(picture.alt)}</p>{tables}" == explorer.words.value


def test_an_svg_is_the_same_each_time_and_names_only_what_is_used():
    first, second = (EXPLORERS["lens"]().picture.svg() for _ in range(2))
    assert first == second
    named = re.findall(r'id="([^"]+)"', first)
    assert len(named) == len(set(named))
    assert set(named) == set(re.findall(r'(?:href="|url\()#([\w-]+)', first))


def test_each_kind_of_control_has_its_places():
    explorer = animals()
    shown = {control.pop("name"): control for control in explorer.states(most=100)["controls"]}
    kinds = ["select", "range", "select", "range", "select"]
    assert [control["kind"] for control in shown.values()] == kinds
    page = explorer.to_html(most=24)
    assert (page.count("<select"), page.count('<input type="range"')) == (3, 2)
    assert page.count("<script>") == 1
    assert "<script>" not in explorer.to_html(most=2, script=False)
    found = spread_of(explorer, 100)
    assert len(found.settings) == (2 * 4 + 3) * 4 * 2, "the number moves in the house alone"
    assert found.caps == {"animal": 3, "number": 4, "place": 2, "weight": 4, "loud": 2}
    texts = {name: (control["texts"], control["start"]) for name, control in shown.items()}
    assert texts == {
        "animal": (["cat", "dog"], 1),
        "number": ([*"1245"], 3),
        "place": (["house", "farm"], 0),
        "weight": (["0.00", "0.30", "0.70", "1.00"], 1),
        "loud": (["no", "yes"], 0),
    }
    assert all(control["enabled"] for control in shown.values())
    with pytest.raises(ValueError, match="most must be 2 states or more, not 1"):
        explorer.states(most=1)


def test_all_combinations_are_drawn_where_there_are_few():
    explorer = Explorer(
        lambda a, b: said("", f"{a} of {b:.3g}."),
        a=numbers("a", 1, 3, 1, 2),
        b=numbers("b", 0.0, 0.7, 0.1, 0.3),
    )
    every = [(now["a"], now["b"]) for now in spread_of(explorer, 24).settings]
    assert every == [(a, b / 10) for a in (1, 2, 3) for b in range(8)]
    shots = opened(explorer.states(24))["shots"]
    assert shots[-1][1] == "3 of 0.7.", "not of 0.7000000000000001"


def test_what_follows_begins_anew_and_what_is_disabled_has_one_place():
    explorer = animals()
    data = opened(explorer.states(most=100))
    place, animal, number = (explorer.order.index(name) for name in ("place", "animal", "number"))
    farm = [*data["now"]]
    farm[place], farm[animal] = 1, 0
    (_, at_home), (_, outside) = walked(data, data["now"]), walked(data, farm)
    assert (outside[animal]["texts"], outside[animal]["start"]) == (["cow", "dog", "hen"], 2)
    assert outside[animal]["follows"] == [place]
    assert (at_home[number]["enabled"], outside[number]["enabled"]) == (True, False)


def test_two_processes_draw_what_one_draws_and_say_what_cannot_be_drawn(capfd):
    seen = []

    def draw(n):
        seen.append(os.getpid())
        if n in (1, ALONE):
            raise ValueError(f"no picture of {n}")
        if n > ALONE:
            raise TypeError("a fault")
        return said(str(os.getpid()), f"It is {n}.")

    shots = drawn(draw, [{"n": n} for n in range(ALONE + 1)])
    assert (shots.pop(), shots.pop(1)) == (f"no picture of {ALONE}", "no picture of 1")
    assert [shot[1] for shot in shots] == [f"It is {n}." for n in range(ALONE) if n != 1]
    error = TypeError
    if sys.platform == "linux":
        assert len({shot[2] for shot in shots}) == 2
        assert len(seen) == (ALONE + 1) // 2
        error = RuntimeError
    with pytest.raises(error, match=r"the process that draws half of the states has ended|a fault"):
        drawn(draw, [{"n": n} for n in range(ALONE + 2)])
    assert sys.platform != "linux" or "a fault" in capfd.readouterr().err


def test_fewer_states_where_more_would_not_fit(monkeypatch):
    explorer = animals()
    size = len(explorer.states(most=16)["data"])
    for part in (0.7, 0.0):
        monkeypatch.setattr("ranktrees_lab.explore.states.MOST_BYTES", size * part)
        states = explorer.states(most=16)
        assert len(states["data"]) <= size * part or not part
        assert states["picture"]["alt"] == explorer.picture.alt
    assert states["controls"] == []


def test_a_slider_has_no_place_beyond_its_end():
    y = ["yes", "no", "no"] * 34 + ["no"]
    explorer = rt.explore.mailing(y, {"first": range(len(y), 0, -1)}, "yes")
    letters = [settings["letters"] for settings in spread_of(explorer, 200).settings]
    assert letters == [*range(0, 103, 2)], "103 cases in steps of 2"
    beside = Explorer(lambda share: said("", f"{share:g}"), share=numbers("share", 0, 1, 0.3, 1.0))
    assert spread_of(beside, 20).settings[-1] == {"share": 1}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text(name):
    explorer = Explorer(
        lambda name, other: said("", f"It is {name}."),
        name=choice(name, ["plain", name], name),
        other=choice(name, ["plain", name], name, slider=True),
    )
    shown, data = re.split('<script type="text/plain">', explorer.to_html())
    assert shown.count("<img") == 1
    assert html.escape(name) in shown
    assert name not in shown or name == "$x$"
    states = {"data": data.split("</script>")[0]}
    assert opened(states)["plans"][0]["texts"] == ["plain", name]


def test_states_are_kept_by_content(monkeypatch, tmp_path):
    explorer = animals()

    def carried(depend="", **changes):
        monkeypatch.setattr(Explorer, "for_pages", ForPages(4, str(tmp_path), depend))
        for name, value in changes.items():
            explorer.controls[name].value = value
        return explorer._repr_mimebundle_()[0][STATES]

    assert STATES not in explorer._repr_mimebundle_()[0], "only where asked"
    first = carried()
    assert first == explorer.states(most=4)
    (kept,) = tmp_path.iterdir()
    os.utime(kept, (0, 0))
    with monkeypatch.context() as patch:
        patch.setattr("ranktrees_lab.explore.states.drawn", lambda *_: pytest.fail("it is kept"))
        assert carried() == first
    assert kept.stat().st_mtime > 0, "so that what is not used any more can be found"
    assert carried(number=3) != first
    assert carried("another package", number=5) == first
