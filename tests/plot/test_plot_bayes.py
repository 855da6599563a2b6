"""Pictures of naive Bayes and belief networks: their data, their words, that they can be read."""

import re

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba_array
from pictures import all_text
from test_plot import deep

import ranktrees as rt
from ranktrees.bayes import lung_cancer
from ranktrees_lab import plot

CASE = {"Refund": "No", "Status": "Married", "Income": 92.0}


@pytest.fixture
def payers():
    return rt.load("tax-payers")


def test_factors_add_up():
    data = rt.load("credit-g")
    model = rt.NaiveBayes().fit(data.X, data.y)
    for row in (0, 3, 7):
        picture = plot.factors(model, data.X.iloc[row])
        width = [bar.get_width() for bar in picture.axes[0].patches]
        proba = np.sort(model.predict_proba(data.X.iloc[[row]])[0])
        assert len(width) == 14
        assert sum(width[:-1]) == pytest.approx(width[-1])
        assert width[-1] == pytest.approx(np.log(proba[1] / proba[0]))


def test_factors_show_the_impossible(payers):
    model = rt.NaiveBayes("none", numeric="gaussian").fit(payers.X, payers.y)
    picture = plot.factors(model, {**CASE, "Income": 120.0})
    assert "Status = Married × 0 Yes" in picture.alt
    assert "P(No) = 1.000" in picture.alt
    hatched = [bar for bar in picture.axes[0].patches if bar.get_hatch()]
    assert len(hatched) == 2, "Status, and all together"


def test_factors_leave_out_what_is_missing():
    data = rt.load("vote")
    model = rt.NaiveBayes().fit(data.X, data.y)
    assert "1 without a known value" in plot.factors(model, data.X.iloc[0]).alt


def test_calibration_draws_shares_and_gives_the_brier_score():
    y = np.array(["no", "no", "yes", "yes"])
    picture = plot.calibration(y, {"m": [0.12, 0.14, 0.12, 0.91]}, bins=10)
    line = picture.axes[0].lines[1]
    assert np.allclose(line.get_xdata(), [0.38 / 3, 0.91])
    assert np.allclose(line.get_ydata(), [1 / 3, 1])
    expected = (0.12**2 + 0.14**2 + 0.88**2 + 0.09**2) / 4
    assert f"Brier score {expected:.3f}" in picture.alt
    with pytest.raises(ValueError, match="probabilit"):
        plot.calibration(y, {"m": [0.1, 1.4, 0.3, 0.2]})


def test_networks_put_parents_above_children():
    net = lung_cancer()
    picture = plot.belief_network(net, evidence=["Smoker"])
    ax = picture.axes[0]
    spot = {t.get_text(): t.get_position() for t in ax.texts}
    assert set(spot) == set(net.parents)
    for child, above in net.parents.items():
        assert all(spot[p][1] < spot[child][1] for p in above), "the y axis points down"
    assert "Known: Smoker." in picture.alt
    assert "LungCancer depends on FamilyHistory and Smoker" in picture.alt


def test_networks_name_wrong_nodes():
    with pytest.raises(ValueError, match="Smoker"):
        plot.belief_network(lung_cancer(), evidence="Smokers")
    with pytest.raises(ValueError, match="only node"):
        plot.belief_network({"y": []}, apart="y")


def test_conditionals_draw_estimates_and_shares(payers):
    model = rt.NaiveBayes().fit(payers.X, payers.y)
    picture = plot.conditionals(model, "Status", "Married")
    bars, shares = picture.axes[0].collections
    ends = np.array([path.vertices[:, 0].max() for path in bars.get_paths()])
    assert np.allclose(ends, model.conditional("Status").to_numpy().ravel())
    raw = model.with_smoothing("none").conditional("Status").to_numpy().ravel()
    assert np.allclose([s[0, 0] for s in shares.get_segments()], raw)
    assert "Married: No 0.500 (share 0.571), Yes 0.167 (share 0.000)" in picture.alt


def test_conditionals_keep_the_chosen_value_of_many():
    data = rt.load("soybean")
    model = rt.NaiveBayes().fit(data.X, data.y)
    rare = str(model.conditional("date").index[0])
    picture = plot.conditionals(model, "date", rare)
    assert any(rare in text.get_text() for text in picture.axes[0].texts)
    assert "of 7 values" in picture.axes[0].get_title(loc="left")


def test_conditionals_name_what_is_wrong(payers):
    model = rt.NaiveBayes(numeric="gaussian").fit(payers.X, payers.y)
    with pytest.raises(ValueError, match="Gaussian"):
        plot.conditionals(model, "Income")
    with pytest.raises(ValueError, match="Married"):
        plot.conditionals(model, "Status", "Maried")
    with pytest.raises(ValueError, match="Refund"):
        plot.conditionals(model, "nonsense")


def texts(picture):
    return [text for text, _, _ in all_text(picture)]


def test_networks_write_long_names_in_two_lines():
    name = "aid-to-nicaraguan-contras"
    words = texts(plot.belief_network({name: [], "el-salvador-aid": [name]}))
    assert sorted(words) == ["aid-to-nicaraguan-", "contras", "el-salvador-aid"]


def test_factors_keep_the_value_and_point_where_a_class_is_too_long():
    glass, credit = rt.load("glass"), rt.load("credit-g")
    picture = plot.factors(rt.NaiveBayes("none").fit(glass.X, glass.y), glass.X.iloc[100])
    assert sum(text.endswith(("→", "←")) for text in texts(picture)) >= len(glass.X.columns)
    assert "× 1.52 build wind float" in picture.alt
    picture = plot.factors(rt.NaiveBayes().fit(credit.X, credit.y), credit.X.iloc[3])
    assert "installment_commitment in (1.9, 2.2]" in texts(picture)


def test_tables_write_counts_in_full():
    picture = plot.table([[10, 10], [49_990, 949_990]])
    assert picture.alt.startswith("Count table of 1,000,000 cases: value 0: 10 class 0")
    assert {"1,000,000", "49,990", "20"} <= set(texts(picture))
    assert plot.table([[0.5, 0.5]]).alt.startswith("Count table of 1 case:")


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


@pytest.mark.parametrize("name", ["weather.nominal", "vote", "soybean", "credit-g"])
@pytest.mark.parametrize("estimate", ["path-bayes", "path-bayes-em"])
def test_weights_sum_to_one_and_bars_to_the_log_odds(name, estimate):
    data = rt.load(name)
    model = rt.PathBayes(estimate=estimate).fit(data.X, data.y)
    for row in (0, 3, 7):
        X = data.X.iloc[[row]]
        nodes, known, adds = looks_of(model, X)
        picture = plot.path_bayes(model, X)
        weights, lengths = strips_and_bars(picture)
        assert weights.shape[1] == len(nodes)
        assert np.allclose(weights[0], known[0], atol=0.003), "the tree's estimate stands first"
        assert np.allclose(weights.sum(axis=1), 1, atol=0.003 * len(nodes))
        p = np.sort(model.predict_proba(X)[0])[::-1]
        inch = adds[0] / lengths[1]
        assert lengths.sum() * inch == pytest.approx(np.log(p[0] / p[1]))
        assert f"{np.log(p[0] / p[1]):+.2f}" in texts(picture)
        sizes = np.abs(lengths[2:17])
        assert (np.diff(sizes[:-1]) <= 1e-9).all(), "the weightiest attribute comes first"


def test_path_bayes_says_class_path_and_strongest_attribute():
    data = rt.load("weather.nominal")
    model = rt.PathBayes(weights="equal").fit(data.X, data.y)
    picture = plot.path_bayes(model, data.X.iloc[0])
    assert picture.alt == (
        "Path Bayes gives P(no) = 0.870, P(yes) = 0.130, log odds of +1.90: prior -0.27, the "
        "tree's estimate +0.83, humidity = high +0.57, outlook = sunny +0.41, temperature = hot "
        "+0.37 and windy = FALSE +0.01. On the path each weighs one node most: the tree's estimate "
        "0.89 at humidity = high (3), humidity = high 0.52 at all cases (14), outlook = sunny 1.00 "
        "at all cases (14) and temperature = hot 0.35 at all cases (14)."
    )
    words = texts(picture)
    assert words.index("all cases (14)") < words.index("outlook = sunny (5)")
    assert {"humidity = high (3)", "odds of 6.71 to 1", "← for yes", "for no →", ".52"} <= {*words}


def test_path_bayes_joins_the_weakest_of_many():
    model, X = deep()
    nodes, known, adds = looks_of(model, X)
    weights, lengths = strips_and_bars(plot.path_bayes(model, X))
    assert len(nodes) > 4
    assert (len(weights), len(lengths)) == (17, 18)
    order = np.argsort(-np.abs(adds[1:]).round(9), kind="stable") + 1
    assert np.allclose(weights[1:16], known[order[:15]], atol=0.003)
    assert np.allclose(weights[16], known[order[15:]].mean(axis=0), atol=0.003)
    inch = adds[0] / lengths[1]
    assert lengths[17] * inch == pytest.approx(adds[order[15:]].sum())
    assert "45 others" in texts(plot.path_bayes(model, X))


def test_path_bayes_of_many_classes_has_two_colours_that_differ():
    model, X = deep()
    bars = plot.path_bayes(model, X).axes[0].collections[2]
    assert {to_hex(c).upper() for c in bars.get_facecolor()} == set(plot.class_colours(2))


def test_path_bayes_leaves_out_what_is_missing():
    data = rt.load("vote")
    model = rt.PathBayes().fit(data.X, data.y)
    assert data.X.iloc[0].isna().sum() == 1
    picture = plot.path_bayes(model, data.X.iloc[0])
    rows = [word for word in texts(picture) if re.fullmatch("[a-z-]+ = [yn]", word)]
    assert sorted(row[:-4] for row in rows) == sorted(data.X.columns[data.X.iloc[0].notna()])
    assert len(strips_and_bars(picture)[0]) == 1 + len(rows)
    assert "1 without a known value take no part." in texts(picture)
    assert picture.alt.endswith(" 1 without a known value take no part.")
    nothing = plot.path_bayes(model, dict.fromkeys(data.X.columns))
    assert len(strips_and_bars(nothing)[0]) == 1, "the tree's estimate alone"


def test_path_bayes_of_a_single_leaf_is_naive_bayes_with_all_weight_at_the_root():
    data = rt.load("weather.nominal")
    model = rt.DecisionTree(min_parent=20, estimate="path-bayes").fit(data.X, data.y)
    picture = plot.path_bayes(model, data.X.iloc[0])
    weights, _ = strips_and_bars(picture)
    assert weights.shape == (5, 1)
    assert np.allclose(weights, 1, atol=0.003)
    assert "the path:" in texts(picture)


def test_path_bayes_asks_for_its_estimate():
    data = rt.load("weather.nominal")
    with pytest.raises(TypeError, match=r"give PathBayes.* not C45 with 'frequency'"):
        plot.path_bayes(rt.C45().fit(data.X, data.y), data.X.iloc[0])
    with pytest.raises(TypeError, match="not type"):
        plot.path_bayes(rt.PathBayes, data.X.iloc[0])
    with pytest.raises(ValueError, match="not fitted yet"):
        plot.path_bayes(rt.PathBayes(), data.X.iloc[0])
    with pytest.raises(ValueError, match="there are 2"):
        plot.path_bayes(rt.PathBayes().fit(data.X, data.y), data.X.iloc[:2])
