"""Find a registry file: in RANKTREES_DATA, in the cache, or at its pinned address."""

import os
from pathlib import Path

from .files import sha256


class FetchError(OSError):
    """A registry file that is neither at hand nor to be had, or not the file it should be."""


def locate(row: dict[str, str]) -> Path:
    """A local path of the file that a row of registry.csv describes, its SHA-256 checked.

    Looks in the folder $RANKTREES_DATA, then in the cache ($RANKTREES_CACHE or the system's),
    then downloads into the cache. Raises FetchError.
    """
    given = os.environ.get("RANKTREES_DATA")
    if given and (path := Path(given) / row["file"]).is_file():
        _check(path, row["sha256"])
        return path
    return _download(row)


def _check(path, expected):
    found = sha256(path)
    if found != expected:
        raise FetchError(
            f"{path} is not the file that the registry means: expected SHA-256 {expected}, "
            f"found {found}; replace it, or unset RANKTREES_DATA"
        )


def _download(row):
    """Fetch into the cache with pooch, which keeps a file only once its hash is right."""
    try:
        import pooch

        pooch.get_logger().setLevel("WARNING")  # a log line would change a notebook's output
        return Path(
            pooch.retrieve(
                row["url"],
                known_hash=f"sha256:{row['sha256']}",
                fname=row["file"],
                path=os.environ.get("RANKTREES_CACHE") or pooch.os_cache("ranktrees"),
            )
        )
    except (OSError, ValueError, ImportError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise FetchError(
            f"{row['file']} could not be fetched from {row['url']} ({reason}): either set "
            f"RANKTREES_DATA to a folder that holds {row['file']}, or connect and try again"
        ) from error
