"""Explorers without a browser: set controls, call the pure draw function, look at what is said."""

import html
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from explorers import animals, said
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

import ranktrees as rt
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.base import table_html
from ranktrees_lab.explore.controls import choice, numbers
from ranktrees_lab.plot.style import CLASSES

HOSTILE = ["$x_1$ back\\slash & 氏名 नाम\t", "<img src=x onerror=alert(1)>"]


@pytest.fixture(scope="module")
def credit():
    return rt.load("credit-g")


class TestExplorer:
    def test_controls_that_follow_begin_anew_and_others_stay(self):
        explorer, drawn = animals(), []
        start = {"animal": "dog", "number": 5, "place": "house", "weight": 0.3, "loud": False}
        assert explorer.settings == start
        assert explorer.known["house"] == ["cat", "dog"]
        controls = explorer.controls
        controls["number"].value, controls["loud"].value = 3, True
        controls["place"].value = "farm"
        now = start | {"animal": "hen", "place": "farm", "loud": True}
        assert explorer.settings == now, "the number follows the animal, which follows the place"
        assert explorer.words.value == f"<p>What is said.</p>{sorted(now.items())}"
        assert controls["number"].disabled, "it works for pets alone"
        assert controls["animal"].options == ("cow", "dog", "hen")
        for animal, most in (("cow", 2), ("dog", 5)):
            controls["animal"].value = animal
            assert (controls["number"].max, controls["number"].value) == (most, most)
        explorer.draw = lambda **settings: drawn.append(settings) or said("")
        controls["place"].value = "house"
        assert drawn == [explorer.settings], "it is drawn once a move"
        assert not controls["number"].disabled

    def test_settings_with_changes_leave_the_widget(self):
        explorer = animals()
        before = explorer.settings
        moved = before | {"number": 2, "animal": "cow", "place": "farm"}
        assert explorer.settings_with(place="farm", animal="cow") == moved
        assert explorer.settings_with(place="farm")["animal"] == "hen"
        picture, shown = explorer.multiples("number", [1, 2]), explorer.picture
        assert (len(picture.axes), explorer.settings, explorer.picture) == (2, before, shown)
        assert all(f"number = {number}" in picture.alt for number in (1, 2))
        with pytest.raises(ValueError, match="no control 'plce': did you mean 'place'"):
            explorer.settings_with(plce="farm")
        with pytest.raises(ValueError, match="no control 'sound'"):
            explorer.multiples("sound", [1])

    @pytest.mark.parametrize("name", HOSTILE)
    @pytest.mark.filterwarnings("error:Glyph")
    def test_hostile_names_are_escaped_and_drawn(self, name):
        explorer = Explorer(
            lambda name: said(table_html(["", name], [[name, 1.5]], ".2f", bold=0), name),
            name=choice("name", ["plain", name], name),
        )
        words = explorer.words.value
        assert words.count(html.escape(name)) == 3
        assert words.count("<th") == 1, "empty heads are no heads"
        assert "<img" not in words
        assert explorer.image.tooltip == name
        assert f'alt="{html.escape(name)}"' in explorer._repr_mimebundle_()[0]["text/html"]
        X = pd.DataFrame({name: [name, "v", "v", name] * 3, "number": np.arange(12.0)})
        data = rt.Dataset(X, pd.Categorical(["no", name, "no", "no"] * 3))
        explore = rt.explore
        for make in (explore.split, explore.smoothing, explore.folds, explore.path_bayes):
            assert "<img" not in make(data).words.value

    def test_an_error_while_drawing_is_shown_and_raised(self):
        def draw(n):
            if n > 1:
                raise ValueError("no <picture> for this")
            return said("fine")

        explorer = Explorer(draw, n=numbers("n", 0, 9, 1, 1))
        assert explorer.words.value.endswith("</p>fine")
        with pytest.raises(ValueError, match="picture"):
            explorer.controls["n"].value = 5
        assert "no &lt;picture&gt; for this" in explorer.words.value

    def test_a_widget_and_what_stays_of_it_are_two_outputs(self, monkeypatch):
        shown, explorer = [], animals()
        display = lambda *data, **more: shown.append((data, more))  # noqa: E731
        monkeypatch.setattr("IPython.display.display", display)
        explorer._ipython_display_()
        ((live,), _), ((still,), more) = shown
        view = "application/vnd.jupyter.widget-view+json"
        assert list(live) == [view]
        data, metadata = explorer._repr_mimebundle_()  # reads without a kernel
        assert {"image/png", "text/plain", view} <= set(data)
        assert metadata["image/png"]["alt"] == data["text/plain"] == still["text/plain"]
        assert set(still) == {"image/png", "text/html", "text/plain"}
        assert more == {"raw": True, "metadata": {"image/png": {"alt": still["text/plain"]}}}
        assert still["text/html"].count('class="rt-still"') == 1


class TestSplit:
    def test_it_starts_at_the_criterions_best_cut_and_comes_back(self, credit):
        explorer = rt.explore.split(credit, "age", "gini")
        ages = np.unique(credit.X["age"])
        cuts, bad = (ages[1:] + ages[:-1]) / 2, np.asarray(credit.y == "bad")
        below = credit.X["age"].to_numpy() <= cuts[:, None]
        table = [[(side & bad).sum(axis=1), (side & ~bad).sum(axis=1)] for side in (below, ~below)]
        best = rt.criteria.gini_gain(np.moveaxis(table, 2, 0)).argmax()
        assert explorer.controls["threshold"].value == cuts[best]
        for n in (below[best] & bad, below[best] & ~bad):
            assert f"{n.sum()}</td>" in explorer.words.value, "it counts the children"
        explorer = rt.explore.split(credit, "credit_amount", "gini")
        slider, words = explorer.controls["threshold"], explorer.words.value
        slider.value += 5 * slider.step
        assert explorer.words.value != words
        slider.value = round(slider.value / slider.step - 5) * slider.step
        assert explorer.words.value == words
        with pytest.raises(ValueError, match="checking_status"):
            rt.explore.split(credit, "nonsense")
        with pytest.raises(ValueError, match="twoing"):
            rt.explore.split(credit, criterion="nonsense")

    @pytest.mark.parametrize(
        ("column", "words"),
        [
            ([np.nan] * 4, "nothing can be drawn"),
            ([-1.7e308, 0, 1, 1.7e308], "nothing can be drawn"),
            ([0, 5e-324, 1e-323, 1.5e-323], "The attribute 0 of 4 cases"),
            ([1.0] * 4, "nothing to cut"),
            (pd.Categorical(["s", None, "l", "s"], ["s", "m", "l"], ordered=True), "attribute 0"),
        ],
    )
    def test_odd_columns_and_names_are_answered(self, column, words):
        X = pd.DataFrame({0: column, 1: [1.0, 2, 3, 4]})
        explorer = rt.explore.split(rt.Dataset(X, pd.Categorical(list("abab"))))
        assert words in explorer.words.value


def test_mailing_counts_letters_and_ties():
    y = np.array(["bad", "bad", "good", "good"])
    explorer = rt.explore.mailing(y, {"m": np.array([1.0, 0.5, 0.5, 0.0])}, "bad")
    assert [explorer.reached(k)["m"] for k in range(5)] == [0, 1, 1.5, 2, 2]
    explorer.controls["letters"].value = 3
    assert "2.0" in explorer.words.value
    with pytest.raises(ValueError, match="ugly"):
        rt.explore.mailing(["bad", "good"], {"m": [0.1, 0.2]}, "ugly")


def test_a_class_has_one_colour_in_all_pictures(credit):
    few = rt.Dataset(credit.X[["duration", "age"]][:60], credit.y[:60], name="few")
    explore, tree = rt.explore, rt.DecisionTree(max_depth=2).fit(few.X, few.y)
    makes = explore.split, explore.smoothing, explore.shrinkage, explore.pruning, explore.folds
    shown = [make(few).picture for make in (*makes, explore.newton)]
    for fig in (*shown, rt.plot.tree(tree), rt.plot.boundaries(tree, few)):
        dots = [dot for dot in (*fig.artists, *fig.lines) if isinstance(dot, Line2D)]
        assert [dot.get_markerfacecolor() for dot in dots] == [*CLASSES[:2]]
        first = [text.get_text().split()[0] for text in fig.texts if text.get_text().strip()]
        assert [word for word in first if word in ("bad", "good")] == ["bad", "good"]


def dotted(ax):
    """The crowds of dots of an axis."""
    crowds = [crowd for crowd in ax.collections if isinstance(crowd, PathCollection)]
    return [crowd for crowd in crowds if len(crowd.get_offsets())]


class TestFallingCases:
    def test_at_each_level_the_score_is_that_of_the_tree_that_ends_there(self, falling):
        explorer, _, few = falling
        assert explorer.settings == {"level": 0, "estimate": "frequency"}
        whole = rt.load("breast-cancer")
        for estimate, level in (("frequency", 0), ("laplace", 1), ("m-branch", 2)):
            picture, _ = explorer.draw(level=level, estimate=estimate)
            how = {"split": "binary", "missing": "value", "estimate": estimate}
            how |= {"max_depth": level} if level else {"min_parent": 1000}
            grown = rt.DecisionTree(**how).fit(whole.X, whole.y)
            score = grown.predict_proba(few.X)[:, 1]
            values, n = np.unique(score.round(9), return_counts=True)
            for words in (
                f"{level} of 2 levels down, in {len(values)} pile",
                f", AUC {rt.auc(few.y, score, 'recurrence-events'):.3f}: ",
                *(f"{cases} cases of score {v:.3f}" for v, cases in zip(values, n, strict=True)),
            ):
                assert words in picture.alt

    def test_every_case_is_a_dot_at_a_node_and_one_in_a_pile(self, falling):
        explorer, _, few = falling
        colours = dict(zip(np.unique(few.y), CLASSES, strict=False))
        picture, _ = explorer.draw(level=2, estimate="frequency")
        for ax in picture.axes:
            dots = [to_hex(dot).upper() for crowd in dotted(ax) for dot in crowd.get_facecolors()]
            for name, colour in colours.items():
                assert dots.count(colour) == np.count_nonzero(few.y == name)
        piles = [crowd.get_offsets()[:, 0] for crowd in dotted(picture.axes[-1])]
        assert len(piles) == 4
        assert all(left.max() < right.min() for left, right in pairwise(piles)), "in order, apart"


@pytest.fixture(scope="module")
def falling():
    data = rt.load("breast-cancer")
    model = rt.DecisionTree(max_depth=2, split="binary", missing="value").fit(data.X, data.y)
    few = rt.Dataset(data.X[::3], data.y[::3], "few", "")
    return rt.explore.falling_cases(model, few, "recurrence-events"), model, few


def test_what_cannot_be_shown_is_refused_by_name(falling):
    _, model, few = falling
    explore, iris, weather = rt.explore, rt.load("iris"), rt.load("weather.nominal")
    whole = rt.load("breast-cancer")
    deep = rt.DecisionTree().fit(whole.X, whole.y)
    unknown = rt.Dataset(few.X, ["maybe"] * 96, "x", "")
    by_threshold = rt.DecisionTree(numeric="thresholds")
    of = lambda data: rt.C45(estimate="path-bayes").fit(data.X, data.y)  # noqa: E731
    for call, words in [
        (lambda: explore.stops(rt.C45()), r"give PathBayes\(\)"),
        (lambda: explore.stops(rt.PathBayes()), "fitted model"),
        (lambda: explore.stops(of(weather), "outlok"), "did you mean 'outlook'"),
        (lambda: explore.stops(of(rt.load("soybean"))), "too many to be read: at most 12"),
        (lambda: explore.separable("xor"), "no rule 'xor'"),
        (lambda: rt.plot.separable(np.full((2, 2, 2), 0.5)), "both classes by a, b and class"),
        (lambda: explore.wpe_votes(iris, case=75), "case must be 0 to 74"),
        (lambda: explore.adopted(iris, "rose"), "no class 'rose'"),
        (lambda: explore.adopted(iris, estimate="lapl"), "no estimate 'lapl': .* 'laplace'"),
        (lambda: explore.adopted(iris, train=range(50)), "train cases need at least two classes"),
        (lambda: explore.adopted("iris"), "give a Dataset, .* not 'iris'"),
        (lambda: explore.one_path(iris, positive="rose"), "rose"),
        (lambda: explore.one_path(iris, case=75), "case must be 0 to 74"),
        (lambda: explore.one_path(iris, model=by_threshold), "a branch per value"),
        (lambda: explore.falling_cases(model, whole), "at most 120 cases .* not 286 cases"),
        (
            lambda: explore.falling_cases(deep, few),
            r"16 leaves: not 96 cases of data, \d\d+ leaves",
        ),
        (lambda: rt.plot.falling_cases(model, few, 3), "level must be 0 to 2, not 3"),
        (lambda: rt.plot.falling_cases(model, unknown), "no class 'maybe': there is"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            call()
