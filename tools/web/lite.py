"""Write the course as a page with a Python of its own: `python -m tools.web.lite`, `make web`.

build/web/ is JupyterLab with the students' copies, and Pyodide as its kernel (JupyterLite): what a
student does stays in that browser. --pyodide FOLDER puts Pyodide on the site, for a hall without
network; otherwise each browser fetches it from its own host.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ranktrees_lab.student import (
    copy_text,
    find_lessons,
    student_copy,
    write_sources,
    write_texts,
)
from tools import pages
from tools.web import packages, stock

SITE = pages.ROOT / "build" / "web"
HOST = f"https://cdn.jsdelivr.net/pyodide/v{stock.VERSION}/full/"
LITE = pages.ROOT / ".venv-web" / "bin" / "python"
KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
LOOK = pages.ROOT / "tools" / "web" / "overrides.json"
PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"


class WebError(Exception):
    """A reason why the course cannot be written for a browser, and what to do."""


def write_web(
    folder: Path, pyodide: Path | None = None, lite: Path = LITE, host: str = HOST
) -> Path:
    """Write the course for a browser into an empty folder; return the folder.

    Pyodide is copied from the folder `pyodide`; without one each browser fetches it from `host`.
    `lite` is a Python that has JupyterLite. Raises WebError.
    """
    if not lite.exists():
        raise WebError(f"{lite} is not there: make web makes it")
    pages.make_room(folder)
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        texts = {here / "files" / p.name: copy_text(p, web_copy) for p in find_lessons()}
        write_sources([here / "files"])
        write_texts(texts | {here / "jupyter-lite.json": json.dumps(settings())})
        shutil.copy(LOOK, here)
        run_lite(lite, here, here / "site")
        shutil.copytree(here / "site", folder, dirs_exist_ok=True)
    add_script(folder / "lab" / "index.html")
    wheels = [*stock.wheels("beside"), *kernel_wheels(lite)]
    address = host if pyodide is None else "../pyodide/"
    packages.write_packages(folder / "static" / "course", wheels, address)
    if pyodide is not None:
        packages.copy_pyodide(pyodide, folder / "static" / "pyodide")
    return folder


def web_copy(notebook: dict) -> dict:
    """Return the student's copy of a notebook (nbformat 4), for the kernel of the page."""
    copy = student_copy(notebook)
    return {**copy, "metadata": {**copy["metadata"], "kernelspec": KERNEL}}


def settings() -> dict:
    """Return jupyter-lite.json: where the kernel finds Pyodide, which packages come with it."""
    kernel = {
        "pyodideUrl": "./static/course/start.js",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": packages.KERNEL},
    }
    page = {
        "appName": "ranktrees",
        "exposeAppInBrowser": True,
        "litePluginSettings": {PLUGIN: kernel},
    }
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": page}


def kernel_wheels(lite: Path) -> list[Path]:
    """Return the wheels that the kernel installs at its start, as JupyterLite brings them."""
    share = lite.parents[1] / "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension"
    found = sorted((share / "static" / "pypi").glob("*.whl"))
    names = {name.replace("-", "_") for name in packages.OWN}
    return [path for path in found if path.name.split("-")[0] in names]


def add_script(page: Path) -> None:
    """Let JupyterLite's page run `web.js`; WebError if the page has no head."""
    text = page.read_text(encoding="utf-8")
    if "</head>" not in text:
        raise WebError(f"{page} has no </head>: another JupyterLite than the tested one")
    line = f'<script defer src="../static/course/{packages.PAGE.name}"></script>'
    page.write_text(text.replace("</head>", f"{line}</head>", 1), encoding="utf-8")


def run_lite(lite: Path, here: Path, site: Path) -> None:
    """Let JupyterLite write its pages; WebError has what it says if it fails."""
    command = [lite, "-m", "jupyterlite_core", "build", "--contents", "files", "--apps", "lab"]
    command += ["--no-unused-shared-packages", "--no-sourcemaps", "--output-dir", site]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True)
    if done.returncode:
        raise WebError(f"JupyterLite cannot be built:\n{done.stdout}{done.stderr}")


def main(arguments=None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.web.lite", description=__doc__)
    parser.add_argument("--to", type=Path, default=SITE)
    parser.add_argument("--pyodide", type=Path, help="the folder of Pyodide's files")
    given = parser.parse_args(arguments)
    try:
        folder = write_web(given.to, given.pyodide)
    except (WebError, stock.NoStock, ValueError, OSError) as error:
        print(f"tools.web.lite: {error}", file=sys.stderr)
        return 2
    print(f"{folder}: python -m http.server --directory {folder} serves it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
