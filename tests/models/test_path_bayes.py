"""Path Bayes: worked by hand, equal to its formulas with loops, and right in its limits."""

import math
from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import as_plain, coded, schema_of

import ranktrees as rt
from ranktrees.plain import path_bayes as plain
from ranktrees.plain.path_weights import weighted_path_bayes
from ranktrees_engine.basics.logarithms import log_gamma_halves
from ranktrees_engine.estimates import mixing
from ranktrees_engine.estimates.mixing import stops, tree_estimate
from ranktrees_engine.estimates.path_counts import known_codes
from ranktrees_engine.estimates.shown import shares_of_all
from ranktrees_engine.prune.surgery import cases_reaching
from ranktrees_engine.reading.encoder import Codes

LIMITS = (
    "estimates.path_factors.AT_ONCE",
    "estimates.path_counts.ROOM",
    "basics.blocks.LIMIT",
    "growing.tree.WIDE",
)
ESTIMATES = {"path-bayes": False, "path-bayes-em": True}


def grown(codes, y, C, **params):
    """A tree of these codes with a branch per value, all C classes declared."""
    y = pd.Categorical.from_codes(y, range(C))
    return rt.DecisionTree(estimate="path-bayes", **params).fit(codes, y)


def plainly(model, codes, em=False):
    """What the plain form says of codes, with all that the model knows of its training cases."""
    X, y = model.training_
    weight = np.ones(len(y)) if model.weight_ is None else model.weight_
    sizes, C = [info.size for info in model.tree_.schema], len(model.classes_)
    train = plain.Training(X, y, sizes, C, known_codes(X, model.gaps_), weight)
    known = known_codes(codes.values, codes.gaps)
    root = as_plain(model.tree_)
    stop = plain.learnt_stops(root, train) if em else None
    weighted = getattr(model, "pool_weights_", None) is not None
    form = weighted_path_bayes if weighted else plain.path_bayes
    return form(root, train, codes.values, known, stop)


def prunings(node):
    """Every pruning of what is below a node: its ends, and its probability before any data."""
    if node.is_leaf:
        yield [node], 1.0
        return
    yield [node], 0.5
    for each in product(*(list(prunings(child)) for child in node.children)):
        yield [end for ends, _ in each for end in ends], 0.5 * math.prod(p for _, p in each)


@st.composite
def problems(draw):
    """A model on random codes, some of them filled in, and cases, some of them unseen."""
    C, A = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(1, 4), min_size=A, max_size=A))
    codes, y = coded(draw(st.integers(0, 999)), draw(st.integers(4, 40)), tuple(sizes), C)
    y[:2] = 0, 1
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    gaps = rng.random(codes.values.shape) < draw(st.sampled_from([0, 0.3]))
    codes = Codes(codes.values, codes.schema, gaps if gaps.any() else None)
    weight = rng.integers(0, 4, len(y)) if draw(st.booleans()) else None
    if weight is not None:
        weight[:2] = 1
    model = rt.DecisionTree(
        estimate="path-bayes", min_child=draw(st.integers(1, 3)), max_depth=draw(st.integers(1, 3))
    ).fit(codes, pd.Categorical.from_codes(y, range(C)), weight)
    new = np.stack([rng.integers(-1, size, 6) for size in sizes], axis=1)
    gaps = (rng.random(new.shape) < 0.2) & (new >= 0)
    return model, Codes(new, codes.schema, gaps if draw(st.booleans()) else None)


def test_three_cases_of_one_class_and_one_of_the_other_by_hand():
    codes = Codes(np.array([[0], [0], [0], [1]]), schema_of([2]))
    model = grown(codes, [0, 0, 0, 1], 2)
    # evidence of the root: 1/2 3/2 5/2 of one class, 1/2 of the other, over 1 2 3 4
    assert math.exp(plain.log_evidence([3, 1])) == pytest.approx(15 / 384)
    numerators = mixing.log_numerators(np.array([[3, 1]])).sum(axis=1)
    assert mixing.log_evidence(numerators, 4, 2)[0] == pytest.approx(math.log(15 / 384))
    stop = (15 / 384) / (15 / 384 + 5 / 16 / 2)  # the two leaves: (1/2 3/2 5/2)/(1 2 3) times 1/2
    # leaf a has 3 to 0: 3.5/4; the root 3 to 1: 3.5/5
    tree = stop * np.array([3.5, 1.5]) / 5 + (1 - stop) * np.array([3.5, 0.5]) / 4
    assert tree_estimate(model.tree_)[1] == pytest.approx(tree)
    # naive Bayes at the root, which tests the attribute: 3.5 * 3.5/4 against 1.5 * 0.5/2
    odds = np.sqrt(tree * [3.5 * 3.5 / 4, 1.5 * 0.5 / 2])
    found = model.predict_proba(Codes(np.array([[0]]), codes.schema))[0]
    assert found == pytest.approx(odds / odds.sum())


class TestFormulas:
    """Equality with loops over cases, nodes and values."""

    @pytest.mark.parametrize("room", [1, 1 << 24])
    @given(problems())
    @settings(max_examples=30)
    def test_both_estimates_within_1e_12_in_any_room(self, room, problem):
        model, codes = problem
        for name, em in ESTIMATES.items():
            with pytest.MonkeyPatch.context() as patch:
                for limit in LIMITS:
                    patch.setattr(f"ranktrees_engine.{limit}", room)
                proba = model.with_estimate(name).predict_proba(codes)
            assert np.abs(proba - plainly(model, codes, em)).max() < 1e-12
            assert np.abs(proba.sum(axis=1) - 1).max() < 1e-12

    @given(problems())
    @settings(max_examples=30)
    def test_the_recursion_adds_up_all_prunings(self, problem):
        tree = problem[0].tree_
        if not 1 < len(tree) < 12:
            return
        root, log_e = as_plain(tree), np.array([plain.log_evidence(n) for n in tree.counts])
        parts = [
            p * math.exp(sum(plain.log_evidence(end.counts) for end in ends))
            for ends, p in prunings(root)
        ]
        alone = pytest.approx(parts[0] / sum(parts), rel=1e-9)
        assert plain.stops(root, plain.class_tables(root))[root] == alone
        assert stops(tree, log_e[:, None])[0, 0] == alone


def test_the_explanation_adds_up():
    data = rt.load("vote")
    for estimate in ESTIMATES:
        model = rt.PathBayes(estimate=estimate).fit(data.X, data.y)
        for row in (0, 7, 107):
            told = model.explain(data.X.iloc[[row]])
            table, (p, q) = told.table, sorted(told.proba.values(), reverse=True)
            one, two = model.tree_.counts[0][np.argsort(list(told.proba.values()))[::-1]]
            prior = math.log((one + 0.5) / (two + 0.5)) * model.pool_weights_[0]
            assert prior + table["log odds"].sum() == pytest.approx(math.log(p / q))
            weights = table[[name for name in table if name.startswith("at node")]]
            assert weights.sum(axis=1).to_numpy() == pytest.approx(1)
            missing = data.X.columns[data.X.iloc[row].isna()]
            assert (table.loc[missing, "log odds"] == 0).all()
            assert table.loc[missing, "value"].isna().all()


class TestImportances:
    """What an attribute's factor and the tests of it change in the log odds, over all cases."""

    def test_by_hand(self):
        """The tree of the four cases above, and b, which it does not test."""
        codes = Codes(np.array([[0, 0], [0, 1], [0, 0], [1, 1]]), schema_of([2, 2]))
        model = grown(codes, [0, 0, 0, 1], 2)
        # a: its factor at the root, and the step of the tree's estimate from the root's 3.5 to 1.5
        root = math.log(3.5 / 1.5)
        left = math.log(0.84 / 0.16) - root + math.log(3.5 / 4 / (0.5 / 2))
        right = math.log(0.34 / 0.66) - root + math.log(0.5 / 4 / (1.5 / 2))
        a = 3 * abs(left) + abs(right)
        # b stops at the root with 1/2: there 2.5/4 and 0.5/2, in the leaves the same or 1/2
        left, right = math.log(0.625 / 0.375), math.log(0.4375 / 0.75)
        b = 3 * abs(left) + abs(right)
        assert model.feature_importances_ == pytest.approx(np.array([a, b]) / (a + b), rel=1e-12)

    @given(problems())
    @settings(max_examples=40)
    def test_are_sums_over_cases_and_pairs_of_classes(self, problem):
        model = problem[0]
        tree, (X, y) = model.tree_, model.training_
        weight = np.ones(len(y)) if model.weight_ is None else model.weight_
        n, log_t = tree.counts[0], np.log(model.node_proba_)
        total = np.zeros(X.shape[1])
        for i, end in enumerate(tree.apply(X).tolist()):
            gaps = None if model.gaps_ is None else model.gaps_[i]
            path = [t for t in tree.paths()[end].tolist() if t >= 0]
            change = model.estimate_.parts(np.array(path), X[i], gaps).log_p[1:]
            for above, below in pairwise(path):
                change[tree.attribute[above]] += log_t[below] - log_t[above]
            for c, d in combinations(range(len(n)), 2):
                total += weight[i] * n[c] * n[d] * abs(change[:, c] - change[:, d])
        total[total < 1e-9 * weight.sum() * n.sum() ** 2] = 0
        for room in (1 << 24, 1):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("ranktrees_engine.estimates.path_counts.ROOM", room)
                found = model.feature_importances_
            assert found == pytest.approx(total / (total.sum() or 1), abs=1e-12)

    def test_what_rounding_makes_is_no_importance(self):
        """Where nothing changes the odds, the last digit of a sum is not the whole."""
        assert shares_of_all(np.array([1e-15, -0.0]), 6).tolist() == [0, 0]
        assert shares_of_all(np.array([1e-15, 0.6]), 6).tolist() == [0, 1]


class TestInputs:
    def test_gaps_of_another_kind(self):
        codes, y = coded(1)
        wrong = Codes(codes.values, codes.schema, np.zeros((60, 2), bool))
        model = rt.PathBayes().fit(codes, y)
        for use in (lambda wrong: model.fit(wrong, y), model.predict_proba):
            with pytest.raises(ValueError, match=r"shape \(60, 3\), not bool of shape \(60, 2\)"):
                use(wrong)

    def test_attributes_without_any_value(self):
        X = pd.DataFrame({"a": list("xyzxyz") * 5, "b": np.nan, "c": list("pq") * 15})
        X["d"], X["e"] = pd.Categorical([None] * 30, ["u", "v"]), list("pqq") * 10
        y = np.array(list("ststtt") * 5)
        with pytest.warns(UserWarning, match="has no value at all"):
            model = rt.PathBayes().fit(X, y)
        new = X.assign(d="u")
        assert np.abs(model.predict_proba(new) - plainly(model, model.encode(new))).max() < 1e-12
        assert model.explain(new.iloc[[0]]).table.loc[["b", "d"], "log odds"].tolist() == [0, 0]

    def test_two_values_on_a_branch_are_refused(self):
        data = rt.load("breast-cancer")
        with pytest.raises(ValueError, match="a branch per value, but node 0 splits '"):
            rt.DecisionTree(split="binary").fit(data.X, data.y).with_estimate("path-bayes")
        size = pd.Categorical(list("smlsml") * 5, ["s", "m", "l"], ordered=True)
        X, y = pd.DataFrame({"size": size}), np.array(list("010010") * 5)
        with pytest.raises(ValueError, match="splits 'size' in two"):
            rt.C45(estimate="path-bayes").fit(X, y)
        assert len(rt.PathBayes().fit(X, y).tree_) == 4

    def test_training_cases_that_stop_inside(self):
        codes, y = coded(5, 50, (3, 4, 3), 3)
        model = grown(codes.take(np.arange(15)), y[:15], 3, max_depth=3)
        counts, ended = cases_reaching(model.tree_, codes.values, y)
        assert ended[~model.tree_.is_leaf].any()
        model.training_ = codes.values, y
        model = model.with_tree(replace(model.tree_, counts=counts))
        for name, em in ESTIMATES.items():
            proba = model.with_estimate(name).predict_proba(codes)
            assert np.abs(proba - plainly(model, codes, em)).max() < 1e-12

    @pytest.mark.parametrize("kind", [np.int8, np.uint32])
    def test_codes_in_few_bytes(self, kind):
        """What a table's place is added to has no room for it."""
        codes, y = coded(1, 200, (100, 120, 90), 2)
        wide = rt.C45(estimate="path-bayes").fit(codes, y)
        narrow = Codes(codes.values.astype(kind), codes.schema, codes.values < 20)
        model = rt.C45(estimate="path-bayes").fit(replace(narrow, gaps=None), y)
        proba = wide.predict_proba(replace(codes, gaps=narrow.gaps))
        assert np.array_equal(model.predict_proba(narrow), proba)


@pytest.mark.parametrize("k", [1, 2, 3, 200_001])
def test_logarithms_of_gamma(k):
    both = [log_gamma_halves(np.array([value]))[0] for value in (k, float(k))]
    assert both == pytest.approx([math.lgamma(k / 2)] * 2, rel=1e-14)
