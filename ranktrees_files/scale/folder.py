"""The folder of a fit's files, deleted when the work is done, is terminated, or was killed."""

import os
import re
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ranktrees_files.paths import DAY

_ours: dict[str, int] = {}  # folders at work now, and the process of each: a fork has them, too


@contextmanager
def work_folder() -> Iterator[Path]:
    """Yield a temporary folder, in TMPDIR, also deleted if the process is terminated (SIGTERM)."""
    name = f"ranktrees-{_host()}-{os.getpid()}-"
    with tempfile.TemporaryDirectory(prefix=name) as folder:
        _ours[folder] = os.getpid()
        is_first = _handle(signal.SIG_DFL, _end)
        try:
            yield Path(folder)
        finally:
            del _ours[folder]
            if is_first:
                _handle(_end, signal.SIG_DFL)


def _handle(now, then) -> bool:
    """Replace the handler of SIGTERM if it is `now`; only the main thread may do so."""
    if threading.current_thread() is not threading.main_thread():
        return False
    if signal.getsignal(signal.SIGTERM) is not now:
        return False
    signal.signal(signal.SIGTERM, then)
    return True


def _end(number, frame):
    """Remove the folders and end as without this handler: nobody may catch it and go on."""
    for folder, process in list(_ours.items()):
        if process == os.getpid():
            shutil.rmtree(folder, ignore_errors=True)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def remove_left() -> None:
    """Remove folders that killed processes of this machine and user left over a day ago."""
    if os.name != "posix":  # elsewhere to ask for a process may end it
        return
    name = re.compile(rf"ranktrees-{re.escape(_host())}-(\d+)-\w+")
    for folder in os.listdir(tempfile.gettempdir()):
        if parts := name.fullmatch(folder):
            path = Path(tempfile.gettempdir(), folder)
            with suppress(OSError):  # another process removes it, too
                if _is_left(path, int(parts[1])):
                    shutil.rmtree(path)


def _is_left(path, process) -> bool:
    if path.is_symlink() or not path.is_dir() or path.stat().st_uid != os.getuid():
        return False
    times = [each.stat().st_mtime for each in [path, *path.iterdir()]]
    return max(times) < time.time() - DAY and not _runs(process)


def _runs(process) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's
        return True
    return True


def _host() -> str:
    return re.sub(r"\W", "_", socket.gethostname())
