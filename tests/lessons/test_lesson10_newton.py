"""Lesson 10: its checks, its explorer, its made-up data, and what its prose claims."""

import numpy as np
import pandas as pd
import pytest
from pictures import all_text, assert_readable

import ranktrees as rt
from ranktrees.plain import newton_values
from ranktrees_lab.data import structured
from ranktrees_lab.explore import newton as explore_newton

AROUND = {"hour": ("cyclic", 24)}


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


def margins():
    """Newton tree minus J48 of print and of both readings, by group and measure."""
    paper = rt.papers.PAPERS["martinez2010"]
    mean = rt.papers.average_table(rt.papers.results(paper.name)[1], paper)
    mean = mean.pivot_table(["published", "measured"], ["group", "measure"], "method")
    ways = {"printed": ("published", "Newton"), "nearest": ("measured", "Newton")}
    ways["talk"] = "measured", "Newton (talk)"
    return pd.DataFrame({k: mean[way][tree] - mean[way]["J48"] for k, (way, tree) in ways.items()})


def test_the_printed_margins_of_numeric_sets_fit_the_nearest_prototype_better():
    table = margins()
    off = table[["nearest", "talk"]].sub(table["printed"], axis=0).abs()
    assert (off["talk"] > off["nearest"]).loc["numeric"].all()
    assert table.loc[("numeric", "mse"), "talk"] > 0 > table.loc[("numeric", "mse"), "printed"]
    assert (table["nearest"] == table["talk"]).loc["nominal"].all()
    apart = (table["nearest"] - table["talk"]).abs()
    assert (apart.loc["mixed"] < off.loc["mixed"].min(axis=1)).all()


def test_a_day_of_65_degrees_goes_to_72_by_the_talk_alone():
    golf = rt.load("weather.numeric")
    y, degrees = list(golf.y.codes), list(golf.X["temperature"])
    weight, mass = dict.fromkeys(range(14), 1.0), np.bincount(y)
    both = newton_values.prototypes(degrees, y, weight, mass, newton_values.difference)
    assert both == [(72, 9), (71, 5)]
    sent = [
        both[newton_values.nearest(65, both, newton_values.difference, reading)].value
        for reading in ("talk", "nearest")
    ]
    assert sent == [72, 71]
    assert (round(9 / 7**2, 3), round(5 / 6**2, 3)) == (0.184, 0.139)
    assert np.median([t for t, c in zip(degrees, y, strict=True) if c == 1]) == 72


def test_the_prototype_of_three_lists():
    lists = [tuple("a" * k) for k in (2, 3, 5)]
    far = rt.Attribute(lists, "edit").matrix()
    assert far.tolist() == [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    assert np.mean([2, 3, 5]) == pytest.approx(3.33, abs=5e-3)


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


def slanted(seed):
    """The table of the challenge's solution."""
    x = np.random.default_rng(seed).random((200, 2))
    return pd.DataFrame(x, columns=["a", "b"]).assign(above=x.sum(axis=1) > 1)


def test_a_slanted_border_is_better_drawn_by_masses():
    assert rt.check.challenge("10.exact", slanted).right is True
    x = np.random.default_rng(5).random((400, 2))
    data = rt.Dataset(pd.DataFrame(x, columns=["a", "b"]), (x.sum(axis=1) > 1).astype(str))
    pair = {"Newton": rt.NewtonTree(), "C4.4": rt.C44(numeric="thresholds")}
    for measure in ("auc", "brier"):
        assert rt.repeated(pair, data, measure=measure).wins("Newton", "C4.4") >= 11


def test_boards():
    clean, noisy, other = structured.board(), structured.board(noise=0.3), structured.board(seed=6)
    assert clean.X.equals(noisy.X)
    assert not clean.X.equals(other.X)
    anew = np.mean(np.asarray(clean.y) != np.asarray(noisy.y))
    assert anew == pytest.approx(0.3 * 15 / 16, abs=0.05)
    cell = (4 * clean.X["x0"]).astype(int) * 4 + (4 * clean.X["x1"]).astype(int)
    assert cell.astype(str).tolist() == list(clean.y)
    with pytest.raises(ValueError, match="noise"):
        structured.board(noise=1.5)
