"""Pictures of naive Bayes, networks, path Bayes and CITrees show the right numbers and words."""

import re

import numpy as np
import pytest
from drawings import CASE, case, data, deep, drawn, fitted
from matplotlib.colors import to_hex, to_rgba_array
from pictures import all_text, widths_of, words_of

import ranktrees as rt
from ranktrees_engine.bayes import lung_cancer
from ranktrees_lab import plot
from ranktrees_lab.plot.bayes import ROWS, evidence
from ranktrees_lab.plot.dependence import dependence_beyond_chance, mean_of_pairs


def test_factors_add_up_and_leave_out_what_is_missing():
    model = fitted("NaiveBayes", "credit-g")
    for row in (0, 3):
        picture = plot.factors(model, case("credit-g", row))
        width = [bar.get_width() for bar in picture.axes[0].patches]
        proba = np.sort(model.predict_proba(data("credit-g").X.iloc[[row]])[0])
        assert len(width) == 14
        assert sum(width[:-1]) == pytest.approx(width[-1])
        assert width[-1] == pytest.approx(np.log(proba[1] / proba[0]))
    assert "installment_commitment in (1.9, 2.2]" in words_of(picture)
    picture = plot.factors(fitted("NaiveBayes", "vote"), case("vote"))
    assert "1 without a known value" in picture.alt


def test_factors_show_the_impossible_and_point_where_a_class_is_too_long():
    model = fitted("NaiveBayes", "tax-payers", smoothing="none", numeric="gaussian")
    picture = plot.factors(model, {**CASE, "Income": 120.0})
    assert "Status = Married × 0 Yes" in picture.alt
    assert "P(No) = 1.000" in picture.alt
    hatched = [bar for bar in picture.axes[0].patches if bar.get_hatch()]
    assert len(hatched) == 2, "Status, and all together"
    picture = plot.factors(fitted("NaiveBayes", "glass", smoothing="none"), case("glass", 100))
    assert sum(text.endswith(("→", "←")) for text in words_of(picture)) >= 9
    assert "× 1.52 build wind float" in picture.alt


def test_calibration_draws_shares_and_gives_the_brier_score():
    y = np.array(["no", "no", "yes", "yes"])
    picture = plot.calibration(y, {"m": [0.12, 0.14, 0.12, 0.91]}, bins=10)
    line = picture.axes[0].lines[1]
    assert np.allclose(line.get_xdata(), [0.38 / 3, 0.91])
    assert np.allclose(line.get_ydata(), [1 / 3, 1])
    expected = (0.12**2 + 0.14**2 + 0.88**2 + 0.09**2) / 4
    assert f"Brier score {expected:.3f}" in picture.alt


def test_networks_put_parents_above_children():
    net = lung_cancer()
    picture = plot.belief_network(net, evidence=["Smoker"])
    spot = {t.get_text(): t.get_position() for t in picture.axes[0].texts}
    for child, above in net.parents.items():
        assert all(spot[p][1] < spot[child][1] for p in above), "the y axis points down"
    assert "Known: Smoker." in picture.alt
    assert "LungCancer depends on FamilyHistory and Smoker" in picture.alt


def test_conditionals_draw_estimates_and_shares():
    model = fitted("NaiveBayes", "tax-payers")
    picture = plot.conditionals(model, "Status", "Married")
    bars, shares = picture.axes[0].collections
    ends = np.array([path.vertices[:, 0].max() for path in bars.get_paths()])
    assert np.allclose(ends, model.conditional("Status").to_numpy().ravel())
    raw = model.with_smoothing("none").conditional("Status").to_numpy().ravel()
    assert np.allclose([s[0, 0] for s in shares.get_segments()], raw)
    assert "Married: No 0.500 (share 0.571), Yes 0.167 (share 0.000)" in picture.alt
    model = fitted("NaiveBayes", "soybean")
    rare = str(model.conditional("date").index[0])
    picture = plot.conditionals(model, "date", rare)
    assert any(rare in word for word in words_of(picture)), "chosen of many"


def strips_and_bars(picture):
    """Weights (R, d) by their shade, and lengths (R + 1,) of the bars, the prior's first."""
    page = picture.axes[0]
    strips, staircase, bars = page.collections
    shade = to_rgba_array(strips.get_facecolor())[:, 0]
    zero = page.lines[0].get_xdata()[0]
    ends = np.array([path.vertices[:, 0] for path in bars.get_paths()])
    lengths = ends.max(axis=1) + ends.min(axis=1) - 2 * zero
    return ((1 - shade) / 0.8).reshape(-1, len(staircase.get_segments())), lengths


def looks_of(model, X):
    """Nodes of the one case's path, what it weighs there, and what each adds to the log odds."""
    codes, proba = model.encode(X), model.predict_proba(X)[0]
    nodes = model.tree_.paths()[model.apply(X)[0]]
    nodes = nodes[nodes >= 0]
    first, second = np.argsort(-proba, kind="stable")[:2]
    gaps = None if codes.gaps is None else codes.gaps[0]
    parts = model.estimate_.parts(nodes, codes.values[0], gaps)
    return nodes, parts.weights, (parts.log_p[:, first] - parts.log_p[:, second]) / 2


@pytest.mark.parametrize(
    ("name", "estimate"),
    [("weather.nominal", "path-bayes-em"), ("vote", "path-bayes"), ("credit-g", "path-bayes-em")],
)
def test_weights_sum_to_one_and_bars_to_the_log_odds(name, estimate):
    model = fitted("PathBayes", name, estimate=estimate)
    for row in (0, 7):
        X = data(name).X.iloc[[row]]
        nodes, known, adds = looks_of(model, X)
        picture = plot.path_bayes(model, X)
        weights, lengths = strips_and_bars(picture)
        assert weights.shape[1] == len(nodes)
        assert np.allclose(weights[0], known[0], atol=0.003), "the tree's estimate stands first"
        assert np.allclose(weights.sum(axis=1), 1, atol=0.003 * len(nodes))
        p = np.sort(model.predict_proba(X)[0])[::-1]
        assert lengths.sum() * adds[0] / lengths[1] == pytest.approx(np.log(p[0] / p[1]))
        assert f"{np.log(p[0] / p[1]):+.2f}" in words_of(picture)
        sizes = np.abs(lengths[2:17])
        assert (np.diff(sizes[:-1]) <= 1e-9).all(), "the weightiest attribute comes first"


def test_path_bayes_says_class_path_and_strongest_attribute():
    picture = plot.path_bayes(
        fitted("PathBayes", "weather.nominal", weights="equal"), case("weather.nominal")
    )
    assert picture.alt == (
        "Path Bayes gives P(no) = 0.870, P(yes) = 0.130, log odds of +1.90: prior -0.27, the "
        "tree's estimate +0.83, humidity = high +0.57, outlook = sunny +0.41, temperature = hot "
        "+0.37 and windy = FALSE +0.01. On the path each weighs one node most: the tree's estimate "
        "0.89 at humidity = high (3), humidity = high 0.52 at all cases (14), outlook = sunny 1.00 "
        "at all cases (14) and temperature = hot 0.35 at all cases (14)."
    )
    words = "all cases (14)", "humidity = high (3)", "odds of 6.71 to 1", "← for yes", "for no →"
    assert {*words} <= {*words_of(picture)}


def test_path_bayes_joins_the_weakest_of_many_and_has_two_colours():
    model, X = deep()
    _, known, adds = looks_of(model, X)
    picture, _ = drawn("path_bayes, deep")
    weights, lengths = strips_and_bars(picture)
    assert (len(weights), len(lengths)) == (17, 18)
    order = np.argsort(-np.abs(adds[1:]).round(9), kind="stable") + 1
    assert np.allclose(weights[1:16], known[order[:15]], atol=0.003)
    assert np.allclose(weights[16], known[order[15:]].mean(axis=0), atol=0.003)
    assert lengths[17] * adds[0] / lengths[1] == pytest.approx(adds[order[15:]].sum())
    assert "45 others" in words_of(picture)
    colours = picture.axes[0].collections[2].get_facecolor()
    assert {to_hex(c).upper() for c in colours} == set(plot.class_colours(2))


def test_path_bayes_leaves_out_what_is_missing():
    model, X = fitted("PathBayes", "vote"), data("vote").X
    picture = plot.path_bayes(model, X.iloc[0])
    rows = [word for word in words_of(picture) if re.fullmatch("[a-z-]+ = [yn]", word)]
    assert sorted(row[:-4] for row in rows) == sorted(X.columns[X.iloc[0].notna()])
    assert len(strips_and_bars(picture)[0]) == 1 + len(rows) == 16
    assert picture.alt.endswith(" 1 without a known value take no part.")
    nothing = plot.path_bayes(model, dict.fromkeys(X.columns))
    assert len(strips_and_bars(nothing)[0]) == 1, "the tree's estimate alone"


def test_every_node_has_a_row_and_bars_of_its_class_shares():
    model = fitted("CITree", "vote")
    texts, tree = words_of(plot.citree(model)), model.tree_
    for node in tree.nodes():
        if node.parent is not None:
            assert f"{node.parent.name} {node.condition}" in texts
    pure = [node for node in tree.nodes() if np.count_nonzero(node.counts) == 1]
    assert texts.count("one class alone") == sum(node.is_leaf for node in pure)
    assert not any("…" in text for text in texts), "names are whole where they can be"
    widths = widths_of(plot.citree(model, strongest=0).axes[0].collections[0])
    assert sum(widths) == pytest.approx(1.1 * len(tree))
    assert np.allclose(widths[:2], 1.1 * tree.counts[0] / tree.counts[0].sum())
    assert pure
    assert not any(evidence(node) for node in pure)


def test_a_large_tree_says_what_lies_below():
    tree, (picture, texts) = fitted("CITree", "tic-tac-toe").tree_, drawn("citree, large")
    depth = int(re.search(r"Drawn to depth (\d+)", picture.alt)[1])
    assert (tree.depths <= depth).sum() <= ROWS < (tree.depths <= depth + 1).sum()
    assert f"; {(tree.depths > depth).sum()} nodes lie below." in picture.alt
    below = [n for n in tree.nodes() if n.depth == depth and not n.is_leaf]
    notes = [t for t, *_ in texts if "… " in t]
    assert sorted(notes) == sorted(f"tests {n.name}  … {n.n_below} below" for n in below)
    assert f"… {61 - ROWS} more branches" in words_of(drawn("citree, many branches")[0])


def test_factors_are_those_of_the_leafs_model_and_the_strongest_come_first():
    model = fitted("CITree", "vote")
    for node in model.tree_.nodes():
        for e in evidence(node):
            given = node.model.conditional(e.attribute).loc[e.condition.removeprefix("= ")]
            assert e.factor == pytest.approx(given.iloc[e.favours] / given.iloc[1 - e.favours])
            assert e.factor >= 1
    every = evidence(model.tree_.root, 16)
    assert [e.bits for e in every] == sorted((e.bits for e in every), reverse=True)
    assert (len(every), every[0].attribute) == (16, "physician-fee-freeze")


def test_dependence_of_xor_is_gone_after_the_split():
    bits = np.indices((2, 2, 2)).reshape(3, -1).T.repeat(50, axis=0)
    given = dependence_beyond_chance(bits, bits[:, 0] ^ bits[:, 1])
    assert given[0, 1] == pytest.approx(1, abs=0.01)
    assert given[0, 2] == pytest.approx(0, abs=0.01)
    after = dependence_beyond_chance(bits[:, 1:], 2 * (bits[:, 0] ^ bits[:, 1]) + bits[:, 0])
    assert mean_of_pairs(after) == pytest.approx(0, abs=0.01)


def test_independent_values_have_no_dependence_beyond_chance():
    rng = np.random.default_rng(2)
    found = [
        dependence_beyond_chance(rng.integers(0, 4, (300, 5)), rng.integers(0, 3, 300))
        for _ in range(20)
    ]
    assert abs(np.mean([mean_of_pairs(one) for one in found])) < 0.002


def test_cells_of_dependence_are_the_numbers():
    monks = data("monks-1")
    picture = plot.dependence(monks, by="a1")
    codes = rt.Encoder().fit_transform(monks.X).values[:, 1:]
    given, drawn = dependence_beyond_chance(codes, monks.y.codes), picture.axes[0].images[0]
    low, drawn = np.tril_indices(5, -1), drawn.get_array()
    assert np.allclose(np.asarray(drawn)[low], np.maximum(given, 0)[low])
    assert drawn.mask[np.triu_indices(5)].all()
    mean = f"mean {mean_of_pairs(given):.3f} bits"
    assert {"and given a1", mean} <= {text for text, *_ in all_text(picture)}


def test_dependence_groups_by_a_trees_leaves_or_an_attribute():
    vote, model = data("vote"), fitted("CITree", "vote")
    alt = plot.dependence(vote, by=model).alt
    assert f"Given the class and the {model.tree_.n_leaves} leaves, 16 attributes" in alt
    assert "15 attributes" in plot.dependence(vote, by="crime").alt
    assert plot.dependence(vote.X, vote.y).alt == plot.dependence(vote).alt
