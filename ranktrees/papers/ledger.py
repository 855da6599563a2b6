"""Results on disk, appended as they come: nothing that was finished is lost or done twice.

A results file is CSV below two comment lines: the format, and the settings as JSON. A *unit* of
work, such as one run on one data set, is written in one piece and forced to the disk. What a killed
process left behind, a line without its end or half a unit, is dropped when the file is opened next,
and that unit is computed again. The finished file is sorted, so that it is the same however the
work was interrupted or shared out.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ranktrees.papers.disk import (
    Appender,
    FileLock,
    LedgerError,
    cannot_write,
    check_writable,
    replace_file,
)
from ranktrees.papers.stored import COLUMNS, FORMAT, split_file

SEPARATORS = ',"\n\r'


class Ledger:
    """The results file at `path`, open for one process; use it in a `with`.

    `settings`: JSON values that identify the work, "paper" and "version" among them; `plan`: for
    each unit the keys of its rows (`COLUMNS` without the value), in the order in which a finished
    file has them. LedgerError where the file is in use, belongs to other work, or cannot be
    written. `mended` counts the lines that were dropped on opening.
    """

    def __init__(self, path, settings: Mapping, plan: Mapping[tuple, Sequence[tuple]]):
        self.path = Path(path).resolve() if Path(path).is_symlink() else Path(path)
        self.settings = json.loads(json.dumps(settings))
        self.plan = {unit: [_line_start(key) for key in keys] for unit, keys in plan.items()}
        self.done: dict[tuple, list[str]] = {}
        self.mended = 0

    def __enter__(self) -> "Ledger":
        check_writable(self.path)
        try:
            self._lock = FileLock(self.path.with_name(self.path.name + ".lock"), self.path)
        except LedgerError:
            raise
        except OSError as error:
            raise cannot_write(self.path, error) from error
        try:
            fresh = not self.path.exists() or self.path.stat().st_size == 0
            if not fresh:
                self._read()
            if fresh or self.mended:
                self._rewrite(self.done)
            self._file = Appender(self.path)
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(self, *error):
        self._file.close()
        self._lock.release()

    @property
    def pending(self) -> list[tuple]:
        """The units that are still to be done, in the order of the plan."""
        return [unit for unit in self.plan if unit not in self.done]

    def write(self, unit: tuple, values: Sequence[float]) -> None:
        """Append a unit, a value for each of its keys; it is on the disk when this returns.

        ValueError for a unit written before or another number of values, LedgerError for a full
        disk.
        """
        if unit in self.done:
            raise ValueError(f"unit {unit} has been written before")
        pairs = zip(self.plan[unit], values, strict=True)
        lines = [f"{start}{float(value)!r}\n" for start, value in pairs]
        self._file.write("".join(lines))
        self.done[unit] = lines

    def finish(self) -> None:
        """Bring the complete file into the order of the plan; LedgerError if units are pending."""
        if self.pending:
            raise LedgerError(f"{len(self.pending)} of {len(self.plan)} units are not done yet")
        self._file.close()  # Windows replaces no open file
        try:
            self._rewrite(self.plan)
        finally:
            self._file = Appender(self.path)

    def _read(self):
        """Take over complete units; all other lines are to be dropped."""
        settings, lines = split_file(self.path)
        _check_settings(self.path, settings, self.settings)
        unit_of = {start: unit for unit, starts in self.plan.items() for start in starts}
        found: dict[tuple, dict[str, str]] = {}
        twice = set()
        for line in lines:
            start = line[: line.rfind(",") + 1]
            unit = unit_of.get(start)
            if unit is not None and _is_value(line[len(start) :]):
                rows = found.setdefault(unit, {})
                twice |= {unit} if start in rows else set()
                rows[start] = line
        for unit, rows in found.items():
            if len(rows) == len(self.plan[unit]) and unit not in twice:
                self.done[unit] = [rows[start] for start in self.plan[unit]]
        self.mended = len(lines) - sum(map(len, self.done.values()))

    def _rewrite(self, units: Iterable[tuple]):
        head = [FORMAT, f"# {json.dumps(self.settings, sort_keys=True)}", ",".join(COLUMNS)]
        text = "\n".join(head) + "\n" + "".join(x for unit in units for x in self.done[unit])
        if not self.path.exists() or self.path.read_bytes() != text.encode():
            replace_file(self.path, text.encode())


def _line_start(key):
    texts = [str(part) for part in key]
    if len(texts) != len(COLUMNS) - 1:
        raise ValueError(f"a row needs the keys {', '.join(COLUMNS[:-1])}, not {key}")
    for text in texts:
        if any(mark in text for mark in SEPARATORS):
            raise ValueError(f"a name in a results file has no comma, quote or line end: {text!r}")
    return ",".join(texts) + ","


def _is_value(text):
    """Whether a line's end is a whole number in full precision, its line end included."""
    try:
        return f"{float(text)!r}\n" == text
    except ValueError:
        return False


def _check_settings(path, found, wanted):
    for name in ("paper", "version", *sorted(wanted)):
        if found.get(name) != wanted.get(name):
            raise LedgerError(
                f"{path} holds other results: its {name} is {_short(found.get(name))}, not "
                f"{_short(wanted.get(name))}; name another file with --out"
            )


def _short(value):
    text = json.dumps(value, sort_keys=True)
    return text if len(text) <= 80 else f"{text[:77]}..."
