"""The claims of a paper, one by one, each with its verdict: a table as text and as HTML."""

import tomllib
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import fill

import pandas as pd

from ranktrees_engine.basics import html
from ranktrees_engine.basics.arguments import check_number, choose
from ranktrees_lab.papers.catalog import PAPERS
from ranktrees_lab.papers.evidence import Evidence, NotMeasuredError
from ranktrees_lab.papers.figures import RULES
from ranktrees_lab.papers.files import results
from ranktrees_lab.papers.paper import PUBLISHED, check_rows
from ranktrees_lab.papers.rules import HOLDS, NOT_SHOWN, PARTLY, VERDICTS, Finding

CLAIMS = Path(__file__).parent / "claims"
MISSING, NO_VERDICT = "not measured yet", "not measured"
FIGURES = ["printed", "reproduced", "honest"]
COLUMNS = ["words", "where", "what", *FIGURES, "verdict", "rests_on"]
SIGNS = dict(zip(VERDICTS, "●◐○✕", strict=True)) | {NO_VERDICT: "–"}
LEFT = "text-align: left; vertical-align: top; padding: 0.2em 0.6em 0.2em 0; white-space:"
ONE_LINE, TEXT = f'style="{LEFT} nowrap"', f'style="{LEFT} normal; min-width: {{}}em"'
# Beside the verdict what it is of, since a page may be too narrow for all columns.
HTML = ["verdict", "honest", "printed", "reproduced"]
STYLES = dict.fromkeys(HTML, ONE_LINE) | {"rests_on": TEXT.format(22)}
CLAIM = f'style="{LEFT} normal; min-width: 15em; font-weight: normal"'
LEGEND = (
    "Verdicts are of the honest numbers. Whether A is better than B: Wilcoxon's test over the data "
    "sets, corrected by Holm, .05; and at least half of the printed size, else it holds partly."
)


def verdicts(paper: str, frame: pd.DataFrame | None = None) -> "Verdicts":
    """Judge every claim of a paper that a number can settle, beside what was measured.

    `paper` "wang2006", "su2004" or "martinez2010"; `frame` results as `read_results` gives them; if
    None, those that are kept with the project. Print the table, show it in a notebook, or take its
    `frame`, a row for each claim or printed entry of a table:

    - `words` as printed, `where` they stand, `what` of them this row judges;
    - `printed`; `reproduced`, measured in the paper's own way, its conventions and its leak
      included; `honest`, without the leak and by the corrected resampled t-test;
    - `verdict`, computed from the honest figures: "holds", "holds partly", "not shown", "does not
      hold" (or "not measured"), by the thresholds in `papers/rules.py` and `papers/figures.py`;
    - `rests_on`: test, number of sets, correction.

    Newton trees are judged by both readings of their split, as far as they are measured; where
    these disagree the claim "holds partly" if it does by one, else it is "not shown". The claims
    stand in `ranktrees_lab/papers/claims/`.

    >>> import ranktrees as rt
    >>> rt.papers.verdicts("su2004").frame.loc[0, ["printed", "honest", "verdict"]].tolist()
    ['10/19/0', '13/15/1 (p = .007)', 'holds']
    """
    choose("paper", paper, PAPERS)
    frame = results(paper)[1] if frame is None else frame
    check_rows(frame)
    said = tomllib.loads((CLAIMS / f"{paper}.toml").read_text(encoding="utf-8"))
    frame = _with_study(frame, said.get("study", []))
    evidence = {
        name: Evidence(part, PAPERS[paper], said["test"])
        for name, part in _readings(frame, said.get("readings", {})).items()
    }
    rows = [
        (claim["words"], claim["where"], *finding)
        for claim in said["claim"]
        for finding in _found(claim, evidence)
    ]
    return Verdicts(PAPERS[paper].title, pd.DataFrame(rows, columns=COLUMNS))


def _with_study(frame, methods):
    """Return results and those of some methods of our own study, made on the same folds."""
    if not methods:
        return frame
    study = results("path-bayes")[1]
    study = study[study["method"].isin(methods) & study["measure"].isin(frame["measure"].unique())]
    return pd.concat([frame, study.assign(reading=PUBLISHED)], ignore_index=True)


def _readings(frame, names):
    """Return {reading: the rows in which its method stands under the first one's name}.

    A method is named, or what its name contains.
    """
    if not names:
        return {"": frame}
    first, known = next(iter(names.values())), frame["method"].unique()
    methods = {
        name: next((m for m in known if m == text), next((m for m in known if text in m), text))
        for name, text in names.items()
    }
    parts = {}
    for name, method in methods.items():
        rest = frame[~frame["method"].isin(set(methods.values()) - {method})]
        parts[name] = rest.assign(method=rest["method"].replace(method, first))
    return parts


def _found(claim, evidence):
    """Return the findings of a claim, those of several readings put together."""
    given = {key: value for key, value in claim.items() if key not in ("words", "where", "rule")}
    found = {}
    for name, some in evidence.items():
        try:
            found[name] = RULES[claim["rule"]](some, **given)
        except NotMeasuredError:
            continue
    if not found:
        return [Finding("", str(claim.get("printed", "")), MISSING, MISSING, NO_VERDICT, "")]
    first = next(iter(found.values()))
    if len(found) == len(evidence) and all(some == first for some in found.values()):
        return first  # one reading, or a claim to which all are alike
    together = zip(*found.values(), strict=True)
    return [_joined(dict(zip(found, some, strict=True)), evidence) for some in together]


def _joined(found, names):
    """Combine the findings of several readings into one."""
    first, said = next(iter(found.values())), {one.verdict for one in found.values()}
    texts = {
        figure: "; ".join(
            f"{name} {getattr(found[name], figure) if name in found else MISSING}" for name in names
        )
        for figure in FIGURES[1:]
    }
    mixed = PARTLY if said & {HOLDS, PARTLY} else NOT_SHOWN
    return first._replace(**texts, verdict=mixed if len(said) > 1 else first.verdict)


@dataclass(frozen=True, eq=False, repr=False)
class Verdicts:
    """A paper's claims with their verdicts: `title` and `frame`, see `verdicts`."""

    title: str
    frame: pd.DataFrame

    def __repr__(self) -> str:
        return f"<Verdicts on {self.title}; {self._counted()}>"

    def __str__(self) -> str:
        return self.to_string()

    def _counted(self):
        counts = self.frame["verdict"].value_counts()
        return ", ".join(f"{name}: {counts[name]}" for name in SIGNS if name in counts)

    def to_string(self, width: int = 100) -> str:
        """Return the table as text, no line longer than `width` unless a word is."""
        check_number("width", width, 40, whole=True)
        parts = [fill(f"{self.title}; {self._counted()}", width)]
        for (words, where), part in self.frame.groupby(["words", "where"], sort=False):
            parts.append(fill(f'"{words}" ({where})', width))
            parts.append(_rows(part, width))
        return "\n\n".join(parts) + "\n"

    def evidence(self, row: int, width: int = 100) -> str:
        """Return words and figures of one row of `frame`, for readers who judge first."""
        check_number("width", width, 40, whole=True)
        check_number("row", row, 0, whole=True, most=len(self.frame) - 1)
        one = self.frame.loc[row]
        what = f", {one['what']}" * bool(one["what"])
        head = fill(f'"{one["words"]}" ({one["where"]}{what})', width)
        return "\n".join([head, *(_line(name, one[name], width) for name in FIGURES)])

    def _repr_html_(self) -> str:
        body = f"<p>{LEGEND}</p>{html.wide(self)}"
        return html.page(f"{self.title}; {self._counted()}", body)

    def to_html(self, border: int = 0) -> str:
        """Return the table as HTML with heads for its columns; a body of rows per claim."""
        heads = ["claim", *(name.replace("_", " ") for name in STYLES)]
        head = "".join(f'<th scope="col" {ONE_LINE}>{name}</th>' for name in heads)
        parts = self.frame.groupby(["words", "where"], sort=False)
        bodies = "".join(_body(*name, part) for name, part in parts)
        caption = '<caption style="text-align: left">Claims and verdicts</caption>'
        return f'<table border="{border}">{caption}<thead><tr>{head}</tr></thead>{bodies}</table>'


def _line(name, text, width):
    return fill(f"    {name:<12}{text}", width, subsequent_indent=" " * 16)


def _rows(part, width):
    """Return the rows of a claim as text: side by side if several have room, else in blocks."""
    table = part[["what", *FIGURES, "verdict"]].rename(columns={"what": ""})
    lines = table.to_string(index=False, justify="left", formatters=_padded(table)).splitlines()
    if len(part) > 1 and max(map(len, lines)) <= width - 4:
        rests = [_line("rests on", text, width) for text in part["rests_on"].unique()]
        return "\n".join([*(f"    {line}".rstrip() for line in lines), "", *rests])
    return "\n\n".join(_block(row, width) for row in part.itertuples(index=False))


def _padded(table):
    """Align the texts of each column at the left."""
    return {name: f"{{:<{table[name].str.len().max()}}}".format for name in table}


def _block(row, width):
    """Return one row as text: what of the claim is judged, then a line per figure."""
    what = [f"  {row.what}"] if row.what else []
    names = *FIGURES, "verdict", "rests_on"
    lines = [_line(name.replace("_", " "), getattr(row, name), width) for name in names]
    return "\n".join([*what, *lines])


def _body(words, where, part):
    """Return the rows of one claim; those of a table follow the words that they belong to."""
    rows, claim = [], f"“{escape(words)}” <small>{escape(where)}</small>"
    if part["what"].any():
        head = f'<th scope="rowgroup" colspan="6" {CLAIM}>{claim}</th>'
        rows.append(f"<tr>{head}</tr>")
    for row in part.itertuples(index=False):
        texts = {name: _lines(getattr(row, name)) for name in STYLES}
        texts["verdict"] = f"{SIGNS[row.verdict]} {texts['verdict']}"
        data = "".join(f"<td {STYLES[name]}>{text}</td>" for name, text in texts.items())
        first = escape(row.what) or claim
        rows.append(f'<tr><th scope="row" {CLAIM}>{first}</th>{data}</tr>')
    return f"<tbody>{''.join(rows)}</tbody>"


def _lines(text):
    """Return HTML of a text whose parts stand below one another."""
    return "<br>".join(map(escape, text.split("; ")))
