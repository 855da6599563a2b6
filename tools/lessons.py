"""Keep the lessons in order: `python tools/lessons.py run|strip|check [files]`.

A lesson is an executed notebook; how an exercise is laid out says `ranktrees.teach.student`, which
cuts the copies for students.
"""

import argparse
import re
import sys

from ranktrees.teach.student import METADATA, find_lessons, tags

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
REPR = re.compile(r"<.*>|[\w.]+\(.*\)", re.DOTALL)
ALT = re.compile(r"""<img[^>]*\balt=(["'])\s*[^\s"'][^>]*\1""")
MARKS = {"nbval-ignore-output", "nbval-skip"}
COMMENTS = re.compile(r"^# *(NBVAL_IGNORE_OUTPUT|NBVAL_SKIP)", re.MULTILINE)
CELLS = range(40, 71)
EXERCISES = 3
IGNORED = 1
SECONDS = 60


def run(path):
    """Execute the notebook in its own folder, in place; stop at an error or a cell of over 60 s."""
    notebook = execute(read(path), path.parent)
    write(strip(notebook), path)


def execute(notebook, folder):
    """Run all cells with this interpreter; nbclient's error shows the cell that failed."""
    from nbclient import NotebookClient

    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
        kernel_manager_class=_kernel_manager(),
    )
    return client.execute()


def _kernel_manager():
    """A manager that starts this interpreter, whatever kernels the user has installed."""
    from ipykernel.kernelspec import get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class ThisInterpreter(AsyncKernelManager):
        @property
        def kernel_spec(self):
            return KernelSpec(**get_kernel_dict())

    return ThisInterpreter


def strip(notebook):
    """Take out what needs a kernel or differs by machine; pictures, text and counts stay.

    A picture stays as PNG and as HTML with its alt text, which JupyterLab and nbconvert prefer.
    """
    import nbformat

    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
    return notebook


def check(notebook):
    """Return one sentence for each rule of form that the notebook breaks."""
    rules = _form, _executed, _outputs, _exercises, _ignored
    return [problem for rule in rules for problem in rule(notebook)]


def _form(notebook):
    import nbformat

    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        yield f"not a valid notebook: {str(error).splitlines()[0]}"
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        yield f"nbformat {notebook.nbformat}.{notebook.nbformat_minor}, not 4.5 (stable cell ids)"
    if len(notebook.cells) not in CELLS:
        yield f"{len(notebook.cells)} cells, not {CELLS[0]} to {CELLS[-1]}"
    if notebook.metadata.get("kernelspec") != METADATA["kernelspec"]:
        yield "metadata.kernelspec is not the plain python3: JupyterLab would ask for a kernel"


def _executed(notebook):
    for expected, cell in enumerate(code_cells(notebook), start=1):
        if cell.execution_count != expected:
            yield f"{place(notebook, cell)}: execution count {cell.execution_count}, not {expected}"


def _outputs(notebook):
    if "widgets" in notebook.metadata:
        yield "metadata.widgets is stored: strip it"
    for cell in code_cells(notebook):
        for output in cell.outputs:
            where, data = place(notebook, cell), output.get("data", {})
            if output.output_type == "error":
                yield f"{where}: stored error {output.ename}: {output.evalue}"
            if WIDGET_VIEW in data:
                yield f"{where}: a widget view is stored: strip it"
            if "image/png" in data and not has_text(data):
                yield f"{where}: a picture without a text alternative"


def _exercises(notebook):
    answers = [i for i, cell in enumerate(notebook.cells) if "answer" in tags(cell)]
    if len(answers) < EXERCISES:
        yield f'{len(answers)} cells tagged "answer", fewer than {EXERCISES}'
    for i in answers:
        trio = notebook.cells[i : i + 3]
        where = place(notebook, trio[0])
        if "..." not in trio[0].source:
            yield f"{where}: an answer without `...` to fill in"
        if len(trio) < 2 or trio[1].cell_type != "code" or "rt.check" not in trio[1].source:
            yield f"{where}: an answer whose next cell is no rt.check"
        if len(trio) < 3 or "solution" not in tags(trio[2]):
            yield f'{where}: an answer without a cell tagged "solution" two cells on'


def _ignored(notebook):
    cells = code_cells(notebook)
    count = sum(bool(MARKS & tags(cell) or COMMENTS.search(cell.source)) for cell in cells)
    if count > IGNORED:
        yield f"{count} cells are left out of nbval's comparison, more than {IGNORED}"


def has_text(data):
    """Whether a picture's MIME bundle says in words what it shows; a repr does not.

    >>> has_text({"image/png": "", "text/plain": "<Figure size 640x480 with 1 Axes>"})
    False
    >>> has_text({"image/png": "", "text/plain": "Gini and entropy over p: both peak at one half."})
    True
    >>> has_text({"image/png": "", "text/html": '<img src="x.png" alt="A tree of three leaves">'})
    True
    """
    text = data.get("text/plain", "").strip()
    if text and not REPR.fullmatch(text):
        return True
    return ALT.search(data.get("text/html", "")) is not None


def code_cells(notebook):
    """Return the code cells in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def place(notebook, cell):
    """Say where a cell stands, counted from 1, and how it begins."""
    number = next(i for i, other in enumerate(notebook.cells, start=1) if other is cell)
    first = cell.source.strip().split("\n")[0]
    return f"cell {number} ({first[:40]!r})"


def read(path):
    """Read a notebook (nbformat 4); errors name the file."""
    import nbformat

    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except (OSError, UnicodeDecodeError, nbformat.reader.NotJSONError) as error:
        raise SystemExit(f"{path}: not readable as a notebook: {error}") from error


def write(notebook, path):
    """Write a notebook with the same line ends on every system."""
    import nbformat

    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="tools/lessons.py", description=__doc__)
    parser.add_argument("action", choices=("run", "strip", "check"))
    parser.add_argument("files", nargs="*", help="by default notebooks/*.ipynb")
    options = parser.parse_args(arguments)
    problems = 0
    for path in find_lessons(options.files):
        if options.action == "run":
            run(path)
        elif options.action == "strip":
            write(strip(read(path)), path)
        else:
            for problem in check(read(path)):
                problems += 1
                print(f"{path}: {problem}")
    return int(problems > 0)


if __name__ == "__main__":
    sys.exit(main())
