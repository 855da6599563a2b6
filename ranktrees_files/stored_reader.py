"""Reading what a file of JSON holds: each value by its kind or class, each error by its field."""

from collections.abc import Callable
from typing import Any

from ranktrees_files.stored_rules import WRONG
from ranktrees_files.stored_values import KINDS, MOST_CELLS, PLAIN, cells_of

__all__ = ["Reader"]


class Reader:
    """Makes the values of a file, and counts the memory that they take beyond what it lists.

    `build(cls, parts)` makes an object of one of the `classes`, by their names in files.
    """

    def __init__(self, classes: dict[str, type], build: Callable[[type, dict], object]):
        self.room, self.classes, self.build = MOST_CELLS, classes, build

    def value(self, record: Any) -> Any:
        """Return what a value of JSON stands for; ValueError, naming the field, if nothing."""
        if type(record) is list:
            if {*map(type, record)} <= PLAIN:
                return record
            return [self._part(f"[{i}]", part) for i, part in enumerate(record)]
        if type(record) is not dict:
            return record
        if "class" in record:
            return self._of_class(record)
        if len(record) != 1:
            what = ", ".join(record) or "nothing"
            raise ValueError(f"too many values or none: an object has a kind, not {what:.60}")
        ((kind, parts),) = record.items()
        return self._of_kind(kind, parts)

    def _of_class(self, record):
        name = record["class"]
        if not isinstance(name, str) or name not in self.classes:
            raise ValueError(f"{name!r:.60} is not a class that is stored")
        parts = {
            key: part if type(part) in PLAIN else self._part(f"{name}.{key}", part)
            for key, part in record.items()
            if key != "class"
        }
        return self.build(self.classes[name], parts)

    def _of_kind(self, kind, parts):
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is not a kind of value")
        try:
            self.room -= cells_of(kind, parts)
            if self.room < 0:
                raise ValueError(f"more than {MOST_CELLS:,} cells of memory in all")
            parts = [part if type(part) in PLAIN else self.value(part) for part in parts]
            return KINDS[kind].make(*parts)
        except WRONG as error:
            raise ValueError(f"this cannot be read as {kind}: {error}") from error

    def _part(self, where, part):
        try:
            return self.value(part)
        except WRONG as error:
            raise ValueError(f"{where}: {error}") from error
