"""`AODE`: a case by hand, a plain transcription, its limits, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import assert_every_check_passes
from scale_cases import batches_of, mixed, quiet, write
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees.basics.blocks import blocks
from ranktrees.models import AODE, NaiveBayes, aode

SEEDS = st.integers(0, 10**6)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("ignore:Estimator AODE does not inherit:UserWarning")
@pytest.mark.filterwarnings("default:::ranktrees")
def test_every_check_of_scikit_learn_passes():
    assert_every_check_passes(AODE())


class TestByHand:
    X = pd.DataFrame({"a": list("xxyx"), "b": list("pqpp")})
    y = np.array(["+", "+", "-", "-"])
    case = pd.DataFrame({"a": ["x"], "b": ["q"]})

    def test_two_attributes(self):
        """P(c, x) P(q | c, x) and P(c, q) P(x | c, q); four cases, two classes, two values each."""
        plus = 3 / 8 * 2 / 4, 2 / 8 * 2 / 3
        minus = 2 / 8 * 1 / 3, 1 / 8 * 1 / 2
        model = AODE().fit(self.X, self.y)
        assert np.exp(model.log_estimates(self.case)[0]) == pytest.approx(np.array([plus, minus]).T)
        assert model.predict_proba(self.case)[0] == pytest.approx([17 / 24, 7 / 24])
        assert model.predict(self.case).tolist() == ["+"]

    def test_a_rare_value_is_no_parent(self):
        """The value q occurs once: x alone is a parent of at least two cases."""
        model = AODE(min_count=2).fit(self.X, self.y)
        assert np.isneginf(model.log_estimates(self.case)[0, 1]).all()
        assert model.predict_proba(self.case)[0] == pytest.approx([9 / 13, 4 / 13])

    def test_a_missing_value_is_neither_parent_nor_child(self):
        case = pd.DataFrame({"a": ["x"], "b": [None]})
        proba = AODE().fit(self.X, self.y).predict_proba(case)[0]
        assert proba == pytest.approx([3 / 5, 2 / 5])

    def test_a_missing_training_value_is_not_counted(self):
        """Of b's three known values one is a q; of the cases of + and x one has its b known."""
        X = self.X.assign(b=["p", None, "p", "q"])
        plus = 3 / 8 * 1 / 3 + 1 / 7 * 1 / 2
        minus = 2 / 8 * 2 / 3 + 2 / 7 * 2 / 3
        proba = AODE().fit(X, self.y).predict_proba(self.case)[0]
        assert proba == pytest.approx(np.array([plus, minus]) / (plus + minus))


def slow(values, y, weight, sizes, C, least, case):
    """The definition, one product after the other; None where no attribute is a parent."""
    total, heard = np.zeros(C), False
    for i, V in enumerate(sizes):
        has = values[:, i] == case[i]
        if case[i] < 0 or weight[has].sum() < least:
            continue
        heard, n = True, weight[values[:, i] >= 0].sum()
        for c in range(C):
            here = has & (y == c)
            p = (weight[here].sum() + 1) / (n + C * V)
            for j, U in enumerate(sizes):
                if j != i and case[j] >= 0:
                    known = here & (values[:, j] >= 0)
                    same = known & (values[:, j] == case[j])
                    p *= (weight[same].sum() + 1) / (weight[known].sum() + U)
            total[c] += p
    return total / total.sum() if heard else None


@settings(max_examples=60, deadline=None)
@given(
    SEEDS,
    st.lists(st.integers(1, 5), min_size=1, max_size=5),
    st.sampled_from([1, 2, 5]),
    st.sampled_from([None, "whole", "shares"]),
)
@example(765548, [1, 1, 1, 1, 1], 1, "shares")  # of a mean below 1
def test_equals_a_plain_transcription(seed, sizes, least, kind):
    """With missing and unseen values, absent classes, and weights."""
    rng = np.random.default_rng(seed)
    C, n = int(rng.integers(2, 5)), int(rng.integers(2, 25))
    values, new = (np.stack([rng.integers(-1, V, m) for V in sizes], axis=1) for m in (n, 12))
    y = np.append([0, 1], rng.integers(0, C, n - 2))
    classes = pd.Categorical.from_codes(y, categories=list("abcd")[:C])
    weight = {None: None, "whole": rng.integers(1, 4, n), "shares": rng.integers(1, 99, n) / 32}
    schema = schema_of(sizes)
    model = AODE(least).fit(rt.Codes(values, schema), classes, weight[kind])
    w = np.ones(n) if kind is None else weight[kind] / min(weight[kind].mean(), 1)
    found, bayes = (m.predict_proba(rt.Codes(new, schema)) for m in (model, plain(model)))
    for case, row, naive in zip(new, found, bayes, strict=True):
        want = slow(values, y, w, sizes, C, least, case)
        assert row == pytest.approx(naive if want is None else want, abs=1e-12)


def plain(model):
    """The naive Bayes of the same counts."""
    other = NaiveBayes.of_counts(model.counts_, model.class_count_, model.schema_, model.classes_)
    if model.counts_.dtype.kind == "f":
        other.counts_ = model.counts_
        other._set_tables()
    return other


class TestLimits:
    def test_no_parent_leaves_naive_bayes(self):
        data = rt.load("vote")
        model = AODE(min_count=len(data) + 1).fit(data.X, data.y)
        want = NaiveBayes().fit(data.X, data.y).predict_proba(data.X)
        assert np.array_equal(model.predict_proba(data.X), want)
        assert np.isneginf(model.log_estimates(data.X)).all()
        assert not np.allclose(AODE().fit(data.X, data.y).predict_proba(data.X), want)

    def test_a_case_without_any_value_gets_the_prior(self):
        codes, y = coded(1)
        model = AODE().fit(codes, y)
        empty = rt.Codes(np.full((1, 3), -1), codes.schema)
        assert model.predict_proba(empty)[0] == pytest.approx(model.class_prior_)

    def test_one_attribute(self):
        """The cases of a class and value, and one more: (2 + 1)/(3 + 2) and (1 + 1)/(3 + 2)."""
        X = pd.DataFrame({"a": list("xxxy")})
        proba = AODE().fit(X, [0, 0, 1, 1]).predict_proba(X)
        assert proba[:3] == pytest.approx(np.array([[3 / 5, 2 / 5]] * 3))
        assert proba[3] == pytest.approx([1 / 3, 2 / 3])

    def test_an_attribute_of_a_thousand_values(self):
        codes, y = coded(2, n=400, sizes=(2, 1000, 3), classes=2)
        model = AODE().fit(codes, y)
        proba, w = model.predict_proba(codes), np.ones(400)
        for i in range(0, 400, 80):
            want = slow(codes.values, y, w, (2, 1000, 3), 2, 1, codes.values[i])
            assert proba[i] == pytest.approx(want, abs=1e-12)

    def test_an_absent_class_keeps_its_imagined_cases(self):
        X = pd.DataFrame({"a": list("xxyy"), "b": list("pqpq")})
        y = pd.Categorical(["k", "k", "l", "l"], ["k", "l", "z"])
        model = AODE().fit(X, y)
        each = np.exp(model.log_estimates(X[:1])[0, :, 2])
        assert each == pytest.approx([1 / (4 + 6) * 1 / 2] * 2)
        assert model.predict_proba(X).min() > 0

    def test_a_value_of_a_single_class(self):
        """Every x is a k: l has one imagined x, and of it each b as likely as another."""
        X = pd.DataFrame({"a": list("xxyy"), "b": list("pqpq")})
        each = np.exp(AODE().fit(X, list("kkll")).log_estimates(X[:1])[0, 0])
        assert each == pytest.approx([3 / 8 * 2 / 4, 1 / 8 * 1 / 2])

    def test_many_attributes_do_not_underflow(self):
        rng = np.random.default_rng(4)
        y = np.arange(20) % 2
        X = np.where(rng.random((20, 1200)) < 0.5, y[:, None], rng.integers(0, 2, (20, 1200)))
        codes = rt.Codes(X, schema_of([2] * 1200))
        proba = AODE().fit(codes, y).predict_proba(codes)
        assert np.isfinite(proba).all()
        assert (proba.argmax(axis=1) == y).all()


class TestInvariance:
    def test_rows_and_columns(self):
        data = rt.load("labor")
        rng = np.random.default_rng(0)
        proba = quiet(AODE().fit, data.X, data.y).predict_proba(data.X)
        rows, columns = rng.permutation(len(data)), rng.permutation(data.X.shape[1])
        X = data.X.iloc[rows, columns]
        again = quiet(AODE().fit, X, data.y[rows]).predict_proba(X)
        assert again == pytest.approx(proba[rows], abs=1e-12)

    def test_blocks_change_nothing(self, monkeypatch):
        codes, y = coded(5, n=200)
        whole = AODE().fit(codes, y)
        monkeypatch.setattr(aode, "blocks", lambda n, cells: blocks(n, cells, 100))
        parts = AODE().fit(codes, y)
        assert np.array_equal(parts.pair_tables_, whole.pair_tables_)
        proba = parts.predict_proba(codes)
        monkeypatch.undo()
        assert np.array_equal(proba, whole.predict_proba(codes))
        assert np.array_equal(proba[7:8], whole.predict_proba(codes.take(np.array([7]))))

    def test_frame_and_codes_agree(self):
        data = rt.load("soybean")
        frame = AODE(missing="impute").fit(data.X, data.y)
        codes = rt.Encoder().fit_transform(data.X)
        ours = AODE().fit(codes, data.y).predict_proba(codes)
        assert np.array_equal(ours, frame.predict_proba(data.X))

    def test_files_and_memory_agree(self, tmp_path):
        frame = mixed(120)
        folder = write(frame, tmp_path, [50, 0, 7])
        X, y = frame.drop(columns="label"), frame["label"]
        with batches_of(11):
            scan = rt.scan(folder, "label")
            model = quiet(AODE(2).fit, scan)
            proba = np.concatenate(list(model.predict_proba(scan)))
        memory = quiet(AODE(2).fit, X, y)
        assert np.array_equal(model.pairs_, memory.pairs_)
        assert np.array_equal(proba, memory.predict_proba(X))

    def test_class_weights_are_weights(self):
        data = rt.load("labor")
        weight = np.where(data.y == "good", 2.5, 1)
        by_class = quiet(AODE(class_weight={"good": 2.5}).fit, data.X, data.y)
        by_case = quiet(AODE().fit, data.X, data.y, weight)
        assert np.array_equal(by_class.pairs_, by_case.pairs_)
        assert by_class.pairs_.dtype == float

    def test_the_table_of_pairs(self):
        codes, y = coded(3)
        model = AODE().fit(codes, y)
        assert model.pairs_.shape == (10, 10, 3)
        assert np.array_equal(model.pairs_, model.pairs_.swapaxes(0, 1))
        assert np.array_equal(model.pairs_[np.arange(10), np.arange(10)], model.counts_)
        both = (codes.values[:, 0] == 1) & (codes.values[:, 2] == 4)
        assert model.pairs_[1, 9].tolist() == np.bincount(y[both], minlength=3).tolist()


class TestExplanation:
    def test_parents_by_their_share(self):
        data = rt.load("weather.nominal")
        model = AODE().fit(data.X, data.y)
        said = model.explain(data.X[:1])
        assert said.title == "no with probability 0.814"
        assert said.table["share"].sum() == pytest.approx(1)
        assert said.table["share"].is_monotonic_decreasing
        mean = said.table[["P(no)", "P(yes)"]].mul(said.table["share"], axis=0).sum()
        assert mean.tolist() == pytest.approx(model.predict_proba(data.X[:1])[0].tolist())
        assert said.lines[1] == "outlook sunny: P(no) = 0.928, 0.289 of the sum."

    def test_what_takes_no_part_comes_last(self):
        data = rt.load("weather.nominal")
        model = AODE(min_count=6).fit(data.X, data.y)
        said = model.explain({"outlook": "sunny", "temperature": None, "windy": "FALSE"} | HIGH)
        assert said.lines[0].startswith("2 of 4 attributes have a value of at least 6 cases")
        assert said.table.index.tolist() == ["windy", "humidity", "outlook", "temperature"]
        assert said.table["P(no)"].isna().tolist() == [False, False, True, True]
        none = AODE(min_count=99).fit(data.X, data.y).explain(data.X[:1])
        assert none.lines[1:] == ["So naive Bayes answers."]
        assert none.table["share"].tolist() == [0] * 4


HIGH = {"humidity": "high"}


class TestErrors:
    @pytest.mark.parametrize(
        ("params", "error", "words"),
        [
            ({"min_count": 0}, ValueError, "min_count must be at least 1"),
            ({"min_count": "2"}, TypeError, "min_count must be a number"),
            ({"min_count": np.nan}, ValueError, "min_count"),
            ({"n_bins": 1}, ValueError, "n_bins"),
            ({"missing": "drop"}, ValueError, "unknown missing 'drop'"),
            ({"discretize": "by eye"}, ValueError, "equal-width"),
        ],
    )
    def test_parameters(self, params, error, words):
        with pytest.raises(error, match=words):
            AODE(**params).fit([[1.0], [2.0]], [0, 1])

    def test_a_table_too_large_names_the_widest_attribute(self):
        codes = rt.Codes(np.zeros((4, 2), int), schema_of((2, 9000)))
        with pytest.raises(ValueError, match=r"pairs .* cells, .*leave 'a1' out.* 9,000 values"):
            AODE().fit(codes, [0, 0, 1, 1])

    def test_what_naive_bayes_alone_has(self):
        data = rt.load("weather.nominal")
        model = AODE().fit(data.X, data.y)
        for use in (lambda: model.log_factors(data.X), lambda: model.with_smoothing("none")):
            with pytest.raises(AttributeError, match="take NaiveBayes"):
                use()
        with pytest.raises(TypeError, match="a fitted NaiveBayes, not AODE"):
            rt.plot.factors(model, data.X[:1])
        codes = rt.Encoder().fit_transform(data.X)
        with pytest.raises(TypeError, match="AODE was fitted on Codes"):
            AODE().fit(codes, data.y).predict(data.X)
