"""Run the scripts of findings/ and say what has changed: python tools/findings.py [NAMES]

Each installs what it needs, so it takes a package index and some seconds.
"""

import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "findings"
VERDICTS = {0: "as described", 1: "changed"}
NOT_RUN = "could not be run"
LONGEST = 600  # seconds


def choose(names: list[str], folder: Path = FOLDER) -> list[Path]:
    """Return the scripts of these names, all of them without a name; exit if one is unknown."""
    known = {path.stem: path for path in sorted(folder.glob("*.sh"))}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"{', '.join(unknown)}: no such script in {folder.name}/")
    return [known[name] for name in names or known]


def try_again(script: Path) -> tuple[str, str]:
    """Run a script; return its verdict and the last line that it prints."""
    try:
        done = subprocess.run(["bash", script], capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return NOT_RUN, f"no end within {LONGEST} s"
    said = (done.stdout or done.stderr).strip().splitlines()
    return VERDICTS.get(done.returncode, NOT_RUN), said[-1] if said else ""


def main(names: list[str], folder: Path = FOLDER) -> int:
    """Run and print one after the other; return 1 if one has changed or could not be run."""
    verdicts = []
    for script in choose(names, folder):
        start = time.monotonic()
        verdict, said = try_again(script)
        verdicts.append(verdict)
        print(f"{time.monotonic() - start:4.0f} s  {script.stem}: {verdict}", flush=True)
        if verdict != VERDICTS[0]:
            print(f"        {said}", flush=True)
    print(", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts)))
    return int(set(verdicts) != {VERDICTS[0]})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
