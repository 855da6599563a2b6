"""Files of models that somebody edited at random and signed again, and how they behave."""

import hashlib
import json
import linecache
import re
import traceback
import warnings
from pathlib import Path

import numpy as np
from model_cases import table

import ranktrees as rt

ROOT = Path(__file__).parents[1]
FILES = (ROOT / "tests" / "golden" / "saved" / "0.3.0").glob("*.json")
SAVED = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FILES)}
del SAVED["expected"]
HOUSE = tuple(str(ROOT / room) for room in ("ranktrees", "ranktrees_engine", "ranktrees_files"))
NUMBERS = 0, -1, 1, 2, 3, 7, 127, 128, -129, 1 << 31, 10**12, -(10**12), 1 << 63, 10**40
NUMBERS += 0.0, -0.0, 0.5, -0.5, 1e-320, 1e16, 1e200, -1e308, float("nan"), float("inf")
TEXTS = "", "x", "no", "object", "bool", "int8", "uint64", "float32", "float64", "U1", "U1000000000"
TEXTS += (
    "interval",
    "numeric",
    "nominal",
    "ordinal",
    "value",
    "error",
    "impute",
    "mass",
    "none",
    "m",
)
TEXTS += "1e5", "wpe", "levenshtein", "jaccard", "edit", "cyclic", "V8", "M8[D]", "Encoder", "Tree"
PARTS = (
    *(None, True, False, [], {}, [[]], [None], "x", -1, 1.5, [0], [1, 2, 3], ["a", "a"]),
    {"tuple": []},
    {"set": [1, "a"]},
    {"dict": [["a", 1]]},
    {"dict": [["m", -1]]},
    {"interval": [0, 1, "right"]},
    {"index": ["object", None, ["a", "b"]]},
    {"index": ["interval", None, []]},
    {"array": ["int64", [0], []]},
    {"array": ["float64", [3], [0.0, 1.0, 2.0]]},
    {"array": ["object", [2], ["a", 1]]},
    {"array": ["int64", [10**12], []]},
    {"array": ["int64", [-1, 2], [1, 2]]},
    {"array": ["U1000000000", [1], ["a"]]},
    {"sparse": [{"array": ["int64", [1], [0]]}, {"array": ["int64", [1], [1]]}, [10**12]]},
    {"sparse": [{"array": ["int64", [1], [0]]}, {"array": ["int64", [1], [1]]}, [10**6, 10**6]]},
    {"scalar": ["float64", 1.5]},
    {"class": "AttributeInfo", "name": "x", "kind": "numeric"},
    {"class": "DecisionTree"},
)


def signed(text):
    """A text with the SHA-256 of its content, as an editor may write it on purpose."""
    text = re.sub(r'("sha256": ")\w*', r"\1", text, count=1)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return text.replace('"sha256": "', f'"sha256": "{sha256}', 1)


def edited(text, rng):
    """The text of a model with one to three random edits, signed again."""
    record = json.loads(text)
    edit = [_change, _nudge][rng.integers(2)]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        edit(record["model"], rng)
    return signed(json.dumps(record))


def _place(part, rng, stop):
    """The last object or list, and the key, of a walk from the top that may `stop` anywhere."""
    while True:
        keys = list(part) if isinstance(part, dict) else range(len(part))
        key = keys[rng.integers(len(keys))]
        if not isinstance(part[key], dict | list) or not part[key] or rng.random() < stop:
            return part, key
        part = part[key]


def _nudge(model, rng):
    """Change a number a little, or a double by much: what looks most like a right file."""
    part, key = _place(model, rng, 0)
    while not isinstance(part[key], int | float):
        part, key = _place(model, rng, 0)
    number = part[key]
    if isinstance(number, bool):
        part[key] = not number
    elif isinstance(number, int):
        part[key] += [-2, -1, 1, 2][rng.integers(4)]
    else:
        part[key] = [2 * number, number / 2, -number, 0.0, 1e300, 1e-300, 5e-324][rng.integers(7)]


def _change(model, rng):
    """Change any part of a model in any way."""
    part, key = _place(model, rng, 0.1)
    kind = rng.choice(["value", "value", "other", "copy", "place"])
    if kind == "other":
        part[key] = json.loads(json.dumps(PARTS[rng.integers(len(PARTS))]))
    elif kind == "copy":
        part[key] = json.loads(json.dumps(_somewhere(model, rng)))
    elif kind == "value":
        part[key] = _other_value(part[key], rng)
    else:
        _move(part, key, rng)


def _somewhere(part, rng):
    """Some part of a model."""
    while isinstance(part, dict | list) and part and rng.random() < 0.8:
        part = list(part.values() if isinstance(part, dict) else part)
        part = part[rng.integers(len(part))]
    return part


def _other_value(value, rng):
    """Another value of the same type, if it is a number or a text."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float) and rng.random() < 0.5:
        return value + [-1, 1, 0.5, 10][rng.integers(4)]
    if isinstance(value, str):
        return TEXTS[rng.integers(len(TEXTS))]
    return NUMBERS[rng.integers(len(NUMBERS))]


def _move(part, key, rng):
    """Delete, repeat, rename or exchange an item of a list or object."""
    if isinstance(part, dict):
        other = [*part][rng.integers(len(part))]
        if rng.random() < 0.3:
            part[TEXTS[rng.integers(len(TEXTS))]] = part.pop(key)
        elif rng.random() < 0.5:
            del part[key]
        else:
            part[key], part[other] = part[other], part[key]
        return
    other = int(rng.integers(len(part)))
    if rng.random() < 0.3:
        del part[key]
    elif rng.random() < 0.5:
        part.insert(other, part[key])
    else:
        part[key], part[other] = part[other], part[key]


def outcome(path):
    """What becomes of a file: "refused", "predicts", "input", or what is wrong."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            model = rt.load_model(path)
    except ValueError as error:
        return "refused" if str(error).startswith(f"{path}: ") else f"at load: {error!r:.100}"
    except Exception as error:
        return f"at load: {type(error).__name__}: {error!s:.100}"
    for X in inputs():
        try:
            p = predicted(model, X)
        except Exception as error:
            if not is_ours(error):
                return f"at prediction: {type(error).__name__}: {error!s:.100}"
            continue
        right = np.isfinite(p).all() and (p >= 0).all() and np.allclose(p.sum(axis=1), 1)
        if not right:
            return "at prediction: no probabilities"
    return "predicts"


def predicted(model, X):
    """Class probabilities of cases; of a belief network, the target's first node."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        if isinstance(model, rt.BayesNet):
            return model.predict_proba(X, next(iter(model.parents)))
        return model.predict_proba(X)


def inputs():
    """Cases with and without gaps, and with values that no model has seen."""
    X = table()[0].iloc[:8]
    new = X.fillna({"real": 0.5, "word": "p"}).astype({"word": object, "kind": object})
    new.loc[0, ["word", "kind"]] = "new"
    return X, new.assign(kind=new["kind"].fillna("a"))


def is_ours(error):
    """Whether an error is a ValueError or TypeError that the house itself raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno).strip()
    ours = last.filename.startswith(HOUSE) and line.startswith("raise")
    return isinstance(error, ValueError | TypeError) and ours
