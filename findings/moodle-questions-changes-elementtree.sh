#!/usr/bin/env bash
# moodle-questions 0.2.1: its import replaces a function of the standard library's
# xml.etree.ElementTree, so that all XML written in the program later is affected: text between
# '<![CDATA[' and ']]>' is no longer escaped.
#
# Guess: An import changes nothing outside its package.
# Seen:  The same element is written escaped before, and as it stands after the import.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  moodle-questions==0.2.1 || exit 2
env/bin/python -W ignore - <<'PY'
from xml.etree import ElementTree

element = ElementTree.Element("a")
element.text = "<![CDATA[x < y]]>"
before = ElementTree.tostring(element, encoding="unicode")
import moodle_questions  # noqa: E402, F401

after = ElementTree.tostring(element, encoding="unicode")
print(before, after)
raise SystemExit(
    (before, after) != ("<a>&lt;![CDATA[x &lt; y]]&gt;</a>", "<a><![CDATA[x < y]]></a>")
)
PY
