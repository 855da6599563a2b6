"""The guesses of the course: nothing gives them away, and what was measured is measured again."""

import ast
import json
import re

import pytest
from lesson_cells import NOTEBOOKS, cells_of
from nbformat.v4 import new_code_cell

from ranktrees_lab.ask.guess import REVEALED, guess, kind_of
from ranktrees_lab.ask.questions import FOLDER, read_guess, read_tables
from tools import lessons

CALL = re.compile(r'rt\.guess\("([\w.]+)"')
NUMBERS = sorted(path.stem for path in FOLDER.glob("*.toml"))
PROBE = """import json
print(json.dumps([{}], default=lambda number: number.item()))"""

# What gives each answer, in the names that a lesson has at its guess, and then texts that stand
# in its question or words. Answers that are not here follow by thought alone.
MEASURED = {
    "00.new_people": [
        "full.score(X_test, data.y[test])",
        "format((data.y[test] == 'good').mean(), '.3f')",
    ],
    "00.laplace": ["(full.predict(X_test) != smooth.predict(X_test)).sum()"],
    "00.falls": ["auc_by_pairs([6, 0, 8, 4, 2], [7, 6, 5, 3, 1, 0])"],
    "00.halves": ["halves.wins('laplace', 'frequency')"],
    "00.letters": [
        "max(scores, key=letters.reached(300).get)",
        "max(scores, key=letters.reached(50).get)",
    ],
    "01.entropy": ["entropy([2, 4])"],
    "01.as_mixed": [
        (
            "['below 0', 'exactly 0', 'a little above 0'][1 + int(np.sign(gain([[2, 2], [4, 4]], "
            "entropy)))]"
        ),
    ],
    "01.ten_times": [
        (
            "{0: 'none', 3: 'only those that test against chance', 12: 'all twelve'}[sum(not "
            "np.isclose(*pair) for pair in scores.values())]"
        ),
    ],
    "01.gini": ["on_credit.wins('gini', 'kolmogorov_smirnov')"],
    "02.questions": ["sum(not node.is_leaf for node in model.tree_.nodes())"],
    "02.min_gain": [
        (
            "{(1, -1): 'more accurate, ranks worse', (1, 1): 'better in both', (-1, 1): 'less "
            "accurate, ranks better'}[tuple(int(np.sign(r.difference('min_gain=0.05', "
            "'none').mean())) for r in (accurate, ranks))]"
        ),
    ],
    "02.mdl": [
        "len(rt.bins.entropy_mdl(credit.X['age'].to_numpy(float), y=credit.y.codes)) + 1",
    ],
    "02.trees": ["len(set(grown))"],
    "03.neck": ["f'one in {round(stiff / both):,}'"],
    "03.married": ["'exactly 0' if posterior('No', 'Married', 92)['Yes'] == 0 else ''"],
    "03.glass": ["columns['auc', 'glass'].idxmax()"],
    "04.three": ["list(on_credit.table.mean().sort_values(ascending=False).index)"],
    "04.five_times": [
        (
            "'The AUC stays, the Brier score becomes worse.' if abs(judged[0][0] - judged[1][0]) "
            "< 0.002 and judged[1][1] - judged[0][1] > 0.01 else ''"
        ),
    ],
    "04.smoker": [
        (
            "['It falls.', 'It stays.', 'It rises.'][1 + int(np.sign(history(LungCancer='yes', "
            "Smoker='yes') - history(LungCancer='yes')))]"
        ),
    ],
    "04.tan": [
        (
            "next((name for name, result in results.items() if result.wins('naive Bayes', 'TAN') "
            "== 20), 'none of them')"
        ),
    ],
    "05.pairs": ["by_pairs"],
    "05.crisp": ["len(rt.roc_curve(bad, crisp)[0])"],
    "05.left_end": [
        (
            "'C4.4' if np.mean([a > b for a, b in zip(*(np.interp(np.linspace(0.02, 0.15, 9), "
            "*rt.roc_curve(bad, s)[:2]) for s in (proba, of_stump)))]) == 1 else ''"
        ),
    ],
    "05.wrong_column": [
        "rt.auc(bad, wrong)",
        "format(rt.auc(bad, proba), '.3f')",
    ],
    "05.weights": ["(extra['C4.4, weights'] < 0).sum()"],
    "06.holdout": [
        "width['holdout']",
        "format(width['k-fold'], '.2f')",
        "format(spread.std().iloc[0], '.3f')",
        "format(spread.std().iloc[1], '.3f')",
        "format(spread.std().iloc[2], '.3f')",
    ],
    "06.vote": ["halves.wins('naive Bayes', 'C4.4')"],
    "06.alarms": ["alarms['plain t'][-1]"],
    "06.ranks": [
        (
            "['naive Bayes leads clearly', 'nearly level', 'bagging leads clearly']"
            "[1 + int(np.trunc(2 * (ranks['naive Bayes'] - ranks['bagged C4.4'])))]"
        ),
        "format(table['naive Bayes'].mean() - table['bagged C4.4'].mean(), '.3f')",
        "format(ranks['bagged C4.4'], '.2f')",
        "format(ranks['naive Bayes'], '.2f')",
    ],
    "06.noise": [
        "np.mean(outside)",
        "format(np.mean(inside), '.2f')",
    ],
    "07.unseen": ["unseen[-1]"],
    "07.xor": ["stopped.tree_.n_leaves"],
    "07.income": ["next(name for name, (leaf, below, _) in table.items() if leaf < below)"],
    "07.confidence": ["judged['accuracy'].wins('confidence 0.001', 'full tree')"],
    "08.scores": ["len(np.unique(scores['unpruned, Laplace'].round(10)))"],
    "08.laplace": ["(by_laplace['credit-g'] > 0).sum()"],
    "08.unpruned": ["by_leaves.mean().idxmax()"],
    "08.fewer": [
        (
            "['It falls.', 'It stays.', 'It rises.'][1 + int(np.sign(np.subtract(*(one_path.paths"
            ".estimates(0, n, 0)[1]['all nodes of the path']['m-branch'] for n in (1, 5)))))]"
        ),
    ],
    "08.one_path": [
        (
            "by_auc.loc[['m', 'm-branch', 'curtailment', 'shrinking', 'hierarchical-shrinkage'], "
            "'credit-g'].loc[lambda won: won == 20].index.item()"
        ),
    ],
    "08.brier": [
        "by_brier.loc['ling-yan', 'diabetes']",
        "str(by_auc.loc['ling-yan', 'diabetes'])",
    ],
    "09.game": ["game.wins('C4.4', 'naive Bayes')"],
    "09.training": [
        (
            "'those of eight or more values' if table.sort_values('training "
            "cases')['values'].iloc[-3:].min() >= 8 else ''"
        ),
    ],
    "09.seeds": ["len({deal.best for deal in deals.values()})"],
    "10.basket": ["buyers.predict(new)[0]"],
    "10.clean": [
        (
            "{(True, True): 'both', (False, True): 'squared error', (True, False): "
            "'AUC'}[(gain['clean'] < 0).all(), errors['clean'].wins('C4.4', 'Newton') == 20]"
        ),
    ],
    "11.sizes": [
        (
            "next(int(s) for i, s in enumerate(sizes) if errors['leaf'][i] == min(e[i] for e in "
            "errors.values()))"
        ),
    ],
    "11.on_time": ["['N1, the root', 'N2', 'N3', 'N4, the leaf'][int(np.argmax(learnt[1])) - 1]"],
    "11.diw": ['result.wins("DIW", "C4.5\'s leaves")'],
    "12.scores": ["distinct['wpe']"],
    "12.together": [
        "'the train of the week' if together(other)[1][0] > together(new)[1][0] else 'the other'",
    ],
    "12.order": ["list(mean.index)"],
    "13.leak": [
        "(rivals.drop('printed') - rivals.loc['printed']).abs().max(axis=1).idxmin()",
        "format(rivals.loc['printed', 'breast-cancer'], '.2f')",
        "format(rivals.loc['printed', 'labor'], '.2f')",
    ],
    "13.permuted": ["100 * control.loc['wpe', 'leaked']"],
    "13.pages": [
        (
            "'how high an AUC is' if (page := pages['wang2006'].frame).query("
            "\"verdict == 'does not hold'\")['what'].tolist() == ['', 'C45-C', 'C45-W', 'C44-C'] "
            "else ''"
        ),
        *("str({})".format(f"counts['wang2006'].iloc[{i}]") for i in range(4)),
        "str(len(pages['wang2006'].frame))",
    ],
    "14.sprint": ["times"],
    "14.scans": ["slider.tables(100_000, 1)['rf-read']['scans'].sum()"],
    "15.whole": [
        (
            "'about .8' if abs(np.prod(1 - rt.path_bayes.class_stops(model.tree_)"
            "[~model.tree_.is_leaf]) - 0.81) < 0.0005 else ''"
        ),
        (
            "format(np.prod((1 - (s := rt.path_bayes.class_stops(model.tree_)[:, 0]))[[0, 1]]) "
            "* s[3], '.3f')"
        ),
        "format(rt.path_bayes.class_stops(model.tree_)[0, 0], '.3f')",
    ],
    "15.differ": [
        "'the tree' if right > differ.sum() / 2 else 'naive Bayes'",
        "str(differ.sum())",
        "str(right)",
    ],
    "15.best": [
        "best",
        "format(table['AUC', 'mean'][best], '.3f')",
        "format(table['AUC', 'mean']['path Bayes MDL (raw)'], '.3f')",
    ],
    "15.grids": [
        (
            '"one tree on MDL\'s bins" if steps["auc, glass"]["one tree, MDL"] > '
            'steps["auc, glass"]["halves, ten bins"] else ""'
        ),
        "format(steps['auc, glass'].iloc[0], '.3f')",
        "format(steps['auc, glass'].iloc[1], '.3f')",
        "format(steps['auc, glass'].iloc[2], '.3f')",
        "format(steps['auc, glass'].iloc[3], '.3f')",
    ],
}


def keys(number):
    """The keys of a lesson's guesses, in the order of its file."""
    return [f"{number}.{name}" for name in read_tables(number)[1].get("guess", {})]


def calls(source):
    """The calls of rt.guess in the source of a cell."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [node for node in nodes if ast.unparse(node.func) == "rt.guess"]


QUICK = ("00", "03", "05", "09", "12")  # of every day: the others take a minute more
LESSONS = [n if n in QUICK else pytest.param(n, marks=pytest.mark.long) for n in NUMBERS]


@pytest.fixture(scope="module", params=LESSONS)
def executed(request):
    """A lesson's cells run in a kernel, and after each guess one that measures its answer."""
    (path,) = NOTEBOOKS.glob(f"{request.param}_*.ipynb")
    notebook = lessons.read(path)
    cells, notebook.cells = notebook.cells, []
    for cell in cells:
        notebook.cells.append(cell)
        asked = CALL.search(cell.source) if cell.cell_type == "code" else None
        if asked and asked[1] in MEASURED:
            probe = new_code_cell(PROBE.format(", ".join(MEASURED[asked[1]])))
            notebook.cells.append(probe)
            cell.metadata["measured"] = probe
    lessons.execute(notebook, path.parent)
    notebook.cells = cells
    return request.param, notebook


def shown(cell):
    """What the outputs of a cell show before anything is unfolded or pressed."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        page = re.sub(r"<details>.*?</details>", "", data.get("text/html", ""), flags=re.DOTALL)
        texts += [output.get("text", ""), data.get("text/plain", ""), page]
    return "\n".join(texts)


def hidden(cell):
    """What a guess shows afterwards: its answer and words, and the texts of what it reveals."""
    found = [output.get("data", {}).get(REVEALED) for output in cell.outputs]
    return next(data for data in found if data is not None)["texts"]


def test_no_guess_is_given_away_after_all_cells_have_run(executed):
    _, notebook = executed
    for cell, after in zip(notebook.cells, [*notebook.cells[1:], {"outputs": []}], strict=True):
        for key in CALL.findall(cell.source) if cell.cell_type == "code" else []:
            table, how = read_guess(key), guess(key).kind.how  # as in "a share, such as 0.7"
            seen = [shown(each).replace(how, "") for each in (cell, after)]
            for text in [*hidden(cell)[1:], table.get("says", "")]:
                assert not text or not any(text in page for page in seen), key
            if isinstance(table["answer"], float) or "order" in table:
                right = str(table["answer"]) if "order" not in table else ", ".join(table["answer"])
                assert not any(right in page for page in seen), key
            if "choices" in table and len(table["answer"]) > 9:
                assert table["answer"] not in seen[1], key


def test_what_was_measured_is_measured_again(executed):
    _, notebook = executed
    for cell in notebook.cells:
        if "measured" in cell.metadata:
            key, table = CALL.search(cell.source)[1], read_guess(CALL.search(cell.source)[1])
            answer, *said = json.loads(cell.metadata["measured"].outputs[0].text)
            if isinstance(answer, int | float):
                assert round(answer, table.get("digits", 2)) == table["answer"], key
            else:
                assert answer == table["answer"], key
            for text in said:
                assert text in f"{table['text']} {table.get('says', '')}", (key, text)


def test_each_guess_is_asked_once_and_nothing_else_is_measured():
    cells = [cell for number in NUMBERS for cell in cells_of(number) if cell["cell_type"] == "code"]
    asked = [key for cell in cells for key in CALL.findall("".join(cell["source"]))]
    assert sorted(asked) == sorted(key for number in NUMBERS for key in keys(number))
    assert len(asked) > 60
    assert set(MEASURED) <= set(asked)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_call_holds_nothing_but_key_and_reveal(number):
    for cell in cells_of(number):
        for call in calls("".join(cell["source"])) if cell["cell_type"] == "code" else []:
            assert [type(arg) for arg in call.args] == [ast.Constant]
            assert {keyword.arg for keyword in call.keywords} <= {"reveal"}


@pytest.mark.parametrize("key", [key for number in NUMBERS for key in keys(number)])
def test_the_table_of_a_guess_is_in_order(key):
    made = guess(key)
    assert made.question == read_guess(key)["text"]
    assert made.kind.right


@pytest.mark.parametrize(
    ("table", "typed", "said"),
    [
        ({"text": "In how many of 20 splits?", "unit": "splits"}, "21 of 20", "more than 20"),
        ({"text": "In how many of 20 splits?", "unit": "splits"}, "-1", "less than 0"),
        ({"text": "What part of them?", "unit": "per cent"}, "101", "more than 100"),
        ({"text": "How many leaves?"}, "-1", "less than 0"),
    ],
)
def test_a_guess_that_cannot_be_is_not_taken(table, typed, said):
    kind = kind_of({"answer": 17, "digits": 0, **table})
    kind.box.value = typed
    with pytest.raises(ValueError, match=said):
        kind.read()
    kind.box.value = "20 of 20"
    assert kind.read() == 20
