"""A figure with a sentence for those who cannot see it; it does not need pyplot."""

import base64
import html
import io
import re

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from pandas import DataFrame
from PIL import Image

from ranktrees_engine.basics.arguments import floats
from ranktrees_lab.plot.style import LARGE, LETTERS, SMALL, other_font, plain, shorten
from ranktrees_lab.plot.vector import svg_text

DPI, SHOWN = 200, 100  # pixels per inch that are drawn, and on the page
COLOURS = 256
# Near white a palette of Pillow's octree joins what differs by up to 16 of 256, such as a pale band
# and the ground: tones from the first value on are drawn apart before it looks for a palette.
TONES = [0, 215, 255], [0, 135, 255]
APART = np.interp(np.arange(256), *TONES).round().astype(int).tolist() * 3
# What differs between SVGs and nothing refers to, and what is seen by nobody.
NUMBERED = re.compile(r'<g id="[^"]*"')
HEAD = re.compile(r"<\?xml.*?(?=<svg)|<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
COLUMNS, SCALE = 2, 0.75  # of small multiples


class Picture(Figure):
    """A matplotlib figure with `alt`, a sentence or two that say what its data show.

    `size` (width, height) in inches; `begins` is where reading starts, a share of its height from
    the top, for pages that cannot show all of it; `table` has the numbers that it has measured. It
    is drawn without pyplot, so no global list keeps it alive, and it can be drawn on again
    (`picture(figure)` clears it).
    """

    def __init__(self, size: tuple[float, float] = (7.0, 4.0)):
        check_size(size)
        super().__init__(figsize=size, dpi=DPI, facecolor="white")
        FigureCanvasAgg(self)
        self.alt, self.begins = "", 0.0
        self.table: DataFrame | None = None

    def png(self) -> bytes:
        """Return the picture as the bytes of a PNG file, the same bytes for the same data."""
        self.canvas.draw()
        pixels = Image.fromarray(np.asarray(self.canvas.buffer_rgba())).convert("RGB")
        few = pixels.point(APART).quantize(COLOURS, Image.Quantize.FASTOCTREE)
        tones = np.interp(few.getpalette(), *reversed(TONES)).round()
        few.putpalette(tones.astype(np.uint8).tobytes())
        out = io.BytesIO()
        few.save(out, "png", compress_level=6)
        return out.getvalue()

    def svg(self) -> str:
        """Return the picture as SVG text, letters as paths: the same text for the same data."""
        text = HEAD.sub("", NUMBERED.sub("<g", svg_text(self)))
        return " ".join(text.split()).replace("> <", "><")

    @property
    def width(self) -> int:
        """Width in pixels of the page, each of which holds four pixels of the picture."""
        return round(self.get_figwidth() * SHOWN)

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return, for notebooks, the PNG, HTML of it with its alt text, and the alt text."""
        code = base64.b64encode(self.png()).decode("ascii")
        wide = f"width:{self.width * LETTERS:.0f}px;" if LETTERS > 1 else ""  # in a lecture
        image = (
            f'<img alt="{html.escape(self.alt)}" width="{self.width}" '
            f'style="{wide}max-width:100%;height:auto" src="data:image/png;base64,{code}">'
        )
        data = {"image/png": code, "text/html": image, "text/plain": self.alt}
        return data, {"image/png": {"alt": self.alt}}


def check_size(size, what="size"):
    """Raise ValueError unless it is a width and a height above 0."""
    sides = floats(what, size)
    if sides.shape != (2,) or not (np.isfinite(sides) & (sides > 0)).all():
        raise ValueError(
            f"{what} must be (width, height) in inches, both above 0, not {size!r:.80}"
        )


def picture(figure: Picture | None = None, size: tuple[float, float] = (7.0, 4.0)) -> Picture:
    """Return the given picture, cleared, or a new one; `size` (width, height) in inches."""
    if figure is None:
        return Picture(size)
    if not isinstance(figure, Picture):
        kind = type(figure).__name__
        raise TypeError(f"figure must be an rt.plot.Picture to redraw on, not {kind}")
    check_size(size)
    for ax in figure.axes:  # figure.clear() alone would first rebuild every axis
        figure.delaxes(ax)
    figure.clear()
    figure.set_size_inches(*size)
    figure.alt, figure.begins, figure.table = "", 0.0, None
    return figure


def axes(figure: Picture, left: float, bottom: float, right: float, top: float, ticks=True):
    """Return axes at these distances in inches from the picture's left and bottom edges.

    A `right` or `top` of 0 or less counts from the opposite edge. Without `ticks` there is no axis
    at all. Layout is in inches, since matplotlib's own layout engines take as long as the drawing.
    """
    width, height = figure.get_size_inches()
    right = right if right > 0 else width + right
    top = top if top > 0 else height + top
    box = (left / width, bottom / height, (right - left) / width, (top - bottom) / height)
    made = figure.add_axes(box)
    made.set_title("", y=1.0)  # a title at a fixed place need not be placed at every drawing
    if not ticks:
        made.set_axis_off()
        return made
    made.spines[["top", "right"]].set_visible(False)
    if LETTERS > 1:  # larger ones have the room below axes that others have
        made.tick_params(labelsize=SMALL, pad=1)
        made.xaxis.label.set_fontsize(SMALL)
        made.yaxis.label.set_fontsize(SMALL)
        made.xaxis.labelpad = 1
    return made


def title(ax, text: str, room: float = np.inf) -> None:
    """Write a title at the left above the axes, cut to `room` inches."""
    text = shorten(text, room, LARGE)
    style = {"fontsize": LARGE, "loc": "left", "y": 1.0, "pad": 5}
    ax.set_title(text, **style, **other_font(text))


def tiles(shots: list[tuple[str, bytes, str]]) -> Picture:
    """Tile pictures: (heading, PNG, alt) each, in rows of two; the alt text names them all."""
    if not shots:
        raise ValueError("small multiples need at least one picture")
    images = [Image.open(io.BytesIO(png)).convert("RGB") for _, png, _ in shots]
    width, height = np.max([image.size for image in images], axis=0) * SCALE / DPI
    rows = -(-len(shots) // COLUMNS)
    fig = Picture((width * min(COLUMNS, len(shots)), (height + 0.3) * rows))
    for k, (image, (heading, _, _)) in enumerate(zip(images, shots, strict=True)):
        small = image.resize([round(SCALE * side) for side in image.size], Image.Resampling.LANCZOS)
        row, column = divmod(k, COLUMNS)
        x, y = column * width, (rows - row) * (height + 0.3)
        box = x, y - 0.3 - small.height / DPI, x + small.width / DPI, y - 0.3
        axes(fig, *box, ticks=False).imshow(np.asarray(small), interpolation="nearest")
        place = (x + 0.1) / fig.get_figwidth(), (y - 0.2) / fig.get_figheight()
        fig.text(*place, plain(heading), **other_font(plain(heading)))
    fig.alt = " ".join(f"{heading}: {alt}" for heading, _, alt in shots)
    return fig
