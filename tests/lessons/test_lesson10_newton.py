"""Lesson 10: its checks, its explorer, its made-up data, and what its prose claims."""

import numpy as np
import pytest
from pictures import all_text, assert_readable

import ranktrees as rt
from ranktrees.plain import newton_values
from ranktrees_lab.data import structured

AROUND = {"hour": ("cyclic", 24)}


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.newton(rt.load("iris"), case=70)


class TestExplorer:
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

    def test_the_slider_stops_at_prototypes(self, explorer):
        tree = explorer.model(2.0, "nearest").tree_
        places = [value for _, value in explorer.values("petalwidth", 70)]
        assert {tree.value(child.id) for child in tree.root.children} <= set(places)
        assert places == sorted(places)

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
