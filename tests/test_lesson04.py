"""Lesson 04 without a browser: its checks, its candidates, its explorer."""

import numpy as np
import pandas as pd
import pytest
from test_plot import all_text, assert_readable

import ranktrees as rt
from ranktrees.citree import Candidates
from ranktrees.teach.check.trees import STUDIED
from ranktrees.teach.explore import citree as explore_citree


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "right", "words"),
        [
            (5 / 6, True, "same order"),
            (0.833, True, "same order"),
            (6 / 7, False, "must not train"),
            (1, False, "Laplace"),
            (1 / 6, False, "probability of even"),
            (5 / 12, False, "Divide by the sum"),
            (0.75, False, "three copies"),
            (0.5, False, "tell the classes apart"),
            (0.3, False, "is not it"),
        ],
    )
    def test_held_out_probability(self, answer, right, words):
        verdict = rt.check.held_out_probability(answer)
        assert verdict.right is right
        assert words in repr(verdict)

    def test_the_expected_probability_is_naive_bayes(self):
        train = pd.DataFrame({"b": pd.Categorical([0, 1] * 4)})
        leaf = rt.NaiveBayes().fit(train, np.array(["even", "odd"] * 4))
        case = pd.DataFrame({"b": pd.Categorical([1], categories=[0, 1])})
        assert rt.check.held_out_probability(leaf.predict_proba(case)[0, 1])

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (lambda n: n.sum(axis=0) - n, "One subtraction"),
            (lambda n: n.sum(axis=0), "shape (5, 3, 2), not (3, 2)"),
            (lambda n: n - n.sum(axis=0), "wrong sign"),
            (lambda n: n * 0 + n.sum(axis=0), "must not train for itself"),
            (lambda n: n.sum(axis=-1, keepdims=True) - n, "first cell should be"),
            (lambda n: n.sum(axis=-3) - n, "could not be checked"),
            (lambda n: np.multiply(n, 0, out=n), "changes the counts"),
        ],
    )
    def test_other_folds(self, function, words):
        verdict = rt.check.other_folds(function)
        assert verdict.right is (words == "One subtraction")
        assert words in repr(verdict)

    def test_untouched_answers_get_a_hint(self):
        assert rt.check.other_folds(lambda counts: ...).right is None
        for check in (
            rt.check.held_out_probability,
            rt.check.other_folds,
            rt.check.where_it_gains,
            rt.check.citree_study,
        ):
            assert check(...).right is None

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            ({"tic-tac-toe", "monks-1"}, "must come together"),
            (["monks-1", "tic-tac-toe"], "must come together"),
            ("monks-1", "tic-tac-toe is missing"),
            ({"tic-tac-toe", "monks-1", "credit-g"}, "follow a rule"),
            ({"balance-scale", "monks-1", "tic-tac-toe"}, "pushes one way"),
            ({"iris"}, "iris is not among"),
        ],
    )
    def test_where_it_gains(self, answer, words):
        verdict = rt.check.where_it_gains(answer)
        assert verdict.right is (words == "must come together")
        assert words in repr(verdict)

    def test_citree_study(self):
        data = rt.load("monks-3")
        models = (rt.NaiveBayes(), rt.C44(), rt.NBTree(), rt.CITree())
        found = {
            name: rt.cross_validate(model, data, measures=["auc"])["auc"].mean()
            for name, model in zip(STUDIED, models, strict=True)
        }
        right = rt.check.citree_study(("monks-3", found))
        assert right
        assert "On monks-3 the best of the four is" in repr(right)
        wrong = rt.check.citree_study(("monks-3", {**found, "NBTree": 0.5}))
        assert "NBTree has a mean AUC of 1.000" in repr(wrong)
        assert "keys must be" in repr(rt.check.citree_study(("monks-3", {"NB": 0.5})))
        assert "at most 1000 and 20" in repr(rt.check.citree_study(("ionosphere", found)))


@pytest.fixture(scope="module")
def vote():
    return rt.prepare(rt.load("vote"), "papers")


class TestCandidates:
    @pytest.mark.parametrize("folds", ["global", "leaf"])
    @pytest.mark.parametrize("scoring", ["auc", "accuracy", "log_loss"])
    @pytest.mark.parametrize("name", ["vote", "iris", "tic-tac-toe"])
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

    def test_an_unknown_attribute_is_named(self, vote):
        with pytest.raises(ValueError, match="unknown attribute 'magic'"):
            Candidates(vote.X, vote.y).proba("magic")

    def test_what_is_constant_is_no_candidate(self):
        X = pd.DataFrame({"same": ["x"] * 40, "a": list("pq") * 20, "b": list("rrss") * 10})
        with pytest.warns(UserWarning, match="'same' has only one value"):
            found = Candidates(X, pd.Categorical(list("uvvu") * 10))
        assert list(found.frame.index) == ["a", "b"]
        assert found.frame["choosing"].tolist() == [1, 1]
        assert found.best == "a"

    @pytest.mark.filterwarnings("ignore:column 'same' has only one value")
    @pytest.mark.parametrize(
        ("values", "classes", "words"),
        [("xx", "uv", "every attribute is constant"), ("xy", "uu", "only one class")],
    )
    def test_nothing_to_try_is_said(self, values, classes, words):
        X = pd.DataFrame({"same": list(values) * 10})
        with pytest.raises(ValueError, match=words):
            Candidates(X, pd.Categorical(list(classes) * 10))


@pytest.fixture(scope="module")
def explorer(vote):
    return rt.explore.citree(vote)


class TestExplorer:
    def test_every_control_changes_the_picture(self, vote):
        explorer = rt.explore.citree(vote)
        seen = [bytes(explorer.image.value)]
        moves = [("root", "crime"), ("scoring", "log_loss"), ("seed", 7), ("min_cases", 180)]
        for name, value in moves:
            explorer.controls[name].value = value
            seen.append(bytes(explorer.image.value))
        assert len(set(seen)) == len(moves) + 1
        sliders = [c for c in explorer.controls.values() if hasattr(c, "continuous_update")]
        assert not any(c.continuous_update for c in sliders)

    def test_it_starts_with_the_algorithms_choice(self, explorer):
        found = explorer.candidates("auc", 1, 5)
        assert explorer.settings["root"] == found.best
        assert "the algorithm takes" not in explorer.picture.alt
        crime, _ = explorer.draw("crime", "auc", 1, 5)
        assert f"(the algorithm takes {found.best}): the split is pruned" in crime.alt

    def test_words_are_computed(self, explorer):
        picture, words = explorer.draw("crime", "auc", 1, 5)
        found, alt = explorer.candidates("auc", 1, 5), picture.alt
        first, second = found.frame.loc["crime"]
        assert f"{first:.3f} on the first folds and {second:.3f} on the second" in alt
        place = int((found.frame["choosing"] > first).sum()) + 1
        assert f"crime is number {place} " in alt
        before, after = explorer.dependence.loc["crime"]
        assert f"goes from {before:.3f} to {after:.3f} bits" in alt
        assert f"republican goes from {found.alone[1]:.3f} to {second:.3f}." in alt
        assert words.count("<tr>") == 4

    def test_dots_rings_and_lines_are_the_scores(self, explorer):
        found = explorer.candidates("auc", 1, 5)
        score, bits, _ = explorer.draw("crime", "auc", 1, 5)[0].axes
        dots, rings = score.collections[1:3]
        ranked = found.frame.sort_values("choosing", ascending=False)
        assert np.allclose(dots.get_offsets()[:, 0], ranked["choosing"])
        assert np.allclose(rings.get_offsets()[:, 0], ranked["pruning"])
        assert [line.get_xdata()[0] for line in score.lines[:2]] == found.alone.tolist()
        after = explorer.dependence.loc[ranked.index, "after"]
        assert np.allclose(bits.collections[1].get_offsets()[:, 0], after)

    def test_the_best_is_marked_beside_yours(self, explorer):
        picture, _ = explorer.draw("crime", "auc", 1, 5)
        bold = [t for t in picture.axes[0].texts if t.get_fontweight() == "bold"]
        assert len(bold) == 2
        assert {t.get_color() for t in bold} == {
            rt.plot.COLOURS["score"],
            rt.plot.COLOURS["best"],
        }

    def test_every_roots_picture_is_readable(self, explorer):
        for root in explorer.controls["root"].options[::5]:
            picture, _ = explorer.draw(root, "auc", 1, 5)
            assert_readable(picture, all_text(picture))

    def test_multiples_leave_the_widget(self, explorer):
        before = explorer.settings
        picture = explorer.multiples("root", ["crime", "immigration"])
        assert "root = immigration: Root immigration" in picture.alt
        assert explorer.settings == before

    @pytest.mark.parametrize("name", ["iris", "monks-1", "weather.nominal", "contact-lenses"])
    def test_small_sets_and_many_classes(self, name):
        explorer = rt.explore.citree(rt.load(name))
        for scoring in ("accuracy", "log_loss"):
            picture, _ = explorer.draw(**explorer.settings_with(scoring=scoring))
        assert_readable(picture, all_text(picture))

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [({"root": "magic"}, "no attribute 'magic'"), ({"scoring": "magic"}, "log_loss")],
    )
    def test_wrong_input_is_named(self, vote, arguments, words):
        with pytest.raises(ValueError, match=words):
            rt.explore.citree(vote, **arguments)


def test_the_explorer_is_the_packages_name():
    assert rt.explore.citree is explore_citree
