"""Explorers on a page without a kernel: the states of each control, and the page of them."""

import base64
import html
import io
import json
import re
import tempfile

import pytest
from PIL import Image
from test_explore import said

import ranktrees as rt
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.base import STATES, Control, choice, numbers
from ranktrees_lab.explore.states import evenly, small

HOSTILE = ["$x$", "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "a\"b'c"]


def ranked(name="labor"):
    data = rt.load(name)
    model = rt.C44().fit(data.X, data.y)
    return data.y, model.predict_proba(data.X)[:, 0], str(model.classes_[0])


def letters():
    y, score, positive = ranked()
    return rt.explore.mailing(y, {"C4.4": score}, positive)


def payers():
    data = rt.load("tax-payers")
    return rt.DecisionTree().fit(data.X, data.y), data


def small_newton():
    return rt.explore.newton(rt.load("iris"), depth=1)


def budget():
    with tempfile.TemporaryDirectory() as folder:
        rt.scale.write_agrawal(folder, 600, function=7, noise=0.05)
        people = rt.scan(folder, target="group")
        model = rt.DecisionTree(criterion="gini", split="binary", n_bins=20, max_depth=3)
        return rt.explore.budget(rt.scale.grow(model, people, "rf-read"))


EXPLORERS = {
    "bins": lambda: rt.explore.bins(rt.load("iris")),
    "budget": budget,
    "citree": lambda: rt.explore.citree(rt.load("contact-lenses")),
    "citree_growth": lambda: rt.explore.citree_growth(rt.load("contact-lenses")),
    "folds": lambda: rt.explore.folds(rt.load("labor")),
    "growing": lambda: rt.explore.growing(*payers()),
    "lens": rt.explore.lens,
    "mailing": letters,
    "newton": small_newton,
    "pairs": lambda: rt.explore.pairs(list("aababb"), [3, 2, 2, 1, 0, 0], "a"),
    "path_bayes": lambda: rt.explore.path_bayes(rt.load("labor")),
    "pruning": lambda: rt.explore.pruning(rt.load("labor")),
    "results": lambda: rt.explore.results("wang2006"),
    "roc": lambda: rt.explore.roc(*ranked()),
    "shrinkage": lambda: rt.explore.shrinkage(rt.load("labor"), weights="mine"),
    "smoothing": lambda: rt.explore.smoothing(rt.load("labor")),
    "split": lambda: rt.explore.split(rt.load("iris")),
}


@pytest.fixture(scope="module", params=EXPLORERS)
def known(request):
    """An explorer, and a few states of each of its controls."""
    explorer = EXPLORERS[request.param]()
    return explorer, explorer.states(most=2)


def test_every_explorer_is_tried():
    assert {*EXPLORERS, "Candidates", "Explorer"} == set(rt.explore.__all__)


def test_states_are_few_and_the_present_one_is_among_them(known):
    explorer, states = known
    start = states["picture"]
    assert start["alt"] == explorer.picture.alt
    assert start["words"] == explorer.words.value
    working = {name for name, c in explorer.controls.items() if not c.disabled}
    assert {c["name"] for c in states["controls"]} == working
    for control in states["controls"]:
        texts, pictures = control["texts"], control["pictures"]
        assert 2 <= len(texts) == len(set(texts)) == len(pictures) <= 2
        assert pictures[control["start"]] == start
        assert control["label"] == explorer.controls[control["name"]].description
    assert json.loads(json.dumps(states)) == states


def test_alt_and_words_are_those_of_the_live_explorer(known):
    explorer, states = known
    before = explorer.settings
    for control in states["controls"]:
        widget = explorer.controls[control["name"]]
        last = len(control["texts"]) - 1 if control["start"] == 0 else 0
        ends = [widget.min, widget.max] if hasattr(widget, "min") else widget._options_values
        explorer.controls[control["name"]].value = ends[-1] if last else ends[0]
        assert control["pictures"][last]["alt"] == explorer.picture.alt
        assert control["pictures"][last]["words"] == explorer.words.value
        for name in explorer.controls:  # leaders before those that follow them
            explorer.controls[name].value = before[name]
        assert explorer.settings == before


def test_a_picture_keeps_its_size_in_few_colours():
    picture = rt.explore.lens().picture
    kind, code = small(picture).split(",")
    image = Image.open(io.BytesIO(base64.b64decode(code)))
    assert kind == "data:image/webp;base64"
    assert image.size == tuple(round(100 * side) for side in picture.get_size_inches())
    assert len(image.convert("RGB").getcolors()) <= 128


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
    place, animal, count, weight, loud = animals.states()["controls"]
    assert (place["kind"], place["texts"], place["start"]) == ("select", ["house", "farm"], 0)
    assert (animal["texts"], animal["start"]) == (["cat", "dog"], 1)
    assert (count["kind"], len(count["texts"]), count["texts"][count["start"]]) == (
        "range",
        12,
        "7",
    )
    assert [count["texts"][0], count["texts"][-1]] == ["0", "100"]
    assert weight["texts"] == [f"{i / 10:.2f}" for i in range(11)]
    assert "('weight', 0.7)" in weight["pictures"][7]["words"], "not 0.7000000000000001"
    assert (loud["kind"], loud["texts"]) == ("select", ["no", "yes"])


def test_what_follows_begins_anew_and_the_page_can_say_where(animals):
    place = animals.states()["controls"][0]
    moved = place["pictures"][1]
    assert "('animal', 'hen')" in moved["words"]
    assert moved["others"] == {"animal": "hen"}
    assert place["pictures"][0]["others"] == {}


def test_what_cannot_be_drawn_is_left_out():
    def draw(n):
        if n == 2:
            raise ValueError("no picture of two")
        return said("", f"It is {n}.")

    (control,) = Explorer(draw, n=numbers("n", 1, 4, 1, 3)).states()["controls"]
    assert (control["texts"], control["start"]) == (["1", "3", "4"], 1)


def test_fewer_states_where_more_would_not_fit(animals, monkeypatch):
    every = animals.states()["controls"]
    size = sum(len(shot["src"] + shot["words"]) for c in every for shot in c["pictures"])
    for part in (0.5, 0.05, 0.0):
        monkeypatch.setattr("ranktrees_lab.explore.states.MOST_BYTES", size * part)
        states = animals.states()
        left = [shot for control in states["controls"] for shot in control["pictures"]]
        assert sum(len(shot["src"] + shot["words"]) for shot in left) <= size * part
        assert len(left) < sum(len(control["texts"]) for control in every)
        for control in states["controls"]:
            assert control["pictures"][control["start"]] == states["picture"]
            assert len(control["pictures"]) == len(control["texts"]) >= 2
    assert states["controls"] == []
    assert "<img" in animals.to_html()


def test_one_state_is_no_choice(animals):
    with pytest.raises(ValueError, match="most must be 2 states or more per control, not 1"):
        animals.states(most=1)


@pytest.mark.parametrize(
    ("count", "most", "at"), [(2, 2, 0), (12, 12, 3), (500, 12, 0), (13, 3, 5)]
)
def test_places_are_spread_over_the_range(count, most, at):
    places = evenly(count, most, at)
    assert places == sorted(set(places))
    assert (places[0], places[-1], len(places)) == (0, count - 1, min(count, most))
    assert at in places


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text(name):
    explorer = Explorer(
        lambda name, other: said("", f"It is {name}."),
        name=choice(name, ["plain", name], name),
        other=choice(name, ["plain", name], name, slider=True),
    )
    page = explorer.to_html()
    shown, data = re.split('<script type="application/json">', page)
    assert shown.count("<img") == 1
    assert html.escape(name) in shown
    assert name not in shown or name == "$x$"
    assert "<" not in data.split("</script>")[0]
    assert json.loads(data.split("</script>")[0])[0]["texts"] == ["plain", name]


def test_a_page_has_a_labelled_control_per_control(animals):
    page = animals.to_html()
    assert page.count("<select") == 3
    assert page.count('<input type="range"') == 2
    assert page.count("<label>") == 5
    assert '<label>how many <input type="range"' in page
    assert page.count("<script>") == 1
    assert "<script>" not in animals.to_html(script=False)
    assert "http" not in page


def test_outputs_carry_states_only_where_asked(animals, monkeypatch):
    assert STATES not in animals._repr_mimebundle_()[0]
    monkeypatch.setattr(Explorer, "for_pages", True)
    assert animals._repr_mimebundle_()[0][STATES] == animals.states()
