"""What is given by mistake gets a sentence that says what is wrong, or what to give instead."""

import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab.data import generate, structured

DATA = rt.load("weather.nominal")
MODEL = rt.C45().fit(DATA.X, DATA.y)
RAGGED = [[1, 2], [3]]
PARTS = "was given as X or y: give data.X and data.y"
NO_DATASET = r"give a Dataset, as rt.load\(name\) and rt.Dataset\(X, y\) make, not "
UNEVEN = r"equally long, not \[\[1, 2\], \[3\]\]"
NUMBERS = " must hold numbers only, in even rows: "
WHOLE = " must be a whole number, not "


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: rt.C45().fit(DATA), PARTS),
        (lambda: rt.C45().fit(DATA.X, DATA), PARTS),
        (lambda: rt.NaiveBayes().fit(DATA, DATA.y), PARTS),
        (lambda: MODEL.predict(DATA), PARTS),
        (lambda: rt.Encoder().fit(DATA), PARTS),
        (lambda: rt.cross_validate(rt.C45(), (DATA, DATA.y)), PARTS),
        (lambda: rt.auc(DATA, [0.5]), PARTS),
        *[
            (lambda name=name: getattr(rt.explore, name)("iris"), NO_DATASET + "'iris'")
            for name in ("split", "newton", "smoothing", "pruning", "path_bayes")
        ],
        (lambda: rt.prepare(DATA.X), NO_DATASET + "DataFrame"),
        (lambda: rt.Results([1, 2]), "give a DataFrame of results, not list"),
        (lambda: MODEL.with_tree("tree"), "give a Tree, such as model.tree_, not 'tree'"),
        (lambda: rt.plot.boundaries("C45", DATA), "give a fitted model, not 'C45'"),
        (lambda: rt.plot.conditionals(MODEL, "outlook"), "give a fitted NaiveBayes, not C45"),
        (lambda: rt.plot.series([1], [1], "x", "y"), r"give a dict \{name: values\}, not list"),
        (lambda: rt.explore.pruning(DATA, model="C45"), "give a model of one tree, such as C45"),
        (lambda: rt.explore.path_bayes(DATA, rt.C45()), r"give PathBayes\(\) .* C45 with 'freq"),
        (lambda: rt.explore.path_bayes(DATA, "tree"), r"give PathBayes\(\) .* not str with None"),
        (lambda: generate.parity("a"), "^k" + WHOLE),
        (lambda: structured.baskets("five"), "^n" + WHOLE),
        (lambda: generate.waveform(10, noise=0.5), "^noise" + WHOLE),
        (lambda: rt.NewtonTree(max_depth="all").fit(DATA.X, DATA.y), "^max_depth" + WHOLE),
        (lambda: rt.DecisionTree(n_bins="5").fit(DATA.X, DATA.y), "^n_bins" + WHOLE),
        (lambda: rt.Bagging(seed="x").fit(DATA.X, DATA.y), "^seed" + WHOLE),
        (lambda: rt.plot.tree(MODEL, max_depth="all"), "^max_depth" + WHOLE),
        (lambda: rt.cross_validate(rt.C45(), DATA, k="ten"), "^k" + WHOLE),
        (lambda: rt.explore.newton(DATA, case="first"), "^case" + WHOLE),
        (lambda: rt.C45().fit(RAGGED, [0, 1]), UNEVEN),
        (lambda: rt.NewtonTree().fit(RAGGED, [0, 1]), UNEVEN),
        (lambda: rt.NaiveBayes().fit([[1], [2]], RAGGED), UNEVEN),
        (lambda: rt.holdout(RAGGED), UNEVEN),
        (lambda: rt.cross_validate(rt.C45(), RAGGED, [0, 1]), UNEVEN),
        (lambda: rt.plot.roc(DATA.y, "a"), "^the score of 'model'" + NUMBERS),
        (lambda: rt.plot.table([["a", "b"]]), "^n" + NUMBERS),
        (lambda: rt.plot.duel([["a"]], [["b"]]), "^a" + NUMBERS),
        (lambda: rt.plot.series([1], {"line": "a"}, "x", "y"), "^'line'" + NUMBERS),
        (lambda: rt.plot.sizes("a", [1], [1]), "^leaves" + NUMBERS),
        (lambda: rt.plot.impurity({"root": "ab"}), "^'root'" + NUMBERS),
        (lambda: rt.paired_t([1, 2], ["a", "b"]), "^b" + NUMBERS),
        (lambda: rt.friedman([["a", "b"]]), "^values" + NUMBERS),
        (lambda: rt.evaluate.groups(["a"], 1), "^ranks" + NUMBERS),
        (lambda: rt.prune.added_errors("six", 0), "^cases" + NUMBERS),
        (lambda: rt.prune.bottom_up(MODEL.tree_, (["a"], 0)), "^costs" + NUMBERS),
    ],
)
def test_a_thing_of_another_kind(use, message):
    with pytest.raises((TypeError, ValueError), match=message):
        use()


def test_columns_that_are_called_x_and_y_are_no_dataset():
    frame = pd.DataFrame({"X": list("abab" * 5), "y": list("aabb" * 5)})
    proba = rt.cross_val_proba(rt.C45(), frame, ["+", "-"] * 10, k=2)
    assert proba.shape == (20, 2)


@pytest.mark.parametrize("train", [[0, 1, 99], [-99, 1], "all", RAGGED])
def test_rows_that_an_explorer_does_not_have(train):
    for explore in (rt.explore.pruning, rt.explore.shrinkage, rt.explore.path_bayes):
        with pytest.raises(ValueError, match=r"train must hold rows from 0 to 13|equally long"):
            explore(DATA, train=train)


@pytest.mark.parametrize("case", [99, -1])
def test_a_case_that_an_explorer_does_not_have(case):
    for name in ("newton", "smoothing", "shrinkage", "path_bayes"):
        with pytest.raises(ValueError, match=rf"case must be 0 to \d+, not {case}"):
            getattr(rt.explore, name)(DATA, case=case)


@pytest.mark.parametrize(("column", "text"), [("value", "1,5"), ("run", "1.5"), ("n_train", "")])
def test_a_bad_number_among_stored_results_is_named_with_its_row(tmp_path, column, text):
    results = rt.compare({"C4.5": rt.C45()}, [DATA], k=2)
    rt.write_results(results, tmp_path / "good.csv")
    frame = pd.read_csv(tmp_path / "good.csv", dtype=str, keep_default_na=False)
    frame.loc[2, column] = text
    frame.to_csv(tmp_path / "bad.csv", index=False)
    with pytest.raises(ValueError, match=f"^data row 3: {column} cannot be '{text}'$"):
        rt.read_results(tmp_path / "bad.csv")
