"""Where pages lead to open a lesson elsewhere: in the browser's own Python, on a host's."""

import tomllib
from pathlib import Path
from urllib.parse import quote

from tools import pages

BESIDE = "../web/"  # from a page of the site, as `make web` writes it
HOSTS = {  # of copies in a public repository, by what a host is called
    "Colab": "https://colab.research.google.com/github/{github}/blob/{branch}/{path}",
    "Binder": "https://mybinder.org/v2/gh/{github}/{branch}?urlpath=lab/tree/{path}",
}


def beside(folder: Path) -> str | None:
    """Return where pages of the site in this folder find the course for a browser, if built."""
    return BESIDE if (folder.parent / "web" / "lab" / "index.html").is_file() else None


def first(web: str | None) -> str | None:
    """Return the address of the course for a browser at `web`; None without one."""
    return web and f"{web.rstrip('/')}/lab/index.html"


def lesson(web: str | None, name: str, cell: str | None = None) -> str | None:
    """Return the address that opens a lesson there, at the cell of this id."""
    place = f"#cell-id={quote(cell)}" if cell else ""
    return web and f"{first(web)}?path={quote(name)}{place}"


def elsewhere(page: dict) -> dict[str, str]:
    """Return where else a lesson opens: the addresses of pyproject.toml, with its file's name.

    Where `hosted` says in which repository the hosted copies lie, Colab and Binder come by default.
    """
    with (pages.ROOT / "pyproject.toml").open("rb") as file:
        known = tomllib.load(file)["tool"]["ranktrees"]
    name = page.get("notebook")
    if not name:
        return {}
    hosted = known.get("hosted", {})
    path = f"{hosted.get('folder', '').strip('/')}/{quote(name)}".strip("/")
    hosts = HOSTS if hosted.get("github") else {}
    found = {host: at.format(**{**hosted, "path": path}) for host, at in hosts.items()}
    return found | {place: at.format(file=name) for place, at in known["open-in"].items()}
