"""Every picture: the same on a used figure, readable, true to its alt text, safe for odd names."""

import base64
import dataclasses
import html
import io
import re
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from drawings import DRAWINGS, HOSTILE, draw, drawn
from IPython.core.formatters import DisplayFormatter
from matplotlib.cbook import is_math_text
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from pictures import all_text, assert_readable
from PIL import Image

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.plot import style
from ranktrees_lab.plot.parts import legend_rows
from ranktrees_lab.plot.picture import tiles
from ranktrees_lab.plot.style import CLASSES, COLOURS, plain, shorten, some, text_width

USED = plot.impurity()


def test_every_public_picture_is_among_them():
    public = set(plot.__all__) - {"COLOURS", "Picture", "class_colours", "picture"}
    assert public == {name.split(",")[0] for name in HOSTILE}
    assert not HOSTILE.keys() & DRAWINGS.keys()


@pytest.mark.parametrize("name", [*HOSTILE, *DRAWINGS])
def test_it_is_readable_reusable_and_says_what_it_shows(name):
    """The used picture still shows what the test before has drawn on it."""
    (new, texts), again = drawn(name), draw(name, USED)
    assert again is USED
    assert again.alt == new.alt
    assert re.fullmatch(r"(?s).{30,}\d.*\.", new.alt)
    assert_readable(new, texts)
    again.canvas.draw()
    np.testing.assert_array_equal(again.canvas.buffer_rgba(), new.canvas.buffer_rgba())
    assert not [text for text, *_ in texts if is_math_text(text)]
    shown = " ".join(text for text, *_ in texts).replace(r"\$", "$")  # which is no formula
    assert not [name for name in HOSTILE.get(name, ([], []))[1] if name not in shown]


@pytest.fixture
def fonts():
    """What is known of the machine's fonts is forgotten before and after."""
    caches = style.machine_fonts, text_width
    for known in caches:
        known.cache_clear()
    yield
    for known in caches:
        known.cache_clear()


def test_letters_that_no_font_has_are_shown_as_codes(fonts, monkeypatch):
    monkeypatch.setattr(style, "machine_fonts", lambda: ([""], np.zeros(0x110000, int)))
    X, y = pd.DataFrame({"字": ["ไ", "\U000f0000"] * 4, "x": range(8)}), ["ह", "한\t$"] * 4
    model = rt.DecisionTree().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for fig in (plot.tree(model), plot.split(X, "字", y=y), tiles([("字", USED.png(), "a")])):
            fig.png()
            shown = "".join(text for text, _, _ in all_text(fig))
            assert "U+5B57" in shown
            assert not {*shown} & {*"字ไ\U000f0000ह한"}
    assert plain("a字b氏名") == "a U+5B57 b U+6C0F U+540D"
    assert plain("Θ → π…") == "Θ → π…"
    assert plain("a\tb\x07\ud800") == "a b U+0007 U+D800"
    assert text_width(shorten("氏名" * 9, 1)) <= 1


def test_a_letter_of_another_font_is_drawn_in_it(fonts, monkeypatch, caplog):
    """STIX has circled letters, DejaVu Sans has none; a family may have no regular font."""
    brought = [font for font in fontManager.ttflist if "mpl-data" in str(font.fname)]
    for place, font in enumerate(brought):
        if font.name == "STIXGeneral":
            brought[place] = dataclasses.replace(font, weight=500)
    monkeypatch.setattr(fontManager, "ttflist", brought)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fig = plot.tree(rt.DecisionTree().fit(pd.DataFrame({"Ⓐ": [0, 1]}), ["no", "Ⓑ"]))
        fig.png()
    (text,) = [t for t in fig.findobj(Text) if t.get_text() == "Ⓐ"]
    assert text.get_fontfamily()[-1] == "STIXGeneral"
    assert "findfont" not in caplog.text
    assert plain("Ⓐ\ue000字") == "Ⓐ U+E000 U+5B57", "letters, and no boxes for what is lacking"


def test_words_from_the_right_do_not_turn_what_follows():
    """Without marks <= -1.5 would follow them to the left: as 1.5- =>."""
    assert plain("العمر <= -1.5") == "\u200eالعمر\u200e <= -1.5"
    assert plain("גיל הלקוח = זקן") == "\u200eגיל הלקוח\u200e = \u200eזקן\u200e"
    assert plain(plain("العمر (54)")) == plain("العمر (54)")
    assert text_width("العمر") == pytest.approx(text_width("\u200eالعمر\u200e"))
    assert text_width(shorten("العمر <= -1.5" * 9, 1)) <= 1


def test_the_mime_bundle_has_the_picture_and_its_sentence():
    fig = plot.impurity()
    fig.alt = 'less "<" & more.'
    bundle, metadata = DisplayFormatter().format(fig)
    assert base64.b64decode(bundle["image/png"]) == fig.png() == plot.impurity().png()
    assert bundle["text/plain"] == fig.alt
    assert metadata["image/png"] == {"alt": fig.alt}
    alt, source = re.search(r'<img alt="([^"]*)".* src="([^"]*)">', bundle["text/html"]).groups()
    assert html.unescape(alt) == fig.alt
    assert source == "data:image/png;base64," + bundle["image/png"]


def test_the_palette_keeps_the_colours_of_classes_and_pale_bands():
    colours = [*CLASSES, *dict.fromkeys(COLOURS.values()), "#F0F0F0", "#F7F7F7", "white"]
    fig = plot.Picture((4, 2))
    for k, colour in enumerate(colours):
        fig.add_artist(Rectangle((k / len(colours), 0), 1 / len(colours), 1, color=colour))
    fig.text(0.1, 0.5, "ends of letters are grey", color="white")
    pixels = Image.open(io.BytesIO(fig.png()))
    assert (pixels.mode, pixels.size, fig.width) == ("P", (800, 400), 400)
    middles = (np.arange(len(colours)) + 0.5) * 800 / len(colours)
    seen = np.asarray(pixels.convert("RGB"), float)[20, middles.astype(int)] / 255
    assert np.abs(seen - to_rgba_array(colours)[:, :3]).max() < 0.012
    assert (seen[-1] == 1).all(), "white stays white"
    assert len(set(plot.class_colours(19))) == 19
    with pytest.raises(TypeError, match=r"rt\.plot\.Picture"):
        plot.picture(Figure())


def test_neither_results_nor_pyplot_are_imported():
    """A picture takes what it draws: results and papers stand above it."""
    code = (
        "import sys, ranktrees_lab.plot;"
        "assert not [m for m in sys.modules if m.startswith('ranktrees_lab.papers')];"
        "import ranktrees as rt; from ranktrees import plot; d = rt.load('weather.nominal');"
        "plot.split(d, 'outlook').png(); plot.tree(rt.DecisionTree().fit(d.X, d.y)).png();"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_names_are_shortened_listed_and_counted():
    assert plain("one\ntwo") == "one two"
    short = shorten("a name that is much too long for its place", 1)
    assert short.endswith("…")
    assert text_width(short) <= 1
    assert shorten("cost $5", 2) == r"cost \$5"
    assert some("abc") == "a, b and c"
    assert some("abcdef", 4) == "a, b, c and 3 others"
    rows = legend_rows([f"class number {i}" for i in range(100)], 5)
    assert rows[-1][-1] == (None, f"+ {101 - sum(map(len, rows))} more")
