"""Lesson 12: WPE and shrinkage with it as developed in view, its checks, and its pictures."""

import numpy as np
import pandas as pd
import pytest
from lesson_cells import developed
from scipy.stats import binomtest, wilcoxon

import ranktrees as rt
from ranktrees.estimates import shrinkage as casewise
from ranktrees_lab import papers as experiment
from ranktrees_lab.check.shrinkage import NOT_BEATEN, RIVALS


@pytest.fixture(scope="module")
def lesson():
    """What the cells of set-up and those by hand define, as names."""
    return developed("12")


def trains(lesson, *values):
    return pd.DataFrame(list(values), columns=lesson["X"].columns)


class TestInView:
    def test_wpe_of_the_new_trains_is_the_packages(self, lesson):
        model, both = lesson["model"].with_estimate("wpe"), (lesson["new"], lesson["other"])
        proba = model.predict_proba(trains(lesson, *both))
        assert proba[:, 0] == pytest.approx([lesson["by_votes"](e) for e in both])
        assert proba[:, 0] == pytest.approx([26.5 / 31, 28.5 / 34])
        shares = lesson["model"].with_estimate("shrinkage").predict_proba(trains(lesson, *both))
        assert shares[0, 0] == shares[1, 0]

    @pytest.mark.parametrize(("code", "day"), [(0, "week"), (1, "weekend")])
    def test_together_is_the_package(self, lesson, code, day):
        e = (*lesson["new"][:3], day)
        model = lesson["model"].with_estimate("shrinkage+wpe")
        assert np.allclose(lesson["together"](code)[1], model.predict_proba(trains(lesson, e))[0])

    def test_weights_are_the_packages(self, lesson):
        model, local = lesson["model"], casewise.local_of("shrinkage+wpe")
        counts = casewise.PathCounts(model.tree_, *model.training_)
        end = model.apply(trains(lesson, lesson["new"]))
        assert np.allclose(lesson["weights"], casewise.diw_weights(counts, local, end)[0])

    def test_one_node_up_a_training_case_is_estimated_as_the_exercise_has_it(self, lesson):
        cases, plain = lesson["cases"], rt.plain.shrinkage
        x = next(i for i in lesson["D"][3] if tuple(cases.X[i]) == (0, 0, 0, 1) and not cases.y[i])
        rest = [i for i in lesson["D"][2] if i != x]
        P = plain.wpe(cases.take(rest), cases.X[x], label=0)
        assert rt.check.wpe_in_training(P[0])
        leaf = [i for i in lesson["D"][3] if i != x]
        assert plain.wpe(cases.take(leaf), cases.X[x], label=0)[0] == pytest.approx(26.5 / 31)

    def test_leaves_give_nine_scores_and_case_2_has_one_near_neighbour(self):
        cancer = rt.prepare(rt.load("breast-cancer"), "papers")
        train, test = rt.holdout(cancer.y, 0.5, 1)
        c45 = rt.C45().fit(cancer.X.iloc[train], cancer.y[train])
        for rule, different in {"frequency": 9, "shrinkage": 9, "wpe": 126}.items():
            proba = c45.with_estimate(rule).predict_proba(cancer.X.iloc[test])
            assert len(np.unique(proba[:, 0].round(10))) == different
        assert len(test) == 143
        assert len(cancer.X.iloc[test].drop_duplicates()) == 138, "five are copies"
        alt = rt.explore.wpe_votes(cancer, case=2).picture.alt
        assert "1 case of no-recurrence-events, 9 each" in alt
        assert "15 cases of recurrence-events, 3 to 7 each" in alt
        assert "P(recurrence-events) is 0.912 by counts and 0.893 by votes" in alt


def test_how_many_scores_leaves_and_wpe_give_in_twenty_halves():
    cancer, found = rt.prepare(rt.load("breast-cancer"), "papers"), []
    for seed in range(1, 21):
        train, test = rt.holdout(cancer.y, 0.5, seed)
        c45 = rt.C45().fit(cancer.X.iloc[train], cancer.y[train])
        both = (c45.with_estimate(rule) for rule in ("frequency", "wpe"))
        found.append(
            [len(np.unique(m.predict_proba(cancer.X.iloc[test])[:, 0].round(10))) for m in both]
        )
    assert np.transpose([np.min(found, axis=0), np.max(found, axis=0)]).tolist() == [
        [2, 10],
        [117, 137],
    ]


@pytest.mark.parametrize("seed", [1, pytest.param(101, marks=pytest.mark.long)])
def test_what_the_models_claim_of_credit_and_what_comes_true(seed):
    credit = rt.prepare(rt.load("credit-g"), "papers")
    names = {"leaves": "frequency", "WPE": "wpe", "shrinkage": "shrinkage"}
    models = {name: rt.C45(estimate=estimate) for name, estimate in names.items()}
    found = rt.plot.fresh_shares(models, credit, seed=seed).table.xs("all", level="group")
    assert found["true"].between(0.705, 0.725).all()
    assert found["claimed"].round(2).tolist() == [0.84, 0.84, 0.67]


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
    """What lesson 11 says of the path of case 2."""
    cancer = rt.prepare(rt.load("breast-cancer"), "papers")
    paths = rt.explore.one_path(cancer, case=2, model=rt.C45()).paths
    each = [paths.estimates(2, left, 1)[1].values() for left in range(1, 17)]
    table = pd.DataFrame([{name: p for group in row for name, p in group.items()} for row in each])
    assert table["DIW"].between(0.46, 0.57).all()
    assert table["m-branch"].iloc[[-1, 0]].round(2).tolist() == [0.85, 0.45]
    span = table.max() - table.min()
    assert span["DIW"] > 0.1


class TestChecks:
    def test_the_headline_is_judged_by_the_committed_study(self):
        _, folds = experiment.results("wang2006")
        paper = experiment.PAPERS["wang2006"]
        table = experiment.win_tie_loss(folds, paper, "honest", ["corrected"])
        table = table[table["column"].isin(["C45-C", "C44-C"])].set_index("row")["corrected"]
        counted = {rival: list(map(int, table[rival].split("/"))) for rival in RIVALS}
        alone = {r: binomtest(won, won + lost).pvalue for r, (lost, _, won) in counted.items()}
        assert {rival for rival, p in alone.items() if p >= 0.05} == NOT_BEATEN
        assert min(rt.holm(pd.Series(alone))) > 0.05, "with Holm these counts show nothing"
        means = experiment.cell_table(folds, paper).pivot_table("honest", "dataset", "method")
        gains = {rival: means[rival[:4] + "C"] - means[rival] for rival in RIVALS}
        sizes = {rival: wilcoxon(gain.round(10)).pvalue for rival, gain in gains.items()}
        assert {r for r, p in rt.holm(pd.Series(sizes)).items() if p >= 0.05} == {"C44-B"}
        assert all(gain.mean() > 0 for rival, gain in gains.items() if rival != "C44-B")
        found = {rival: "/".join(table[rival].split("/")[::-1]) for rival in table.index}
        assert (found["C45-M"], found["C45-B"]) == ("16/15/4", "8/23/4")
        assert (found["C44-M"], found["C44-B"]) == ("5/26/4", "4/25/6")


class TestVotes:
    def test_lines_are_as_long_as_votes_and_of_one_width(self):
        picture = rt.plot.votes([3, 3, 4, 0], [0, 1, 1, 1], 4, ["late", "on time"])
        fan = picture.axes[0]
        lines, ends = fan.collections
        assert len(set(lines.get_linewidths())) == 1
        long = np.array([np.hypot(*(end - start)) for start, end in lines.get_segments()])
        assert np.allclose(long / long[0], [1, 5 / 4, 1, 1 / 4]), "of a class the longest first"
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
