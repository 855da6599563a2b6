"""Comparisons of methods over data sets: tables, verdicts, ranks, files, the diagram."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_engine.evaluate import (
    Results,
    compare,
    corrected_t,
    critical_difference,
    cross_validate,
)
from ranktrees_lab.plot import critical_difference as draw

MODELS = {
    "laplace": rt.DecisionTree(estimate="laplace"),
    "frequency": rt.DecisionTree(estimate="frequency"),
    "stump": rt.DecisionTree(max_depth=1),
}


@pytest.fixture(scope="module")
def results():
    sets = [rt.load(name) for name in ("iris", "labor", "vote")]
    return compare(MODELS, sets, k=5, runs=2, seed=4, progress=False)


def test_a_comparison_holds_each_models_cross_validation(results):
    frame = results.frame
    assert len(frame) == 3 * 3 * 2 * 5 * 5
    for name, model in MODELS.items():
        alone = cross_validate(model, rt.load("labor"), k=5, runs=2, seed=4)
        here = frame[(frame["dataset"] == "labor") & (frame["method"] == name)]
        for measure in ("accuracy", "auc", "brier", "log_loss"):
            assert here[here["measure"] == measure]["value"].tolist() == alone[measure].tolist()
        assert results.table("auc")[name]["labor"] == pytest.approx(alone["auc"].mean())
    assert results.methods == list(results.table().columns) == ["laplace", "frequency", "stump"]
    assert results.datasets == list(results.table().index) == ["iris", "labor", "vote"]
    assert results.critical_difference("auc") == critical_difference(3, 3)


def test_win_tie_loss_counts_the_verdicts(results):
    for test in ("corrected", "paired", "wilcoxon"):
        table, pairs = results.win_tie_loss("auc", test), results.pairs("auc", test)
        for a in results.methods:
            assert table.loc[a, a] == ""
            for b in set(results.methods) - {a}:
                one = pairs[(pairs["method"] == a) & (pairs["other"] == b)]["verdict"]
                assert table.loc[a, b] == "/".join(str((one == v).sum()) for v in (1, 0, -1))
    assert results.win_tie_loss("auc", "paired").loc["laplace", "stump"].startswith(("1", "2"))


def test_pairs_use_the_folds_share_of_test_cases(results):
    frame = results.frame.query("dataset == 'iris' and measure == 'accuracy'")
    one, other = (frame[frame["method"] == name]["value"] for name in ("laplace", "stump"))
    pairs = results.pairs("accuracy").set_index(["dataset", "method", "other"])
    found, expected = pairs.loc[("iris", "laplace", "stump")], corrected_t(one, other, 1 / 4)
    assert [found["p"], found["statistic"]] == pytest.approx([expected.p, expected.statistic])
    assert pairs.loc[("iris", "stump", "laplace"), "statistic"] == -found["statistic"]


def made(values, measure="auc"):
    """Results of methods with given values {method: {set: folds}}."""
    rows = [
        (name, method, 0, f, 90, 10, measure, value)
        for method, sets in values.items()
        for name, folds in sets.items()
        for f, value in enumerate(folds)
    ]
    head = ["dataset", "method", "run", "fold", "n_train", "n_test", "measure", "value"]
    return Results(pd.DataFrame(rows, columns=head))


@pytest.mark.parametrize(("measure", "best"), [("auc", "b"), ("brier", "a"), ("seconds", "a")])
def test_what_is_better_depends_on_the_measure(measure, best):
    found = made({"a": {"s": [0.1, 0.2, 0.1]}, "b": {"s": [0.8, 0.9, 0.9]}}, measure)
    assert found.ranks(measure).idxmin() == best
    assert found.win_tie_loss(measure).loc[best].max() == "1/0/0"


def test_wilcoxons_verdict_goes_by_ranks_not_by_the_mean():
    """Worse in nineteen folds of twenty, but by far the better in one: the mean is misled."""
    pairs = made({"a": {"s": [-0.01] * 19 + [0.9]}, "b": {"s": [0.0] * 20}}).pairs(test="wilcoxon")
    assert pairs["difference"][0] > 0
    assert pairs["p"][0] < 0.01
    assert pairs["verdict"].tolist() == [-1, 1]


def test_folds_without_a_finite_value():
    found = made({"a": {"s": [np.inf, 0.5, 0.4]}, "b": {"s": [0.3, 0.3, 0.9]}}, "log_loss")
    assert found.ranks("log_loss").to_dict() == {"a": 2, "b": 1}, "infinite losses rank last"
    with pytest.raises(ValueError, match=r"'log_loss' is infinite in folds of .*smooth"):
        found.win_tie_loss("log_loss")
    one = made({"a": {"x": [0.9, np.nan, 0.8, 0.7]}, "b": {"x": [0.1, np.nan, 0.2, 0.3]}})
    expected = corrected_t([0.9, 0.8, 0.7], [0.1, 0.2, 0.3])
    assert one.pairs()["p"][0] == pytest.approx(expected.p)
    assert one.table().loc["x", "a"] == pytest.approx(0.8)
    with pytest.raises(ValueError, match="'x' has 1 folds with a value of 'auc'"):
        made({"a": {"x": [0.9, np.nan]}, "b": {"x": [0.1, np.nan]}}).pairs()
    with pytest.raises(ValueError, match="not defined on data set 'x'"):
        made({"a": {"x": [np.nan]}, "b": {"x": [np.nan]}}).ranks()


def test_csv_round_trip_is_exact(results, tmp_path):
    odd = made({"NA": {"1": [0.1, np.nan]}, 'a,"b"': {"1": [1 / 3, 2 / 3]}})
    for each in (results, odd):
        rt.write_results(each, tmp_path / "results.csv")
        again = rt.read_results(tmp_path / "results.csv")
        pd.testing.assert_frame_equal(again.frame, each.frame, check_exact=True)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="need the columns dataset, method"):
        rt.read_results(tmp_path / "other.csv")
    with pytest.raises(ValueError, match="without any row"):
        Results(results.frame.iloc[:0])
    with pytest.raises(ValueError, match="row 5 repeats"):
        Results(pd.concat([results.frame[:5], results.frame[:1]], ignore_index=True))


def test_bad_comparisons_are_named():
    iris, one = rt.load("iris"), {"tree": rt.DecisionTree()}
    for given, settings, error, message in [
        (({}, [iris]), {}, ValueError, "no model to compare"),
        (({1: rt.DecisionTree()}, [iris]), {}, TypeError, "name must be text, not 1"),
        ((one, [(iris.X, iris.y)]), {}, TypeError, r"rt.Dataset\(X, y, name=...\), not tuple"),
        ((one, [replace(iris, name="")]), {}, TypeError, "needs a name"),
        ((one, [iris, iris]), {}, ValueError, "different names, but 'iris' occurs more than once"),
        ((one, [iris]), {"folds": [0, 1]}, TypeError, "belong to one data set only"),
    ]:
        with pytest.raises(error, match=message):
            compare(*given, **settings)


@pytest.mark.filterwarnings("ignore:.*the smallest class has:UserWarning")
def test_one_set_may_stand_alone_and_folds_are_wekas():
    data, how = rt.load("weather.nominal"), {"k": 7, "folds": "weka", "measures": "accuracy"}
    found = compare(MODELS, data, **how)
    alone = cross_validate(MODELS["stump"], data, **how)
    assert found.table("accuracy").loc[data.name, "stump"] == alone["accuracy"].mean()


def test_warnings_name_the_data_set_once():
    with warnings.catch_warnings(record=True) as kept:
        warnings.simplefilter("always")
        compare(MODELS, rt.load("glass"), runs=2, measures="accuracy", progress=False)
    assert [str(w.message)[:34] for w in kept] == ["glass: the smallest class has 9 ca"]
    assert kept[0].filename == __file__


def test_the_diagram_says_what_it_shows(results):
    ranks = {"C4.5": 3.143, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}
    assert draw(ranks, 1.12).alt == (
        "Average ranks of 4 methods, 1 best: C4.5+m+cf 1.96, C4.5+m 2.00, C4.5+cf 2.89, C4.5 3.14. "
        "Critical difference 1.12: too close to tell apart: C4.5+m+cf, C4.5+m and C4.5+cf; "
        "C4.5+cf and C4.5."
    )
    assert draw(ranks, 0.01).alt.endswith("0.01: every two differ.")
    alt = draw(results.ranks("brier"), results.critical_difference("brier")).alt
    assert draw(results, measure="brier").alt == alt
    for ranks, cd, match in [
        ({"a": 1}, 1.0, "at least two methods, not 1"),
        ({"a": 1, "b": 3}, 1.0, "lie between 1 and 2"),
        ({"a": 1, "b": 2}, None, "give cd"),
    ]:
        with pytest.raises(ValueError, match=match):
            draw(ranks, cd)
