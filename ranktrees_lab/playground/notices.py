"""What is doubtful or wrong in a file, in plain words, and buttons that read it differently."""

import ast
import re
from collections.abc import Callable
from contextlib import suppress

from ranktrees_files.doubts import Doubt
from ranktrees_lab.live import widgets
from ranktrees_lab.playground.views import safe

MOST = 5  # columns that a sentence names
SAID = {
    "header": "The first line looks like a case, not like names",
    "comment": "The first line is a comment",
    "class": "Too many values for a class",
    "numbers": "Numbers are read as text",
    "mixed": "Numbers are mixed with text",
    "dates": "Dates are read as text",
    "identifier": "The values only number or name the cases",
    "constant": "There is only one value",
    "empty": "There is no value at all",
}
USUAL = {"header": "header=None", "class": "different values"}  # of other ones say what they say
DOES = {  # what a keyword of `rt.read_csv` does; `_words` has those that depend on the value
    "header": "The header is line {}",
    "comment": "Leave out lines that begin with “{}”",
    "sep": "Columns are separated by {}",
    "skiprows": "Leave out {}",
    "encoding": "Read the letters as {}",
    "on_bad_lines": "Leave out rows that are too long",
    "missing_class": "Leave out rows without a class",
    "dtype": "Read {} as names",
    "index_col": "The first column names the rows",
    "decimal": "Read “{}” as the decimal mark",
    "thousands": "Read “{}” as the mark of thousands",
    "numbers": "Read {} as numbers",
    "na_values": "Treat “{}” as missing",
    "drop": "Leave out {}",
    "cut": "Cut {target} into {} classes",
}
VALUE = r"""(None|\d+|\[[^\]]*\]|\{[^}]*\}|"[^"]*"|'[^']*')"""
KEYWORD = re.compile(rf"\b({'|'.join(DOES)})={VALUE}")
ADVICE = re.compile(rf"([:;] [^:;]*\b({'|'.join(DOES)})=|, [^:;,]*\bmax_cells=).*", re.DOTALL)
ROW = {"flex_flow": "row wrap", "align_items": "center"}  # side by side where there is room
SPACE = {r"\s+": "blanks", "\t": "tabs"}


class Notices(widgets.VBox):
    """A list of sentences, each with its buttons; a button calls `read(file, remedies)`."""

    def __init__(self, read: Callable):
        super().__init__()
        self.add_class("rt-notices")
        self.read = read

    def show(self, file, chosen: tuple, told: list, words: list[str] = (), refused=False) -> None:
        """Show (sentence, remedies), what was chosen, with a way back, and other `words`."""
        lines = []
        for text, offered in told:
            buttons = [self._button(label(one), file, (*chosen, one)) for one in offered]
            head = "This file cannot be used: " * refused
            lines.append(widgets.HBox([widgets.HTML(said(text, head)), *buttons], layout=ROW))
        if chosen:
            done = "; ".join(map(label, chosen))
            undo = self._button("Undo", file, chosen[:-1])
            lines.append(widgets.HBox([widgets.HTML(said(f"Done: {done}.")), undo], layout=ROW))
        self.children = [*lines, *(widgets.HTML(said(text)) for text in words)]

    def _button(self, text, file, remedies):
        button = widgets.Button(description=text, layout={"width": "auto"})
        button.on_click(lambda _: self.read(file, remedies))
        return button


def remedies_of(doubt: Doubt, options: dict) -> list[dict]:
    """Return the remedies beyond these options; a column of numbers and text can be left out."""
    remedy = {"drop": list(doubt.columns)} if doubt.kind == "mixed" else doubt.remedy
    remedy = {name: _beyond(value, options.get(name)) for name, value in remedy.items()}
    remedy = dict(item for item in remedy.items() if item not in options.items())
    return [remedy] if remedy else []


def _beyond(value, earlier):
    """What a list has beyond an earlier one."""
    both = isinstance(value, list) and isinstance(earlier, list)
    return [one for one in value if one not in earlier] if both else value


def sentence(doubt: Doubt) -> str:
    """Return a doubt without the names of keywords, which the button sets."""
    if doubt.kind not in SAID or USUAL.get(doubt.kind, "") not in doubt.sentence:
        return f"{ADVICE.sub('', doubt.sentence)}."
    return SAID[doubt.kind] + (f": {some(doubt.columns)}." if doubt.columns else ".")


def plain(error: Exception) -> str:
    """Say what went wrong, without the advice for programmers."""
    if isinstance(error, MemoryError):
        return "There is too little memory: a sample of the rows, or fewer columns, will do."
    return ADVICE.sub("", str(error)) or "Something went wrong that has no name here."


def offers(error: Exception, header: dict | None = None) -> list[dict]:
    """Return the keywords with values in an error's advice: each is a remedy.

    The one that finds the `header` below a title takes the place of those that skip lines.
    """
    found, remedies = dict(KEYWORD.findall(str(error))), []
    for name in DOES:
        with suppress(KeyError, SyntaxError, ValueError):  # a long value is cut in messages
            remedies.append({name: ast.literal_eval(found[name])})
    if not header or {"comment": "#"} in remedies:
        return remedies
    return [header, *(one for one in remedies if not one.keys() & {*header, "index_col"})]


def label(remedy: dict) -> str:
    """Say what a button does with the file."""
    does = [_words(name, value, remedy) for name, value in remedy.items() if name != "target"]
    does = does or [f"The class is {some(remedy['target'])}"]
    return ", ".join([does[0], *(text[0].lower() + text[1:] for text in does[1:])])


def _words(name, value, remedy):
    """What a keyword with its value does; the keyword itself where it is none of those known."""
    if name == "header" and value is None:
        return "The first line is a case"
    if name == "header" and isinstance(value, int):
        return DOES[name].format(value + 1)
    if name == "skiprows" and isinstance(value, int):
        if value > 1 and "header" not in remedy:
            return DOES["header"].format(value + 1)
        return DOES[name].format(f"the first {value} lines" if value > 1 else "the first line")
    if name == "skiprows":
        rows = value if isinstance(value, list | tuple) else [value]
        return DOES[name].format(f"line {some([row + 1 for row in rows])}")
    if name == "na_values" and isinstance(value, dict):
        parts = [f"“{some(marks)}” in {some(column)}" for column, marks in value.items()]
        return f"Treat {some(parts)} as missing"
    if name == "dtype":
        columns = [*value] if isinstance(value, dict) else ["all columns"]
        return DOES[name].format(some(columns))
    if name in DOES:
        return DOES[name].format(some(value), target=remedy.get("target"))
    return f"Read with {name}={value!r:.60}"


def some(value) -> str:
    """Return a value, or the first of several with the number of others."""
    names = [str(name) for name in (value if isinstance(value, list | tuple) else [value])]
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(SPACE.get(name, name)[:40] for name in names[:MOST]) + more


def said(text: str, head: str = "") -> str:
    """Return a line that a screen reader reads; `head` comes before what went wrong."""
    role = "alert" if head else "status"
    return f'<p role="{role}"><b>{head}</b>{safe(text)}</p>'
