"""Explorers without a browser: set controls, call the pure draw function, look at what is said."""

import html
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.lines import Line2D

import ranktrees as rt
from ranktrees.evaluate import expected_hits
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.base import Control, choice, numbers, table_html
from ranktrees_lab.explore.estimates import half
from ranktrees_lab.explore.paths import Paths
from ranktrees_lab.plot.style import CLASSES

HOSTILE = ["$x$", "<img src=x onerror=alert(1)>", "a_b", "back\\slash & co", "氏名 नाम\t"]


@pytest.fixture
def credit():
    return rt.load("credit-g")


def said(text, alt="What is said."):
    """A picture that is quick to draw, with an alt text, and a text in place of tables."""
    picture = rt.plot.Picture((1, 1))
    picture.alt = alt
    return picture, text


@pytest.fixture
def animals():
    """Controls of each kind: the animals follow the place, the number works for pets alone."""
    known = {"house": ["cat", "dog"], "farm": ["cow", "dog", "hen"]}

    def animal(now):
        return choice("animal", known[now["place"]], known[now["place"]][-1], ("place",))

    def number(now):
        high = 2 if now["animal"] == "cow" else 5
        pet = now["place"] == "house"
        return numbers("number", 1, high, 1, high, enabled=pet, follows=("animal",))

    return Explorer(
        lambda **settings: said(str(settings)),
        {"known": known},
        animal=animal,
        number=number,
        place=choice("place", list(known), "house"),
        loud=Control("Checkbox", "loud", False),
    )


class TestExplorer:
    def test_controls_that_follow_begin_anew_and_others_stay(self, animals):
        start = {"animal": "dog", "number": 5, "place": "house", "loud": False}
        assert animals.settings == start
        controls = animals.controls
        controls["number"].value, controls["loud"].value = 3, True
        controls["place"].value = "farm"
        now = {"animal": "hen", "number": 5, "place": "farm", "loud": True}
        assert animals.settings == now, "the number follows the animal, which follows the place"
        assert animals.words.value == f"<p>What is said.</p>{now}"
        assert controls["animal"].options == ("cow", "dog", "hen")
        controls["animal"].value = "cow"
        assert (controls["number"].max, controls["number"].value) == (2, 2)
        controls["animal"].value = "dog"
        assert (controls["number"].max, controls["number"].value) == (5, 5)

    def test_a_choice_that_begins_anew_keeps_its_value_where_its_options_stay(self):
        follows = lambda now: choice("b", ["x", "y"], "y", ("a",))  # noqa: E731
        explorer = Explorer(lambda a, b: said(""), a=choice("a", [1, 2, 3], 1), b=follows)
        for value in (2, 3, 1, 2):
            explorer.controls["a"].value = value
            assert explorer.controls["b"].value == "y"

    def test_a_control_without_a_part_is_disabled(self, animals):
        number = animals.controls["number"]
        assert not number.disabled
        animals.controls["place"].value = "farm"
        assert number.disabled
        animals.controls["place"].value = "house"
        assert not number.disabled

    def test_it_is_drawn_once_a_move(self, animals):
        drawn = []
        animals.draw = lambda **settings: drawn.append(settings) or said("")
        animals.controls["place"].value = "farm"
        assert drawn == [animals.settings]

    def test_settings_with_changes_leave_the_widget(self, animals):
        before = animals.settings
        moved = {"number": 2, "animal": "cow", "place": "farm", "loud": False}
        assert animals.settings_with(place="farm", animal="cow") == moved
        assert animals.settings_with(place="farm")["animal"] == "hen"
        assert animals.settings == before

    def test_an_unknown_setting_is_refused_by_name(self, animals):
        with pytest.raises(ValueError, match="no control 'plce': did you mean 'place'"):
            animals.settings_with(plce="farm")
        with pytest.raises(ValueError, match="no control 'sound'"):
            animals.multiples("sound", [1])

    def test_parts_are_attributes(self, animals):
        assert animals.known["house"] == ["cat", "dog"]

    @pytest.mark.parametrize("name", HOSTILE)
    def test_hostile_names_are_escaped(self, name):
        explorer = Explorer(
            lambda name: said(table_html(["", name], [[name, 1.5]], ".2f", bold=0), name),
            name=choice("name", ["plain", name], name),
        )
        words = explorer.words.value
        assert words.count(html.escape(name)) == 3
        assert "<img" not in words
        assert explorer.image.tooltip == name
        assert f'alt="{html.escape(name)}"' in explorer._repr_mimebundle_()[0]["text/html"]

    @pytest.mark.parametrize("name", HOSTILE)
    @pytest.mark.filterwarnings("error:Glyph")
    def test_hostile_data_are_drawn(self, name):
        X = pd.DataFrame({name: [name, "v", "v", name] * 3, "number": np.arange(12.0)})
        data = rt.Dataset(X, pd.Categorical(["no", name, "no", "no"] * 3))
        explore = rt.explore
        for make in (explore.split, explore.smoothing, explore.folds, explore.path_bayes):
            explorer = make(data)
            assert "<img" not in explorer.words.value
            assert explorer.image.value[:4] == b"\x89PNG"

    def test_every_control_and_picture_has_a_name(self, animals):
        assert [c.description for c in animals.controls.values()] == list(animals.controls)
        assert animals.image.tooltip == "What is said."
        assert not animals.controls["number"].continuous_update

    def test_empty_heads_are_no_heads(self):
        assert table_html(["", "a"], [["x", 1]]).count("<th") == 1


def test_split_starts_at_the_criterions_best_cut(credit):
    explorer = rt.explore.split(credit, "age", "gini")
    ages = np.unique(credit.X["age"])
    cuts, bad = (ages[1:] + ages[:-1]) / 2, np.asarray(credit.y == "bad")
    below = credit.X["age"].to_numpy() <= cuts[:, None]
    table = [[(side & bad).sum(axis=1), (side & ~bad).sum(axis=1)] for side in (below, ~below)]
    best = cuts[rt.criteria.gini_gain(np.moveaxis(table, 2, 0)).argmax()]
    assert explorer.controls["threshold"].value == best
    assert not any(
        c.continuous_update for c in explorer.controls.values() if hasattr(c, "continuous_update")
    )


def test_every_control_of_split_changes_picture_or_words(credit):
    explorer = rt.explore.split(credit, "duration")
    seen = {(bytes(explorer.image.value), explorer.words.value)}
    for name, value in [("threshold", 40.0), ("criterion", "gini"), ("attribute", "age")]:
        explorer.controls[name].value = value
        seen.add((bytes(explorer.image.value), explorer.words.value))
    assert len(seen) == 4
    assert explorer.image.value[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", ["credit-g", "iris", "contact-lenses", "labor", "tax-payers"])
def test_split_draws_every_attribute_and_criterion(name):
    explorer = rt.explore.split(rt.load(name))
    criteria = ["twoing", "dkm", "kolmogorov_smirnov"] * 2
    for attribute, criterion in zip(explorer.controls["attribute"].options, criteria, strict=False):
        settings = explorer.settings_with(attribute=attribute, criterion=criterion)
        picture, tables = explorer.draw(**settings)
        assert f"<th style='padding:0 .8em'>{attribute}</th>" in tables
        assert tables.count("<tr>") >= 1 + 2 + 1 + len(rt.CRITERIA)
        assert attribute in picture.alt


def test_split_counts_the_children(credit):
    explorer = rt.explore.split(credit, "duration")
    explorer.controls["threshold"].value = 12.0
    below = credit.X["duration"] <= 12
    bad = credit.y == "bad"
    assert f"{(below & ~bad).sum()}</td>" in explorer.words.value
    assert f"{(below & bad).sum()}</td>" in explorer.words.value


def test_split_takes_ordered_constant_and_missing_columns():
    sizes = pd.Categorical(["s", "m", None, "l", "s", "m"], ["s", "m", "l"], ordered=True)
    X = pd.DataFrame({"size": sizes, "same": 1.0, "x": [1.0, np.nan, 2, 3, 4, 5]})
    data = rt.Dataset(X, pd.Categorical(list("aabbab")))
    explorer = rt.explore.split(data, "size")
    for attribute in X:
        explorer.controls["attribute"].value = attribute
        assert explorer.image.value[:4] == b"\x89PNG"


def test_split_names_the_attributes_it_knows(credit):
    with pytest.raises(ValueError, match="checking_status"):
        rt.explore.split(credit, "nonsense")


def test_mailing_counts_letters_and_ties():
    y = np.array(["bad", "bad", "good", "good"])
    explorer = rt.explore.mailing(y, {"m": np.array([1.0, 0.5, 0.5, 0.0])}, "bad")
    assert [explorer.reached(k)["m"] for k in range(5)] == [0, 1, 1.5, 2, 2]
    before = bytes(explorer.image.value)
    explorer.controls["letters"].value = 3
    assert bytes(explorer.image.value) != before
    assert "2.0" in explorer.words.value


def test_expected_hits_is_the_average_over_orders_of_a_tie():
    rng = np.random.default_rng(1)
    score, hits = rng.integers(0, 4, 40).astype(float), rng.random(40) < 0.4
    drawn = []
    for _ in range(4000):
        order = rng.permutation(40)
        first = order[np.argsort(-score[order], kind="stable")][:17]
        drawn.append(hits[first].sum())
    assert expected_hits(hits, score, 17) == pytest.approx(np.mean(drawn), abs=0.1)


def test_mailing_wants_a_class_that_occurs():
    with pytest.raises(ValueError, match="ugly"):
        rt.explore.mailing(["bad", "good"], {"m": [0.1, 0.2]}, "ugly")


def test_the_bundle_reads_without_a_kernel(credit):
    explorer = rt.explore.split(credit, "duration")
    data, metadata = explorer._repr_mimebundle_()
    assert {"image/png", "text/plain", "application/vnd.jupyter.widget-view+json"} <= set(data)
    assert "duration" in data["text/plain"]
    assert metadata["image/png"]["alt"] == data["text/plain"]


def test_a_widget_and_what_stays_of_it_are_two_outputs(credit, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda *data, **more: shown.append((data, more)))
    explorer = rt.explore.split(credit, "duration")
    explorer._ipython_display_()
    ((live,), _), ((still,), more) = shown
    assert list(live) == ["application/vnd.jupyter.widget-view+json"]
    assert set(still) == {"image/png", "text/html", "text/plain"}
    assert more == {"raw": True, "metadata": {"image/png": {"alt": still["text/plain"]}}}
    assert still["text/html"].count('class="rt-still"') == 1


def test_an_error_while_drawing_is_shown_and_raised():
    def draw(n):
        if n > 1:
            raise ValueError("no <picture> for this")
        return rt.plot.impurity(), "fine"

    explorer = Explorer(draw, n=numbers("n", 0, 9, 1, 1))
    assert explorer.words.value.endswith("</p>fine")
    with pytest.raises(ValueError, match="picture"):
        explorer.controls["n"].value = 5
    assert "no &lt;picture&gt; for this" in explorer.words.value


def test_multiples_draw_each_setting_and_leave_the_widget(credit):
    explorer = rt.explore.split(credit, "duration")
    before = explorer.settings, bytes(explorer.image.value), explorer.words.value
    picture = explorer.multiples("threshold", [12.0, 24.0, 36.0])
    assert (explorer.settings, bytes(explorer.image.value), explorer.words.value) == before
    assert explorer.picture.png() == before[1], "the live picture shows the widget's own setting"
    assert len(picture.axes) == 3
    assert all(f"threshold = {t}" in picture.alt for t in (12.0, 24.0, 36.0))
    with pytest.raises(ValueError, match="criterion"):
        explorer.multiples("nonsense", [1])


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ([np.nan] * 4, "nothing can be drawn"),
        ([-1.7e308, 0, 1, 1.7e308], "nothing can be drawn"),
        ([0, 5e-324, 1e-323, 1.5e-323], "The attribute 0 of 4 cases"),
        ([1.0] * 4, "nothing to cut"),
    ],
)
def test_split_answers_to_odd_columns_and_names(column, words):
    X = pd.DataFrame({0: column, 1: [1.0, 2, 3, 4]})
    explorer = rt.explore.split(rt.Dataset(X, pd.Categorical(list("abab"))))
    assert words in explorer.words.value
    explorer.controls["attribute"].value = "1"
    assert "The attribute 1" in explorer.words.value


def test_split_comes_back_to_the_best_cut(credit):
    explorer = rt.explore.split(credit, "credit_amount", "gini")
    best = explorer.words.value
    slider = explorer.controls["threshold"]
    slider.value += 5 * slider.step
    assert explorer.words.value != best
    slider.value = round(slider.value / slider.step - 5) * slider.step
    assert explorer.words.value == best


def swatches(fig):
    """{class: colour} of a picture's legend, whose names may be followed by numbers."""
    lines = [a for a in (*fig.artists, *fig.lines) if isinstance(a, Line2D)]
    dots = [(a.get_xdata()[0], a.get_ydata()[0], a.get_markerfacecolor()) for a in lines]
    found = {}
    for text in fig.texts:
        x, y = text.get_position()
        left = [dot for dot in dots if x - 0.05 < dot[0] < x and abs(dot[1] - y) < 0.02]
        if left:
            found[text.get_text().split()[0]] = max(left)[2]
    return found


def test_a_class_has_one_colour_in_all_pictures(credit):
    few = rt.Dataset(credit.X[["duration", "age"]][:60], credit.y[:60], name="few")
    shown = [rt.explore.split(credit), rt.explore.smoothing(credit), rt.explore.shrinkage(credit)]
    shown += [rt.explore.pruning(credit), rt.explore.newton(few), rt.explore.folds(few)]
    looks = [swatches(explorer.picture) for explorer in shown]
    tree = rt.DecisionTree(max_depth=2).fit(few.X, few.y)
    looks += [swatches(fig) for fig in (rt.plot.tree(tree), rt.plot.boundaries(tree, few))]
    assert looks == [dict(zip(("bad", "good"), CLASSES, strict=False))] * 8


def test_split_knows_its_criteria(credit):
    with pytest.raises(ValueError, match="twoing"):
        rt.explore.split(credit, criterion="nonsense")


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.path_bayes(rt.load("breast-cancer"))


@pytest.mark.parametrize("explore", [rt.explore.path_bayes, rt.explore.shrinkage])
def test_a_new_split_is_that_of_its_seed_and_where_rows_are_given_there_is_none(explore):
    data = rt.load("breast-cancer")
    explorer, before = explore(data), explore(data).picture.alt
    explorer.controls["split"].value = 3
    rows = np.random.default_rng(3).permutation(286)[:143]
    given = explore(data, train=rows)
    assert explorer.picture.alt == given.picture.alt != before
    assert explorer.words.value == given.words.value
    assert "split" not in given.controls
    explorer.controls["split"].value = 1
    assert explorer.picture.alt == before


def test_in_a_deeper_tree_of_a_new_split_the_last_slider_stands_for_the_rest():
    data = rt.load("breast-cancer")
    explorer = rt.explore.shrinkage(data)
    assert [name for name in explorer.controls if name[0] == "N"] == ["N0", "N1", "N2", "N3"]
    second = Paths(data, half(data, None, 2), rt.C45())
    case = next(i for i in range(143) if len(second.nodes(i)) == 6)
    weights = {"N0": 0, "N1": 0, "N2": 0, "N3": 1}
    _, words = explorer.draw(case, "shares", "mine", 2, **weights)
    proba = second.path(case, "shares", "mine", [0, 0, 0, 1, 1, 1])[2]
    cells = "".join(f"<td[^>]*>{p:.3f}</td>" for p in np.sort(proba)[::-1])
    assert re.search(f">mine</td>{cells}", words)


class TestPathBayes:
    def test_cases_are_of_the_half_that_did_not_train(self, explorer):
        data, train = rt.load("breast-cancer"), np.random.default_rng(1).permutation(286)[:143]
        rest = np.setdiff1d(np.arange(286), train)
        assert explorer.paths.truth.tolist() == data.y[rest].tolist()
        assert explorer.controls["case"].max == 142
        model = rt.PathBayes().fit(data.X.iloc[train], data.y[train])
        c44 = rt.C44().fit(data.X.iloc[train], data.y[train])
        said = explorer.said
        assert np.allclose(said["path Bayes"], model.predict_proba(data.X.iloc[rest]))
        assert np.allclose(said["C4.4's leaf"], c44.predict_proba(data.X.iloc[rest]))

    @pytest.mark.parametrize("estimate", ["path-bayes", "path-bayes-em"])
    def test_the_two_words_pooled_are_the_answer(self, credit, estimate):
        said = rt.explore.path_bayes(credit, rt.PathBayes(estimate=estimate)).said
        pooled = np.sqrt(said["the tree's word"] * said["naive Bayes' word"])
        pooled /= pooled.sum(axis=1, keepdims=True)
        assert np.allclose(pooled, said["path Bayes"])
        assert all(np.allclose(proba.sum(axis=1), 1) for proba in said.values())

    def test_a_move_changes_picture_sentence_and_table(self, explorer):
        seen = set()
        for case in (0, 1, 2):
            explorer.controls["case"].value = case
            alt = explorer.picture.alt
            seen.add((bytes(explorer.image.value), alt, explorer.words.value))
            best = explorer.said["path Bayes"][case].argmax()
            name, p = explorer.paths.names[best], explorer.said["path Bayes"][case, best]
            truth = explorer.paths.truth[case]
            assert alt.startswith(f"Case {case} is of class {truth}. Path Bayes gives P({name}) = ")
            assert f"P({name}) = {p:.3f}" in alt
            for who, proba in explorer.said.items():
                row = f">{html.escape(who)}</td><td[^>]*>{proba[case, best]:.3f}</td>"
                assert re.search(row, explorer.words.value)
        assert len(seen) == 3

    def test_many_classes_show_the_most_probable(self):
        explorer = rt.explore.path_bayes(rt.load("soybean"), case=10)
        top = np.argsort(-explorer.said["path Bayes"][10], kind="stable")[:3]
        heads = re.findall("<th[^>]*>([^<]*)</th>", explorer.words.value)
        assert heads == ["probability", *[html.escape(explorer.paths.names[c]) for c in top]]
