"""What a notebook shows of models, trees and results: words, and nothing that a name may do."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from prunable import chain

import ranktrees as rt
from ranktrees_engine.evaluate.results import COLUMNS

BAD = r"<img src=x onerror=alert(1)> & $x$ \(x\)"


class Page(HTMLParser):
    """The text of HTML, the tags and how many of these are open; wrong order is an error."""

    def __init__(self, source):
        super().__init__()
        self.text, self.tags, self.open, self.unfolded = [], set(), [], 0
        for sign in "$\\":  # in a tag of its own it begins no formula
            assert sign not in source.replace(f"<span>{sign}</span>", "")
            source = source.replace(f"<span>{sign}</span>", sign)
        self.feed(source)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open.append(tag)
        self.unfolded += ("open", None) in attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def says(self, words):
        return words in "\n".join(self.text)


@pytest.fixture(scope="module")
def weather():
    return rt.load("weather.nominal")


def test_a_tree_in_lists_that_fold(weather):
    tree = rt.DecisionTree(criterion="information_gain").fit(weather.X, weather.y).tree_
    page = Page(tree._repr_html_())
    assert page.tags == {"p", "strong", "ul", "li", "details", "summary"}
    assert [text for text in page.text if text.strip()] == [
        "Tree(8 nodes, 5 leaves, depth 2)",
        "all cases: yes (14/5)",
        "outlook = sunny: no (5/2)",
        "humidity = high: no (3)",
        "humidity = normal: yes (2)",
        "outlook = overcast: yes (4)",
        "outlook = rainy: yes (5/2)",
        "windy = TRUE: no (2)",
        "windy = FALSE: yes (3)",
    ]
    assert page.unfolded == 3


def test_large_and_deep_trees_are_cut_and_say_so():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((3000, 3)), columns=list("abc"))
    tree = rt.DecisionTree(numeric="thresholds").fit(X, rng.integers(0, 2, 3000)).tree_
    source = tree._repr_html_()
    left = [int(word.split()[1]) for word in Page(source).text if word.startswith("… ")]
    assert sum(left) == len(tree) - 300 > 700
    assert len(source) < 100_000
    assert Page(source).unfolded < 30
    assert Page(chain(3000)._repr_html_()).says("… 5701 nodes are left out here")


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (rt.C44(min_child=1), "C44(min_child=1)"),
        (rt.Bagging(rt.C45(), n_models=2), "2 models, such as C45("),
        (rt.NewtonTree(), "Tree(13 nodes, 7 leaves, depth 4)"),
        (rt.CITree(min_cases=2), "4 attributes: outlook, temperature, humidity, windy"),
        (rt.NaiveBayes(), "14 cases"),
    ],
)
def test_a_model_shows_parameters_data_and_size(weather, model, words):
    assert Page(model._repr_html_()).says("not fitted yet: call fit(X, y)")
    page = Page(model.fit(weather.X, weather.y)._repr_html_())
    for known in (words, *model.get_params(deep=False)):
        assert page.says(known)


def test_names_do_nothing(weather):
    X = pd.DataFrame({BAD: [BAD, "b"] * 10})
    assert "img" not in Page(rt.C44(estimate_params={BAD: 1})._repr_html_()).tags
    model = rt.C44(min_child=1).fit(X, [BAD, "</ul>"] * 10)
    for shown in (model, model.tree_, model.explain(X[:1])):
        page = Page(shown._repr_html_())
        assert "img" not in page.tags
        assert page.says(BAD)
    age = pd.DataFrame({"العمر": [k % 7 - 3.5 for k in range(42)]})  # written from the right
    old = rt.C45().fit(age, age["العمر"] < 0).explain(age[1:2])
    assert "<bdi>العمر</bdi> -2.5 lies in" in old._repr_html_()
    results = rt.compare({BAD: rt.C44()}, [rt.Dataset(weather.X, weather.y, name=BAD)], k=2)
    assert "img" not in Page(results._repr_html_()).tags


def of(values, measure="auc"):
    """The text of results {(set, method): a value per fold}."""
    rows = [
        (name, method, 0, fold, 90, 10, measure, value)
        for (name, method), folds in values.items()
        for fold, value in enumerate(folds)
    ]
    return "\n".join(Page(rt.Results(pd.DataFrame(rows, columns=COLUMNS))._repr_html_()).text)


def test_results_are_marked_where_a_test_says_so():
    low, high, wild = [0.5, 0.51, 0.52], [0.8, 0.81, 0.83], [0.4, 0.9, 0.3]
    table = {("d", "A"): low, ("d", "B"): high, ("e", "A"): high, ("e", "B"): low}
    table |= {("f", "A"): low, ("f", "B"): wild}
    text = of(table)
    assert "0.813 ▲ better" in text
    assert "0.510 ▼ worse" in text
    assert "0.533\n" in text
    assert "against A by the corrected resampled t-test, p < 0.05" in text
    assert "0.813 ▼ worse" in of(table, "brier")
    alone = of({("d", "only"): [0.5, 0.7]})
    assert "0.600" in alone
    assert "against" not in alone
    assert "inf (no test)" in of({("d", "A"): [0.5], ("d", "B"): [np.inf]}, "log_loss")
