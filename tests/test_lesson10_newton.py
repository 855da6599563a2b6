"""Lesson 10: its checks, its explorer, its made-up data, and what its prose claims."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from test_plot import all_text, assert_readable

import ranktrees as rt
from ranktrees_lab.data import structured
from ranktrees_lab.explore import newton as explore_newton

AROUND = {"hour": ("cyclic", 24)}


def shares(mass, distance):
    least = distance.min()
    ratio = (distance == 0).astype(float) if least == 0 else least / distance
    return mass * ratio**2 / (mass * ratio**2).sum()


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "right", "words"),
        [
            (7.5 / 17.5, True, "is not enough"),
            (0.6, False, "square of the distance"),
            (0.2, False, "masses attract, too"),
            (10 / 17.5, False, "lighter prototype"),
            (0.75, False, "share of the masses"),
            (7.5, False, "sum of both, 17.5"),
            (0.9, False, "is not it"),
        ],
    )
    def test_attraction_by_hand(self, answer, right, words):
        verdict = rt.check.attraction_by_hand(answer)
        assert verdict.right is right
        assert words in repr(verdict)

    @pytest.mark.parametrize(
        ("colours", "words"),
        [
            (("red", "blue", None), "others take"),
            (("blue", "red", None), "chooses first"),
            (("red", "red", None), "red is taken"),
            (("red", "green", None), "its own values"),
            (("red", "blue", "blue"), "merges with punctual"),
            (("red", None, None), "own values is free"),
        ],
    )
    def test_collision_by_hand(self, colours, words):
        answer = dict(zip(("punctual", "late", "never"), colours, strict=True))
        verdict = rt.check.collision_by_hand(answer)
        assert verdict.right is (words == "others take")
        assert words in repr(verdict)

    def test_the_collision_is_the_packages(self):
        colour = [*["red"] * 3, "blue", "green", "red", "red", "blue", "red", "red"]
        bus = np.repeat(["punctual", "late", "never"], [5, 3, 2])
        tree = rt.NewtonTree(max_depth=1).fit(np.array(colour)[:, None], bus).tree_
        assert [tree.value(t) for t in range(1, len(tree))] == ["red", "blue"]
        assert tree.mass[1:].tolist() == [8, 2]

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (shares, "no distance is too small"),
            (lambda m, d: m / d**2 / (m / d**2).sum(), "one distance of zero there is a NaN"),
            (lambda m, d: m / m.sum(), "With ordinary distances"),
            (lambda m, d: shares(m, np.maximum(d, 1e-9)), "With"),
            (lambda m, d: np.where(d == 0, 1.0, shares(m, d)), "two distances of zero"),
            (lambda m, d: 0.5, "three shares"),
        ],
    )
    def test_shares_function(self, function, words):
        verdict = rt.check.shares_function(function)
        assert verdict.right is (function is shares)
        assert words in repr(verdict)

    def test_shares_function_untouched(self):
        assert rt.check.shares_function(lambda mass, distance: ...).right is None

    def test_distance_study(self):
        data, found = structured.fragments(100, seed=5), {}
        ways = {"levenshtein": "levenshtein", "zero-one": "zero-one"}
        ways["length"] = lambda a, b: abs(len(a) - len(b))
        for name, way in ways.items():
            model = rt.NewtonTree(distances={"fragment": way})
            found[name] = rt.cross_validate(model, data, k=5, measures=["auc"])["auc"].mean()
        verdict = rt.check.distance_study(found)
        assert verdict
        assert "levenshtein wins" in repr(verdict)
        assert data.X["fragment"].nunique() > 95
        wrong = rt.check.distance_study({**found, "length": 0.9})
        assert "length has a mean AUC of 0.5" in repr(wrong)
        assert "keys" in repr(rt.check.distance_study({"levenshtein": 0.9}))


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.newton(rt.load("iris"), case=70)


class TestExplorer:
    def test_every_control_changes_the_picture(self):
        explorer = rt.explore.newton(rt.load("iris"), case=70)
        seen = [bytes(explorer.image.value)]
        slider = explorer.controls["value"]
        moves = [("value", slider.options[3][1]), ("case", 100), ("exponent", 6.0)]
        for name, value in [*moves, ("attribute", "petallength"), ("reading", "talk")]:
            explorer.controls[name].value = value
            seen.append(bytes(explorer.image.value))
        assert len(set(seen)) == len(seen)
        assert not any(
            c.continuous_update
            for c in explorer.controls.values()
            if c.has_trait("continuous_update")
        )

    def test_the_example_is_the_models(self, explorer):
        data = rt.load("iris")
        value = explorer.controls["value"].options[20][1]
        picture, words = explorer.draw(**explorer.settings_with(value=value))
        row = data.X.iloc[[70]].assign(petalwidth=value)
        model = rt.NewtonTree(max_depth=2).fit(data.X, data.y)
        proba = model.predict_proba(row)[0]
        best = int(proba.argmax())
        said = f"P({model.classes_[best]}) = {proba[best]:.3f}."
        assert picture.alt.endswith(said)
        assert f"petalwidth = {value:g}; exponent 2, reading nearest" in picture.alt
        curves = [line.get_ydata() for line in picture.axes[-1].lines[:3]]
        np.testing.assert_allclose([c[20] for c in curves], proba)
        assert words.count("<tr>") == 7  # with two steps

    def test_the_exponent_is_the_models(self, explorer):
        data = rt.load("iris")
        for exponent, reading in ((4.0, "nearest"), (1.0, "talk")):
            model = rt.NewtonTree(exponent=exponent, reading=reading, max_depth=2)
            expected = model.fit(data.X, data.y).predict_proba(data.X)
            found = explorer.model(exponent, reading).predict_proba(data.X)
            np.testing.assert_allclose(found, expected)

    def test_steps_lead_from_pulls_to_the_product(self, explorer):
        shots = [explorer.draw(**explorer.settings_with(step=k)) for k in range(3)]
        said = [[text for text, *_ in all_text(picture)] for picture, _ in shots]
        assert [words.count("<tr>") for _, words in shots] == [4, 6, 7]
        assert [sum("?" in text for text in words) for words in said] == [14, 8, 0]
        assert any("leaf: 0.841 × 0.622 = 0.523" in text for text in said[2])
        assert any(text.endswith("leaf: 0.841") for text in said[1])
        model, row = explorer.model(2.0, "nearest"), rt.load("iris").X.iloc[[70]]
        assert model.reach(row)[0, 7] == pytest.approx(0.523, abs=5e-4)
        # 48 / 0.2² of all pulls 50 / 1.6² + 52 / 0.5² + 48 / 0.2², then 14 / 0.1² + 34 / 0.2²
        for number in ("1200", "1428", "0.841", "1400", "2250", "0.622", "0.523"):
            assert f">{number}<" in shots[2][1]
        for picture, _ in shots:
            assert_readable(picture, all_text(picture))

    def test_steps_at_distance_zero_and_without_a_value_go_by_the_masses(self, explorer):
        _, words = explorer.draw(**explorer.settings_with(value=2.0))
        assert ">48</td><td style='padding:0 .8em'>0</td><td style='padding:0 .8em'>48<" in words
        votes = rt.explore.newton(rt.load("vote"), depth=1)
        root = votes.model(2.0, "nearest").tree_.root
        gap = rt.load("vote").X[root.name].isna().to_numpy().argmax()
        other = next(name for name in rt.load("vote").X if name != root.name)
        _, words = votes.draw(**votes.settings_with(case=int(gap), attribute=other))
        heavy = max(child.counts.sum() for child in root.children)
        assert ">missing<" in words
        assert f">{heavy:.4g}</td><td style='padding:0 .8em'>435<" in words

    def test_a_case_begins_at_its_own_value(self, explorer):
        assert explorer.settings_with(case=0)["value"] == 0.2
        assert explorer.settings_with(case=0, attribute="petallength")["value"] == 1.4

    def test_the_slider_stops_at_prototypes(self, explorer):
        tree = explorer.model(2.0, "nearest").tree_
        places = [value for _, value in explorer.values("petalwidth", 70)]
        assert {tree.value(child.id) for child in tree.root.children} <= set(places)
        assert places == sorted(places)

    def test_words_are_apart_at_the_extremes(self, explorer):
        places = [value for _, value in explorer.controls["value"].options]
        for exponent, value in ((0.5, places[0]), (8.0, places[0]), (8.0, places[-1])):
            settings = explorer.settings_with(exponent=exponent, value=value)
            picture, _ = explorer.draw(**settings)
            assert_readable(picture, all_text(picture))

    def test_multiples_leave_the_widget(self, explorer):
        before = explorer.settings
        assert "exponent = 8.0: Case 70" in explorer.multiples("exponent", [8.0]).alt
        assert "reading = talk: Case 70" in explorer.multiples("reading", ["talk"]).alt
        assert explorer.settings == before

    def test_sets_texts_and_gaps(self):
        shop = rt.explore.newton(structured.baskets(60), distances=AROUND)
        assert len(shop.controls["value"].options) in (41, 42)
        for attribute in ("basket", "hour", "payment"):
            text, value = shop.values(attribute, 0)[-1]
            picture, _ = shop.draw(**shop.settings_with(attribute=attribute, value=value))
            assert f"{attribute} = {text}" in picture.alt
            assert_readable(picture, all_text(picture))
        votes = rt.explore.newton(rt.load("vote"), case=0, depth=1)
        gap = rt.load("vote").X.isna().any(axis=1).to_numpy().argmax()
        picture, _ = votes.draw(**votes.settings_with(case=int(gap)))
        assert f"Case {gap} with" in picture.alt

    def test_of_a_broad_tree_the_upper_levels_are_drawn(self):
        broad = rt.explore.newton(rt.load("glass"), depth=3)
        tree = broad.model(2.0, "nearest").tree_
        assert tree.n_leaves > 12
        assert f"nodes, {tree.n_leaves} leaves and depth 3" in broad.picture.alt
        assert "below the root are drawn" in broad.picture.alt
        assert_readable(broad.picture, all_text(broad.picture))

    def test_the_curves_are_next_to_the_sliders(self, explorer):
        *tree, curves = (ax.get_position() for ax in explorer.picture.axes)
        assert curves.y0 > max(place.y1 for place in tree if place.y1 < 0.95)
        height = 100 * explorer.picture.get_figheight()
        assert (1 - curves.y0) * height < 300

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"case": 150}, "case must be 0 to 149"),
            ({"case": -1}, "case must be"),
            ({"attribute": "petalwidht"}, "did you mean 'petalwidth'"),
            ({"depth": 0}, "max_depth"),
        ],
    )
    def test_wrong_input_is_named(self, arguments, words):
        with pytest.raises(ValueError, match=words):
            rt.explore.newton(rt.load("iris"), **arguments)

    def test_the_explorer_is_the_packages_name(self):
        assert rt.explore.newton is explore_newton


class TestData:
    def test_baskets_repeat_with_their_seed_and_only_then(self):
        a, b, c = (structured.baskets(50, seed=s) for s in (1, 1, 2))
        assert a.X.equals(b.X)
        assert list(a.y) == list(b.y)
        assert a.X["basket"].tolist() != c.X["basket"].tolist()

    def test_baskets_have_the_shares_of_their_definition(self):
        data = structured.baskets(6000, seed=3)
        for name, usual in structured.USUAL.items():
            here = np.asarray(data.y == name)
            assert here.mean() == pytest.approx(1 / 3, abs=0.02)
            for item in structured.ITEMS:
                share = np.mean([item in s for s in data.X["basket"][here]])
                assert share == pytest.approx(0.6 if item in usual else 0.12, abs=0.05)
            card = (data.X["payment"][here] == "card").mean()
            assert card == pytest.approx(structured.CARD[name], abs=0.04)
            way = np.abs(data.X["hour"][here] - structured.HOURS[name])
            way = np.minimum(way, 24 - way)
            assert np.sqrt((way**2).mean()) == pytest.approx(2.5, abs=0.15)
        assert data.X["hour"].between(0, 24, inclusive="left").all()

    def test_fragments_carry_the_motif(self):
        data = structured.fragments(2000, seed=2, mutation=0.0)
        has = data.X["fragment"].str.contains("TATAAT")
        promoter = np.asarray(data.y == "promoter")
        assert has[promoter].all()
        assert has[~promoter].mean() < 0.02
        assert promoter.mean() == pytest.approx(0.5, abs=0.04)
        lengths = data.X["fragment"].str.len()
        assert set(lengths) == set(range(6, 13))
        assert set("".join(data.X["fragment"])) == set("ACGT")
        mutated = structured.fragments(2000, seed=2, mutation=1.0)
        assert mutated.X["fragment"].str.contains("TATAAT").mean() < 0.02

    @pytest.mark.parametrize("n", [0, -3, 2.5, True])
    def test_sizes_that_cannot_be(self, n):
        with pytest.raises((TypeError, ValueError), match=r"n must be (a whole|at least)"):
            structured.baskets(n)
        with pytest.raises((TypeError, ValueError), match=r"n must be (a whole|at least)"):
            structured.fragments(n)

    @pytest.mark.parametrize("mutation", [-0.1, 1.5, float("nan")])
    def test_mutations_that_are_no_probability(self, mutation):
        with pytest.raises(ValueError, match="from 0 to 1"):
            structured.fragments(10, mutation=mutation)


# What the prose claims


@pytest.fixture
def by_hand():
    """What the lesson's own cells define, run on a data set without gaps."""
    cells = cells_of("10")
    code = [c["source"] for c in cells if "by-hand" in c["metadata"].get("tags", [])]

    def run(data):
        nominal = data.X.select_dtypes("category")
        named = {a: list(data.X[a].cat.categories) for a in nominal}
        space = {"np": np, "rt": rt, "Counter": Counter, "classes": sorted(set(data.y))}
        space |= {"x": data.X.to_dict("records"), "y": list(data.y)}
        space["values"] = {a: named.get(a, sorted(set(data.X[a]))) for a in data.X}
        for source in code:
            exec("".join(source), space)
        return space

    return run


def same(hand, node):
    """Whether a tree of the lesson's cells is the package's, node by node."""
    if [*hand["counts"]] != node.counts.tolist() or ("test" in hand) == node.is_leaf:
        return False
    if node.is_leaf:
        return True
    tree, children = node.tree, node.children
    places = [tree.value(child.id) for child in children]
    return (
        hand["test"] == node.name
        and list(hand["children"]) == places
        and all(map(same, hand["children"].values(), children))
    )


@pytest.mark.parametrize("name", ["weather.numeric", "iris", "glass", "diabetes"])
def test_the_lessons_own_code_grows_the_packages_trees_and_says_the_same(name, by_hand):
    data = rt.load(name)
    hand, model = by_hand(data), rt.NewtonTree().fit(data.X, data.y)
    hand["classes"] = list(model.classes_)  # glass declares a class without a case
    grown = hand["grow"](range(len(data.y)))
    assert same(grown, model.tree_.root)
    C, some = len(hand["classes"]), slice(0, 150, 7)
    found = []
    for case in hand["x"][some]:
        ends = hand["leaves"](grown, case)
        found.append(sum(p * (np.array(n) + 1) / (sum(n) + C) for _, p, n in ends))
    np.testing.assert_allclose(found, model.predict_proba(data.X[some]))


def test_without_rounding_the_last_digit_decides_ties_on_diabetes(by_hand):
    data = rt.load("diabetes")
    hand = by_hand(data)
    hand["round"] = lambda number, digits=0: number
    grown = hand["grow"](range(len(data.y)))

    def size(node):
        return 1 + sum(map(size, node.get("children", {}).values()))

    assert 5.1 - 4.7 != 0.4
    assert size(grown) != len(rt.NewtonTree().fit(data.X, data.y).tree_)


def test_the_day_of_the_golf_players_and_the_shares_at_a_humidity_of_86(by_hand):
    golf = rt.load("weather.numeric")
    hand = by_hand(golf)
    tree = hand["grow"](range(14))
    day = {"outlook": "rainy", "temperature": 70.0, "humidity": 86.0, "windy": "FALSE"}
    proba = sum(p * (yes + 1) / (no + yes + 2) for _, p, (no, yes) in hand["leaves"](tree, day))
    X = pd.DataFrame([day]).astype(golf.X.dtypes.to_dict())
    model = rt.NewtonTree().fit(golf.X, golf.y)
    assert proba == pytest.approx(model.predict_proba(X)[0, 1])
    assert proba == pytest.approx(0.630, abs=5e-4)
    assert len(model.tree_) == 9
    assert model.tree_.root.name == tree["test"] == "outlook"
    assert model.attraction(X)[0, 1:3] == pytest.approx([9 / 14, 5 / 14])
    humid = rt.NewtonTree(max_depth=1).fit(golf.X[["humidity"]], golf.y)
    found = humid.attraction(pd.DataFrame({"humidity": [86.0]}))[0, 1:]
    assert found == pytest.approx([0.372, 0.628], abs=5e-4)
    assert found == pytest.approx(np.array([8 / 36, 6 / 16]) / (8 / 36 + 6 / 16))


def test_the_prototype_of_three_lists():
    lists = [tuple("a" * k) for k in (2, 3, 5)]
    far = rt.Attribute(lists, "edit").matrix()
    assert far.tolist() == [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    assert np.mean([2, 3, 5]) == pytest.approx(3.33, abs=5e-3)


def half(data, pair):
    """Splits of 20 in which a Newton tree has the higher AUC, and the lower squared error."""
    ranked, errors = (rt.repeated(pair, data, measure=m) for m in ("auc", "brier"))
    return ranked.wins("Newton", "C4.4"), errors.wins("Newton", "C4.4")


def test_the_crisp_tree_has_three_answers_and_the_soft_one_one_for_each_width():
    iris = rt.load("iris")
    width, along = iris.X[["petalwidth"]], pd.DataFrame({"petalwidth": np.arange(20, 261) / 100})
    crisp = rt.C44(numeric="thresholds").fit(width, iris.y).predict_proba(along)[:, 1]
    soft = rt.NewtonTree(max_depth=1).fit(width, iris.y).predict_proba(along)[:, 1]
    assert len(np.unique(crisp)) == 3
    assert len(np.unique(soft)) == len(along)


def test_the_heavy_disc_of_setosa_lies_where_no_setosa_grows():
    iris, pair = rt.load("iris"), ["petallength", "petalwidth"]
    flat = rt.NewtonTree(max_depth=2).fit(iris.X[pair], iris.y)
    picture = rt.plot.attraction_map(flat, iris, pair)
    blue = to_rgb(rt.plot.class_colours(3)[0])
    discs = [c for c in picture.axes[0].collections if isinstance(c, PathCollection)]
    discs = [disc for disc in discs if np.allclose(disc.get_facecolor()[0, :3], blue)]
    places = [disc.get_offsets()[0] for disc in discs if len(disc.get_offsets()) == 1]
    assert [round(float(x)) for x, _ in places] == [4]
    assert iris.X["petallength"][iris.y == "Iris-setosa"].max() < 2
    giant = flat.predict_proba(pd.DataFrame({name: [60.0] for name in pair}))[0]
    assert giant.max() < 0.35


def test_a_flower_of_the_wrong_class_and_stairs_of_a_large_exponent(explorer):
    iris = rt.load("iris")
    small = rt.NewtonTree(max_depth=2).fit(iris.X, iris.y)
    assert small.predict(iris.X.iloc[[70]])[0] != iris.y[70] == "Iris-versicolor"
    spread = []
    for exponent in (0.5, 2.0, 8.0):
        lines = explorer.draw(**explorer.settings_with(exponent=exponent))[0].axes[-1].lines
        steps = np.abs(np.diff([line.get_ydata() for line in lines[:3]], axis=1))
        spread.append((steps < 0.005).mean())  # how much of the curves is flat
    assert spread[2] > 0.5 > spread[0]


def test_a_basket_at_night_is_the_partys_though_it_looks_like_an_offices():
    shop = structured.baskets()
    buyers = rt.NewtonTree(distances=AROUND, max_depth=2).fit(shop.X, shop.y)
    new = pd.DataFrame({"basket": [frozenset({"milk", "tea", "wine"})], "hour": [0.5]})
    new["payment"] = pd.Categorical(["cash"], categories=["cash", "card"])
    assert new["basket"][0] not in set(shop.X["basket"])
    assert buyers.predict(new)[0] == "party"
    children = [child.id for child in buyers.tree_.root.children]
    nearest = children[int(buyers.attraction(new)[0, children].argmax())]
    assert buyers.classes_[int(buyers.tree_.counts[nearest].argmax())] == "office"


def test_soft_use_ranks_better_on_baskets_and_has_a_larger_error():
    shop = structured.baskets()
    rivals = {"Newton": rt.NewtonTree(AROUND), "crisp": rt.DistanceTree(AROUND)}
    assert rt.repeated(rivals, shop).wins("Newton", "crisp") >= 15
    assert rt.repeated(rivals, shop, measure="brier").wins("Newton", "crisp") == 0


@pytest.mark.filterwarnings("ignore:.*has only one value")
def test_where_newton_trees_win_and_lose():
    pair = {"Newton": rt.NewtonTree(), "C4.4": rt.C44(numeric="thresholds")}
    x = np.random.default_rng(5).random((400, 5))
    cell = (4 * x[:, 0]).astype(int) * 4 + (4 * x[:, 1]).astype(int)
    clean = rt.Dataset(pd.DataFrame(x).add_prefix("x"), cell.astype(str), name="clean")
    ranked, error = half(clean, pair)
    assert ranked > 10
    assert error == 0
    assert all(half(rt.load(name), pair)[1] == 0 for name in ("glass", "segment"))
    assert min(half(rt.load("diabetes"), pair)) > 10
