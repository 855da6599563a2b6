"""Keep the lessons in order: `python tools/lessons.py run|check [files]`.

A lesson is an executed notebook; `ranktrees_lab.student`, which makes the copies for students,
describes the form of exercises. A lesson has minutes, goals, quizzes, and cells to read, apart from
those that verify. The playground is a page and not a lesson: it is short, and has no quiz.
"""

import argparse
import re
import sys
from pathlib import Path

import nbformat

from ranktrees_lab.show import shown_texts
from ranktrees_lab.student import METADATA, find_lessons, tags
from tools import quizzes, texts
from tools.minutes import count_lines, lasts

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
IGNORED = re.compile(r"nbval.(ignore.output|skip)", re.IGNORECASE)  # a tag or a comment
LESSON, PAGE = (range(20, 51), 2), (range(5, 9), 0)  # cells, and the least number of exercises
QUIZ = re.compile(r"""rt\.quiz\(\s*["'](\w+)["'](?:\s*,\s*["'](\w+)["'])?""")
HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)
MINUTES = re.compile(r"\((\d+) min(?:utes)?\)$")
TIME = re.compile(r"\*\*Time:\*\* (\d+) minutes(?:, (\d+) of them for both quizzes)?")
GOALS = re.compile(r"\bgoals?\b(?:.|\n)*\n[-*] .*\n+[-*] ", re.IGNORECASE)
ENDING, NEAR = ("Take-aways", "Where to read on"), 8  # NEAR: cells from the start or the end
MOST_MINUTES, LINES, BY_HAND = 45, 8, 12
OPTIONAL = "## Further reading"
TAGGED = {
    "verify": "hold what is written by hand against the package",
    "by-hand": "develop the method in view, or show it by rt.show",
}


def run(path):
    """Execute the notebook in its own folder, in place; stop at an error or a cell of over 60 s."""
    write(strip(execute(read(path), path.parent)), path)


def execute(notebook, folder, seconds=60):
    """Run all cells with this interpreter; nbclient's error shows the cell that failed."""
    from nbclient import NotebookClient

    return NotebookClient(
        notebook,
        timeout=seconds,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
        kernel_manager_class=_kernel_manager(),
        extra_arguments=["--log-level=ERROR"],  # a warning of each kernel is for servers
    ).execute()


def _kernel_manager():
    """Return a manager that starts this interpreter, whatever kernels the user has installed."""
    from ipykernel.kernelspec import get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class ThisInterpreter(AsyncKernelManager):
        @property
        def kernel_spec(self):
            return KernelSpec(**get_kernel_dict())

    return ThisInterpreter


def strip(notebook):
    """Remove what needs a kernel or depends on the machine; pictures, text and counts stay.

    A picture stays as PNG and as HTML with its alt text, which JupyterLab and nbconvert prefer.
    """
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if output.get("data") != {}]
    return notebook


def check(notebook):
    """Return one sentence for each rule of form that the notebook breaks."""
    is_page = any("rt.playground(" in cell.source for cell in code_cells(notebook))
    cells, exercises = PAGE if is_page else LESSON
    rules = [_times, _optional, _beginning_and_end, _code, _phrases]
    rules = [_outputs] if is_page else [_outputs, *rules]
    problems = [*_form(notebook, cells), *_exercises(notebook, exercises)]
    return problems + [problem for rule in rules for problem in rule(notebook)]


def _form(notebook, cells):
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        yield f"not a valid notebook: {str(error).splitlines()[0]}"
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        yield f"nbformat {notebook.nbformat}.{notebook.nbformat_minor}, not 4.5 (stable cell ids)"
    if len(notebook.cells) not in cells:
        yield f"{len(notebook.cells)} cells, not {cells[0]} to {cells[-1]}"
    if notebook.metadata.get("kernelspec") != METADATA["kernelspec"]:
        yield "metadata.kernelspec is not the plain python3: JupyterLab would ask for a kernel"


def _outputs(notebook):
    if "widgets" in notebook.metadata:
        yield "metadata.widgets is stored: strip it"
    for expected, cell in enumerate(code_cells(notebook), start=1):
        where = place(notebook, cell)
        if cell.execution_count != expected:
            yield f"{where}: execution count {cell.execution_count}, not {expected}"
        if IGNORED.search(" ".join([cell.source, *tags(cell)])):
            yield f"{where}: left out of nbval's comparison"
        for output in cell.outputs:
            data = output.get("data", {})
            if output.output_type == "error":
                yield f"{where}: stored error {output.ename}: {output.evalue}"
            if WIDGET_VIEW in data:
                yield f"{where}: a widget view is stored: strip it"
            if "image/png" in data and not texts.has_text(data):
                yield f"{where}: a picture without a text alternative"


def _exercises(notebook, least):
    answers = [i for i, cell in enumerate(notebook.cells) if "answer" in tags(cell)]
    checks = [c.source for c in notebook.cells if "check" in tags(c) and "more" not in tags(c)]
    if least and sum("rt.check.challenge(" in source for source in checks) != 1:
        yield "not one exercise, outside of the optional block, is a challenge (rt.check.challenge)"
    if len(answers) < least:
        yield f'{len(answers)} cells tagged "answer", fewer than {least}'
    for i in answers:
        trio = notebook.cells[i : i + 3]
        where = place(notebook, trio[0])
        if "..." not in trio[0].source:
            yield f"{where}: an answer without `...` to fill in"
        if len(trio) < 2 or trio[1].cell_type != "code" or "rt.check" not in trio[1].source:
            yield f"{where}: an answer whose next cell is no rt.check"
        if len(trio) < 3 or "solution" not in tags(trio[2]):
            yield f'{where}: an answer without a cell tagged "solution" two cells on'


def is_taught(notebook):
    """Return whether the notebook is a lesson that asks a quiz: not the playground."""
    return any("rt.quiz(" in cell.source for cell in code_cells(notebook))


def sections(notebook):
    """Return {heading: minutes, or None if it has none} of the second level."""
    headings = [h for cell in _texts(notebook.cells) for h in HEADING.findall(cell.source)]
    found = {heading: MINUTES.search(heading) for heading in headings}
    return {heading: match and int(match[1]) for heading, match in found.items()}


def minutes(notebook):
    """Return the minutes that a lesson states, and those that no section has."""
    said = TIME.search("\n".join(cell.source for cell in _texts(notebook.cells)))
    return (int(said[1]), int(said[2] or 0)) if said else (0, 0)


def _times(notebook):
    """Yield what breaks the limit: a lesson takes at most 45 minutes, those of its sections."""
    for heading, time in sections(notebook).items():
        if time is None and not heading.startswith(("Goals", OPTIONAL[3:], *ENDING)):
            yield f'section "{heading}" does not say its minutes, as in "(7 min)"'
    said, more = minutes(notebook)
    found = more + sum(filter(None, sections(notebook).values()))
    if not 0 < found == said <= MOST_MINUTES:
        yield f"its parts take {found} minutes, **Time:** is {said}, at most {MOST_MINUTES}"
    if (needed := lasts(notebook)) > MOST_MINUTES:
        yield f"its content takes {needed:.1f} minutes, more than {MOST_MINUTES}"


def _optional(notebook):
    """Yield what breaks the rule: what is optional is one block at the end, with its heading."""
    marked = ["more" in tags(cell) for cell in notebook.cells]
    block = notebook.cells[len(marked) - sum(marked) :]
    if sorted(marked) != marked:
        yield 'cells tagged "more" are not one block at the end'
    elif block and not block[0].source.startswith(OPTIONAL):
        yield f"the optional block does not begin with {OPTIONAL!r}"


def _beginning_and_end(notebook):
    first, last = notebook.cells[:NEAR], notebook.cells[-NEAR:]
    if not any(GOALS.search(cell.source) for cell in _texts(first)):
        yield 'no list of goals (the word "goals", then "- " lines) in the first cells'
    if not texts.part(first[0].source):
        yield 'no line "**Core lesson.**" or "**Further reading.**" in the first cell'
    said = "\n".join(cell.source for cell in _texts(last)).lower()
    yield from (f'no "{words}" in the last cells' for words in ENDING if words.lower() not in said)
    if not any(found[2] == "start" for c in first for found in QUIZ.finditer(c.source)):
        yield 'no rt.quiz("NN", "start") in the first cells'
    for_all = [cell for cell in notebook.cells if "more" not in tags(cell)][-NEAR:]
    if not any(found[2] != "start" for c in for_all for found in QUIZ.finditer(c.source)):
        yield 'no rt.quiz("NN") in the last cells'
    if len(asked := {quiz[1] for c in notebook.cells for quiz in QUIZ.finditer(c.source)}) > 1:
        yield f"quizzes of several lessons: {', '.join(sorted(asked))}"


def _code(notebook):
    cells = code_cells(notebook)
    marked = {tag for cell in cells for tag in tags(cell)}
    if any(shown_texts(cell.outputs) for cell in cells):
        marked.add("by-hand")
    yield from (
        f'no cell tagged "{tag}": {say}' for tag, say in TAGGED.items() if tag not in marked
    )
    for cell in cells:
        where, marks = place(notebook, cell), tags(cell)
        if "verify" not in marks and re.search(r"^\s*assert\b", cell.source, re.MULTILINE):
            yield f'{where}: an assert outside of a cell tagged "verify"'
        folded = cell.metadata.get("jupyter", {}).get("source_hidden") is True
        if marks & {"verify", "solution"} and not folded:
            yield f"{where}: not folded: set jupyter.source_hidden in its metadata"
        most = BY_HAND if "by-hand" in marks or folded else LINES
        if (lines := count_lines(cell.source)) > most:
            yield f"{where}: {lines} lines, more than {most}"


def _phrases(notebook):
    for cell in _texts(notebook.cells):
        yield from (f"{place(notebook, cell)}: {p}" for p in texts.phrases(cell.source))


def _texts(cells):
    return [cell for cell in cells if cell.cell_type == "markdown"]


def code_cells(notebook):
    """Return the code cells in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def place(notebook, cell):
    """Return a cell's number, from 1, and how it begins."""
    number = next(i for i, other in enumerate(notebook.cells, start=1) if other is cell)
    first = cell.source.strip().split("\n")[0]
    return f"cell {number} ({first[:40]!r})"


def read(path):
    """Read a notebook (nbformat 4); errors name the file."""
    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except (OSError, UnicodeDecodeError, nbformat.reader.NotJSONError) as error:
        raise SystemExit(f"{path}: not readable as a notebook: {error}") from error


def write(notebook, path):
    """Write a notebook with the same line ends on every system."""
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="tools/lessons.py", description=__doc__)
    parser.add_argument("action", choices=("run", "check"))
    parser.add_argument("files", nargs="*", help="by default notebooks/*.ipynb")
    options = parser.parse_args(arguments)
    paths = find_lessons(options.files)
    whole = options.action == "check" and not options.files
    problems = texts.of_course(Path()) + quizzes.lengths() if whole else []
    for path in paths:
        if options.action == "run":
            run(path)
        else:
            problems += [f"{path}: {problem}" for problem in check(read(path))]
    for problem in problems:
        print(problem)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
