"""Files of data: shipped, or of the registry, which are found, fetched and checked."""

import csv
import hashlib
import os
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from ranktrees_engine.basics.browser import ELSEWHERE, in_a_sentence, in_browser

LONGEST = 300.0  # seconds that a download may take in all


class FetchError(OSError):
    """A registry file that is missing and cannot be fetched, or is not the file it should be."""


def folder() -> Path:
    """Return the folder with the shipped data: in an installed package, else the checkout's data/.

    Raises FileNotFoundError if neither exists.
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
    """Read rows of shipped.csv or registry.csv by data set; one row for each of its files."""
    entries: dict[str, list[dict[str, str]]] = {}
    with (folder() / table).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            entries.setdefault(row["name"], []).append(row)
    return entries


def locate(row: dict[str, str]) -> Path:
    """Return a local path of the file in a row of registry.csv, its SHA-256 checked.

    Looks in the folder $RANKTREES_DATA, then in the cache ($RANKTREES_CACHE or the system's),
    then downloads into the cache. Raises FetchError.
    """
    given = os.environ.get("RANKTREES_DATA")
    if not given or not (path := Path(given).expanduser() / row["file"]).is_file():
        return _download(row)
    if (digest := sha256(path)) != row["sha256"]:
        raise FetchError(
            f"{path} is not the file that the registry means: expected SHA-256 {row['sha256']}, "
            f"found {digest}; replace it, or unset RANKTREES_DATA"
        )
    return path


def sha256(path: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _download(row):
    """Fetch into the cache with pooch, which keeps a file only once its hash is right."""
    if in_browser():
        text = f"{row['file']} is not shipped, and a browser fetches no data: {ELSEWHERE}, or take "
        raise in_a_sentence(
            FetchError(f"{text}a set whose source is shipped or code in rt.datasets()")
        )
    try:
        import pooch

        pooch.get_logger().setLevel("WARNING")  # a log line would change a notebook's output
        cache = os.environ.get("RANKTREES_CACHE") or pooch.os_cache("ranktrees")
        known = f"sha256:{row['sha256']}"
        fetch = partial(_fetch, int(row["bytes"]))
        return Path(pooch.retrieve(row["url"], known, row["file"], cache, downloader=fetch))
    except (OSError, ValueError, ImportError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        if "Connection" in type(error).__name__:  # whose text is that of three others
            reason = "there is no connection"
        raise FetchError(
            f"{row['file']} could not be fetched from {row['url']} ({reason}): either set "
            f"RANKTREES_DATA to a folder that holds {row['file']}, or connect and try again"
        ) from None


def _fetch(most, url, output, _):
    """Download, for pooch, a file of at most `most` bytes in at most `LONGEST` seconds."""
    from multiprocessing.pool import ThreadPool

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
