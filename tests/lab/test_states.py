"""Explorers on a page without a kernel: the states of all controls, and the page of them."""

import base64
import html
import json
import os
import re
import sys
import zlib

import pytest
from explorers import EXPLORERS, said

import ranktrees as rt
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.base import STATES
from ranktrees_lab.explore.controls import Control, choice, numbers
from ranktrees_lab.explore.spread import evenly, spread_of
from ranktrees_lab.explore.states import ALONE, ForPages, drawn

HOSTILE = ["$x$", "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "a\"b'c"]


@pytest.fixture(scope="module", params=EXPLORERS)
def known(request):
    """An explorer, and a few of its states."""
    explorer = EXPLORERS[request.param]()
    return explorer, explorer.states(most=4)


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


def all_states(explorer, most):
    """(settings, shot) of each state of an explorer."""
    return list(
        zip(spread_of(explorer, most).settings, opened(explorer.states(most))["shots"], strict=True)
    )


def test_every_explorer_is_tried():
    assert {*EXPLORERS, "Candidates", "Explorer"} == set(rt.explore.__all__)


def test_states_are_few_and_those_of_the_live_explorer(known):
    explorer, states = known
    start, data = states["picture"], opened(states)
    assert start["alt"] == explorer.picture.alt
    assert f"<p>{html.escape(start['alt'])}</p>{start['words']}" == explorer.words.value
    assert 2 <= len(data["shots"]) <= 4
    assert data["shots"][walked(data, data["now"])[0]] == (
        explorer.picture.svg(),
        start["alt"],
        start["words"],
    )
    for control in states["controls"]:
        assert 2 <= len(control["texts"]) == len(set(control["texts"])) <= 4
        assert control["label"] == explorer.controls[control["name"]].description
        assert control["enabled"] != explorer.controls[control["name"]].disabled
    assert json.loads(json.dumps(states)) == states
    settings, (svg, alt, tables) = spread_of(explorer, 4).settings[-1], data["shots"][-1]
    before = explorer.settings
    try:
        for name in explorer.order:
            explorer.controls[name].value = settings[name]
        assert explorer.settings == settings
        assert (svg, alt) == (explorer.picture.svg(), explorer.picture.alt)
        assert f"<p>{html.escape(alt)}</p>{tables}" == explorer.words.value
    finally:
        for name in explorer.order:
            explorer.controls[name].value = before[name]


def test_an_svg_is_the_same_each_time_and_names_only_what_is_used():
    first, second = (EXPLORERS["lens"]().picture.svg() for _ in range(2))
    assert first == second
    assert first.startswith("<svg ")
    assert "<metadata" not in first
    named = re.findall(r'id="([^"]+)"', first)
    assert len(named) == len(set(named))
    assert set(named) == set(re.findall(r'(?:href="|url\()#([\w-]+)', first))


@pytest.fixture
def animals():
    kinds = {"house": ["cat", "dog"], "farm": ["cow", "dog", "hen"]}

    def animal(now):
        return choice("animal", kinds[now["place"]], kinds[now["place"]][-1], ("place",))

    return Explorer(
        lambda **settings: said(str(sorted(settings.items()))),
        place=choice("place", list(kinds), "house"),
        animal=animal,
        count=numbers("how many", 0, 100, 1, 7),
        weight=numbers("weight", 0.0, 1.0, 0.1, 0.3),
        never=lambda now: numbers("never", 0, 1, 1, 0, enabled=now["place"] == "farm"),
        loud=Control("Checkbox", "loud", False),
    )


def test_each_kind_of_control_has_its_places(animals):
    shown = {control.pop("name"): control for control in animals.states(most=100)["controls"]}
    assert list(shown) == list(animals.controls)
    kinds = ["select", "select", "range", "range", "range", "select"]
    assert [control["kind"] for control in shown.values()] == kinds
    page = animals.to_html(most=100)
    assert (page.count("<select"), page.count('<input type="range"')) == (3, 3)
    assert '<label>how many <input type="range"' in page
    assert page.count("<script>") == 1
    assert "<script>" not in animals.to_html(most=100, script=False)
    assert "http" not in page
    found = spread_of(animals, 100)
    assert len(found.settings) == (1 * 2 + 2 * 3) * 3 * 2 * 2, "never moves on the farm alone"
    assert found.caps == {"place": 2, "animal": 3, "count": 3, "weight": 2, "never": 2, "loud": 2}
    with pytest.raises(ValueError, match="most must be 2 states or more, not 1"):
        animals.states(most=1)
    assert (shown["place"]["texts"], shown["place"]["start"]) == (["house", "farm"], 0)
    assert (shown["animal"]["texts"], shown["animal"]["start"]) == (["cat", "dog"], 1)
    assert shown["count"]["texts"][shown["count"]["start"]] == "7"
    assert {"0", "7", "100"} <= set(shown["count"]["texts"])
    assert shown["weight"]["texts"][shown["weight"]["start"]] == "0.30"
    assert (shown["loud"]["texts"], shown["loud"]["start"]) == (["no", "yes"], 0)
    assert [control["enabled"] for control in shown.values()] == [True] * 4 + [False, True]


def test_all_combinations_are_drawn_where_there_are_few():
    explorer = Explorer(
        lambda a, b: said("", f"{a} of {b:.3g}."),
        a=numbers("a", 1, 3, 1, 2),
        b=numbers("b", 0.0, 0.7, 0.1, 0.3),
    )
    shots = all_states(explorer, 24)
    assert [(s["a"], s["b"]) for s, _ in shots] == [
        (a, b / 10) for a in (1, 2, 3) for b in range(8)
    ]
    assert [shot[1] for _, shot in shots][-1] == "3 of 0.7.", "not of 0.7000000000000001"


def test_what_follows_begins_anew_and_what_is_disabled_has_one_place(animals):
    data = opened(animals.states(most=100))
    place, animal, never = (animals.order.index(name) for name in ("place", "animal", "never"))
    farm = [*data["now"]]
    farm[place], farm[animal] = 1, 0
    (_, at_home), (_, outside) = walked(data, data["now"]), walked(data, farm)
    assert at_home[animal]["texts"] == ["cat", "dog"]
    assert outside[animal]["texts"] == ["cow", "dog", "hen"]
    assert outside[animal]["start"] == 2
    assert outside[animal]["follows"] == [place]
    assert (at_home[never]["enabled"], outside[never]["enabled"]) == (False, True)
    assert at_home[never]["at"] == outside[never]["at"] == [0, 1]
    assert at_home[never]["follows"] == []


@pytest.mark.parametrize("explorer", [rt.explore.one_path, rt.explore.wpe_votes])
def test_what_follows_needs_no_control_that_is_not_there(explorer):
    """Where the training rows are given, there is no control of new splits."""
    data = rt.load("labor")
    states = explorer(data, train=range(40)).states(8)
    assert "split" not in [control["name"] for control in states["controls"]]


def test_where_it_stands_and_where_it_begins_anew_are_places():
    explorer = Explorer(
        lambda a, b: said("", f"{a} {b}."),
        a=numbers("a", 0, 1, 1, 0),
        b=lambda now: numbers("b", 0, 1000, 1, 123 + now["a"], follows=("a",)),
    )
    explorer.controls["b"].value = 777
    plans = [p for p in opened(explorer.states(most=10))["plans"] if p["follows"]]
    assert [plan["texts"][plan["start"]] for plan in plans] == ["123", "124"]
    assert ["777" in plan["texts"] for plan in plans] == [True, False]


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


def test_fewer_states_where_more_would_not_fit(animals, monkeypatch):
    size = len(animals.states(most=100)["data"])
    for part in (0.7, 0.0):
        monkeypatch.setattr("ranktrees_lab.explore.states.MOST_BYTES", size * part)
        states = animals.states(most=100)
        assert len(states["data"]) <= size * part or not part
        assert len(opened(states)["shots"]) < 100
        assert states["picture"]["alt"] == animals.picture.alt
    assert states["controls"] == []
    assert "<img" in animals.to_html(most=100)


@pytest.mark.parametrize(
    ("count", "most", "at"), [(2, 2, 0), (12, 12, 3), (500, 12, 0), (13, 3, 5)]
)
def test_places_are_spread_over_the_range(count, most, at):
    places = evenly(count, most, at)
    assert places == sorted(set(places))
    assert (places[0], places[-1], len(places)) == (0, count - 1, min(count, most))
    assert at in places


def test_a_slider_has_no_place_beyond_its_end():
    y = ["yes", "no", "no"] * 34 + ["no"]
    explorer = rt.explore.mailing(y, {"first": range(len(y), 0, -1)}, "yes")
    letters = [settings["letters"] for settings in spread_of(explorer, 200).settings]
    assert letters == [*range(0, 103, 2)], "103 cases in steps of 2"
    beside = Explorer(lambda share: said("", f"{share:g}"), share=numbers("share", 0, 1, 0.3, 1.0))
    shares = [settings["share"] for settings in spread_of(beside, 20).settings]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text(name):
    explorer = Explorer(
        lambda name, other: said("", f"It is {name}."),
        name=choice(name, ["plain", name], name),
        other=choice(name, ["plain", name], name, slider=True),
    )
    page = explorer.to_html()
    shown, data = re.split('<script type="text/plain">', page)
    assert shown.count("<img") == 1
    assert html.escape(name) in shown
    assert name not in shown or name == "$x$"
    states = {"data": data.split("</script>")[0]}
    assert opened(states)["plans"][0]["texts"] == ["plain", name]


def test_states_are_kept_by_content(animals, monkeypatch, tmp_path):
    def carried(depend="", **changes):
        monkeypatch.setattr(Explorer, "for_pages", ForPages(50, str(tmp_path), depend))
        for name, value in changes.items():
            animals.controls[name].value = value
        return animals._repr_mimebundle_()[0][STATES]

    assert STATES not in animals._repr_mimebundle_()[0], "only where asked"
    first = carried()
    assert first == animals.states(most=50)
    (kept,) = tmp_path.iterdir()
    os.utime(kept, (0, 0))
    with monkeypatch.context() as patch:
        patch.setattr("ranktrees_lab.explore.states.drawn", lambda *_: pytest.fail("it is kept"))
        assert carried() == first
    assert kept.stat().st_mtime > 0, "so that what is not used any more can be found"
    assert carried(count=8) != first
    assert carried("another package", count=7) == first
    assert len(list(tmp_path.iterdir())) == 3
