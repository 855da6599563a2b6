"""Criteria, bins, growing and pruning against their plain forms, node by node."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import difference, quietly
from prunable import SEEDS
from prunable import grown as grown_to_prune
from strategies import TWO_BRANCHES, as_plain, coded, fits, tables

import ranktrees as rt
from ranktrees.plain import bins as plain_bins
from ranktrees.plain import c45, criteria, growing, pruning, pruning_c45
from ranktrees.plain.tree import predict
from ranktrees_engine.reading import bins

FEW = settings(max_examples=12, deadline=None)
RENAMED = {"gini": "gini_gain"}
NUMBERS = st.lists(
    st.integers(-20, 20).map(lambda i: i / 4) | st.floats(-1e6, 1e6), min_size=1, max_size=40
)


@pytest.mark.parametrize("name", rt.CRITERIA)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_each_criterion_and_impurity(name, data):
    shape = fits(name, rows=(2, 6), classes=(2, 5))
    shape["rows"] = (2, 2) if name in TWO_BRANCHES else shape["rows"]
    n = data.draw(tables(**shape))
    fast, plain = float(rt.CRITERIA[name](n)), getattr(criteria, RENAMED.get(name, name))
    assert plain(n) == pytest.approx(fast, abs=1e-10, rel=1e-12)
    one = n[:1, :2].astype(float)
    for impurity in ("entropy", "gini", "dkm"):
        fast = float(rt.criteria.IMPURITIES[impurity](one[0]))
        plain = getattr(criteria, {"dkm": "dkm_impurity"}.get(impurity, impurity))
        assert plain(one[0]) == pytest.approx(fast, abs=1e-12)


@given(x=NUMBERS, n_bins=st.integers(2, 12))
def test_bins_of_equal_width_and_frequency(x, n_bins):
    x = np.array(x)
    for name in ("equal_width", "equal_frequency"):
        cuts = getattr(plain_bins, name)(x, n_bins)
        assert cuts == getattr(bins, name)(x, n_bins).tolist()
        assert plain_bins.codes(x, cuts).tolist() == bins.codes(x, cuts).tolist()


@given(seed=SEEDS, C=st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_bins_of_least_description_length(seed, C):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, C, rng.integers(1, 90))
    x = np.round(rng.normal(size=len(y)) + 2 * y, rng.integers(0, 4))
    assert plain_bins.entropy_mdl(x, y, C) == bins.entropy_mdl(x, y=y).tolist()


def with_accidents(seed, sizes=(2, 3, 5, 4)):
    """Codes and classes of 2 to 80 cases; values and classes that nobody has, ties, one class."""
    rng = np.random.default_rng(seed)
    codes, y = coded(seed, n=int(rng.choice([2, 5, 20, 80])), sizes=sizes, noise=0.4)
    if rng.random() < 0.3:
        codes.values[:, 3] = codes.values[:, 0]  # ties exactly, where both are tested
    if rng.random() < 0.3:
        y = y // 2
    y[0], y[1] = 0, 1  # the package wants two classes
    return codes, pd.Categorical.from_codes(y, [0, 1, 2])


@pytest.mark.parametrize(
    ("criterion", "split"),
    [(name, "multiway") for name in ("information_gain", "gini", "chi_squared", "distance")]
    + [("gini", "threshold")],
)
@given(seed=SEEDS, min_child=st.integers(1, 3))
@FEW
def test_trees(criterion, split, seed, min_child):
    """And what they say of new cases: values never seen and empty branches stop a case."""
    codes, y = with_accidents(seed, sizes=(2, 3, 9, 4))
    plain = getattr(criteria, RENAMED.get(criterion, criterion))
    branches = growing.multiway if split == "multiway" else growing.cuts
    known = codes.values, y.codes, codes.sizes, 3
    node = growing.decision_tree(*known, branches, plain, min_child)
    model = rt.DecisionTree(criterion, split, min_child=min_child).fit(codes, y)
    assert difference(model.tree_, node) is None
    new = np.random.default_rng(seed).integers(-1, codes.sizes, (40, 4))
    assert np.array_equal(predict(node, new), model.predict_proba(rt.Codes(new, codes.schema)))


@given(seed=SEEDS)
@FEW
def test_cart_takes_a_best_subset_at_every_node(seed):
    """Of subsets that tie the package takes another where two classes are left."""
    codes, y = with_accidents(seed)
    tree = rt.DecisionTree("gini", "binary").fit(codes, y).tree_
    X, ends = codes.values, tree.paths()[tree.apply(codes.values)]
    for t in range(len(tree)):
        here = (ends == t).any(axis=1)
        best = growing.cart(X[here], y.codes[here], codes.sizes, 3)
        assert best.attribute == tree.attribute[t]
        if not best.is_leaf:
            sides = np.array([child.counts for child in best.children])
            score = rt.criteria.gini_gain(np.stack([sides, tree.counts[tree.parent == t]]))
            assert score[0] == pytest.approx(score[1], abs=1e-12)


@pytest.mark.parametrize("y", [[1], [2, 2, 2], [0, 1, 2]])
def test_what_cannot_be_split_is_a_leaf(y):
    """One case, one class, cases alike: the package refuses the first two."""
    for grow in (growing.id3, growing.cart, c45.c45, c45.c44):
        node = grow(np.zeros((len(y), 2), int), np.array(y), (3, 1), 3)
        assert node.is_leaf
        assert node.counts.tolist() == np.bincount(y, minlength=3).tolist()


@given(seed=SEEDS, min_child=st.integers(1, 4), confidence=st.sampled_from([0.05, 0.25, 0.5]))
@FEW
def test_c45_and_c44_of_codes(seed, min_child, confidence):
    codes, y = with_accidents(seed, sizes=(2, 3, 40, 4))
    known = codes.values, y.codes, codes.sizes, 3
    for raising in (False, True):
        how = {"min_child": min_child, "confidence": confidence, "raising": raising}
        assert difference(rt.C45(**how).fit(codes, y).tree_, c45.c45(*known, **how)) is None
    node = c45.c44(*known, min_child)
    for collapse in (False, True):
        if collapse:
            pruning_c45.collapse(node)
        fast = rt.C44(min_child=min_child, collapse=collapse).fit(codes, y)
        assert difference(fast.tree_, node) is None


@given(seed=SEEDS)
@FEW
def test_c45_and_c44_of_numbers(seed):
    """Numbers that repeat, that lie within 1e-5, and words of many values."""
    rng = np.random.default_rng(seed)
    y = pd.Categorical.from_codes(rng.integers(0, 3, 60), [0, 1, 2])
    words = rng.integers(0, 5, 60)
    X = pd.DataFrame({
        "near": rng.choice([0, 4e-6, 1.2e-5, 1, 2], 60) + (y.codes > 1),
        "tenths": rng.integers(0, 20, 60) / 10 + y.codes,
        "words": pd.Categorical.from_codes(words, list("abcde")),
        "normal": rng.normal(size=60),
    })  # fmt: skip
    for fast, how in ((rt.C45, c45.c45), (rt.C44, c45.c44)):
        model = quietly(fast(numeric="thresholds", collapse=fast is rt.C45).fit, X, y)
        node = how(X.assign(words=words).to_numpy(float), y.codes, (0, 0, 5, 0), 3)
        assert difference(model.tree_, node) is None


PRUNED = {
    "collapse": (rt.prune.collapse, pruning_c45.collapse),
    "reduced error": (rt.prune.reduced_error, pruning.reduced_error),
    "minimum error": (rt.prune.minimum_error, pruning.minimum_error),
    "yang": (lambda tree: rt.prune.pessimistic(tree, "yang"), pruning.pessimistic),
    "rokach": (rt.prune.pessimistic, pruning.pessimistic_top_down),
    "standard error": (
        lambda tree: rt.prune.pessimistic(tree, "standard-error"),
        lambda node: pruning.pessimistic_top_down(node, standard_error=True),
    ),
    "description length": (
        rt.prune.mdl,
        lambda node: pruning.minimum_description_length(node, (3, 4, 2, 5)),
    ),
}


@pytest.mark.parametrize("name", PRUNED)
@given(seed=SEEDS, split=st.sampled_from(["multiway", "binary", "threshold"]))
@FEW
def test_each_rule_of_pruning(name, seed, split):
    """On a set for pruning that has values no branch has, and may be small."""
    tree, _, _ = grown_to_prune(seed, split)
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, (3, 4, 2, 5), (rng.integers(1, 60), 4))
    cases = (X, rng.integers(0, 3, len(X))) if name == "reduced error" else ()
    node, (fast, plain) = as_plain(tree), PRUNED[name]
    plain(node, *cases)
    assert difference(fast(tree, *cases), node) is None


@pytest.mark.parametrize("risk", ["error", "impurity"])
@given(seed=SEEDS)
@FEW
def test_cost_complexity(risk, seed):
    tree, X, y = grown_to_prune(seed)
    path = rt.prune.cost_complexity(tree, risk)
    trees = pruning.cost_complexity(as_plain(tree), risk == "impurity")
    assert [alpha for alpha, _ in trees] == pytest.approx(path.alphas, abs=1e-12)
    for one, (_, other) in zip(path.trees, trees, strict=True):
        assert difference(one, other) is None
    y = np.random.default_rng(seed).permutation(y)
    for rule in ("best", "one-se"):
        one = rt.prune.cost_complexity_best(path, X, y, rule)
        other = pruning.best_of([node for _, node in trees], X, y, rule == "one-se")
        assert difference(one, other) is None
