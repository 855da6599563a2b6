"""The bank's clients for a student, and the submission of rankings."""

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ranktrees_engine.basics.arguments import as_path, check_flag, number_row
from ranktrees_lab.sealed.bank import BOARD, CLASSES, RANKED, Bank, bank
from ranktrees_lab.sealed.kept import FILE, load, read, save, write
from ranktrees_lab.sealed.results import Results, results
from ranktrees_lab.sealed.seal import WITHOUT, Seal, has_buttons, said_of

LONGEST = 40  # letters of a name


def data(seed: int | str | None = None) -> Bank:
    """Return the bank's clients: 700 with outcomes, and 800 to rank, of which 300 are sealed.

    A course may have its own clients through the lecturer's `seed`, a whole number or text, which
    submissions then use as well; if None, it is the seed used before, or 1. Raises ValueError for
    another seed after a submission.
    """
    kept = load()
    if seed is None:
        return bank(kept.seed)
    if isinstance(seed, bool) or not isinstance(seed, int | str | np.integer) or seed == "":
        raise TypeError(f"seed must be a whole number or text, not {seed!r:.80}")
    if str(seed) != kept.seed:
        if kept.names:
            raise ValueError(
                f"{len(kept.names)} of your submissions are for seed {kept.seed}, not for {seed}: "
                "call rt.sealed.data() without a seed"
            )
        kept.seed = str(seed)
        save(kept)
    return bank(kept.seed)


def submit(ranking: object, name: str) -> Results:
    """Rank all 800 clients, by a fitted model or by 800 numbers, and see the board.

    `ranking` is a model, which gets the clients' columns that it was fitted on, or numbers (800,),
    larger for clients who are more likely to say yes. The submission is kept and counted under its
    `name`; the same ranking under the same name counts once. Raises TypeError or ValueError for
    anything else.
    """
    if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST or not name.isprintable():
        raise ValueError(f"name must be a line of 1 to {LONGEST} letters, not {name!r:.80}")
    kept, name = load(), name.strip()
    scores = _model_scores(ranking, bank(kept.seed)) if _is_model(ranking) else _scores(ranking)
    # Ranks say all that AUC asks about, and are short in a file.
    places = np.unique(scores, return_inverse=True)[1].tolist()
    if (name, places) not in zip(kept.names, kept.places, strict=True):
        kept.names.append(name)
        kept.places.append(places)
        save(kept)
    return results(kept)


def open(now: bool = False) -> Results | Seal | None:
    """Show a button that opens the seal: the AUC of every submission on the 300 sealed clients.

    Running the cell opens nothing. Once the seal is open, the results are returned at once, with
    later submissions marked. With `now` it is opened without a button; without ipywidgets the call
    says so and returns None. Raises ValueError if nothing is submitted.
    """
    check_flag("now", now)
    kept = load()
    if not kept.names:
        raise ValueError('nothing is submitted yet: rt.sealed.submit(model, "name") comes first')
    if now or kept.opened is not None:
        return _open()
    if has_buttons():
        return Seal(len(kept.names), _open, lambda: results(load(), opened=True))
    print(said_of(len(kept.names)), WITHOUT, sep="\n")
    return None


def _open():
    kept = load()
    if kept.opened is None:
        kept.opened = len(kept.names)
        save(kept)
    return results(kept, opened=True)


def close(folder: str | Path) -> None:
    """Close the seal that a student opened by accident, for lecturers; `collect` counts it.

    `folder` holds the student's `sealed.json`. Raises ValueError if it has none, or if the seal is
    closed already.
    """
    path = as_path("folder", folder) / FILE
    if not path.is_file():
        raise ValueError(f"{folder} has no {FILE}: give the folder that holds the student's")
    kept = read(path)
    if kept.opened is None:
        raise ValueError(f"the seal of {path} is closed already")
    kept.opened, kept.closed = None, kept.closed + 1
    write(kept, path)


def collect(folder: str | Path) -> pd.DataFrame:
    """Collect all submissions below a folder, for lecturers: a row for each, as pandas.DataFrame.

    It reads each `sealed.json`; `student` is the path of the folder that holds it. Raises
    ValueError if there is none, and for a file that cannot be read.
    """
    folder = as_path("folder", folder)
    tables = []
    for path in sorted(folder.rglob(FILE)):
        kept = read(path)
        table = results(kept, opened=True).table.reset_index()
        student = path.parent.relative_to(folder).as_posix()
        facts = {"seed": kept.seed, "submissions": len(table), "closed again": kept.closed}
        tables.append(table.assign(student=student, **facts))
    if not tables:
        raise ValueError(f"no {FILE} below {folder}: give the folder that holds the students'")
    first = ["student", "seed", "submissions", "closed again"]
    table = pd.concat(tables, ignore_index=True)
    return table[[*first, *(c for c in table if c not in first)]]


def _is_model(ranking):
    return hasattr(ranking, "predict_proba") or isinstance(ranking, type)


def _model_scores(model, of):
    """Return P(yes) (800,) by a model, from the columns that it was fitted on."""
    if isinstance(model, type) or not hasattr(model, "classes_"):
        raise ValueError("the model is not fitted: call fit(bank.X, bank.y) first")
    classes = [str(c) for c in model.classes_]
    if sorted(classes) != sorted(CLASSES):
        raise ValueError(f"the model's classes are {', '.join(classes)[:80]}, not no and yes")
    names = list(getattr(model, "feature_names_in_", of.clients.columns))
    if unknown := [n for n in names if n not in of.clients]:
        raise ValueError(
            f"the model was fitted on {unknown[0]!r}, which is not a column of the clients: add it "
            "to bank.clients, and submit 800 probabilities"
        )
    proba = np.asarray(model.predict_proba(of.clients[names]))
    return _scores(proba[:, classes.index("yes")])


def _scores(ranking: ArrayLike):
    """Return the numbers (800,) of a ranking, checked."""
    if isinstance(ranking, str) or getattr(ranking, "ndim", 1) != 1:
        raise ValueError(
            f"give a fitted model or {RANKED} numbers, P(yes) of each client; of predict_proba "
            "take the column of yes: [:, 1]"
        )
    scores = number_row("the ranking", ranking)
    if len(scores) != RANKED:
        raise ValueError(
            f"{len(scores)} numbers for {RANKED} clients: rank all of bank.clients, those of the "
            f"board ({BOARD}) and the sealed ones"
        )
    if isinstance(ranking, pd.Series) and list(ranking.index) != list(range(RANKED)):
        raise ValueError("the Series has another index than bank.clients: sort it, or give values")
    if not np.isfinite(scores).all():
        row = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise ValueError(f"client {row} has the score {scores[row]}: give each client a number")
    return scores
