"""The scripts of findings/ have their form, and what runs them says which behaviour has changed."""

import re

import pytest
from fresh import ROOT

from tools import findings

SCRIPTS = sorted((ROOT / "findings").glob("*.sh"))
HEAD = re.compile(
    r"#!/usr/bin/env bash\n(# .+\n)+#\n# Guess: .+\n(#  .+\n)*# Seen:  .+\n(#  .+\n)*set "
)
INSTALLS = re.compile(r"--disable-pip-version-check ((?:.|\\\n)*?) \|\| exit 2")
PINNED = re.compile(r"[\w.-]+(\[\w+\])?==[\w.]+")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_says_what_was_guessed_and_seen_of_which_versions_and_leaves_no_trace(script):
    text = script.read_text(encoding="utf-8")
    head = HEAD.match(text)
    assert head, "no head with versions, guess and what was seen"
    assert 'folder=$(mktemp -d)\ntrap \'rm -rf "$folder"\' EXIT\ncd "$folder"\n' in text
    installs = INSTALLS.findall(text)
    packages = [word for line in installs for word in line.split() if word != "\\"]
    assert packages
    assert all(map(PINNED.fullmatch, packages))
    version = packages[0].split("==")[1]
    assert version in head[0]
    assert not re.search(r"ranktrees|https?://|index-url", text)
    assert "raise SystemExit(" in text


@pytest.fixture
def folder(tmp_path):
    for code, name in enumerate(("as-it-was", "another", "no-index")):
        (tmp_path / f"{name}.sh").write_text(f"echo seen {code}\nexit {code}\n")
    return tmp_path


def test_verdicts_come_from_the_exit_codes_with_what_was_seen(folder, capsys):
    assert findings.main([], folder) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    assert [re.sub(r"^ *\d+ s  | {8}", "", line) for line in lines] == [
        "another: changed",
        "seen 1",
        "as-it-was: as described",
        "no-index: could not be run",
        "seen 2",
    ]
    assert last == "1 changed, 1 as described, 1 could not be run"
    assert findings.main(["as-it-was"], folder) == 0


def test_a_script_that_is_not_there_or_does_not_end_is_named(folder, monkeypatch, capsys):
    with pytest.raises(SystemExit, match="nowhere: no such script"):
        findings.main(["nowhere"], folder)
    monkeypatch.setattr(findings, "LONGEST", 0.2)
    (folder / "endless.sh").write_text("exec sleep 5\n")
    assert findings.main(["endless"], folder) == 1
    assert "could not be run\n        no end within 0.2 s" in capsys.readouterr().out
