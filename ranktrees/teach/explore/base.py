"""What all explorers share: controls, one picture, and the words beside it."""

import html

import ipywidgets as widgets

from ranktrees.teach.plot.inputs import unknown
from ranktrees.teach.plot.picture import Picture, tiles


class Explorer(widgets.VBox):
    """A row of controls, a picture and a few sentences that follow them.

    A subclass implements `draw(**settings) -> (Picture, html)`: a pure function of the controls'
    values, named as in `controls`, so that it is tested without a browser. A figure is drawn when a
    slider is let go, not while it moves. Without a kernel the last picture and its alt text remain.
    """

    def __init__(self, controls: dict[str, widgets.Widget]):
        self.controls, self.picture = controls, None
        own_size = widgets.Layout(max_width="100%", align_self="flex-start")
        self.image = widgets.Image(format="png", layout=own_size)
        self.words = widgets.HTML()
        for control in controls.values():
            if control.has_trait("continuous_update"):
                control.continuous_update = False
            control.observe(self._changed, names="value")
        rows = widgets.HBox(
            list(controls.values()),
            layout=widgets.Layout(flex_flow="row wrap", align_items="center"),
        )
        super().__init__([rows, self.image, self.words])
        self.redraw()

    @property
    def settings(self) -> dict:
        """The controls' values by name."""
        return {name: control.value for name, control in self.controls.items()}

    def draw(self, **settings):
        """The picture and the words (HTML) for these settings; a subclass says how."""
        raise NotImplementedError(f"{type(self).__name__} must implement draw(**settings)")

    def redraw(self) -> None:
        """Draw anew; an error is shown in place of the words, and raised."""
        try:
            self.picture, words = self.draw(**self.settings)
        except Exception as error:
            self.words.value = f"<b>Could not draw this:</b> {html.escape(str(error))}"
            raise
        self.image.value = self.picture.png()
        self.words.value = words

    def multiples(self, name: str, values: list) -> Picture:
        """The pictures for several values of one control side by side; the widget stays as it is.

        `name` of a control, `values` (K,) to set it to, the others as they are set now.
        """
        if name not in self.controls:
            raise unknown("control", name, self.controls)
        shots = []
        for value in values:
            picture, _ = self.draw(**{**self.settings, name: value})
            shots.append((f"{name} = {value}", picture.png(), picture.alt))
        self.draw(**self.settings)
        return tiles(shots)

    def _changed(self, change):
        self.redraw()

    def _repr_mimebundle_(self, include=None, exclude=None):
        """The live widget, and beside it the picture with its alt text for readers without one."""
        live = super()._repr_mimebundle_(include=include, exclude=exclude)
        still, metadata = self.picture._repr_mimebundle_()
        return {**live, **still}, metadata

    def __repr__(self) -> str:
        return self.picture.alt


def table_html(head: list[str], rows: list[list[str]], bold: int | None = None) -> str:
    """A small HTML table of escaped strings; row number `bold` stands out."""
    cells = ["".join(f"<th style='padding:0 .8em'>{html.escape(h)}</th>" for h in head)]
    for i, row in enumerate(rows):
        style = "padding:0 .8em" + (";font-weight:bold" if i == bold else "")
        cells.append("".join(f"<td style='{style}'>{html.escape(c)}</td>" for c in row))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
