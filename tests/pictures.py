"""What tests ask of pictures: their texts, and whether these can be read."""

import numpy as np
from matplotlib.text import Text


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
    hidden = hidden_ticks(fig)
    shown = [t for t in fig.findobj(Text) if t.get_visible() and t.get_text().strip()]
    shown = [t for t in shown if id(t) not in hidden]
    return [(t.get_text(), t.get_window_extent(), t.get_fontsize()) for t in shown]


def words_of(fig):
    """The texts that stand in a figure's first axes, in the order in which they were written."""
    return [text.get_text() for text in fig.axes[0].texts]


def widths_of(bars):
    """The widths of a collection of rectangles."""
    return [float(np.ptp(path.vertices[:, 0])) for path in bars.get_paths()]


def hidden_ticks(fig):
    """Texts of ticks that are not drawn: beyond the limits, or of an axis that is off."""
    hidden = set()
    for ax in fig.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            room = 1e-9 * (high - low)
            ticks = axis.get_major_ticks(len(axis.get_majorticklocs()))
            ticks += axis.get_minor_ticks(len(axis.get_minorticklocs()))
            seen = [t for t in ticks if ax.axison and low - room <= t.get_loc() <= high + room]
            every = [*axis.majorTicks, *axis.minorTicks]
            hidden |= {id(text) for t in every for text in (t.label1, t.label2)}
            hidden -= {id(t.label1) for t in seen}
    return hidden
