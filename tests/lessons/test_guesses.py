"""The guesses of the course: nothing gives them away, and what was measured is measured again."""

import ast
import json
import re
from itertools import pairwise

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
        "(full.predict(X_test) == data.y[test]).sum()",
        "format((data.y[test] == 'good').mean(), '.3f')",
    ],
    "00.laplace": ["(full.predict(X_test) != smooth.predict(X_test)).sum()"],
    "00.falls": ["auc_by_pairs([6, 0, 8, 4, 2], [7, 6, 5, 3, 1, 0])"],
    "01.entropy": ["entropy([2, 4])"],
    "01.as_mixed": [
        (
            "['below 0', 'exactly 0', 'a little above 0'][1 + int(np.sign(gain([[2, 2], [4, 4]], "
            "entropy)))]"
        ),
    ],
    "01.ten_times": [
        (
            "{('chi_squared',): 'chi-squared alone'}[tuple(name for name, pair in "
            "zip(names, scores.to_numpy()) if not np.isclose(*pair))]"
        ),
    ],
    "02.questions": ["sum(not node.is_leaf for node in model.tree_.nodes())"],
    "02.stopped": [
        (
            "'mostly nodes of many clients' if shown['stopped'].iloc[-1] > "
            "shown['stopped'].iloc[:-1].sum() else ''"
        ),
        "format(shown['median gain'].iloc[-1], '.3f')[1:]",
        "format(shown['median gain'].iloc[0], '.0f')",
    ],
    "02.trees": ["list(pd.Series(agree).sort_values(ascending=False).index)"],
    "04.five_times": [
        (
            "'The AUC stays, the Brier score becomes worse.' if abs(np.diff([j[0] for j in "
            "judged.values()])[0]) < 0.002 and np.diff([j[1] for j in judged.values()])[0] > 0.01 "
            "else ''"
        ),
    ],
    "04.eight": [
        "'the order, but not all classes' if auc == 1 and wrong > 0 else ''",
    ],
    "04.smoker": [
        (
            "['It falls.', 'It stays.', 'It rises.'][1 + int(np.sign(history(LungCancer='yes', "
            "Smoker='yes') - history(LungCancer='yes')))]"
        ),
        "format(history(LungCancer='yes'), '.2f')[1:]",
        "format(history(LungCancer='yes', Smoker='yes'), '.2f')[1:]",
    ],
    "03.neck": ["f'one in {round(stiff / both):,}'"],
    "03.married": ["'exactly 0' if posterior('No', 'Married', 92)['Yes'] == 0 else ''"],
    "05.pairs": ["by_pairs"],
    "05.crisp": ["len(rt.roc_curve(credit.y[test] == 'bad', crisp)[0])"],
    "06.pooled": ["rt.auc(bad, others)"],
    "06.alarms": [
        "alarms['plain t'][-1]",
        (
            "format(100 * np.mean([abs(np.sign(run).sum()) == 10 for run in "
            "np.reshape(equals, (300, 10, 10)).mean(axis=2)]), '.0f')"
        ),
    ],
    "06.noise": ["np.mean(outside)", "format(np.mean(inside), '.2f')"],
    "07.unseen": ["unseen[-1]"],
    "07.xor": ["stopped.tree_.n_leaves"],
    "07.income": [
        "next(name for name, (leaf, below) in table.items() if leaf <= below)",
        "'{:.2f} against {:.2f}'.format(*table['pessimistic'])",
        "'{:.3f} against {:.3f}'.format(*table['C4.5'])",
    ],
    "07.confidence": [
        (
            "{(True, False): 'more accurate, ranks worse'}[tuple(found.wins('confidence 0.001', "
            "'full tree') > 10 for found in judged.values())]"
        ),
        "f\"{judged['accuracy'].wins('confidence 0.001', 'full tree')} of 20\"",
        "f\"{judged['auc'].wins('full tree', 'confidence 0.001')} of 20\"",
    ],
    "08.owner": ["rt.auc(np.repeat([0, 1, 0, 1], [30, 1, 15, 3]), np.repeat([1, 3], [31, 18]))"],
    "08.unpruned": ["by_leaves.mean().idxmax()"],
    "08.fewer": [
        (
            "['It falls.', 'It stays.', 'It rises.'][1 + int(np.sign(np.subtract(*(one_path.paths"
            ".estimates(0, n, 0)[1]['all nodes of the path']['m-branch'] for n in (1, 5)))))]"
        ),
    ],
    "11.nearest": ["table['error'].idxmin()", "str(table['error'].min().round(3))"],
    "11.on_time": ["['N1, the root', 'N2', 'N3', 'N4, the leaf'][int(np.argmax(w[:, 1])) - 1]"],
    "11.equal": [
        (
            "'neither' if max((found := judged['credit-g']).wins('DIW', 'equal weights'), "
            "found.wins('equal weights', 'DIW')) < 15 else ''"
        ),
        "f\"win {judged['credit-g'].wins('equal weights', 'DIW')} of 20 here\"",
    ],
    "09.game": ["'C4.4, in all 20' if game.wins('C4.4', 'naive Bayes') == 20 else ''"],
    "12.scores": [
        "'nearly as many as cases' if 115 < scores['wpe'] < len(test) else ''",
        "str(scores['wpe'])",
    ],
    "12.together": [
        "'the train of the week' if together(0)[1][0] > together(1)[1][0] else 'the other'",
    ],
    "12.order": ["list(on_credit.table.mean().sort_values(ascending=False).index)"],
    "10.basket": ["buyers.predict(new)[0]"],
    "10.clean": [
        (
            "{(True, True): 'both', (False, True): 'squared error', (True, False): "
            "'AUC'}[(gain['clean'] < 0).all(), errors['clean'].wins('C4.4', 'Newton') == 20]"
        ),
    ],
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
    "14.rows": ["writing.passes('RF-Write', 1)[-1].read"],
    "14.sprint": ["times"],
    "14.scans": ["slider.tables(100_000, 1)['rf-read']['scans'].sum()"],
    "15.twice": [
        (
            "'less' if (share := 1 / (1 + math.exp(plain.log_evidence([6, 0]) + plain.log_evidence("
            "[0, 2]) - plain.log_evidence([6, 2])))) < 0.2 else ''"
        ),
        "format(share, '.3f')",
    ],
    "15.echo": [
        "max(mean_weight, key=mean_weight.get)",
        "str(mean_weight['ionosphere'])",
        "str(mean_weight['glass'])",
    ],
    "15.ebm": [
        (
            "'balance-scale (weight times distance decides)' if (asked['EBM without pairs'] - "
            "asked['path forest']).idxmax() == 'balance-scale' else ''"
        ),
        *(f"format(asked.loc['balance-scale'].iloc[{i}], '.3f')" for i in (1, 0)),
        *(f"format(asked.loc['hypothyroid'].iloc[{i}], '.3f')" for i in (1, 0)),
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


@pytest.mark.parametrize("number", NUMBERS)
def test_no_words_below_a_guess_answer_it(number):
    """What explains the answer is among the words of the guess, which appear with it."""
    cells = cells_of(number)
    for cell, below in pairwise(cells):
        source = "".join(cell["source"])
        for key in CALL.findall(source) if below["cell_type"] == "markdown" else []:
            answer = read_guess(key)["answer"]
            words = ", ".join(answer) if isinstance(answer, list) else str(answer)
            long = len(words.removeprefix("0")) > (2 if isinstance(answer, int | float) else 9)
            right = rf"(?<![\w.]){re.escape(words.removeprefix('0'))}(?!\w)"
            assert not (long and re.search(right, "".join(below["source"]))), key


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
    assert len(asked) > 30
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
