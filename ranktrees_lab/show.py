"""Functions of `ranktrees.plain` in a lesson, as their files have them: `rt.show`."""

import html
import inspect
from pathlib import Path
from types import ModuleType

from ranktrees_engine.basics.arguments import check_text
from ranktrees_lab.hint import shell

SHOWN = "rt-source"  # the class of the shown code in an output's HTML
FOLDER = "plain"  # beside the lessons: copies of the files, which links open
# JupyterLab's and the site's colours of code, by day and by night.
STYLE = """<style>
.rt-source pre {margin: 0; padding: 4px 0; background: none; overflow-x: auto;
  font: var(--jp-code-font-size, 13px)/1.3 var(--jp-code-font-family, ui-monospace, monospace)}
.rt-source p {margin: 4px 0 0; font-size: 90%}
.rt-source :is(.k, .kn, .kc, .kd, .ow) {
  color: var(--jp-mirror-editor-keyword-color, light-dark(#8b1a89, #d8a6ff))}
.rt-source :is(.s, .s1, .s2, .sd, .sa) {
  color: var(--jp-mirror-editor-string-color, light-dark(#0a5c2c, #9be3a8))}
.rt-source :is(.c, .c1) {font-style: italic;
  color: var(--jp-mirror-editor-comment-color, light-dark(#575266, #b0a9c2))}
.rt-source :is(.mi, .mf) {
  color: var(--jp-mirror-editor-number-color, light-dark(#9a3412, #ffc48a))}
.rt-source :is(.nf, .nc) {font-weight: bold;
  color: var(--jp-mirror-editor-def-color, light-dark(#0b4f9c, #8cc8ff))}
</style>"""


def show(thing: object, *more: object, since: str | None = None, until: str | None = None) -> None:
    """Show functions or classes of `ranktrees.plain` as their files have them, with links to these.

    A long function is shown in parts: from the first line that contains the text `since`, up to
    the next that contains `until`, which is left out. TypeError for what has no source there;
    ValueError if no line contains such a text.
    """
    parts = {"since": since, "until": until}
    check_text(**{name: words for name, words in parts.items() if words is not None})
    for source in [Source(each, since, until) for each in (thing, *more)]:
        source.display()


class Source:
    """The lines of a function or class, and where they stand in the package."""

    def __init__(self, thing: object, since: str | None = None, until: str | None = None):
        self.file = _file(thing)
        lines, first = inspect.getsourcelines(thing)  # type: ignore[arg-type]
        start = _line("since", lines, since, 0) if since is not None else 0
        stop = _line("until", lines, until, start + 1) if until is not None else len(lines)
        self.text = "".join(lines[start:stop]).rstrip("\n")
        whole = since is None and until is None
        self.part = "" if whole else f"a part of {getattr(thing, '__name__', '')}: "
        self.first = max(first, 1) + start
        self.last = self.first + self.text.count("\n")

    def display(self) -> None:
        """Display the lines in a notebook, or print them elsewhere."""
        if shell() is None:
            print(self.text)
            return
        from IPython.display import display

        display(self)

    def _repr_html_(self):
        """Return coloured HTML with a link to the file."""
        where = f"ranktrees/{FOLDER}/{self.file}"
        lines = f"{where}, lines {self.first} to {self.last}"
        return (
            f'{STYLE}<div class="{SHOWN}"><pre>{coloured(self.text)}</pre>'
            f'<p>{self.part}<a href="{FOLDER}/{self.file}">{lines}</a></p></div>'
        )

    def __repr__(self) -> str:
        return self.text


def coloured(text: str) -> str:
    """Return Python as HTML whose words have Pygments' classes; without Pygments, uncoloured."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return html.escape(text)
    return highlight(text, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")


def sources_folder() -> Path:
    """Return the folder of `ranktrees.plain`."""
    return Path(__file__).resolve().parent.parent / "ranktrees" / FOLDER


def shown_texts(outputs: list[dict]) -> list[str]:
    """Return the lines of code that `show` displays in a cell's outputs."""
    found = [output.get("data", {}) for output in outputs]
    marked = f'class="{SHOWN}"'
    return [
        "".join(data["text/plain"])
        for data in found
        if marked in "".join(data.get("text/html", ""))
    ]


def _file(thing):
    """Return the name of the file of `ranktrees.plain` that holds a thing."""
    module = thing if isinstance(thing, ModuleType) else inspect.getmodule(inspect.unwrap(thing))
    package, _, name = getattr(module, "__name__", "").rpartition(".")
    if package != f"ranktrees.{FOLDER}" or not hasattr(thing, "__name__"):
        raise TypeError(f"thing must be a function, class or file of rt.plain, not {thing!r:.80}")
    return f"{name}.py"


def _line(name, lines, words, start):
    """Return the number of the first line, from `start` on, that contains these words."""
    for number, line in enumerate(lines[start:], start):
        if words in line:
            return number
    raise ValueError(f"{name}: no line{' below' if start else ''} contains {words!r:.80}")
