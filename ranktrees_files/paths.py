"""Files that are written whole or not at all, or kept in memory."""

import glob
import io
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import NamedTuple

from ranktrees_engine.basics.arguments import as_path

DAY = 24 * 60 * 60  # seconds


class InMemory(NamedTuple):
    """A file that is not on disk: its name and its bytes, accepted wherever a path is."""

    name: str
    content: bytes

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return PurePath(self.name).stem

    def read_bytes(self) -> bytes:
        """Return the whole content, as `Path.read_bytes` does."""
        return self.content


def lines_of(raw: bytes) -> io.TextIOWrapper:
    """Return a file's lines in UTF-8 or, if they are not valid, in Latin-1, as older files are."""
    try:
        raw.decode()
        return io.TextIOWrapper(io.BytesIO(raw), "utf-8-sig")
    except UnicodeDecodeError:  # every byte is a character there
        return io.TextIOWrapper(io.BytesIO(raw), "latin-1")


def located(path) -> Path | InMemory:
    """Return the path, or the file in memory."""
    return path if isinstance(path, InMemory) else as_path("path", path)


@contextmanager
def replacing(path) -> Iterator[Path]:
    """Yield a file beside `path` that replaces it when complete, and is deleted on failure.

    Its name is new each time, since threads, processes and machines may write to one path. A part
    that a killed process left behind is removed after a day. A pipe, which is not a file, is
    written directly.
    """
    if Path(path).exists() and not Path(path).is_file():
        yield Path(path)
        return
    path = Path(os.path.realpath(path))  # a link stays one
    for left in path.parent.glob(f"{glob.escape(path.name)}.{'[0-9a-f]' * 16}.part"):
        with suppress(OSError):  # another one may remove it
            if time.time() - left.stat().st_mtime > DAY:
                left.unlink()
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        yield part
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
