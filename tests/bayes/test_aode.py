"""`AODE`: a case by hand, a plain transcription, its limits, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scale_cases import batches_of, mixed, quiet, write
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees.basics.blocks import blocks
from ranktrees.models import AODE, NaiveBayes, aode

SEEDS = st.integers(0, 10**6)


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
    cases = rt.Codes(values, schema), classes, weight[kind]
    w = np.ones(n) if kind is None else weight[kind] / min(weight[kind].mean(), 1)
    found, bayes = (
        model.fit(*cases).predict_proba(rt.Codes(new, schema))
        for model in (AODE(least), NaiveBayes())
    )
    for case, row, naive in zip(new, found, bayes, strict=True):
        want = slow(values, y, w, sizes, C, least, case)
        assert row == pytest.approx(naive if want is None else want, abs=1e-12)


class TestLimits:
    def test_many_attributes_do_not_underflow(self):
        rng = np.random.default_rng(4)
        y = np.arange(20) % 2
        X = np.where(rng.random((20, 1200)) < 0.5, y[:, None], rng.integers(0, 2, (20, 1200)))
        codes = rt.Codes(X, schema_of([2] * 1200))
        proba = AODE().fit(codes, y).predict_proba(codes)
        assert np.isfinite(proba).all()
        assert (proba.argmax(axis=1) == y).all()


class TestInvariance:
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
