"""A student: the lecturers' line writes the lessons, an exercise is tried four times and kept."""

import json

import nbformat
from fresh import typed
from written import blocks, read_page

LESSON = "00_ranking.ipynb"
TRIES = ["8 / 12", "10 / 12", "75", "(4 + 2.5 + 2.5) / 12"]
# What a notebook's page does, in the Python that the student has: run cells down to the check of an
# exercise, once for each answer typed into the cell above it, and save; tell what was read.
WORK = """
import json, sys
import nbformat
from nbclient import NotebookClient

path, check, *answers = sys.argv[1:]
notebook = nbformat.read(path, 4)
client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": "."}})
at = [check in cell.source for cell in notebook.cells].index(True)
shown = []
with client.setup_kernel():
    for i, cell in enumerate(notebook.cells[:at - 1]):
        client.execute_cell(cell, i)
    for answer in answers:
        notebook.cells[at - 1].source = answer
        for i in (at - 1, at):
            client.execute_cell(notebook.cells[i], i)
        shown.append([output["data"]["text/plain"] for output in notebook.cells[at].outputs])
nbformat.write(notebook, path)
print(json.dumps(shown))
"""


def work(place, folder, *answers):
    """What the student reads after each answer to the second exercise."""
    quoted = " ".join(f"'{answer}'" for answer in answers)
    line = f"python ../work.py {LESSON} rt.check.pairs_by_hand {quoted}"
    return json.loads(typed(line, folder, place.shell).splitlines()[-1])


def test_an_exercise_is_wrong_three_times_then_right_and_there_again(place):
    (place.folder / "work.py").write_text(WORK, encoding="utf-8")
    written = [line for b in blocks(read_page("docs/for-lecturers.md")) for line, _ in b.lines()]
    (line,) = [line for line in written if line.startswith("python -m ranktrees lessons")]
    typed(line, place.folder, place.shell)
    folder = place.folder / line.split()[-1]
    copy = nbformat.read(folder / LESSON, 4)
    where = [i for i, cell in enumerate(copy.cells) if "rt.check.pairs_by_hand" in cell.source]
    assert copy.cells[where[0] - 1].source == "auc_by_hand = ..."
    answers = [f"auc_by_hand = {value}" for value in TRIES]
    first, second, third, right = work(place, folder, *answers)
    assert first == ["Not yet. You left out the ties: a tie counts one half."]
    assert second == ["Not yet. You counted a tie as a whole win: it counts one half."]
    assert third == ["Not yet. Give a number from 0 to 1, not per cent."]
    assert right == ["Right. 8 wins and 2 ties of 12 pairs."]
    again = nbformat.read(folder / LESSON, 4)
    nbformat.validate(again)
    answer, check = again.cells[where[0] - 1 : where[0] + 1]
    assert answer.source == answers[-1]
    assert check.outputs[0].data["text/plain"] == right[0]
    assert work(place, folder, answer.source) == [right], "in a new kernel"
    kept = (folder / LESSON).read_bytes()
    typed(f"! {line}", place.folder, place.shell)  # refused: nothing is overwritten
    assert (folder / LESSON).read_bytes() == kept
