"""Builds .venv, the environment of all commands: `make setup` runs this with any Python it finds.

    python3 tools/setup.py STAMP CONSTRAINTS CANDIDATE...

It takes the first candidate that is a Python of at least 3.11 and can make environments. It
installs the project with its extras in the versions of CONSTRAINTS, or the newest ones if that is
empty, and writes STAMP, which tells make that everything is there.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

VENV = Path(".venv")
PYTHON = str(VENV / "bin" / "python")
LEAST = 3, 11
NEEDS = ["--editable", ".[lab,kit]", "--group", "test"]
NO_NEWS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
# nbgrader checks what the kit holds; its buttons and its server are not for the lessons' readers.
GRADER = (
    "etc/jupyter/jupyter_server_config.d/nbgrader.json",
    "share/jupyter/labextensions/@jupyter/nbgrader",
)


def fits(python: str) -> bool:
    """Return whether a program is a Python that is new enough."""
    asked = f"import sys; sys.exit(sys.version_info < {LEAST})"
    return shutil.which(python) is not None and quiet(python, "-c", asked)


def quiet(*command) -> bool:
    """Return whether a command succeeds; nothing that it prints is shown."""
    return subprocess.run(command, capture_output=True).returncode == 0


def choose(candidates: list) -> str:
    """Return the first candidate that can make an environment; SystemExit says what to install."""
    new = [python for python in candidates if fits(python)]
    for python in new:
        if quiet(python, "-c", "import venv, ensurepip"):
            return python
    if new:
        advice = "install venv (Debian, Ubuntu: apt install python3-venv)"
        sys.exit(f"make: {new[0]} cannot make a virtual environment: {advice}.")
    names = " ".join(candidates)
    sys.exit(
        f"make: no Python >= 3.11 among: {names}. "
        "Install one, or name it: make PYTHON=/path/to/python3"
    )


def install(constraints: str) -> bool:
    """Install the project in these versions, else the newest ones; return whether pip could."""
    pip = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "-q"]
    if subprocess.run([*pip, "pip>=25.1"]).returncode:
        return False
    if not constraints:
        return not subprocess.run([*pip, *NEEDS]).returncode
    tested = ["--only-binary=:all:", "--constraint", constraints]
    if not subprocess.run([*pip, *NEEDS, *tested]).returncode:
        return True
    print(
        f"make: trying the newest versions: those of {constraints} cannot be installed here",
        file=sys.stderr,
    )
    return not subprocess.run([*pip, *NEEDS]).returncode


def main(stamp: str, constraints: str, *candidates: str) -> int:
    """Make a new environment if there is none that fits, and install what is needed."""
    python = choose(list(candidates))
    Path(stamp).unlink(missing_ok=True)
    if not fits(PYTHON) or len(candidates) == 1:
        print(f"Making {VENV} with {python}", flush=True)
        subprocess.run([python, "-m", "venv", "--clear", VENV], check=True)
    print(f"Installing the packages into {VENV} (once; a few minutes)", flush=True)
    if not install(constraints):
        return 1
    settings = VENV / "share/jupyter/lab/settings"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "overrides.json").write_text(json.dumps(NO_NEWS) + "\n")
    for part in GRADER:
        path = VENV / part
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    Path(stamp).write_text(f"{Path.cwd()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
