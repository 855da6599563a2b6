"""Pictures of naive Bayes and belief networks: their data, their words, that they can be read."""

import re

import numpy as np
import pytest
from test_plot import all_text

import ranktrees as rt
from ranktrees import plot
from ranktrees.bayes import lung_cancer

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
    assert any(re.fullmatch(r"inst.*… in \(1\.9, 2\.2\]", text) for text in texts(picture))


def test_tables_write_counts_in_full():
    picture = plot.table([[10, 10], [49_990, 949_990]])
    assert picture.alt.startswith("Count table of 1,000,000 cases: value 0: 10 class 0")
    assert {"1,000,000", "49,990", "20"} <= set(texts(picture))
    assert plot.table([[0.5, 0.5]]).alt.startswith("Count table of 1 case:")
