"""The pictures' frame: PNG, alt text, reuse, colours, no pyplot."""

import base64
import html
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import ranktrees as rt
from ranktrees import plot
from ranktrees.teach.plot.legend import legend_rows
from ranktrees.teach.plot.style import shorten, some, text_width


def weather_tree():
    data = rt.load("weather.nominal")
    return rt.DecisionTree().fit(data.X, data.y)


def scores():
    rng = np.random.default_rng(3)
    y = rng.random(80) < 0.4
    return np.where(y, "yes", "no"), {"a": np.round(rng.random(80) + 0.3 * y, 1), "b": y * 1.0}


def iris_model():
    data = rt.load("iris")
    return rt.DecisionTree(split="binary", numeric="thresholds").fit(data.X, data.y)


def drawings():
    """Every picture by name, as a function of the figure to draw on."""
    weather, credit, iris = (rt.load(n) for n in ("weather.nominal", "credit-g", "iris"))
    model, (y, score), flower = weather_tree(), scores(), iris_model()
    pair = ("petallength", "petalwidth")
    return {
        "boxes": lambda f: plot.tree(model, figure=f),
        "discs": lambda f: plot.tree(model, style="discs", figure=f),
        "impurity": lambda f: plot.impurity({"all": (9, 5)}, figure=f),
        "nominal": lambda f: plot.split(weather, "outlook", figure=f),
        "numeric": lambda f: plot.split(credit, "duration", threshold=20, figure=f),
        "table": lambda f: plot.table([[2, 3], [4, 0]], figure=f),
        "ranking": lambda f: plot.ranking(y, score, figure=f),
        "gains": lambda f: plot.gains(y, score, letters=10, figure=f),
        "roc": lambda f: plot.roc(y, score, figure=f),
        "boundaries": lambda f: plot.boundaries(flower, iris, pair, {"cut": (1, 2, 8)}, figure=f),
    }


@pytest.mark.parametrize("name", list(drawings()))
def test_a_reused_picture_equals_a_new_one(name):
    draw, used = drawings()[name], drawings()["impurity"](None)
    used.png()
    new, again = draw(None), draw(used)
    assert again is used
    assert again.alt == new.alt
    assert again.png() == new.png()
    assert new.png()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", list(drawings()))
def test_every_picture_says_what_it_shows(name):
    alt = drawings()[name](None).alt
    assert re.fullmatch(r"[A-Z0-9a-z].{30,}\.", alt)
    assert re.search(r"\d", alt)
    assert "plot of" not in alt


@pytest.mark.parametrize("name", list(drawings()))
def test_no_text_is_clipped_small_or_overlapping(name):
    fig = drawings()[name](None)
    assert_readable(fig, all_text(fig))


def assert_a_good_picture(draw):
    """`draw(figure)` draws alike on a used picture, says in numbers what it shows, is readable."""
    new, used = draw(None), plot.impurity()
    again = draw(used)
    assert again is used
    assert again.png() == new.png()
    assert again.alt == new.alt
    assert re.fullmatch(r"[A-Z].{30,}\.", new.alt)
    assert re.search(r"\d", new.alt)
    assert_readable(new, all_text(new))


def assert_readable(fig, texts):
    """All texts (label, box, size) are 9 points or more, inside the picture and apart."""
    width, height = fig.canvas.get_width_height()
    for label, box, size in texts:
        assert size >= 9, label
        assert box.x0 >= -0.5, label
        assert box.y0 >= -0.5, label
        assert box.x1 <= width + 0.5, label
        assert box.y1 <= height + 0.5, label
    for i, (one, a, _) in enumerate(texts):
        for other, b, _ in texts[i + 1 :]:
            wide = min(a.x1, b.x1) - max(a.x0, b.x0)
            high = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert wide <= 1 or high <= 2, (one, other)


def all_text(fig):
    """The visible texts of a figure, drawn: label, extent in pixels, size in points."""
    fig.canvas.draw()
    found = [t for t in fig.findobj(Text) if t.get_visible() and t.get_text().strip()]
    shown = [t for t in found if not _tick_outside(fig, t)]
    return [(t.get_text(), t.get_window_extent(), t.get_fontsize()) for t in shown]


def _tick_outside(fig, text):
    """Whether a text belongs to a tick that is not drawn: beyond the limits, or an axis off."""
    for ax in fig.axes:
        for axis in (ax.xaxis, ax.yaxis):
            drawn = {id(t.label1) for t in axis._update_ticks()} if ax.axison else set()
            every = [*axis.majorTicks, *axis.minorTicks]
            if any(text in (t.label1, t.label2) for t in every) and id(text) not in drawn:
                return True
    return False


def test_the_mime_bundle_has_the_picture_and_its_sentence():
    fig = plot.impurity()
    fig.alt = 'less "<" & more.'
    data, metadata = fig._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]) == fig.png()
    assert data["text/plain"] == fig.alt
    assert metadata == {"image/png": {"alt": fig.alt}}
    alt, source = re.search(r'<img alt="([^"]*)".* src="([^"]*)">', data["text/html"]).groups()
    assert html.unescape(alt) == fig.alt
    assert source == "data:image/png;base64," + data["image/png"]


def test_pyplot_is_never_imported():
    code = (
        "import sys, ranktrees as rt; from ranktrees import plot; d = rt.load('weather.nominal');"
        "plot.split(d, 'outlook').png(); plot.tree(rt.DecisionTree().fit(d.X, d.y)).png();"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_only_a_picture_can_be_redrawn():
    from matplotlib.figure import Figure

    with pytest.raises(TypeError, match=r"ranktrees\.plot\.Picture"):
        plot.picture(Figure())


def test_class_colours_differ_and_yellow_comes_last():
    for n in (1, 2, 8, 9, 19):
        assert len(set(plot.class_colours(n))) == n
    assert plot.class_colours(8)[-1] == "#F0E442"


def test_shortened_text_fits_and_keeps_short_names():
    assert shorten("outlook", 2) == "outlook"
    short = shorten("a name that is much too long for its place", 1)
    assert short.endswith("…")
    assert text_width(short) <= 1
    assert shorten("cost $5", 2) == r"cost \$5"


def test_names_in_words():
    assert some(["a"]) == "a"
    assert some(["a", "b", "c"]) == "a, b and c"
    assert some("abcdef", 4) == "a, b, c and 3 others"


def test_a_legend_says_how_many_names_it_leaves_out():
    rows = legend_rows([f"class number {i}" for i in range(100)], 5)
    shown = sum(map(len, rows)) - 1
    assert rows[-1][-1] == f"+ {100 - shown} more"
    assert legend_rows(["a", "b"], 5) == [["a", "b"]]


def test_dollar_signs_are_not_formulas():
    X = pd.DataFrame({"price in $": ["$1", "$1", "1$ $2", "1$ $2"]})
    fig = plot.split(X, "price in $", y=["$a$", "b", "b", "b"])
    assert fig.png()
