"""Where a picture goes: a `Picture` of its own, or the axes of somebody else's figure."""

from typing import TypeVar

import numpy as np
from matplotlib.axes import Axes

from ranktrees_lab.plot.picture import check_size

Given = TypeVar("Given", bound=Axes)  # what is drawn on and returned; without it a `Picture`
Size = tuple[float, float] | None  # width and height in inches


def check_given(figure, ax, figsize) -> None:
    """Raise TypeError or ValueError unless at most one place is given, and a valid size."""
    if ax is not None:
        if figure is not None:
            raise ValueError("give ax or figure, not both: a picture is drawn in one place")
        if figsize is not None:
            raise ValueError("give ax or figsize, not both: the figure of ax has its size")
        if isinstance(ax, type) or not all(hasattr(ax, name) for name in ("plot", "set_axis_off")):
            raise TypeError(f"ax must be axes of matplotlib, as plt.gca(), not {ax!r:.80}")
    if figsize is not None:
        check_size(figsize, "figsize")


def placed(fig, ax=None, figsize=None):
    """Return the picture, stretched to `figsize`; or show it as an image in `ax`, and return this.

    An image keeps a layout in inches, which other axes do not have.
    """
    if figsize is not None:
        fig.set_size_inches(*figsize)
    if ax is None:
        return fig
    fig.canvas.draw()
    ax.imshow(np.asarray(fig.canvas.buffer_rgba()), interpolation="antialiased")
    ax.set_axis_off()
    return ax
