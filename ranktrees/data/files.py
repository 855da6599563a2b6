"""The folder of shipped files and the tables of facts in it (shipped.csv, registry.csv)."""

import csv
import hashlib
from pathlib import Path


def folder() -> Path:
    """The folder with the shipped data: inside an installed package, else the checkout's data/.

    Raises FileNotFoundError when neither exists.
    """
    here = Path(__file__).resolve()
    for candidate in (here.parent / "files", here.parents[2] / "data"):
        if (candidate / "shipped.csv").is_file():
            return candidate
    raise FileNotFoundError(
        f"the shipped data sets are neither in {here.parent / 'files'} nor in "
        f"{here.parents[2] / 'data'}: install ranktrees again, or use a complete checkout"
    )


def read_facts(table: str) -> dict[str, list[dict[str, str]]]:
    """Rows of shipped.csv or registry.csv by data set; one row for each of its files."""
    entries: dict[str, list[dict[str, str]]] = {}
    with (folder() / table).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            entries.setdefault(row["name"], []).append(row)
    return entries


def sha256(path: Path) -> str:
    """The file's SHA-256 in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def counts(row: dict[str, str]) -> dict[str, int]:
    """The facts of a table row as Dataset.facts gives them."""
    nominal, numeric = int(row["nominal"]), int(row["numeric"])
    return {
        "cases": int(row["rows"]),
        "attributes": nominal + numeric,
        "nominal": nominal,
        "numeric": numeric,
        "classes": int(row["classes"]),
    }
