"""Files of data: shipped, or of the registry and found, fetched and checked; names of data sets."""

import csv
import difflib
import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import NamedTuple

from ranktrees.basics.arguments import as_path

from .scan import brief

LONGEST = 300.0  # seconds that a download may take in all


class FetchError(OSError):
    """A registry file that is neither at hand nor to be had, or not the file it should be."""


class InMemory(NamedTuple):
    """A file that is nowhere on a disk: its name and its bytes, read where a path is read."""

    name: str
    content: bytes

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return PurePath(self.name).stem

    def read_bytes(self) -> bytes:
        """The whole content, as of a path."""
        return self.content


def located(path) -> Path | InMemory:
    """The path, or the file in memory."""
    return path if isinstance(path, InMemory) else as_path("path", path)


@contextmanager
def replacing(path) -> Iterator[Path]:
    """A file beside `path` that takes its place once it is whole, and goes where that fails.

    What is no file, as a pipe, is written at once.
    """
    if Path(path).exists() and not Path(path).is_file():
        yield Path(path)
        return
    path = Path(os.path.realpath(path))  # a link stays one
    part = path.with_name(f"{path.name}.{os.getpid()}.part")  # two processes may write it
    try:
        yield part
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def folder() -> Path:
    """The folder with the shipped data: inside an installed package, else the checkout's data/.

    Raises FileNotFoundError when neither exists.
    """
    here = Path(__file__).resolve()
    places = here.parent / "files", here.parents[2] / "data"
    for place in places:
        if (place / "shipped.csv").is_file():
            return place
    raise FileNotFoundError(
        f"the shipped data sets are neither in {places[0]} nor in {places[1]}: "
        "install ranktrees again, or use a complete checkout"
    )


def read_facts(table: str) -> dict[str, list[dict[str, str]]]:
    """Rows of shipped.csv or registry.csv by data set; one row for each of its files."""
    entries: dict[str, list[dict[str, str]]] = {}
    with (folder() / table).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            entries.setdefault(row["name"], []).append(row)
    return entries


def locate(row: dict[str, str]) -> Path:
    """A local path of the file that a row of registry.csv describes, its SHA-256 checked.

    Looks in the folder $RANKTREES_DATA, then in the cache ($RANKTREES_CACHE or the system's),
    then downloads into the cache. Raises FetchError.
    """
    given = os.environ.get("RANKTREES_DATA")
    if not given or not (path := Path(given) / row["file"]).is_file():
        return _download(row)
    if (digest := sha256(path)) != row["sha256"]:
        raise FetchError(
            f"{path} is not the file that the registry means: expected SHA-256 {row['sha256']}, "
            f"found {digest}; replace it, or unset RANKTREES_DATA"
        )
    return path


def sha256(path: Path) -> str:
    """The file's SHA-256 in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _download(row):
    """Fetch into the cache with pooch, which keeps a file only once its hash is right."""
    try:
        import pooch

        pooch.get_logger().setLevel("WARNING")  # a log line would change a notebook's output
        cache = os.environ.get("RANKTREES_CACHE") or pooch.os_cache("ranktrees")
        known = f"sha256:{row['sha256']}"
        fetch = partial(_fetch, int(row["bytes"]))
        return Path(pooch.retrieve(row["url"], known, row["file"], cache, downloader=fetch))
    except (OSError, ValueError, ImportError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise FetchError(
            f"{row['file']} could not be fetched from {row['url']} ({reason}): either set "
            f"RANKTREES_DATA to a folder that holds {row['file']}, or connect and try again"
        ) from error


def _fetch(most, url, output, _):
    """pooch's downloader for a file of at most so many bytes, in at most `LONGEST` seconds."""
    import pooch

    def write(part):
        content.extend(part)
        if len(content) > most:
            raise ValueError(f"more than the {most:,} bytes that the file has were sent")

    content, file = bytearray(), SimpleNamespace(write=write, flush=bool)
    with ThreadPool(1) as pool:  # a thread that may wait for ever, and nobody for it
        answer = pool.apply_async(pooch.HTTPDownloader(), (url, file, None))
        answer.wait(LONGEST)
        if not answer.ready():
            raise OSError(f"it was not there after {LONGEST:g} seconds")
        answer.get()
    Path(output).write_bytes(content)


def normal(name: str) -> str:
    """The name in small letters with . _ - and blanks alike: weather.nominal, Weather_Nominal."""
    return re.sub(r"[\s._-]+", "-", name.strip().casefold())


def nearest(name: str, known: Iterable[str], n: int = 3) -> str:
    """A phrase naming the known names nearest to a mistyped one."""
    spelt = {normal(str(k)): str(k) for k in known}
    close = difflib.get_close_matches(normal(str(name)), spelt, n=n, cutoff=0.5)
    if not close:
        first = list(spelt.values())[:8]
        return brief("known: " + ", ".join(first) + (", ..." if len(spelt) > 8 else ""))
    return brief("nearest: " + ", ".join(spelt[c] for c in close))
