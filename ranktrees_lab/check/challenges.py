"""Challenges: an answer should break a sentence of a lesson, on splits not seen before."""

import ctypes
import sys
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pandas as pd

from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_files.dataset import Dataset
from ranktrees_lab.check import base, breaking
from ranktrees_lab.check.answers import Unclear, Untouched, alone, count, form, number
from ranktrees_lab.data import datasets
from ranktrees_lab.progress import note

FILE = Path(__file__).parent / "challenges.toml"
SECONDS = 10
MOST = 2000  # cases
FIRST = 70_000  # seed of the first fresh split; each wrong try gets splits of its own
USUAL = {"splits": 20, "needs": 15}
WRONG = Counter()  # tries of each challenge
TABLE = "a set's name, a table with the class in its last column, or a function of a seed"


@dataclass
class Trial:
    """The results on each fresh split so far and with the given seed, and what went wrong."""

    found: list[bool] = field(default_factory=list)
    yours: bool | None = None
    error: BaseException | None = None


def challenge(key: str, answer: object = ...) -> base.Verdict:
    """Check an answer that should break a sentence, such as "02.small"; `...` shows the task.

    It is tried on fresh splits for ten seconds at most. A result with a `seed`, the last part of an
    answer, must hold with other seeds. Raises ValueError for an unknown key, listing all.
    """
    if key not in (tasks := all_tasks()):
        raise ValueError(f"no challenge {key!r}: there are {', '.join(tasks)}")
    task, trial = tasks[key], Trial()
    try:
        given = read(answer, task)
        seed, judge = given.pop("seed", None), getattr(breaking, task["judge"])
        with WarnOnce():
            _in_time(lambda: _judge(judge, given, seed, FIRST + 1000 * WRONG[key], task, trial))
        if trial.error:
            raise trial.error
        verdict = _verdict(task, trial, seed)
    except Untouched:
        text = f"“{task['sentence']}” Break it: give {task['give']}, such as {task['form']}."
        return base.Verdict(None, text)
    except Unclear as error:
        return base.Verdict(False, str(error))
    except Exception as error:
        text = f"Your answer could not be judged: {type(error).__name__}: {error}"
        return base.Verdict(False, text)
    WRONG[key] += not verdict
    if verdict and base.PATIENCE:
        note("exercises", key)
    return verdict


@cache
def all_tasks() -> dict[str, dict]:
    """Return all challenges by key: sentence, what to give, form, fields, judge, splits."""
    tasks = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {key: {**USUAL, **task} for key, task in tasks.items()}


def read(answer: object, task: dict) -> dict:
    """Read the fields of an answer: alone, in a tuple, in a dict; `seed` may come last."""
    if answer is ...:
        raise Untouched
    needed = task["fields"]
    fields = needed if "seed" in needed else [*needed, "seed"]
    if isinstance(answer, Mapping):
        given = dict(answer)
    elif isinstance(answer, list | tuple):
        given = dict(zip(fields, answer, strict=False)) if len(answer) <= len(fields) else {}
    else:
        given = {fields[0]: answer}
    text = f"Give {task['give']}, such as {task['form']}."
    form(set(needed) <= set(given) <= set(fields), text)
    form(not _is_swapped(given, needed), f"{text} Yours are in the other order.")
    return {name: _field(name, value) for name, value in given.items()}


def _field(name, value):
    value = alone(value) if not isinstance(value, pd.DataFrame) else value
    if name == "data":
        return _data(value)
    if name in LIMITS:
        least, most = LIMITS[name]
        whole = count(value, most, f"{name}: ")
        form(whole >= least, f"{name}: Give a number of at least {least}.")
        return whole
    if name == "confidence":
        return number(value, f"{name}: ", share=True)
    if name == "attribute":
        return str(value).strip()
    if name == "model":
        return _model(value)
    form(callable(value), f"{name}: {value!r:.60} is none.")
    return value


def _model(value):
    """Check a model; a class, or the name of one, gets a sentence of its own."""
    said = f"model: {value!r:.60} is none."
    if isinstance(value, type):
        said = f"model: {value.__name__} is a class: with brackets it is a model, as in rt.C45()."
    elif isinstance(value, str):
        said = f"model: {value!r:.40} is text: give the model itself, as in rt.C45()."
    is_one = not isinstance(value, type) and hasattr(value, "fit")
    form(is_one and hasattr(value, "predict_proba"), said)
    return value


def _is_swapped(given, needed):
    """Return whether a pair has the name of a set in second place, and none in first."""
    first, second = [given[name] for name in (*needed, *needed)[:2]]
    if needed[0] != "data" or not (isinstance(first, str) and isinstance(second, str)):
        return False
    known = set(datasets()["name"])
    return second.strip() in known and first.strip() not in known


LIMITS = {"depth": (1, 50), "function": (1, 10), "rows": (100, 4000), "seed": (0, 2**31)}


def _data(value):
    """Check a data set; a function of a seed stays one, and is tried once."""
    if callable(value):
        _data(value(1))
        return lambda seed: _data(value(seed))
    if isinstance(value, str):
        return base.known_set(value, MOST)
    if isinstance(value, pd.DataFrame):
        value = Dataset(value.iloc[:, :-1], pd.Categorical(value.iloc[:, -1]), "your table")
    form(isinstance(value, Dataset), f"Give {TABLE}, not {type(value).__name__}.")
    form(len(value) <= MOST, f"Give at most {MOST} cases, not {len(value)}.")
    return value


def _judge(judge, given, seed, first, task, trial):
    """Fill in the trial, split by split."""
    try:
        if seed is not None:
            trial.yours = bool(judge(seed, **given))
            form(trial.yours is task.get("own", trial.yours), task.get("unless", ""))
        for fresh in range(first, first + task["splits"]):
            trial.found.append(bool(judge(fresh, **given)))
    except BaseException as error:  # of a thread, or it would be lost
        trial.error = error


class _Late(BaseException):
    """The time is over; no `except Exception` of an answer takes it."""


def _in_time(work):
    """Do something in a thread of its own; after ten seconds it is stopped, or left alone."""
    thread = threading.Thread(target=copy_context().run, args=(work,), daemon=True)
    try:
        thread.start()
    except RuntimeError:  # a browser has none
        _traced(work)
        return
    thread.join(SECONDS)
    if thread.is_alive():
        late = ctypes.py_object(_Late)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), late)
        thread.join(0.5)
        raise Unclear(LATE.format(SECONDS))


def _traced(work):
    """Do something here; after ten seconds it is stopped at its next line or call."""
    end, before, late = time.monotonic() + SECONDS, sys.gettrace(), []

    def look(frame, event, argument):
        if time.monotonic() > end:
            late.append(event)
            raise _Late
        # line by line, which is slow, only in the code of a notebook
        return None if frame.f_code.co_filename.startswith(INSTALLED) else look

    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(before)
    if late:
        raise Unclear(LATE.format(SECONDS))


# How the names of files begin that are not the answer's own: ours, packages, Python's.
OUR = Path(__file__).parents[2] / "ranktrees"
INSTALLED = (str(OUR), str(Path(pd.__file__).parents[1]), str(Path(tomllib.__file__).parents[1]))
LATE = "After {} seconds this was not judged on all splits: give something smaller or faster."


def _verdict(task, trial, seed):
    k, n, needs = sum(trial.found), len(trial.found), task["needs"]
    text = f"On {k} of {n} fresh splits {task['found']}"
    if k >= needs:
        return base.Verdict(True, f"{text}: the sentence does not hold.")
    text += f"; {needs} are asked for."
    if trial.yours:
        text += (
            f" With your seed {seed} it is so: that was found by trying seeds, and others differ."
        )
    return base.Verdict(False, text)
