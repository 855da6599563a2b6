"""The file of submissions: a seed, names and rankings, beside a student's progress."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ranktrees_files.paths import replacing
from ranktrees_lab import progress
from ranktrees_lab.sealed.bank import RANKED

FILE = "sealed.json"
SEED = "1"  # of a course whose lecturer gives no other
IN_MEMORY = []  # the submissions of a kernel that runs in no student's folder


@dataclass
class Kept:
    """All submissions: `names`, `places` (each 800 whole numbers, the highest is ranked first).

    `opened` is their number when the seal was opened, None before; `closed` counts how often a
    lecturer closed it again.
    """

    seed: str = SEED
    names: list[str] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)
    opened: int | None = None
    closed: int = 0


def load() -> Kept:
    """Load the submissions so far; ValueError for a file that cannot be read."""
    path = _path()
    if path is None:
        return IN_MEMORY[0] if IN_MEMORY else Kept()
    return read(path) if path.exists() else Kept()


def save(kept: Kept) -> None:
    """Save the submissions, in the student's folder if there is one."""
    path = _path()
    if path is None:
        IN_MEMORY[:] = [kept]
        return
    write(kept, path)


def write(kept: Kept, path: Path) -> None:
    """Write submissions into a file, whole or not at all."""
    with replacing(path) as new:
        new.write_text(json.dumps(asdict(kept)) + "\n", encoding="utf-8", newline="\n")


def read(path: Path) -> Kept:
    """Read the submissions of a file; ValueError, naming it, for one that is damaged."""
    try:
        kept = Kept(**json.loads(path.read_text(encoding="utf-8")))
        _check(kept)
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"{path} cannot be read ({error}): restore it from a copy; if you delete it, "
            "all your submissions are lost"
        ) from error
    return kept


def _check(kept):
    """Raise ValueError unless all fields hold what a submission writes."""
    if not isinstance(kept.seed, str) or not all(isinstance(name, str) for name in kept.names):
        raise ValueError("the seed and the names must be text")
    if len(kept.names) != len(kept.places):
        raise ValueError(f"{len(kept.names)} names for {len(kept.places)} rankings")
    for name, places in zip(kept.names, kept.places, strict=True):
        if len(places) != RANKED or not all(type(k) is int for k in places):
            raise ValueError(f"the ranking {name!r} must have {RANKED} whole numbers")
    if kept.opened is not None and kept.opened not in range(1, len(kept.names) + 1):
        raise ValueError(f"opened after {kept.opened!r} of {len(kept.names)} submissions")
    if type(kept.closed) is not int or kept.closed < 0:
        raise ValueError(f"closed {kept.closed!r} times")


def _path():
    beside = progress.progress_file()
    return None if beside is None else beside.with_name(FILE)
