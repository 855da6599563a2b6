"""Lesson 12: WPE and shrinkage with it as developed in view, its checks, and its pictures."""

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of, developed

import ranktrees as rt
from ranktrees.estimates import shrinkage as casewise
from ranktrees_lab import papers as experiment


@pytest.fixture(scope="module")
def lesson():
    """What the cells of set-up and those by hand define, as names."""
    return developed("12")


def trains(lesson, *values):
    return pd.DataFrame(list(values), columns=lesson["X"].columns)


def look_up(tables, case):
    found = [table.get(value, [0, 0]) for table, value in zip(tables, case, strict=True)]
    return [sum(pair[c] for pair in found) for c in (0, 1)]


class TestInView:
    def test_the_trains_are_those_of_lesson_11(self):
        sources = [["".join(c["source"]) for c in cells_of(number)] for number in ("11", "12")]
        here, there = (next(s for s in each if "def trains" in s) for each in sources)
        plain = [
            text.replace("  # as in lesson 11", "").split("X, y =")[0] for text in (here, there)
        ]
        assert plain[0] == plain[1]

    def test_wpe_of_the_new_train_is_the_packages(self, lesson):
        model, new = lesson["model"].with_estimate("wpe"), lesson["new"]
        proba = model.predict_proba(trains(lesson, new, (*new[:3], "week")))
        assert proba[:, 0] == pytest.approx([lesson["p_late"], 28.5 / 34])
        assert lesson["votes"] == {"late": 26, "on time": 4}

    @pytest.mark.parametrize("day", ["week", "weekend"])
    def test_together_is_the_package(self, lesson, day):
        e = (*lesson["new"][:3], day)
        model = lesson["model"].with_estimate("shrinkage+wpe")
        assert np.allclose(lesson["together"](e)[1], model.predict_proba(trains(lesson, e))[0])

    def test_the_order_of_the_leaf_turns(self, lesson):
        week, weekend = (
            lesson["together"]((*lesson["new"][:3], day))[1][0] for day in ("week", "weekend")
        )
        assert week > weekend
        assert lesson["p_late"] > 28.5 / 34

    def test_local_and_weights_are_the_packages(self, lesson):
        model, local = lesson["model"], casewise.local_of("shrinkage+wpe")
        counts = casewise.PathCounts(model.tree_, *model.training_)
        end = model.apply(trains(lesson, lesson["new"]))
        assert np.allclose(lesson["weights"], casewise.diw_weights(counts, local, end)[0])
        x = model.encode(trains(lesson, lesson["new"])).values
        theirs = casewise.along_path(counts, local, end, x, np.array([0]))[0, 1:]
        e, label = lesson["x"]
        mine = [lesson["local"](lesson["without"](D, (e, label)), e, label) for D in lesson["path"]]
        assert np.allclose(mine, theirs)
        assert mine[3][0] == pytest.approx(26.5 / 31)
        assert rt.check.wpe_in_training(mine[2][0])

    def test_the_tables_hold_the_similarities(self, lesson):
        late, on_time = look_up(lesson["tables"], lesson["new"])
        assert [late + 6, on_time + 1] == list(lesson["votes"].values())

    def test_look_ups_are_the_comparisons_of_all_pairs(self):
        vote = rt.prepare(rt.load("vote"), "papers")
        tree = rt.C45(prune=False).fit(vote.X, vote.y)
        X, y = tree.training_
        counts, root = casewise.PathCounts(tree.tree_, X, y), np.zeros(len(X), int)
        by_table = casewise.at_nodes(counts, lambda n, out, agree, *_: agree.sum(axis=0), root, X)
        same = (X[:, None] == X[None]).sum(axis=2)  # 435 times 435 cases, one by one
        assert (by_table == np.stack([same[:, y == c].sum(axis=1) for c in (0, 1)], axis=1)).all()

    def test_leaves_give_three_scores_and_case_2_has_one_near_neighbour(self):
        cancer = rt.prepare(rt.load("breast-cancer"), "papers")
        half = np.random.default_rng(1).permutation(len(cancer)) % 2 == 0
        c45 = rt.C45().fit(cancer.X[half], cancer.y[half])
        assert len(np.unique(c45.predict_proba(cancer.X[~half])[:, 0].round(10))) == 3
        alt = rt.explore.wpe_votes(cancer, case=2).picture.alt
        assert "1 case of no-recurrence-events, 9 each" in alt
        assert "15 cases of recurrence-events, 3 to 7 each" in alt
        assert "P(recurrence-events) is 0.912 by counts and 0.893 by votes" in alt


@pytest.mark.filterwarnings("ignore:column .* has only one value")
@pytest.mark.parametrize("name", ["credit-g", "breast-cancer", "glass", "ionosphere", "labor"])
def test_wpe_seldom_overturns_a_leaf(name):
    """The most probable class of at most one case in twelve is another than by counts."""
    data, changed = rt.prepare(rt.load(name), "papers"), []
    for seed in range(1, 6):
        half = np.random.default_rng(seed).permutation(len(data)) % 2 == 0
        c45 = rt.C45().fit(data.X[half], data.y[half])
        by_votes = c45.with_estimate("wpe").predict(data.X[~half])
        changed += (by_votes != c45.predict(data.X[~half])).tolist()
    assert 0 < np.mean(changed) < 1 / 12


def test_markers_on_one_path_as_the_leaf_gets_smaller():
    """What lessons 11 and 12 say of the path of case 2."""
    cancer = rt.prepare(rt.load("breast-cancer"), "papers")
    paths = rt.explore.one_path(cancer, case=2, model=rt.C45()).paths
    each = [paths.estimates(2, left, 1)[1].values() for left in range(1, 17)]
    table = pd.DataFrame([{name: p for group in row for name, p in group.items()} for row in each])
    assert table["DIW"].between(0.46, 0.57).all()
    assert table["m-branch"].iloc[[-1, 0]].round(2).tolist() == [0.85, 0.45]
    assert table["WPE"].between(0.79, 0.99).all()
    assert table["DIW of WPE"].between(0.50, 0.57).all()
    span = table.max() - table.min()
    assert span["DIW"] > 0.1
    assert span["WPE"] > 0.19


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "right", "words"),
        [
            (28.5 / 34, True, "28.5 / 34"),
            (0.838, True, "28.5 / 34"),
            (0.84, False, "may be right, but give 3 decimals"),
            (22.5 / 27, False, "sim + 1"),
            (28 / 33, False, "adds 1/C to the numerator"),
            (28.5 / 35, False, "not 1 and C"),
            (6.5 / 8, False, "Equation 1"),
            (26.5 / 31, False, "weekend train"),
            (5.5 / 34, False, "probability of on time"),
            (0.9, False, "is not it"),
        ],
    )
    def test_wpe_by_hand(self, answer, right, words):
        verdict = rt.check.wpe_by_hand(answer)
        assert verdict.right is right
        assert words in repr(verdict)

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (39.5 / 54, "twelve voters"),
            (0.731, "twelve voters"),
            (45.5 / 60, "still among the voters"),
            (31.5 / 46, "classes are compared, too"),
            (26.5 / 31, "That is the leaf's"),
            (31.5 / 42, "similarity + 1"),
            (36.5 / 51, "a new case's"),
            (8.5 / 13, "Equation 1"),
            (39 / 53, "adds 1/C above"),
            (14.5 / 54, "probability of on time"),
            (0.9, "is not it"),
        ],
    )
    def test_wpe_in_training(self, answer, words):
        rt.check.wpe_in_training(-1)  # the first wrong try has no hint
        verdict = rt.check.wpe_in_training(answer)
        assert verdict.right is (words == "twelve voters")
        assert words in repr(verdict)

    def test_the_slips_at_n3_are_what_they_say(self, lesson):
        D, (e, label), local = lesson["path"][2], lesson["x"], lesson["local"]
        rest = lesson["without"](D, lesson["x"])
        assert local(D, e, label)[0] == pytest.approx(45.5 / 60)
        assert local(rest, e)[0] == pytest.approx(31.5 / 46)
        assert local(D, e)[0] == pytest.approx(36.5 / 51)

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (look_up, "no two cases were compared"),
            (lambda t, c: look_up(t, c)[::-1], "other way round"),
            (lambda t, c: sum(look_up(t, c)), "two numbers"),
            (lambda t, c: [0, 0], "comparing the cases gives"),
            (lambda t, c: np.add(look_up(t, c), np.sum(list(t[0].values()), axis=0)), "sim + 1"),
            (lambda t, c: [t[9], 0], "could not be checked"),
        ],
    )
    def test_look_up_function(self, function, words):
        rt.check.look_up_function(lambda t, c: [-1, -1])
        verdict = rt.check.look_up_function(function)
        assert verdict.right is (function is look_up)
        assert words in repr(verdict)

    def test_look_up_function_untouched(self):
        assert rt.check.look_up_function(lambda tables, case: ...).right is None

    def test_wpe_study(self):
        both, wpe = rt.C45(estimate="shrinkage+wpe"), rt.C45(estimate="wpe")
        models = {"both": both, "wpe": wpe, "bayes": rt.NaiveBayes()}
        result = rt.repeated(models, rt.prepare(rt.load("iris"), "papers"))
        wins = result.wins("both", "wpe"), result.wins("both", "bayes")
        assert rt.check.wpe_study(("iris", *wins))
        assert rt.check.wpe_study(...).right is None
        wrong = rt.check.wpe_study(("iris", wins[0], wins[1] + 1))
        assert f"in {wins[1]} of 20" in repr(wrong)
        assert "three things" in repr(rt.check.wpe_study(("iris", 3)))
        assert "labor is measured above" in repr(rt.check.wpe_study(("labor", 3, 4)))
        assert "at most 1000" in repr(rt.check.wpe_study(("segment", 3, 4)))


class TestVotes:
    def test_lines_are_as_wide_as_votes_and_the_nearer_the_more_is_shared(self):
        picture = rt.plot.votes([3, 3, 4, 0], [0, 1, 1, 1], 4, ["late", "on time"])
        fan = picture.axes[0]
        lines, ends = fan.collections
        wide = np.array(lines.get_linewidths())
        assert np.allclose(wide / wide[0], [1, 5 / 4, 1, 1 / 4]), "of a class the nearest first"
        far = np.hypot(*ends.get_offsets().T)
        assert far[0] == pytest.approx(far[2])
        assert far[1] < far[0] < far[3]
        assert np.allclose([segment[1] for segment in lines.get_segments()], ends.get_offsets())
        assert "1 case of late, 4 each, together 4" in picture.alt
        assert "3 cases of on time, 1 to 5 each, together 10" in picture.alt
        assert "P(on time) is 0.700 by counts and 0.700 by votes (WPE)" in picture.alt

    def test_of_many_cases_some_are_drawn_and_all_are_counted(self):
        picture = rt.plot.votes([2] * 600 + [5] * 400, [0] * 600 + [1] * 400, 5, ["a", "b"])
        assert len(picture.axes[0].collections[0].get_segments()) == 240
        assert "1000 cases vote" in picture.alt
        assert "240 of them are drawn" in picture.alt
        assert f"P(b) is {400.5 / 1001:.3f} by counts and {2400.5 / 4201:.3f}" in picture.alt

    @pytest.mark.parametrize(
        ("similarity", "classes", "words"),
        [
            ([1, 2], [0], "as many numbers"),
            ([], [], "as many numbers"),
            ([5], [0], "between 0 and the 4 attributes"),
            ([1], [2], "codes from 0 to 1"),
        ],
    )
    def test_wrong_input_is_named(self, similarity, classes, words):
        with pytest.raises(ValueError, match=words):
            rt.plot.votes(similarity, classes, 4, ["a", "b"])


class TestDumbbells:
    table = pd.DataFrame({"said": [90.0, 80.0], "found": [70.0, 79.0]}, index=["x", "y"])

    def test_markers_lines_and_words(self):
        picture = rt.plot.dumbbells(self.table, "AUC", ring="said")
        ax = picture.axes[0]
        assert [line.get_xdata().tolist() for line in ax.lines] == [[90, 80], [70, 79]]
        assert ax.lines[0].get_markerfacecolor() == "none"
        assert ax.lines[1].get_markerfacecolor() != "none"
        ends = [s[:, 0].tolist() for s in ax.collections[0].get_segments()]
        assert ends == [[70, 90], [79, 80]]
        assert "x: said 90, found 70; y: said 80, found 79" in picture.alt

    @pytest.mark.parametrize(
        ("table", "ring", "words"),
        [
            (table, "nobody", "ring must be one of"),
            (table.where(table > 75), None, "not a number"),
            (table.iloc[:0], None, "empty"),
        ],
    )
    def test_wrong_input_is_named(self, table, ring, words):
        with pytest.raises(ValueError, match=words):
            rt.plot.dumbbells(table, "AUC", ring)


def test_what_the_prose_says_of_the_committed_study():
    _, frame = experiment.results("wang2006")
    cells = experiment.cell_table(frame, experiment.PAPERS["wang2006"])
    published, leaked, honest = (
        cells.pivot_table(column, "dataset", "method")
        for column in ("published", "measured", "honest")
    )
    assert len(published) == 35
    for tree in ("C45", "C44"):
        for column, within in {"W": 0.1, "C": 0.4}.items():
            gap = (leaked - published)[f"{tree}-{column}"].abs()
            assert gap.max() < within
    means = honest.mean().round(2)
    assert means[["C45", "C45-S", "C45-W", "C45-C"]].tolist() == [81.96, 84.46, 86.91, 88.28]
    assert published["C45-C"].mean().round(2) == 92.59
    assert means["C44-W"] == means[["C44-W", "C44-S", "C44-L", "C44-M"]].min() == 86.31
    gains = {c: (honest[c] > honest[c[:3]]).sum() for c in ("C45-S", "C44-S", "C45-M")}
    assert gains == {"C45-S": 28, "C44-S": 24, "C45-M": 33}, "lesson 11"


def test_the_printed_row_of_breast_cancer_and_the_two_labels():
    _, frame = experiment.results("wang2006")
    paper = experiment.PAPERS["wang2006"]
    cells = experiment.cell_table(frame, paper)
    printed, leaked, honest = (
        cells.pivot_table(column, "dataset", "method")
        for column in ("published", "measured", "honest")
    )
    others = printed.loc["breast-cancer", ["C45", "C45-S", "C45-M", "C45-L", "C45-B"]]
    assert others.between(60, 68).all()
    for column in ("C45-W", "C45-C", "C44-W", "C44-C"):
        gaps = [(table[column] - printed[column]).abs().max() for table in (leaked, honest)]
        assert gaps[0] < gaps[1]
    swap, counted = {"C44-S": "C44-W", "C44-W": "C44-S"}, []
    won = paper.wins.query("row in ('C44-S', 'C44-W', 'C44') and table == '2'")
    for cell in won.itertuples():
        a, b = cell.row, cell.column
        pairs = (a, b), (swap.get(a, a), swap.get(b, b))
        counted.append([cell.wins, *[(printed[p] > printed[q]).sum() for p, q in pairs]])
    assert sum(wins > higher for wins, higher, _ in counted) == 2
    assert all(wins <= higher for wins, _, higher in counted)
    entries = experiment.win_tie_loss(frame, paper, "honest", ["corrected"])
    entries = entries.query("row == 'C44-W' or column == 'C44-W'")["corrected"].tolist()
    assert entries == ["2/22/11", "6/22/7", "0/25/10", "11/22/2", "11/16/8", "15/19/1"]
