"""What practitioners ask for: weights in measures, folds by group, explanations of many cases."""

import numpy as np
import pandas as pd
import pytest
from oracles import quietly
from sklearn import metrics

import ranktrees as rt
from ranktrees_engine.reading.folds import fold_rows, group_folds

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 60)
SCORE = RNG.integers(1, 9, 60) / 10
PROBA = np.column_stack([1 - SCORE, SCORE])
WEIGHT = RNG.integers(0, 4, 60)


class TestWeightsInMeasures:
    def test_they_are_those_of_scikit_learn(self):
        for weight in (WEIGHT, RNG.random(60)):
            for ours, theirs, score in [
                (rt.auc, metrics.roc_auc_score, SCORE),
                (rt.log_loss, metrics.log_loss, PROBA),
                (rt.brier, metrics.brier_score_loss, PROBA),
            ]:
                want = theirs(Y, SCORE, sample_weight=weight)
                assert ours(Y, score, sample_weight=weight) == pytest.approx(want, abs=1e-12)
        proba = [[1, 0], [0, 1], [1, 0]]  # of the third, b is impossible
        assert rt.log_loss(["a", "b", "b"], proba, sample_weight=[1, 1, 0]) == 0
        assert rt.log_loss(["a", "b", "b"], proba, sample_weight=[1, 1, 2]) == np.inf

    @pytest.mark.parametrize(
        ("weight", "message"),
        [
            ([1, 2], r"sample_weight must be one number per case: shape \(60,\), not \(2,\)"),
            (-np.ones(60), "sample_weight is -1.0 in row 0: weights are finite and at least 0"),
            (np.zeros(60), "sample_weight is zero in all rows"),
        ],
    )
    def test_what_is_no_weight(self, weight, message):
        for measure, score in [(rt.auc, SCORE), (rt.brier, PROBA), (rt.log_loss, PROBA)]:
            with pytest.raises(ValueError, match=message):
                measure(Y, score, sample_weight=weight)
        with pytest.raises(ValueError, match="AUC is undefined for 0 against"):
            rt.auc(Y, SCORE, sample_weight=1.0 - Y)


def visits(n=300, patients=40):
    rng = np.random.default_rng(1)
    patient = rng.integers(0, patients, n)
    sick = rng.random(patients) < 0.4
    frame = pd.DataFrame({"patient": patient, "age": rng.random(patients)[patient]})
    frame["fever"] = np.where(rng.random(n) < 0.3 + 0.4 * sick[patient], "yes", "no")
    return frame, np.where(sick[patient], "sick", "well")


class TestGroups:
    @pytest.mark.parametrize("k", [2, 10])
    def test_no_group_is_in_two_folds_and_classes_are_even(self, k):
        X, y = visits()
        fold = group_folds(y, X["patient"], k, seed=2)
        assert set(fold) == set(range(k))
        assert len(set(zip(fold, X["patient"], strict=True))) == X["patient"].nunique()
        share = pd.Series(y == "sick").groupby(fold).sum() / (y == "sick").sum()
        assert share.between(0.5 / k, 1.8 / k).all()
        assert (group_folds(y, X["patient"], k, seed=2) == fold).all()
        assert (group_folds(y, X["patient"], k, seed=3) != fold).any()
        y = np.array([*"aab"] * 20)  # single cases as groups are stratified
        assert pd.crosstab(group_folds(y, range(60), 4), y).to_numpy().tolist() == [[10, 5]] * 4

    def test_a_column_of_groups_is_no_attribute(self):
        X, y = visits()
        how = {"k": 5, "runs": 2, "measures": "auc"}
        by_name = rt.cross_validate(rt.C44(), X, y, groups="patient", **how)
        rest = X.drop(columns="patient")
        by_hand = rt.cross_validate(rt.C44(), rest, y, groups=X["patient"].to_numpy(), **how)
        data = rt.Dataset(X, y, name="visits", ids=("patient",))
        of_set = rt.cross_validate(rt.C44(), data, groups="patient", **how)
        given = ["run", "fold", "n_train", "n_test", "auc"]
        for other in (by_hand, of_set):
            pd.testing.assert_frame_equal(by_name[given], other[given])
        fold = group_folds(pd.Categorical(y), X["patient"], 5, seed=1)
        assert by_name["n_test"][:5].tolist() == [len(test) for _, test in fold_rows(fold)]

    def test_of_a_comparison(self):
        X, y = visits()
        data = rt.Dataset(X, y, name="visits", ids=("patient",))
        models, labor = {"C4.4": rt.C44()}, rt.load("labor")
        how = {"k": 4, "measures": "auc"}
        alone = rt.cross_validate(rt.C44(), data, groups="patient", **how)["auc"]
        for groups in ({"visits": "patient"}, {"visits": X["patient"]}):
            frame = rt.compare(models, [data, labor], groups=groups, **how).frame
            ours = frame.query("dataset == 'visits' and measure == 'auc'")
            assert ours["value"].tolist() == alone.tolist()
        with pytest.raises(ValueError, match="unknown data set with groups 'visit': choose one of"):
            rt.compare(models, [data], groups={"visit": "patient"})
        with pytest.raises(ValueError, match=r"^labor: unknown column of groups 'patient': choose"):
            rt.compare(models, [labor], groups="patient")

    @pytest.mark.parametrize(
        ("how", "message"),
        [
            ({"k": 41, "groups": "patient"}, "k=41 folds need at least 41 groups"),
            ({"groups": [1, 2]}, r"one label for each of 300 cases, not of shape \(2,\)"),
            ({"groups": [None] + [1] * 299}, "groups lack a label in row 0: give every case one"),
            ({"groups": "ward"}, "unknown column of groups 'ward': choose one of 'patient', 'age'"),
            ({"groups": "patient", "folds": "weka"}, 'groups are dealt with folds="stratified"'),
        ],
    )
    def test_what_cannot_be(self, how, message):
        with pytest.raises(ValueError, match=message):
            rt.cross_validate(rt.C44(), *visits(), **how)


def test_errors_of_a_comparison_name_the_set():
    data = rt.Dataset(pd.DataFrame({"a": [*"xyxyxy"]}), [0, 0, 0, 0, 0, 1], name="mine")
    with (
        pytest.warns(UserWarning, match="^mine: the smallest class"),
        pytest.raises(ValueError, match=r"^mine: training set . holds class 0 alone"),
    ):
        rt.compare({"m": rt.C44()}, [data], k=3)


def test_errors_show_no_type_of_numpy():
    X, y, two = pd.DataFrame({"a": [0, 1, 2] * 10}), np.array([0, 1] * 15), np.float64(2)
    for call in (
        lambda: rt.C44(class_weight={np.int64(7): 1}).fit(X, y),
        lambda: rt.C44().fit(X, y).score(X, y + 5),
        lambda: rt.auc(y, y, pos_label=np.int64(3)),
        lambda: rt.C45(estimate="curtailment", estimate_params={"theta": two}).fit(X, y),
    ):
        with pytest.raises((ValueError, TypeError), match=r"^((?!np\.).)*$"):
            call()


SUMS = {  # whether the explanation of a single case is by attribute
    "PathBayes": (rt.PathBayes(), True),
    "PathForest": (rt.PathForest(n_models=4), True),
    "NaiveBayes": (rt.NaiveBayes(), True),
    "gaussian": (rt.NaiveBayes(numeric="gaussian"), True),
    "C44": (rt.C44(), False),
    "shrinking": (rt.DecisionTree(estimate="shrinking"), False),
}


class TestExplanationsOfManyCases:
    @pytest.mark.parametrize("name", SUMS)
    @pytest.mark.parametrize("data", ["iris", "labor"])
    def test_rows_add_up_to_the_log_odds(self, name, data):
        data, (model, by_attribute) = rt.load(data), SUMS[name]
        X, _ = data.X, quietly(model.fit, data.X, data.y)
        table, proba = rt.explain_table(model, X), model.predict_proba(X)
        pair = [np.searchsorted(model.classes_, table.index.get_level_values(k)) for k in (1, 2)]
        one, other = (np.log(proba[np.arange(len(X)), c]) for c in pair)
        np.testing.assert_allclose(table.sum(axis=1), one - other, rtol=1e-9, atol=1e-9)
        assert table.index.get_level_values("case").tolist() == X.index.tolist()
        assert table.index.get_level_values("class").tolist() == model.predict(X).tolist()
        for i in range(0, len(X), 9) if by_attribute else ():
            alone = model.explain(X.iloc[[i]]).table["log odds"]
            for attribute in X:
                assert table[attribute].iloc[i] == pytest.approx(alone[attribute], abs=1e-9)

    def test_of_a_tree_by_hand(self):
        data = rt.load("weather.nominal")
        model = rt.C44().fit(data.X, data.y)
        table = rt.explain_table(model, data.X)
        root, leaf = model.node_proba_[0], model.node_proba_[model.apply(data.X)[0]]
        of_no = np.argmax(leaf)
        odds = [np.log(p[of_no] / p[1 - of_no]) for p in (root, leaf)]
        assert table["(prior)"].iloc[0] == pytest.approx(odds[0])
        tested = table.iloc[0].drop("(prior)")
        assert tested[tested != 0].index.tolist() == ["outlook", "humidity"]
        assert tested.sum() == pytest.approx(odds[1] - odds[0])

    def test_of_codes_and_of_what_has_no_such_sum(self):
        data = rt.load("iris")
        coded = rt.Encoder().fit_transform(data.X)  # of codes, with impossible classes
        table = rt.explain_table(rt.DecisionTree(estimate="frequency").fit(coded, data.y), coded)
        assert np.isfinite(table).all(axis=None)
        for model, name in ((rt.AODE(), "AODE"), (rt.C44(estimate="wpe"), "C44 with .* 'wpe'")):
            with pytest.raises(TypeError, match=f"{name} is not a sum"):
                rt.explain_table(model.fit(data.X, data.y), data.X)
        with pytest.raises(ValueError, match="not fitted yet"):
            rt.explain_table(rt.PathBayes(), data.X)
