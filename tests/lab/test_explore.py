"""Explorers without a browser: set controls, call the pure draw function, look at what is said."""

import html
import re
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from explorers import said
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

import ranktrees as rt
from ranktrees import plain
from ranktrees.evaluate import expected_hits
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.base import table_html
from ranktrees_lab.explore.controls import Control, choice, numbers
from ranktrees_lab.explore.estimates import half
from ranktrees_lab.explore.paths import ALL_ESTIMATES, Paths
from ranktrees_lab.explore.votes import voters
from ranktrees_lab.plot.separable import by_naive_bayes
from ranktrees_lab.plot.stops import likeliest, stop_probabilities, who_looks
from ranktrees_lab.plot.style import CLASSES

HOSTILE = ["$x$", "<img src=x onerror=alert(1)>", "a_b", "back\\slash & co", "氏名 नाम\t"]

PLAIN = ("frequency", "Laplace", "m-estimate", "curtailment", "m-branch", "shrinking")
PLAIN += ("hierarchical shrinkage",)


@pytest.fixture
def credit():
    return rt.load("credit-g")


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
        assert animals.known["house"] == ["cat", "dog"]
        assert animals.image.tooltip == "What is said."
        controls = animals.controls
        assert [control.description for control in controls.values()] == list(controls)
        assert not controls["number"].continuous_update
        controls["number"].value, controls["loud"].value = 3, True
        controls["place"].value = "farm"
        now = {"animal": "hen", "number": 5, "place": "farm", "loud": True}
        assert animals.settings == now, "the number follows the animal, which follows the place"
        assert animals.words.value == f"<p>What is said.</p>{now}"
        assert controls["number"].disabled, "it works for pets alone"
        assert controls["animal"].options == ("cow", "dog", "hen")
        controls["animal"].value = "cow"
        assert (controls["number"].max, controls["number"].value) == (2, 2)
        controls["animal"].value = "dog"
        assert (controls["number"].max, controls["number"].value) == (5, 5)
        drawn = []
        animals.draw = lambda **settings: drawn.append(settings) or said("")
        controls["place"].value = "house"
        assert drawn == [animals.settings], "it is drawn once a move"
        assert not controls["number"].disabled

    def test_a_choice_that_begins_anew_keeps_its_value_where_its_options_stay(self):
        follows = lambda now: choice("b", ["x", "y"], "y", ("a",))  # noqa: E731
        explorer = Explorer(lambda a, b: said(""), a=choice("a", [1, 2, 3], 1), b=follows)
        for value in (2, 3, 1, 2):
            explorer.controls["a"].value = value
            assert explorer.controls["b"].value == "y"

    def test_settings_with_changes_leave_the_widget(self, animals):
        before = animals.settings
        moved = {"number": 2, "animal": "cow", "place": "farm", "loud": False}
        assert animals.settings_with(place="farm", animal="cow") == moved
        assert animals.settings_with(place="farm")["animal"] == "hen"
        assert animals.settings == before
        with pytest.raises(ValueError, match="no control 'plce': did you mean 'place'"):
            animals.settings_with(plce="farm")
        with pytest.raises(ValueError, match="no control 'sound'"):
            animals.multiples("sound", [1])

    @pytest.mark.parametrize("name", HOSTILE)
    def test_hostile_names_are_escaped(self, name):
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


def test_split_starts_at_the_criterions_best_cut_and_comes_back(credit):
    explorer = rt.explore.split(credit, "age", "gini")
    ages = np.unique(credit.X["age"])
    cuts, bad = (ages[1:] + ages[:-1]) / 2, np.asarray(credit.y == "bad")
    below = credit.X["age"].to_numpy() <= cuts[:, None]
    table = [[(side & bad).sum(axis=1), (side & ~bad).sum(axis=1)] for side in (below, ~below)]
    best = rt.criteria.gini_gain(np.moveaxis(table, 2, 0)).argmax()
    assert explorer.controls["threshold"].value == cuts[best]
    words = explorer.words.value
    for n in (below[best] & bad, below[best] & ~bad):
        assert f"{n.sum()}</td>" in words, "it counts the children"
    explorer = rt.explore.split(credit, "credit_amount", "gini")
    slider, words = explorer.controls["threshold"], explorer.words.value
    slider.value += 5 * slider.step
    assert explorer.words.value != words
    slider.value = round(slider.value / slider.step - 5) * slider.step
    assert explorer.words.value == words
    seen = {(bytes(explorer.image.value), words)}
    for name, value in [("threshold", 40.0), ("criterion", "twoing"), ("attribute", "age")]:
        explorer.controls[name].value = value
        seen.add((bytes(explorer.image.value), explorer.words.value))
    assert len(seen) == 4
    with pytest.raises(ValueError, match="checking_status"):
        rt.explore.split(credit, "nonsense")
    with pytest.raises(ValueError, match="twoing"):
        rt.explore.split(credit, criterion="nonsense")


@pytest.mark.parametrize("name", ["iris", "contact-lenses", "labor", "tax-payers"])
def test_split_draws_every_attribute_and_criterion(name):
    explorer = rt.explore.split(rt.load(name))
    criteria = ["twoing", "dkm", "kolmogorov_smirnov"] * 2
    for attribute, criterion in zip(explorer.controls["attribute"].options, criteria, strict=False):
        settings = explorer.settings_with(attribute=attribute, criterion=criterion)
        picture, tables = explorer.draw(**settings)
        assert f"<th style='padding:0 .8em'>{attribute}</th>" in tables
        assert tables.count("<tr>") >= 1 + 2 + 1 + len(rt.CRITERIA)
        assert attribute in picture.alt


def test_mailing_counts_letters_and_ties():
    y = np.array(["bad", "bad", "good", "good"])
    explorer = rt.explore.mailing(y, {"m": np.array([1.0, 0.5, 0.5, 0.0])}, "bad")
    assert [explorer.reached(k)["m"] for k in range(5)] == [0, 1, 1.5, 2, 2]
    before = bytes(explorer.image.value)
    explorer.controls["letters"].value = 3
    assert bytes(explorer.image.value) != before
    assert "2.0" in explorer.words.value
    with pytest.raises(ValueError, match="ugly"):
        rt.explore.mailing(["bad", "good"], {"m": [0.1, 0.2]}, "ugly")


def test_expected_hits_is_the_average_over_orders_of_a_tie():
    rng = np.random.default_rng(1)
    score, hits = rng.integers(0, 4, 40).astype(float), rng.random(40) < 0.4
    drawn = []
    for _ in range(4000):
        order = rng.permutation(40)
        first = order[np.argsort(-score[order], kind="stable")][:17]
        drawn.append(hits[first].sum())
    assert expected_hits(hits, score, 17) == pytest.approx(np.mean(drawn), abs=0.1)


def test_a_widget_and_what_stays_of_it_are_two_outputs(credit, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda *data, **more: shown.append((data, more)))
    explorer = rt.explore.split(credit, "duration")
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


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ([np.nan] * 4, "nothing can be drawn"),
        ([-1.7e308, 0, 1, 1.7e308], "nothing can be drawn"),
        ([0, 5e-324, 1e-323, 1.5e-323], "The attribute 0 of 4 cases"),
        ([1.0] * 4, "nothing to cut"),
        ([1.0, np.nan, 2, 3], "The attribute 0 of"),
        (pd.Categorical(["s", None, "l", "s"], ["s", "m", "l"], ordered=True), "The attribute 0"),
    ],
)
def test_split_answers_to_odd_columns_and_names(column, words):
    X = pd.DataFrame({0: column, 1: [1.0, 2, 3, 4]})
    explorer = rt.explore.split(rt.Dataset(X, pd.Categorical(list("abab"))))
    assert words in explorer.words.value
    explorer.controls["attribute"].value = "1"
    assert "The attribute 1" in explorer.words.value


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


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.path_bayes(rt.load("breast-cancer"))


ONE_CASE = [rt.explore.path_bayes, rt.explore.shrinkage, rt.explore.wpe_votes]


@pytest.mark.parametrize("explore", ONE_CASE)
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


class TestVotes:
    @pytest.mark.parametrize("name", ["breast-cancer", "soybean", "labor"])
    def test_those_who_vote_make_the_packages_wpe_at_each_node(self, name):
        """Labor has numbers and gaps: a missing value is shared with nobody."""
        paths = rt.explore.wpe_votes(rt.load(name)).paths
        for case in range(0, len(paths.truth), 5):
            proba = paths.path(case, "WPE", "uniform")[0]
            for node in range(len(proba) - 1):
                similarity, classes = voters(paths, case, node)
                votes = np.bincount(classes, similarity + 1, len(paths.names))
                expected = (votes + 1 / len(votes)) / (votes.sum() + 1)
                assert np.allclose(expected, proba[node + 1])

    def test_every_control_changes_picture_sentence_and_table(self):
        explorer = rt.explore.wpe_votes(rt.load("breast-cancer"), case=2)
        assert explorer.settings == {"case": 2, "node": 2, "split": 1}
        labels = [label for label, _ in explorer.controls["node"].options]
        assert labels == explorer.paths.nodes(2)[1:], "the last is shown first"
        seen = set()
        for name, value in [("case", 2), ("node", 0), ("node", 1), ("case", 9), ("split", 2)]:
            explorer.controls[name].value = value
            seen.add((bytes(explorer.image.value), explorer.picture.alt, explorer.words.value))
            now, paths = explorer.settings, explorer.paths
            if now["split"] == 1:
                where = f"Case {now['case']} is of class {paths.truth[now['case']]}. At N"
                assert explorer.picture.alt.startswith(where)
                similarity, classes = voters(paths, now["case"], now["node"])
                row = f"{(classes == 0).sum()}</td><td[^>]*>{(similarity + 1)[classes == 0].sum()}<"
                assert re.search(row, explorer.words.value)
        assert len(seen) == 5

    def test_a_tree_of_one_leaf_and_a_model_of_ones_own(self):
        weather = rt.load("weather.nominal")
        explorer = rt.explore.wpe_votes(weather, model=rt.DecisionTree(min_parent=20))
        assert "At N1 root (7), 7 cases vote on a case of 4 attributes" in explorer.picture.alt
        with pytest.raises(ValueError, match="case must be 0 to 6"):
            rt.explore.wpe_votes(weather, case=7)


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
        pooled = np.sqrt(said["the tree's estimate"] * said["naive Bayes' estimate"])
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


def path_bayes_of(name):
    data = rt.load(name)
    return rt.C45(estimate="path-bayes").fit(data.X, data.y)


def all_prunings(tree, stop, is_end, t=0):
    """Every pruning of a node's subtree, {ends: probability}, one by one."""
    if is_end[t]:
        return {(t,): 1.0}
    whole = {(t,): stop[t]}
    below = [all_prunings(tree, stop, is_end, s) for s in np.flatnonzero(tree.parent == t)]
    for parts in product(*(each.items() for each in below)):
        ends = tuple(int(node) for nodes, _ in parts for node in nodes)
        whole[ends] = (1 - stop[t]) * float(np.prod([p for _, p in parts]))
    return whole


class TestStops:
    @pytest.mark.parametrize("name", ["weather.nominal", "contact-lenses"])
    @pytest.mark.parametrize("times", [0, 0.5, 4])
    def test_the_likeliest_prunings_are_the_first_of_all_of_them(self, name, times):
        model = path_bayes_of(name)
        for who in who_looks(model):
            stop, is_end = stop_probabilities(model, who, times)
            every = all_prunings(model.tree_, stop, is_end)
            found = likeliest(model.tree_, stop, is_end)
            assert sum(every.values()) == pytest.approx(1)
            first = sorted(every.values(), reverse=True)[:4]
            assert [each.p for each in found] == pytest.approx(first)
            assert [every[each.ends] for each in found] == pytest.approx(first)

    def test_stops_are_those_of_the_model_and_one_half_before_any_case(self):
        model = path_bayes_of("weather.nominal")
        for j, who in enumerate(who_looks(model)):
            stop, is_end = stop_probabilities(model, who)
            known = model.cases_.factors.stop
            here = known[:, j - 1] if j else [0.0197, 0.0909, 1, 0.0909, 1, 1, 1, 1]
            reached = [0, *np.flatnonzero(~is_end[model.tree_.parent] & (model.tree_.parent >= 0))]
            assert stop[reached] == pytest.approx(np.asarray(here)[reached], abs=5e-5)
            nothing, is_end = stop_probabilities(model, who, 0)
            assert set(nothing[~is_end]) <= {0.5}

    def test_every_control_changes_picture_and_words(self):
        explorer = rt.explore.stops(path_bayes_of("weather.nominal"))
        seen = set()
        for who, times in product(explorer.controls["who"].options, (0, 1, 4)):
            explorer.controls["who"].value, explorer.controls["times"].value = who, times
            seen.add((explorer.picture.alt, explorer.words.value))
            assert f"Prunings chosen by {who}" in explorer.picture.alt
        assert len(seen) == 15
        explorer.controls["who"].value = explorer.controls["who"].options[0]
        best = {1: "all leaves 0.810", 0: "the root alone 0.500", 4: "all leaves 1.000"}
        for times, first in best.items():
            explorer.controls["times"].value = times
            assert f"The most probable: {first}" in explorer.picture.alt

    def test_what_it_cannot_show_is_refused_by_name(self):
        with pytest.raises(TypeError, match=r"give PathBayes\(\)"):
            rt.explore.stops(rt.C45())
        with pytest.raises(TypeError, match="fitted model"):
            rt.explore.stops(rt.PathBayes())
        with pytest.raises(ValueError, match="did you mean 'outlook'"):
            rt.explore.stops(path_bayes_of("weather.nominal"), "outlok")
        with pytest.raises(ValueError, match="leaves are too many to be read: at most 12"):
            rt.explore.stops(path_bayes_of("soybean"))


class TestSeparable:
    @pytest.mark.parametrize("split", ["", "a", "b"])
    def test_estimates_are_those_of_naive_bayes(self, split):
        n = np.random.default_rng(3).integers(1, 6, (2, 2, 2))
        rows = np.repeat([*product((0, 1), repeat=3)], n.ravel(), axis=0)
        X = pd.DataFrame(rows[:, :2].astype(str), columns=["a", "b"])
        p, y = by_naive_bayes(n, split), rows[:, 2]
        branches = [X.index] if not split else X.groupby(split).indices.values()
        for few in branches:
            part = X.iloc[few].drop(columns=[split] * bool(split))
            said = rt.NaiveBayes().fit(part, y[few]).predict_proba(part)[:, 1]
            assert said == pytest.approx(p[rows[few, 0], rows[few, 1]])

    def test_every_control_changes_the_picture(self):
        explorer, seen = rt.explore.separable(), set()
        assert "by one naive Bayes, AUC 0.50" in explorer.picture.alt, "it is XOR"
        assert "in each branch of a, AUC 1.00: a = 0, b = 0 0.25" in explorer.picture.alt
        explorer.controls["rule"].value = "a and b are both 1"
        assert explorer.picture.alt.count("AUC 1.00") == 2, "a sum of evidence takes no split"
        for rule, split in product(explorer.controls["rule"].options, "ab"):
            explorer.controls["rule"].value, explorer.controls["split"].value = rule, split
            for copies in (2, 6):
                settings = explorer.settings_with(copies=copies)
                for wrong in range(copies // 2 + 1):
                    picture, _ = explorer.draw(**settings | {"wrong": wrong})
                    seen.add(picture.alt)
                    assert f"{4 * copies} cases" in picture.alt
        assert len(seen) == 3 * 2 * (2 + 4)
        with pytest.raises(ValueError, match="no rule 'xor'"):
            rt.explore.separable("xor")
        for wrong in ([[1, 2]], np.zeros((2, 2, 2)), np.full((2, 2, 2), 0.5)):
            with pytest.raises(ValueError, match="both classes by a, b and class"):
                rt.plot.separable(wrong)


class TestOnePath:
    @pytest.fixture
    def explorer(self):
        return rt.explore.one_path(rt.load("iris"), case=4, model=rt.C44(collapse=False))

    def test_the_estimates_are_those_of_the_plain_functions_on_fewer_and_fewer_cases(
        self, explorer
    ):
        paths = explorer.paths
        X, y = paths.model.training_
        case = next(
            i
            for i in range(75)
            if len(paths.passed(i)) > 2 and len(set(y[paths.cases_at_end(i)])) > 1
        )
        sizes, e = [info.size for info in paths.model.tree_.schema], paths.codes[[case]]
        root = plain.c45.c44(X, y, sizes, 3)
        nodes = list(root.path(e[0]))
        assert len(nodes) > 2
        order = paths.cases_at_end(case)
        assert len(order) == nodes[-1].counts.sum()
        left, share = np.arange(1, len(order) + 1)[:, None], nodes[-1].counts / len(order)
        kept = np.cumsum(y[order][:, None] == np.arange(3), axis=0)
        assert np.abs(kept - left * share).max() <= 1, "shares are as equal as can be"
        for left in range(1, len(order) + 1):
            stays = np.setdiff1d(np.arange(len(y)), order[left:])
            cases = plain.tree.Cases(X[stays], y[stays], sizes, 3)
            for node, rows in plain.tree.training_cases(root, cases.X).items():
                node.counts = np.bincount(cases.y[rows], minlength=3)
            training = plain.path_bayes.Training(
                cases.X, cases.y, sizes, 3, cases.X, np.ones(len(stays))
            )
            by_plain = {
                "WPE": plain.shrinkage.last_node(root, cases, e)[0],
                "DIW": plain.shrinkage.shrinkage(root, cases, e)[0],
                "DIW of WPE": plain.shrinkage.shrinkage(root, cases, e, plain.shrinkage.wpe)[0],
                "path Bayes": plain.path_bayes.path_bayes(root, training, e, e)[0],
            }
            for name in PLAIN:
                function = getattr(plain.estimates, re.sub("[- ]", "_", name.lower()))
                by_plain[name] = function(nodes)
            for c in range(3):
                counts, said = paths.estimates(case, left, c)
                assert counts.tolist() == [node.counts.tolist() for node in nodes]
                said = {name: p for group in said.values() for name, p in group.items()}
                assert set(said) - set(by_plain) == {"naive Bayes there"}
                for name, p in by_plain.items():
                    assert said[name] == pytest.approx(p[c], abs=1e-9), (name, left)

    def test_with_all_cases_they_are_the_package_s(self):
        data = rt.load("labor")  # with gaps
        paths = rt.explore.one_path(data).paths
        for group in ALL_ESTIMATES.values():
            for name, short in group.items():
                proba = paths.model.with_estimate(short).predict_proba(paths.coded)
                for case in (0, 7):
                    said = paths.estimates(case, None, 1)[1]
                    (p,) = [rows[name] for rows in said.values() if name in rows]
                    assert p == pytest.approx(proba[case, 1], abs=1e-12), name

    def test_each_control_moves_picture_and_sentence(self, explorer):
        n, seen = explorer.controls["left"].max, {explorer.picture.alt}
        assert explorer.settings == {"case": 4, "left": n, "positive": "Iris-setosa", "split": 1}
        rings = [len(explorer.picture.axes[0].lines)]
        for name, value in [("positive", "Iris-virginica"), ("left", 1), ("case", 5), ("split", 2)]:
            explorer.controls[name].value = value
            assert explorer.picture.alt not in seen
            seen.add(explorer.picture.alt)
            rings.append(len(explorer.picture.axes[0].lines))
            if name == "left":
                assert " of 1. P(Iris-virginica) by the last node alone: " in explorer.picture.alt
            else:
                assert explorer.settings["left"] == explorer.controls["left"].max
        assert rings[2] > rings[1] == rings[3] == rings[4], "a ring where it was"
        truth = explorer.paths.truth
        assert explorer.picture.alt.startswith("Case 5 is of class Iris-")
        assert len(truth) == 75

    def test_wrong_arguments_are_named(self):
        data = rt.load("iris")
        explorer = rt.explore.one_path(data, case=23)
        assert len(explorer.paths.cases_at_end(23)) == 1
        assert explorer.controls["left"].disabled, "a single case cannot leave"
        with pytest.raises(ValueError, match="rose"):
            rt.explore.one_path(data, positive="rose")
        with pytest.raises(ValueError, match="case must be 0 to 74"):
            rt.explore.one_path(data, case=75)
        with pytest.raises(ValueError, match="a branch per value"):
            rt.explore.one_path(data, model=rt.DecisionTree(numeric="thresholds"))


class TestFallingCases:
    @pytest.fixture
    def falling(self):
        data = rt.load("breast-cancer")
        model = rt.DecisionTree(max_depth=2, split="binary", missing="value").fit(data.X, data.y)
        few = rt.Dataset(data.X[::3], data.y[::3], "few", "")
        return rt.explore.falling_cases(model, few, "recurrence-events"), model, few

    def test_at_each_level_the_score_is_that_of_the_tree_that_ends_there(self, falling):
        explorer, _, few = falling
        assert explorer.settings == {"level": 0, "estimate": "frequency"}
        known = set()
        for estimate in ("frequency", "laplace", "m-branch"):
            explorer.controls["estimate"].value = estimate
            for level in (0, 1, 2):
                explorer.controls["level"].value = level
                whole = rt.load("breast-cancer")
                how = {"split": "binary", "missing": "value", "estimate": estimate}
                how |= {"max_depth": level} if level else {"min_parent": 1000}
                grown = rt.DecisionTree(**how).fit(whole.X, whole.y)
                score = grown.predict_proba(few.X)[:, 1]
                values, n = np.unique(score.round(9), return_counts=True)
                alt = explorer.picture.alt
                assert f"{level} of 2 levels down, in {len(values)} pile" in alt
                auc = rt.auc(few.y, score, "recurrence-events")
                assert f", AUC {auc:.3f}: " in alt
                for value, cases in zip(values, n, strict=True):
                    assert f"{cases} cases of score {value:.3f}" in alt
                known.add(alt)
        assert len(known) == 9

    def test_every_case_is_a_dot_at_a_node_and_one_in_a_pile(self, falling):
        explorer, _, few = falling
        colours = dict(zip(np.unique(few.y), CLASSES, strict=False))
        for level in (0, 1, 2):
            explorer.controls["level"].value = level
            for ax in explorer.picture.axes:
                dots = [tuple(map(tuple, d.get_facecolors())) for d in ax.collections if dotted(d)]
                dots = [colour for crowd in dots for colour in crowd]
                for name, colour in colours.items():
                    same = sum(to_hex(dot).upper() == colour for dot in dots)
                    assert same == np.count_nonzero(few.y == name)
        piles = [d.get_offsets()[:, 0] for d in explorer.picture.axes[-1].collections if dotted(d)]
        assert len(piles) == 4
        assert all(left.max() < right.min() for left, right in pairwise(piles)), "in order, apart"

    def test_what_cannot_be_told_apart_is_refused(self, falling):
        _, model, few = falling
        whole = rt.load("breast-cancer")
        with pytest.raises(ValueError, match=r"at most 120 cases .* not 286 cases"):
            rt.explore.falling_cases(model, whole)
        deep = rt.DecisionTree().fit(whole.X, whole.y)
        with pytest.raises(ValueError, match=r"16 leaves: not 96 cases of data, \d\d+ leaves"):
            rt.explore.falling_cases(deep, few)
        with pytest.raises(ValueError, match="level must be 0 to 2, not 3"):
            rt.plot.falling_cases(model, few, 3)
        with pytest.raises(ValueError, match="no class 'maybe': there is"):
            rt.plot.falling_cases(model, rt.Dataset(few.X, ["maybe"] * 96, "x", ""))


def dotted(collection):
    return isinstance(collection, PathCollection) and len(collection.get_offsets()) > 0
