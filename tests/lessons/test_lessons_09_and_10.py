"""Lessons 09 and 10: their candidates and explorers, made-up data, and what their prose says."""

import numpy as np
import pandas as pd
import pytest
from claim_methods import OneDeal
from pictures import all_text, assert_readable

import ranktrees as rt
from ranktrees.plain import newton_values
from ranktrees_lab.data import structured
from ranktrees_lab.explore import Candidates, citree_growth
from ranktrees_lab.explore.splits import outline

AROUND = {"hour": ("cyclic", 24)}


def load(name):
    return rt.prepare(rt.load(name), "papers")


@pytest.fixture(scope="module")
def vote():
    return load("vote")


class TestCandidates:
    @pytest.mark.parametrize("folds", ["global", "leaf"])
    @pytest.mark.parametrize(
        ("name", "scoring"), [("vote", "accuracy"), ("iris", "auc"), ("tic-tac-toe", "log_loss")]
    )
    def test_the_trees_root_is_the_best_candidate(self, name, scoring, folds):
        data = rt.load(name)
        found = Candidates(data.X, data.y, scoring, seed=3, folds=folds)
        how = {"scoring": scoring, "folds": folds, "seed": 3, "max_depth": 1}
        grown = rt.CITree(prune=None, **how).fit(data.X, data.y).tree_
        assert grown.root.name == found.best
        kept = rt.CITree(**how).fit(data.X, data.y).tree_.depth == 1
        assert kept == (found.frame.loc[found.best, "pruning"] > found.alone[1] + 1e-9)

    def test_scores_are_those_of_its_probabilities(self, vote):
        found = Candidates(vote.X, vote.y)
        for name in found.frame.index[:4]:
            for which, column in enumerate(found.frame):
                area = rt.auc(vote.y, found.proba(name, which)[:, 1].round(12))
                assert area == pytest.approx(found.frame.loc[name, column], abs=1e-9)
        assert rt.auc(vote.y, found.proba(None, 0)[:, 1].round(12)) == pytest.approx(found.alone[0])

    def test_a_case_is_judged_by_other_folds(self, vote):
        found = Candidates(vote.X, vote.y)
        fold, codes = found.fold(1), rt.Encoder().fit_transform(vote.X)
        train = fold != 2
        model = rt.NaiveBayes().fit(codes.take(train), vote.y[train])
        expected = model.predict_proba(codes.take(~train))
        assert np.allclose(found.proba(None, 1)[~train], expected, atol=1e-9)
        assert sorted(set(fold.tolist())) == [0, 1, 2, 3, 4]
        assert (found.fold(0) != fold).any()

    def test_a_small_branch_has_no_opinion(self, vote):
        found = Candidates(vote.X, vote.y, min_cases=180)
        few = (vote.X["aid-to-nicaraguan-contras"] == "n").to_numpy()
        assert 5 < few.sum() < 180
        proba = found.proba("aid-to-nicaraguan-contras")
        assert (proba[few] == 0.5).all()
        assert (proba[~few] != 0.5).any()

    def test_what_is_constant_is_no_candidate(self):
        X = pd.DataFrame({"same": ["x"] * 40, "a": list("pq") * 20, "b": list("rrss") * 10})
        with pytest.warns(UserWarning, match="'same' has only one value"):
            found = Candidates(X, pd.Categorical(list("uvvu") * 10))
        assert list(found.frame.index) == ["a", "b"]
        assert found.frame["choosing"].tolist() == [1, 1]
        assert found.best == "a"

    @pytest.mark.parametrize(
        ("name", "how"),
        [
            ("vote", {}),
            ("monks-2", {"seed": 3}),
            ("breast-cancer", {"folds": "leaf"}),
            ("iris", {"min_cases": 20}),
        ],
    )
    def test_the_splits_that_stay_are_those_of_the_tree(self, name, how):
        data = load(name)
        kept = [node for node in Candidates(data.X, data.y, **how).opened() if node.stays]
        tree = rt.CITree(**how).fit(data.X, data.y).tree_
        inner = [node for node in tree.nodes() if not node.is_leaf]
        assert sorted((len(n.path), n.best, len(n.cases)) for n in kept) == sorted(
            (n.depth, n.name, int(n.counts.sum())) for n in inner
        )

    def test_a_path_leads_to_its_cases_and_none_is_a_candidate_again(self, vote):
        found = Candidates(vote.X, vote.y)
        before, nodes = found.proba("crime").copy(), list(found.opened())
        assert max(len(node.path) for node in nodes) > 2
        for node in nodes:
            here = np.ones(len(vote), bool)
            for name, code in node.path:
                here &= found.codes.values[:, found.names.index(name)] == code
            assert np.flatnonzero(here).tolist() == sorted(node.cases.tolist())
            assert not {name for name, _ in node.path} & set(node.frame.index)
        first = nodes[0]
        assert (first.path, first.best) == ((), found.best)
        assert np.allclose(first.frame, found.frame)
        assert np.allclose(first.alone, found.alone)
        assert (found.proba("crime") == before).all(), "nothing is changed"


class TestGrowth:
    @pytest.fixture
    def looks(self, vote):
        """How the nodes of the tree look when so many have been opened, at a stage of the last."""
        candidates = Candidates(vote.X, vote.y)
        return lambda nodes, stage: [look for *_, look in outline(candidates, nodes, stage)]

    def test_three_steps_of_a_node(self, vote, looks):
        explorer = citree_growth(vote)
        nodes, slider, words = explorer.nodes(), explorer.controls["step"], []
        assert slider.max == 3 * len(nodes)
        for step in (1, 2, 3):
            slider.value = step
            words.append(explorer.picture.alt)
            assert looks(nodes[:1], step - 1) == ["here", *["new"] * 2 * (step > 1)]
        root = nodes[0]
        assert f"from {root.frame['choosing'].min():.3f} to" in words[0]
        assert f"is {root.best} with {root.frame['choosing'].max():.3f}" in words[1]
        assert f"has {root.frame['pruning'][root.best]:.3f}" in words[2]
        assert words[2].endswith("it stays.")
        left, _ = explorer.draw(3, 1)[0].axes
        dots, ring = left.collections[:2]
        ranked = root.frame["choosing"].sort_values(ascending=False)
        assert np.allclose(dots.get_offsets()[:, 0], ranked)
        assert np.allclose(ring.get_offsets(), [[root.frame["pruning"][root.best], 0]])
        assert [line.get_xdata()[0] for line in left.lines] == root.alone.tolist()

    def test_what_goes_is_shown_and_then_gone(self, vote, looks):
        nodes = citree_growth(vote).nodes()
        k = next(k for k, node in enumerate(nodes) if not node.stays)
        assert looks(nodes[: k + 1], 2).count("gone") == 2
        assert "gone" not in looks(nodes[: k + 2], 0)
        stays = [look for look in looks(nodes, 2) if look != "gone"]
        assert len(stays) == len(rt.CITree().fit(vote.X, vote.y).tree_)


class TestCITree:
    def test_the_root_of_the_votes_is_the_same_with_every_deal(self, vote):
        deals = [Candidates(vote.X, vote.y, seed=seed) for seed in range(31)]
        assert {deal.best for deal in deals} == {"aid-to-nicaraguan-contras"}
        below = [[(node.path, node.best) for node in deal.opened()] for deal in deals[1:3]]
        assert below[0] != below[1]
        alt = rt.plot.dependence(vote, by="aid-to-nicaraguan-contras").alt
        assert "lowers it for 92 of 105 pairs" in alt

    def splits(self, name, first, method=rt.CITree, **how):
        """How many splits the trees of twenty halves have (20,)."""
        data, found = load(name), []
        for seed in range(first, first + 20):
            train, _ = rt.holdout(data.y, 0.5, seed)
            tree = method(**how).fit(data.X.iloc[train], data.y[train]).tree_
            found.append(np.count_nonzero(~tree.is_leaf))
        return np.array(found)

    @pytest.mark.long
    @pytest.mark.parametrize("first", [1, 101])
    def test_how_many_splits_stay(self, first):
        grown = self.splits("credit-g", first, prune=None)
        usual = self.splits("credit-g", first)
        kept = self.splits("credit-g", first, prune="subtree", lazy=False) / grown
        assert 0.5 < kept.mean() < 0.7, "a subtree keeps more than half of its splits"
        if first == 1:
            assert kept.mean().round(2) == 0.62
            assert [kept.min().round(2), kept.max().round(2)] == [0.4, 0.77]
        assert (usual / grown).mean() < 0.1, "children few"
        assert self.splits("credit-g", first, OneDeal).mean() > 2 * usual.mean()
        anew = self.splits("balance-scale", first, folds="leaf")
        assert anew.sum() > self.splits("balance-scale", first).sum()

    def test_the_root_of_the_banks_tree_tells_nothing_alone(self):
        bank = rt.sealed.data()
        X = bank.X.drop(columns=["client", "call_minutes"])
        root = rt.CITree().fit(X, bank.y).tree_.root.name
        assert root == "letter"
        alone = rt.cross_validate(rt.NaiveBayes(), rt.Dataset(X[[root]], bank.y), measures=["auc"])
        assert abs(alone["auc"].mean() - 0.5) < 0.05


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.newton(rt.load("iris"), case=70)


class TestNewtonExplorer:
    def test_the_example_and_the_exponent_are_the_models(self, explorer):
        data = rt.load("iris")
        value = explorer.controls["value"].options[20][1]
        picture, words = explorer.draw(**explorer.settings_with(value=value))
        row = data.X.iloc[[70]].assign(petalwidth=value)
        model = rt.NewtonTree(max_depth=2).fit(data.X, data.y)
        proba = model.predict_proba(row)[0]
        best = int(proba.argmax())
        assert picture.alt.endswith(f"P({model.classes_[best]}) = {proba[best]:.3f}.")
        assert f"petalwidth = {value:g}; exponent 2, reading nearest" in picture.alt
        curves = [line.get_ydata() for line in picture.axes[-1].lines[:3]]
        np.testing.assert_allclose([c[20] for c in curves], proba)
        assert words.count("<tr>") == 7  # with two steps
        for exponent, reading in ((4.0, "nearest"), (1.0, "talk")):
            model = rt.NewtonTree(exponent=exponent, reading=reading, max_depth=2)
            found = explorer.model(exponent, reading).predict_proba(data.X)
            np.testing.assert_allclose(found, model.fit(data.X, data.y).predict_proba(data.X))

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

    def test_sets_and_texts(self):
        shop = rt.explore.newton(structured.baskets(60), distances=AROUND)
        assert len(shop.controls["value"].options) in (41, 42)
        for attribute in ("basket", "hour", "payment"):
            text, value = shop.values(attribute, 0)[-1]
            picture, _ = shop.draw(**shop.settings_with(attribute=attribute, value=value))
            assert f"{attribute} = {text}" in picture.alt
            assert_readable(picture, all_text(picture))

    def test_a_flower_of_the_wrong_class_and_stairs_of_a_large_exponent(self, explorer):
        iris, flat = rt.load("iris"), []
        small = rt.NewtonTree(max_depth=2).fit(iris.X, iris.y)
        assert small.predict(iris.X.iloc[[70]])[0] != iris.y[70] == "Iris-versicolor"
        for exponent in (0.5, 8.0):
            lines = explorer.draw(**explorer.settings_with(exponent=exponent))[0].axes[-1].lines
            steps = np.abs(np.diff([line.get_ydata() for line in lines[:3]], axis=1))
            flat.append((steps < 0.005).mean())
        assert flat[1] > 0.5 > flat[0]


class TestMadeUpData:
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
        again = structured.baskets(6000, seed=3)
        assert (data.X.equals(again.X), list(data.y)) == (True, list(again.y))
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

    def test_boards(self):
        clean, noisy = structured.board(), structured.board(noise=0.3)
        assert clean.X.equals(noisy.X)
        assert not clean.X.equals(structured.board(seed=6).X)
        anew = np.mean(np.asarray(clean.y) != np.asarray(noisy.y))
        assert anew == pytest.approx(0.3 * 15 / 16, abs=0.05)
        cell = (4 * clean.X["x0"]).astype(int) * 4 + (4 * clean.X["x1"]).astype(int)
        assert cell.astype(str).tolist() == list(clean.y)


def test_prototypes_of_numbers_and_lists():
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
    far = rt.Attribute([tuple("a" * k) for k in (2, 3, 5)], "edit").matrix()
    assert far.tolist() == [[0, 1, 3], [1, 0, 2], [3, 2, 0]], "the prototype of three lists"
