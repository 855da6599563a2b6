"""The end of what a browser can do is said in a sentence, which a notebook shows alone."""

import sys
from importlib import import_module

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from ranktrees_engine.basics.optional import optional
from ranktrees_lab.data import FetchError, datasets, load
from ranktrees_lab.papers import reproduce, seconds

HERE = "install ranktrees on a computer for it"
BY_NET = next(iter(datasets().query("source == 'uci'")["name"]))
FAR = {
    "a set that is not shipped": (lambda: load(BY_NET, "uci"), FetchError, "is not shipped, and a"),
    "DuckDB": (lambda: optional("duckdb"), ImportError, "data in files need DuckDB, which no"),
    "Dask": (lambda: optional("distributed.scheduler"), ImportError, "need Dask, which no browser"),
}


@pytest.fixture
def browser(monkeypatch, tmp_path):
    """A Python that says it is in a browser, without what is not there."""
    for name in ("duckdb", "dask", "distributed", "distributed.scheduler", "pooch"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setenv("RANKTREES_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "emscripten")


@pytest.mark.parametrize("what", FAR)
def test_it_is_a_sentence_without_a_traceback(browser, capsys, what):
    call, kind, text = FAR[what]
    with pytest.raises(kind, match=text) as caught:
        call()
    assert HERE in str(caught.value)
    shell = InteractiveShell()
    shell.push({"call": call})
    assert not shell.run_cell("call()").success
    assert capsys.readouterr().out.strip() == str(caught.value)


def test_elsewhere_a_missing_package_is_still_to_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match=r'pip install "ranktrees\[scale\]"'):
        optional("duckdb")


def test_long_work_says_before_it_begins_that_a_browser_is_slow(monkeypatch, capsys, tmp_path):
    module = import_module("ranktrees_lab.papers.reproduce")  # its function has the same name
    monkeypatch.setattr(module, "in_browser", lambda: True)
    how = {"datasets": ["iris"], "methods": ["C45"], "runs": 1, "progress": False}
    reproduce("wang2006", out=tmp_path / "x.csv", **how)
    assert "a browser computes in one process" in capsys.readouterr().err


def test_what_is_timed_takes_time(monkeypatch):
    assert seconds.CLOCK in vars(__import__("time")).values()
    before = seconds.CLOCK()
    np.sort(np.random.default_rng(0).random(10**6))
    assert seconds.CLOCK() > before
