"""Lesson 03 without a browser: its checks, its explorer, its pictures."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import ranktrees as rt
from ranktrees import prune
from ranktrees.teach.explore.estimates import CONFIDENCES, ESTIMATE_NAMES, METHODS, STEPS
from ranktrees.teach.plot.style import class_colours


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (["owner"], "it stays"),
            ([], "two leaves"),
            (["owner", "income"], "a tie at 7.5"),
            (["owner", "income", "savings"], "21 errors"),
            ("owner", "Give a list"),
            (["house"], "Give a list"),
            (None, "could not be checked"),
            (3, "could not be checked"),
        ],
    )
    def test_pruned_tests(self, answer, words):
        verdict = rt.check.pruned_tests(answer)
        assert words in repr(verdict)
        assert verdict.right == (answer == ["owner"])

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (127.5 / 180, "same accuracy"),
            (90 / 180, "counts one half, not nothing"),
            (165 / 180, "not a whole win"),
            (45 / 49, "The accuracy, 45/49"),
            (1 - 127.5 / 180, "Upside down"),
            (0.9, "3 bad"),
            ("0.71", "same accuracy"),
            (127.5, "Divide by all"),
            (70.8, "not per cent"),
            (None, "could not be checked"),
            ([0.7], "could not be checked"),
            (float("nan"), "is not it"),
        ],
    )
    def test_two_leaves_auc(self, answer, words):
        verdict = rt.check.two_leaves_auc(answer)
        assert words in repr(verdict)
        assert bool(verdict) == (answer in (127.5 / 180, "0.71"))

    def test_two_leaves_auc_is_what_the_package_finds(self):
        y = np.repeat([0, 1, 0, 1], [30, 1, 15, 3])
        score = np.repeat([1 / 31, 3 / 18], [31, 18])
        assert rt.check.two_leaves_auc(rt.auc(y, score))

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (lambda n: n / n.sum(), "should give"),
            (lambda n: (n + 1) / (n.sum(axis=-1, keepdims=True) + 1), "N + C below"),
            (lambda n: (n + 1) / (n.sum() + 3), "six at once do not"),
            (lambda n: (n[0] + 1) / (n.sum() + 3), "three numbers"),
            (lambda n: ..., "No answer yet"),
        ],
    )
    def test_laplace_function_names_the_slip(self, function, words):
        verdict = rt.check.laplace_function(function)
        assert words in repr(verdict)
        assert not verdict

    def test_laplace_function_may_change_its_counts_or_give_lists(self):
        def in_place(n):
            n += 1
            return (n / n.sum(axis=-1, keepdims=True)).tolist()

        assert rt.check.laplace_function(in_place)
        assert "could not be checked" in repr(rt.check.laplace_function(lambda n: n[0, 0]))
        assert "could not be checked" in repr(rt.check.laplace_function([1 / 3, 2 / 3]))
        assert "three numbers" in repr(rt.check.laplace_function(lambda n: None))

    def test_laplace_function(self):
        assert rt.check.laplace_function(
            lambda n: (n + 1) / (n.sum(axis=-1, keepdims=True) + n.shape[-1])
        )

    def test_pruning_study(self):
        study = {}
        for c in (0.5, 0.25, 0.1, 0.01):
            model = rt.C45(confidence=c, estimate="laplace")
            mean = rt.cross_validate(model, rt.load("diabetes"), measures=["accuracy", "auc"])
            study[c] = mean["accuracy"].mean(), mean["auc"].mean()
        verdict = rt.check.pruning_study(study)
        assert verdict
        assert "Accuracy chooses confidence 0.25, AUC 0.5" in repr(verdict)
        study[0.1] = study[0.1][::-1]
        wrong = rt.check.pruning_study(study)
        assert wrong.right is False
        assert "Confidence 0.1 gives" in repr(wrong)
        assert "keys" in repr(rt.check.pruning_study({0.5: (1, 1)}))
        assert "could not be checked" in repr(rt.check.pruning_study(None))
        assert "could not be checked" in repr(rt.check.pruning_study(dict.fromkeys(study, "x")))


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.pruning(rt.load("breast-cancer"))


class TestExplorer:
    def test_every_control_changes_picture_and_words(self, explorer):
        seen = {(bytes(explorer.image.value), explorer.words.value)}
        for name, value in [("strength", 0), ("estimate", "frequency"), ("method", METHODS[1])]:
            explorer.controls[name].value = value
            seen.add((bytes(explorer.image.value), explorer.words.value))
        assert len(seen) == 4
        assert not explorer.controls["strength"].continuous_update

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("estimate", ESTIMATE_NAMES)
    def test_all_settings_are_measured(self, explorer, method, estimate):
        measures = explorer.measures(method, estimate)
        leaves = [tree.n_leaves for tree in explorer.study.trees[method]]
        assert measures["leaves"].tolist() == leaves
        for name in ("training", "test", "auc"):
            assert ((measures[name] >= 0) & (measures[name] <= 1)).all()
        assert measures["scores"].min() >= 1

    @pytest.mark.parametrize(
        ("method", "estimate"), [("C4.5", "frequency"), ("cost complexity", "shrinkage+wpe")]
    )
    def test_settings_are_drawn(self, explorer, method, estimate):
        for strength in (0, STEPS):
            picture, words = explorer.draw(method, strength, estimate)
            leaves = explorer.study.trees[method][strength].n_leaves
            assert f"Chosen: {leaves} lea" in picture.alt
            assert f"{leaves}</td>" in words
            assert words.count("<tr>") == 5

    def test_strength_zero_is_unpruned_and_four_is_c45(self, explorer):
        X, y = explorer.study.train
        unpruned = rt.C45(prune=False, collapse=False).fit(X, y).tree_
        for method in METHODS:
            assert len(explorer.study.trees[method][0]) == len(unpruned)
            assert explorer.study.labels[method][0] == "no pruning"
        four = explorer.study.trees["C4.5"][CONFIDENCES.index(0.25) + 1]
        assert str(four) == str(rt.C45().fit(X, y).tree_)

    def test_measures_are_those_of_a_fitted_model(self, explorer):
        (X, y), (X_test, y_test) = explorer.study.train, explorer.study.test
        assert len(X) == 143
        assert not set(X.index) & set(X_test.index)
        found = explorer.measures("C4.5", "frequency")
        model = rt.C45().fit(X, y)
        score = model.predict_proba(X_test)
        assert found["test"][4] == pytest.approx(1 - model.score(X_test, y_test))
        assert found["training"][4] == pytest.approx(1 - model.score(X, y))
        assert found["auc"][4] == pytest.approx(rt.auc(y_test, score[:, 1]))
        assert found["scores"][4] == len(np.unique(score[:, 1].round(10)))

    def test_training_error_grows_along_the_nested_sequence(self, explorer):
        found = explorer.measures("cost complexity", "laplace")
        assert (np.diff(found["leaves"]) <= 0).all()
        assert (np.diff(found["training"]) >= -1e-12).all()
        assert found["leaves"][-1] == 1

    def test_small_trees_are_drawn_whole_and_of_large_ones_the_top(self, explorer):
        for strength, whole in ((0, False), (STEPS, True)):
            picture, _ = explorer.draw("C4.5", strength, "laplace")
            texts = [t.get_text() for t in picture.findobj(Text)]
            size = f"{explorer.study.trees['C4.5'][strength].n_leaves} leaves"
            assert any(t.startswith(size) and "only the top" in t for t in texts) != whole
            assert "node-caps" in texts, "the root is always drawn"

    def test_multiples_leave_the_widget_as_it_was(self, explorer):
        before = explorer.settings
        picture = explorer.multiples("strength", [0, STEPS])
        assert "strength = 0: C4.5, no pruning" in picture.alt or "no pruning" in picture.alt
        assert explorer.settings == before

    def test_own_rows_other_models_and_more_classes(self):
        iris = rt.load("iris")
        model = rt.DecisionTree(criterion="gini", split="binary")
        explorer = rt.explore.pruning(iris, np.arange(0, 150, 2), "cost complexity", "m", model)
        assert len(explorer.study.train[1]) == 75
        assert "AUC" in explorer.picture.alt

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"method": "magic"}, "cost complexity"),
            ({"estimate": "magic"}, "curtailment"),
            ({"train": np.arange(50)}, "train cases need at least two classes"),
            ({"train": np.arange(100)}, "test cases need at least two classes"),
        ],
    )
    def test_wrong_input_is_named(self, arguments, words):
        with pytest.raises(ValueError, match=words):
            rt.explore.pruning(rt.load("iris"), **arguments)


class TestSizes:
    def test_curves_and_marks(self):
        leaves, train, test = [8, 4, 2, 1], [0.0, 0.1, 0.2, 0.5], [0.3, 0.2, 0.25, 0.5]
        picture = rt.plot.sizes(leaves, train, test, {"laplace": [0.6, 0.7, 0.8, 0.5]}, chosen=0)
        left, right = picture.axes
        assert left.lines[0].get_xdata().tolist() == [1, 2, 4, 8]
        assert np.allclose(left.lines[1].get_ydata(), [50, 25, 20, 30])
        assert np.allclose([left.lines[2].get_xdata()[0], left.lines[2].get_ydata()[0]], [4, 20])
        assert np.allclose([right.lines[1].get_xdata()[0], right.lines[1].get_ydata()[0]], [2, 0.8])
        assert "the least is 20.0% with 4 leaves" in picture.alt
        assert "The best AUC (laplace) is 0.800 with 2 leaves" in picture.alt
        assert "Chosen: 8 leaves" in picture.alt

    def test_a_deep_narrow_tree_is_drawn_sideways_or_told(self):
        data = rt.load("vote")
        tree = rt.C45().fit(data.X, data.y).tree_
        line = [tree.n_leaves, 1], [0.02, 0.4], [0.04, 0.4]
        picture = rt.plot.sizes(*line, {"auc": [0.9, 0.5]}, 0, tree)
        texts = [t.get_text() for ax in picture.axes for t in ax.texts]
        assert texts
        leaf = rt.tree.single_leaf(np.array([3, 1]), ("a", "b"))
        assert "1 leaf" in rt.plot.sizes([1], [0.25], [0.25], None, 0, leaf).alt

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (([1, 2], [0.1], [0.1, 0.2]), "'training' has shape"),
            (([0, 2], [0.1, 0.2], [0.1, 0.2]), "from 1 on"),
            (([1, 2], [0.1, 0.2], [0.1, 0.2], {"test": [1, 1]}), "other names"),
            (([1, 2], [0.1, 0.2], [0.1, 0.2], None, 2), "chosen must be 0 to 1"),
        ],
    )
    def test_wrong_input_is_named(self, arguments, words):
        with pytest.raises(ValueError, match=words):
            rt.plot.sizes(*arguments)

    def test_names_of_classes_stay_apart_in_a_narrow_tree(self):
        grower = rt.C45(prune=False, collapse=False, numeric="thresholds")
        explorer = rt.explore.pruning(rt.load("diabetes"), model=grower)
        for strength in range(STEPS + 1):
            picture, _ = explorer.draw("cost complexity", strength, "laplace")
            texts = {t.get_text() for ax in picture.axes for t in ax.texts}
            assert not {"tested…", "tested_…"} & texts

    def test_frequency_keeps_its_colour_and_errors_take_no_classs(self):
        lines = [1, 2], [0.1, 0.2], [0.1, 0.3]
        alone = rt.plot.sizes(*lines, {"frequency": [0.5, 0.6]})
        beside = rt.plot.sizes(*lines, {"laplace": [0.5, 0.7], "frequency": [0.5, 0.6]})
        assert alone.axes[1].lines[0].get_color() == beside.axes[1].lines[1].get_color()
        errors = {line.get_color() for line in beside.axes[0].lines[:2]}
        assert not errors & set(class_colours(8)[:6])


class TestStaircase:
    def test_a_dot_for_each_distinct_score(self):
        y = np.array(["no", "yes", "no", "yes", "yes"])
        few, many = np.array([0.2, 0.2, 0.2, 0.9, 0.9]), np.arange(5) / 5
        picture = rt.plot.staircase(y, {"few": few, "many": many}, "yes")
        curves = [line for line in picture.axes[0].lines if line.get_marker() == "o"]
        assert [len(line.get_xdata()) for line in curves] == [3, 6]
        assert next(t.get_text() for t in picture.axes[0].texts) == "0.90"
        assert "few has 2 scores and AUC 0.833" in picture.alt

    def test_at_most_four_models(self):
        with pytest.raises(ValueError, match="at most four"):
            rt.plot.staircase(["a", "b"], {str(i): [0, 1] for i in range(5)}, "b")


class TestMethods:
    table = pd.DataFrame({"x": [8.0, 2.0], "y": [2.0, 2.0]}, index=["full", "cut"])

    def test_dots_means_and_words(self):
        picture = rt.plot.methods({"leaves": self.table, "AUC": self.table / 10}, log=("leaves",))
        first, second = picture.axes
        assert first.lines[0].get_xdata().tolist() == [8, 2]
        assert np.allclose(first.lines[2].get_xdata(), [4, 2]), "the geometric mean"
        assert np.allclose(second.lines[2].get_xdata(), [0.5, 0.2])
        assert (
            "geometric mean of leaves is lowest for cut (2) and highest for full (4)" in picture.alt
        )

    def test_wrong_tables_are_named(self):
        with pytest.raises(ValueError, match="other rows or columns"):
            rt.plot.methods({"a": self.table, "b": self.table.T})
        with pytest.raises(ValueError, match="not a number"):
            rt.plot.methods({"a": self.table.where(self.table > 2)})
        with pytest.raises(ValueError, match="no measure"):
            rt.plot.methods({})


def test_the_lessons_small_tree_divides_the_methods():
    rows = {("none", "no", "low"): (1, 7), ("none", "yes", "high"): (1, 7)}
    rows |= {("some", "no", "low"): (2, 3), ("some", "no", "high"): (15, 3)}
    rows |= {("some", "yes", "high"): (30, 1)}
    cases = [
        (*k, c) for k, n in rows.items() for c, m in zip("gb", n, strict=True) for _ in range(m)
    ]
    frame = pd.DataFrame(cases, columns=["savings", "owner", "income", "class"])
    model = rt.DecisionTree(criterion="gini").fit(frame.iloc[:, :3], frame["class"])
    tree = model.tree_
    kept = [prune.pessimistic(tree, "yang"), prune.minimum_error(tree)]
    kept.append(prune.c45(tree, *model.training_))
    assert [t.n_leaves for t in kept] == [3, 3, 3]
    assert [t.n_leaves for t in (prune.pessimistic(tree), prune.mdl(tree))] == [2, 2]
    assert np.allclose(prune.cost_complexity(tree).alphas * 70, [0, 0, 1, 12])
