"""Lessons 09 and 10: their candidates and explorers, made-up data, and what their prose says."""

import numpy as np
import pytest
from claim_methods import OneDeal, data_set
from pictures import all_text

import ranktrees as rt
from ranktrees_lab.data import structured
from ranktrees_lab.explore import Candidates, citree_growth
from ranktrees_lab.explore.splits import outline


@pytest.fixture(scope="module")
def vote():
    return data_set("prepared vote")


@pytest.fixture(scope="module")
def found(vote):
    return Candidates(vote.X, vote.y)


def test_candidates_have_the_scores_of_their_probabilities_and_other_folds_judge_a_case(
    vote, found
):
    before, _ = found.proba("crime").copy(), list(found.opened())
    assert (found.proba("crime") == before).all(), "to open nodes changes nothing"
    for name in found.frame.index[:4]:
        for which, column in enumerate(found.frame):
            area = rt.auc(vote.y, found.proba(name, which)[:, 1].round(12))
            assert area == pytest.approx(found.frame.loc[name, column], abs=1e-9)
    train, codes = found.fold(1) != 2, rt.Encoder().fit_transform(vote.X)
    model = rt.NaiveBayes().fit(codes.take(train), vote.y[train])
    expected = model.predict_proba(codes.take(~train))
    assert np.allclose(found.proba(None, 1)[~train], expected, atol=1e-9)
    assert (found.fold(0) != found.fold(1)).any()


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("vote", {"scoring": "accuracy"}),
        ("monks-2", {"seed": 3}),
        ("breast-cancer", {"folds": "leaf"}),
        ("iris", {"min_cases": 20}),
        ("tic-tac-toe", {"scoring": "log_loss"}),
    ],
)
def test_the_splits_that_stay_are_those_of_the_tree(name, how):
    data = data_set(f"prepared {name}")
    kept = [node for node in Candidates(data.X, data.y, **how).opened() if node.stays]
    tree = rt.CITree(**how).fit(data.X, data.y).tree_
    inner = [node for node in tree.nodes() if not node.is_leaf]
    assert sorted((len(n.path), n.best, len(n.cases)) for n in kept) == sorted(
        (n.depth, n.name, int(n.counts.sum())) for n in inner
    )


def test_growth_shows_three_steps_of_a_node_and_what_goes(vote, found):
    explorer = citree_growth(vote)
    nodes, root = explorer.nodes(), explorer.nodes()[0]
    assert explorer.controls["step"].max == 3 * len(nodes)
    pictures = [explorer.draw(**explorer.settings_with(step=step))[0] for step in (1, 2, 3)]
    assert f"from {root.frame['choosing'].min():.3f} to" in pictures[0].alt
    assert f"is {root.best} with {root.frame['choosing'].max():.3f}" in pictures[1].alt
    assert f"has {root.frame['pruning'][root.best]:.3f}" in pictures[2].alt
    assert pictures[2].alt.endswith("it stays.")
    ring = pictures[2].axes[0].collections[1]
    assert np.allclose(ring.get_offsets(), [[root.frame["pruning"][root.best], 0]])

    def looks(nodes, stage):
        return [look for *_, look in outline(found, nodes, stage)]

    assert looks(nodes[:1], 1) == ["here", "new", "new"]
    k = next(k for k, node in enumerate(nodes) if not node.stays)
    assert looks(nodes[: k + 1], 2).count("gone") == 2
    assert "gone" not in looks(nodes[: k + 2], 0)
    stays = [look for look in looks(nodes, 2) if look != "gone"]
    assert len(stays) == len(rt.CITree().fit(vote.X, vote.y).tree_)


def test_the_root_of_the_votes_is_the_same_with_every_deal(vote):
    deals = [Candidates(vote.X, vote.y, seed=seed) for seed in range(11)]
    assert {deal.best for deal in deals} == {"aid-to-nicaraguan-contras"}
    first, second = ([(node.path, node.best) for node in deal.opened()] for deal in deals[:2])
    assert first != second
    alt = rt.plot.dependence(vote, by="aid-to-nicaraguan-contras").alt
    assert "lowers it for 92 of 105 pairs" in alt


@pytest.mark.long
@pytest.mark.parametrize("first", [1, 101])
def test_how_many_splits_stay(first):
    def splits(name="credit-g", method=rt.CITree, **how):
        """How many splits the trees of twenty halves have (20,)."""
        data, sizes = data_set(f"prepared {name}"), []
        for seed in range(first, first + 20):
            train, _ = rt.holdout(data.y, 0.5, seed)
            grown = method(**how).fit(data.X.iloc[train], data.y[train])
            sizes.append(np.count_nonzero(~grown.tree_.is_leaf))
        return np.array(sizes)

    grown, usual = splits(prune=None), splits()
    kept = splits(prune="subtree", lazy=False) / grown
    assert 0.5 < kept.mean() < 0.7, "a subtree keeps more than half of its splits"
    if first == 1:
        assert [f(kept).round(2) for f in (np.mean, np.min, np.max)] == [0.62, 0.4, 0.77]
    assert (usual / grown).mean() < 0.1, "children few"
    assert splits(method=OneDeal).mean() > 2 * usual.mean()
    assert splits("balance-scale", folds="leaf").sum() > splits("balance-scale").sum()


def test_the_root_of_the_banks_tree_is_what_tells_nothing_alone():
    bank = rt.sealed.data()
    X = bank.X.drop(columns=["client", "call_minutes"])
    assert rt.CITree().fit(X, bank.y).tree_.root.name == "letter"


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.newton(rt.load("iris"), case=70)


def test_the_newton_explorer_shows_what_the_model_says(explorer):
    data = rt.load("iris")
    model = rt.NewtonTree(max_depth=2).fit(data.X, data.y)
    assert model.predict(data.X.iloc[[70]])[0] != data.y[70] == "Iris-versicolor"
    value = explorer.controls["value"].options[20][1]
    picture, _ = explorer.draw(**explorer.settings_with(value=value))
    proba = model.predict_proba(data.X.iloc[[70]].assign(petalwidth=value))[0]
    said = f"P({model.classes_[proba.argmax()]}) = {proba.max():.3f}."
    assert picture.alt.endswith(said)
    assert f"petalwidth = {value:g}; exponent 2, reading nearest" in picture.alt
    curves = [line.get_ydata() for line in picture.axes[-1].lines[:3]]
    np.testing.assert_allclose([c[20] for c in curves], proba)
    for exponent, reading in ((4.0, "nearest"), (1.0, "talk")):
        model = rt.NewtonTree(exponent=exponent, reading=reading, max_depth=2).fit(data.X, data.y)
        found = explorer.model(exponent, reading).predict_proba(data.X)
        np.testing.assert_allclose(found, model.predict_proba(data.X))
    tree = explorer.model(2.0, "nearest").tree_
    places = [value for _, value in explorer.values("petalwidth", 70)]
    assert places == sorted({*places, *(tree.value(child.id) for child in tree.root.children)})
    for exponent, stairs in ((0.5, False), (8.0, True)):
        lines = explorer.draw(**explorer.settings_with(exponent=exponent))[0].axes[-1].lines
        flat = np.abs(np.diff([line.get_ydata() for line in lines[:3]], axis=1)) < 0.005
        assert (flat.mean() > 0.5) == stairs


def test_steps_lead_from_pulls_to_the_product(explorer):
    shots = [explorer.draw(**explorer.settings_with(step=k)) for k in range(3)]
    said = [[text for text, *_ in all_text(picture)] for picture, _ in shots]
    assert [words.count("<tr>") for _, words in shots] == [4, 6, 7]
    assert [sum("?" in text for text in words) for words in said] == [14, 8, 0]
    assert any("leaf: 0.841 × 0.622 = 0.523" in text for text in said[2])
    # 48 / 0.2² of all pulls 50 / 1.6² + 52 / 0.5² + 48 / 0.2², then 14 / 0.1² + 34 / 0.2²
    for number in ("1200", "1428", "0.841", "1400", "2250", "0.622", "0.523"):
        assert f">{number}<" in shots[2][1]
    _, words = explorer.draw(**explorer.settings_with(value=2.0))  # at distance 0: the masses
    assert ">48</td><td style='padding:0 .8em'>0</td><td style='padding:0 .8em'>48<" in words


def test_steps_without_a_value_go_by_the_masses():
    data = rt.load("vote")
    votes = rt.explore.newton(data, depth=1)
    root = votes.model(2.0, "nearest").tree_.root
    gap, other = int(data.X[root.name].isna().argmax()), data.X.columns.drop(root.name)[0]
    _, words = votes.draw(**votes.settings_with(case=gap, attribute=other))
    heavy = max(child.counts.sum() for child in root.children)
    assert f">{heavy:.4g}</td><td style='padding:0 .8em'>435<" in words


def test_made_up_data_are_those_of_their_definitions():
    data = structured.baskets(6000, seed=3)
    assert data.X.equals(structured.baskets(6000, seed=3).X)
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
    data = structured.fragments(2000, seed=2, mutation=0.0)
    has, promoter = data.X["fragment"].str.contains("TATAAT"), np.asarray(data.y == "promoter")
    assert (has[promoter].all(), has[~promoter].mean() < 0.02) == (True, True)
    clean, noisy = structured.board(), structured.board(noise=0.3)
    assert clean.X.equals(noisy.X)
    anew = np.mean(np.asarray(clean.y) != np.asarray(noisy.y))
    assert anew == pytest.approx(0.3 * 15 / 16, abs=0.05)
    cell = (4 * clean.X["x0"]).astype(int) * 4 + (4 * clean.X["x1"]).astype(int)
    assert cell.astype(str).tolist() == list(clean.y)
