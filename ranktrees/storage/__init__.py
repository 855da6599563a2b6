"""Models as JSON: exactly what was fitted, readable, and without running anything from a file.

Numbers, text, lists and dictionaries are JSON's own. All else is an object with a "type": "tuple",
"array", "index" and so on, or a class of `CLASSES`, the only ones that are ever built. What occurs
in several places, as a schema or the training codes do, is stored once ("id", later "same").
"""

import json
from pathlib import Path

from ranktrees import __version__
from ranktrees.storage.classes import CLASSES, class_of
from ranktrees.storage.read import Reader, part_of, unknown
from ranktrees.storage.write import Writer

__all__ = ["CLASSES", "from_json", "load_model", "save", "to_json"]

FORMAT, VERSION = "ranktrees model", 1


def save(model, path) -> None:
    """Write a model, fitted or not, to a JSON file; TypeError as for `to_json`."""
    text = to_json(model)
    Path(path).write_text(text, encoding="utf-8", newline="\n")


def load_model(path):
    """The model of a file written by `save`; ValueError names the file and what is wrong in it."""
    try:
        return from_json(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:  # among them text that is not UTF-8
        raise ValueError(f"{path}: {error}") from error


def to_json(model) -> str:
    """A model as JSON text, the same text for the same model.

    Raises TypeError, naming the attribute, where something cannot be stored.
    """
    class_of(model, type(model).__name__)
    try:
        record = Writer().encode(model, type(model).__name__)
    except RecursionError as error:
        raise TypeError(
            f"{type(model).__name__} contains itself or is nested too deeply to be stored"
        ) from error
    head = {"format": FORMAT, "version": VERSION, "ranktrees": __version__}
    return _layout({**head, "model": record}) + "\n"


def from_json(text: str):
    """The model of a text by `to_json`; ValueError says where another text departs from that."""
    try:
        model = _checked(json.loads(text, parse_constant=_no_constant))
        return Reader().decode(model, model["type"])
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not JSON, or cut off: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from error
    except RecursionError as error:
        raise ValueError("not a model that ranktrees saved: it is nested too deeply") from error


def _checked(record):
    """The model's own part of a file of the right format and version."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError(f'not a model that ranktrees saved: no "format": "{FORMAT}"')
    if record.get("version") != VERSION:
        raise ValueError(
            f"format version {record.get('version')!r} was written by ranktrees "
            f"{record.get('ranktrees')}; this one, {__version__}, reads version {VERSION}: "
            "use a newer ranktrees, or save the model anew with this one"
        )
    model = part_of(record, "model", dict, "the file")
    if model.get("type") not in CLASSES:
        raise unknown(model.get("type"), "the file's model")
    return model


def _no_constant(name):
    raise ValueError(f"not a model that ranktrees saved: it has the bare number {name}")


def _layout(value, pad=""):
    """JSON text with a line for each part, but one line for what has no parts of its own."""
    parts = value.values() if isinstance(value, dict) else value
    if not isinstance(value, (dict, list)) or not any(isinstance(v, (dict, list)) for v in parts):
        return json.dumps(value)
    inner = pad + " "
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(k)}: {_layout(v, inner)}" for k, v in value.items()]
    else:
        lines = [f"{inner}{_layout(v, inner)}" for v in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return start + "\n" + ",\n".join(lines) + "\n" + pad + end
