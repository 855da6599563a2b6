"""Pyodide for tests: a folder of one's own, a cache that is whole or not there, or a reason."""

import re

import pytest
from fresh import ROOT

from tools.web import stock

PIN = re.compile(r"^(\S+)==(\S+) --hash=sha256:[0-9a-f]{64}$")


@pytest.mark.parametrize("listed", ["pyodide", "beside", "testing"])
def test_all_that_is_fetched_is_pinned(listed):
    lines = (ROOT / "tools" / "web" / f"{listed}.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(PIN.match(line).groups() for line in lines if not line.startswith("#"))
    assert pins
    tested = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    known = dict(line.split("==") for line in tested if "==" in line)
    older = {"hypothesis"}  # the last releases of which are compiled
    assert {n: v for n, v in pins.items() if n not in older and known.get(n, v) != v} == {}


def test_what_cannot_be_fetched_is_a_reason_and_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.delenv("PYODIDE", raising=False)
    monkeypatch.setattr(stock, "cache", lambda: tmp_path / "cache")
    for fetch in (stock.pyodide, lambda: stock.wheels("beside")):
        with pytest.raises(stock.NoStock, match=r"pip cannot fetch the wheels of \w+\.txt: ERROR"):
            fetch()
    assert [*(tmp_path / "cache").iterdir()] == []


def test_a_folder_that_is_not_pyodide_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("PYODIDE", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"has no pyodide-lock\.json, pyodide\.asm\.js"):
        stock.pyodide()
    for name in stock.OWN:
        (tmp_path / name).write_text('{"info": {"version": "0.1"}}', encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"is Pyodide 0\.1, not the tested 0\.27\.7"):
        stock.pyodide()
    content = f'{{"info": {{"version": "{stock.VERSION}"}}}}'
    (tmp_path / stock.LOCK).write_text(content, encoding="utf-8")
    assert stock.pyodide() == tmp_path.resolve()
