"""The reference on the site: every public name once, as the package has it, with its source."""

import ast
import re
from pathlib import Path

import pytest

import ranktrees as rt
from tools import reference, site

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def texts():
    """The pages of the reference: {file: body}."""
    return {page["file"]: page["body"] for page in reference.written()}


def entry(text, name):
    """What a page says of one name, up to the next."""
    return re.split("<h2 ", text.partition(f'<h2 id="{name}">')[2])[0]


def test_every_public_name_is_there_once(texts):
    ids = [name for text in texts.values() for name in re.findall('<h2 id="([^"]+)"', text)]
    assert len(ids) == len(set(ids))
    rooms = {name for name in rt.__all__ if isinstance(getattr(rt, name), type(pytest))}
    assert {f"rt.{name}" for name in rt.__all__ if name not in rooms} <= set(ids)
    for room in ("plot", "explore", "check"):
        assert {f"rt.{room}.{name}" for name in getattr(rt, room).__all__} <= set(ids)
    for path in (ROOT / "ranktrees" / "plain").glob("[a-z]*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = [d.name for d in tree.body if isinstance(d, ast.FunctionDef | ast.ClassDef)]
        public = {f"rt.plain.{path.stem}.{name}" for name in named if name[0] != "_"}
        assert public <= set(ids)


def test_signature_and_docstring_are_the_packages_in_short_types(texts):
    shown = entry(texts["reference.html"], "rt.auc")
    assert "    pos_label: object = None,\n" in shown
    assert "    sample_weight: Weights = None\n" in shown
    assert "<p>The chance that a positive case has a higher score than a negative one" in shown
    assert "<pre>&gt;&gt;&gt; auc([&quot;no&quot;" in shown
    assert "<code>with_estimate(name: str, **params: Any)" in texts["reference.html"]
    shown = entry(texts["reference.html"], "rt.load")
    assert "source: str | None = None" in shown
    assert '-&gt; <a href="reference.html#rt.Dataset">Dataset</a></pre>' in shown
    calls = [c for t in texts.values() for c in re.findall('<pre class="call">.*?</pre>', t)]
    assert len(calls) > 200
    for call in calls:
        assert not re.search(r"ranktrees\.|pandas\.core|typing\.| at 0x|self", call), call


def test_source_stands_with_the_name_and_says_where(texts):
    shown = entry(texts["reference.html"], "rt.auc")
    lines = (ROOT / "ranktrees/evaluate/ranking.py").read_text(encoding="utf-8").splitlines()
    line = next(i for i, text in enumerate(lines, 1) if text.startswith("def auc("))
    assert f"<p>ranktrees/evaluate/ranking.py, line {line}</p>" in shown
    assert site.plain(shown.partition("Source of auc")[2]).count("def auc(") == 1


def test_what_is_inherited_is_shown_and_its_source_once_on_a_page(texts):
    text = texts["reference.html"]
    for model in ("C44", "C45", "CITree", "PathBayes"):
        assert "<code>predict_proba(X: Input) -&gt; numpy.ndarray</code>" in entry(
            text, f"rt.{model}"
        )
    assert len(re.findall(r"<summary>Source of \w+\.predict_log_proba<", text)) == 1
    assert "agg_filter" not in texts["rt.plot.html"], "what matplotlib gives is its own"


def test_text_is_escaped():
    def shout():
        """Say `<b>` loudly.

        >>> 1 < 2
        True
        """

    doc = reference.documented("rt", {"shout": shout}, rt).members["shout"]
    expected = "<p>Say <code>&lt;b&gt;</code> loudly.</p><pre>&gt;&gt;&gt; 1 &lt; 2\nTrue</pre>"
    assert reference.described(doc) == expected
    assert reference.call(doc) == "()"
