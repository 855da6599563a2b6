"""Tables as people have them: the files of the tests, and one in which much is to be done."""

import contextlib
import io
import runpy
import warnings
from datetime import UTC, datetime
from pathlib import Path

import ranktrees as rt

FILES = Path(__file__).parent / "files"
CASES = [f"{'uvw'[i % 3]},{i % 7}.5,{'ab'[i % 3 == 0]}" for i in range(60)]
SMALL = ("\n".join(["x,n,class", *CASES]) + "\n").encode()
WEATHER = """% a comment
@relation 'two words'
@attribute outlook {sunny, 'light rain', "it's fog"}
@attribute temperature numeric
@attribute play {yes, no}
@data
sunny, 20.5, no
'light rain',?,yes   % after the values
"it's fog",1e1,yes
"""


def messy(n=120):
    """A table as a spreadsheet saves it, in which much is to be done."""
    head = "# from the bank\nno;name;day;income;debt;bank;paid"
    rows = (
        f"{i + 1};k{i};{1 + i % 28}.{1 + i % 12}.2024;"
        f"{'k.A.' if i % 9 == 0 else f'{1 + i % 3}.{100 + i * 7},50 EUR'};"
        f"{i * 37 % 97},5;North;{('yes', 'no')[i % 3 == 0 or i % 7 == 0]}"
        for i in range(n)
    )
    return "\n".join([head, *rows]).encode()


def send(page, name, content):
    """What the browser does with a file that is chosen for the playground."""
    file = {"name": name, "type": "", "size": len(content), "content": memoryview(content)}
    page.upload.value = ({**file, "last_modified": datetime(2026, 1, 1, tzinfo=UTC)},)


def run(code, folder, monkeypatch):
    """What a script that lies beside its data has made and `printed`."""
    monkeypatch.chdir(folder)
    (folder / "script.py").write_text(code, encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        made = runpy.run_path(str(folder / "script.py"))
    return made | {"printed": out.getvalue()}


def read(name, **options):
    """The data set in a file, and what was warned of."""
    reader = rt.read_arff if ".arff" in name else rt.read_csv
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        return reader(FILES / name, **options), [str(w.message) for w in given]
