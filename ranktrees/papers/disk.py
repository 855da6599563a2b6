"""Writing that survives a kill: a lock, appends that are on the disk, replacement in one step."""

import contextlib
import os
from pathlib import Path


class LedgerError(OSError):
    """A results file that cannot be used as asked; the message says why and what to do."""


class FileLock:
    """A lock that the operating system gives up when the process ends, however it ends.

    It lies on a side file, which stays: to remove it would let two processes lock two files of the
    same name. LedgerError where another process holds it.
    """

    def __init__(self, path: Path, what: Path):
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(self._descriptor)
        except OSError as error:
            os.close(self._descriptor)
            raise LedgerError(
                f"{what} is being written by another process: wait for it, or choose another file "
                "with --out"
            ) from error

    def release(self) -> None:
        """Give the lock up."""
        os.close(self._descriptor)


if os.name == "nt":  # pragma: no cover

    def _lock(descriptor):
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:

    def _lock(descriptor):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Appender:
    """A file that is only added to; what `write` was given is on the disk when it returns."""

    def __init__(self, path: Path):
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self.path, self._descriptor = path, os.open(path, flags, 0o644)

    def write(self, text: str) -> None:
        """Append a text; LedgerError where the disk is full or fails, a part may then be there."""
        rest = memoryview(text.encode())
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def cannot_write(path: Path, error: OSError) -> LedgerError:
    """The error to raise where results cannot be written."""
    return LedgerError(
        f"{path} cannot be written ({error.strerror or error}): see to that and start the same "
        "command again, which goes on where it was"
    )


def check_writable(path: Path) -> None:
    """Raise LedgerError unless plain text can be written to this file, and its folder exists."""
    if path.suffix == ".gz":
        raise LedgerError(f"{path}: results are written as plain text, name a file without .gz")
    if not path.parent.is_dir():
        raise LedgerError(f"{path} cannot be written: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise LedgerError(f"{path} is not a file: name another one with --out")
    for place in (path, path.parent):
        if place.exists() and not os.access(place, os.W_OK):
            raise LedgerError(f"{path} cannot be written: no permission for {place}")


def replace_file(path: Path, content: bytes) -> None:
    """Put a file's new content in its place in one step; LedgerError leaves the old one."""
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(new, path)
    except OSError as error:
        with contextlib.suppress(OSError):  # the first error is the one to report
            new.unlink()
        raise cannot_write(path, error) from error
