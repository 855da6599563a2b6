"""What all explorers share: a row of controls, a picture, and the text beside it."""

import html
from collections.abc import Callable

from ranktrees_engine.basics.arguments import as_list, check_flag, check_number, choose
from ranktrees_engine.basics.optional import optional
from ranktrees_lab.explore.controls import Control
from ranktrees_lab.explore.states import STATES as MOST
from ranktrees_lab.explore.states import ForPages, page_of, states_of
from ranktrees_lab.live import FITTING, Live, named, widgets
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.picture import SHOWN, Picture, tiles
from ranktrees_lab.plot.style import LETTERS

TALL, LEAST = 480, 0.85  # pixels of a picture at 1280 x 720; the share to which it may shrink
STATES = "application/vnd.ranktrees.explorer+json"


class Explorer(Live):
    """A row of controls, a picture and a few sentences that follow them.

    `draw(**settings) -> (Picture, tables)` is a pure function of the controls' values, so that it
    can be tested without a browser; the text is the picture's alt text and the tables, in HTML. A
    control that depends on others is a function of the settings that gives a `Control`. `parts`
    {name: anything} become attributes: what the picture is drawn from. A figure is drawn when a
    slider is released, not while it moves. Without a kernel the last picture and its alt text
    remain; if `for_pages` is set, outputs also have the states from which a page makes its sliders.
    """

    for_pages: ForPages | None = None

    def __init__(
        self, draw: Callable, parts: dict | None = None, /, **controls: Control | Callable
    ):
        optional("ipywidgets", "sliders", "lab")
        from traitlets import Unicode

        self.draw, self.picture, self._plans, self._filling = draw, None, controls, False
        vars(self).update(parts or {})
        made, settings = {}, {}
        for name in self.order:
            control = self.control_of(name, settings)
            made[name], settings[name] = _widget(control), control.value
            made[name].observe(self._changed, names="value")
        self.controls = {name: made[name] for name in controls}
        layout = widgets.Layout(max_width="100%", align_self="flex-start")
        self.image = widgets.Image(format="png", layout=layout)
        self.words = widgets.HTML().add_class("rt-words")
        # A picture can be named so; a `tooltip` is shown only by widgets with a description.
        self.image.add_traits(description=Unicode("").tag(sync=True))
        layout = widgets.Layout(flex_flow="row wrap", align_items="center")
        rows = widgets.HBox(list(self.controls.values()), layout=layout)
        style = widgets.HTML(FITTING, layout={"display": "none"})
        self.names = widgets.HTML(layout={"display": "none"})
        view = widgets.VBox([rows, self.image, self.words, self.names]).add_class("rt-view")
        super().__init__([style, view])
        self.redraw()

    @property
    def settings(self) -> dict:
        """The controls' values by name."""
        return {name: control.value for name, control in self.controls.items()}

    def settings_with(self, **changes: object) -> dict:
        """Return the settings after these changes; controls that follow a changed one start again.

        Raises ValueError for an unknown control.
        """
        settings = self.settings
        for name in changes:
            check_known("control", name, settings)
        settings |= changes
        self._follow(settings, set(changes))
        return settings

    def redraw(self) -> None:
        """Draw again; an error is shown instead of the text, and raised."""
        self.add_class("rt-busy")
        try:
            self.picture, tables = self.draw(**self.settings)
        except Exception as error:
            self.words.value = f"<b>Could not draw this:</b> {html.escape(str(error))}"
            raise
        finally:
            self.remove_class("rt-busy")
        self.image.width = str(self.picture.width)
        self.image.layout.min_height = least_height(self.picture)
        self.image.value, self.image.tooltip = self.picture.png(), self.picture.alt
        self.names.value = named(self.picture.alt)
        self.words.value = f"<p>{html.escape(self.picture.alt)}</p>{tables}"

    def multiples(self, name: str, values: list) -> Picture:
        """Draw pictures for several values of one control, side by side; leave the widget as it is.

        `name` of a control, `values` (K,) to set it to; the other controls keep their settings.
        """
        check_known("control", name, self.settings)
        traits, shots = self.plans(self.settings)[name].traits, []
        if not (values := as_list("values", values)):
            raise ValueError("values must hold at least one")
        for value in values:
            if "options" not in traits:
                check_number("each of values", value)
            picture, _ = self.draw(**self.settings_with(**{name: value}))
            shots.append((f"{name} = {value}", picture.png(), picture.alt))
        return tiles(shots)

    def plans(self, settings: dict) -> dict[str, Control]:
        """Return what each control offers with these settings of all controls."""
        return {name: self.control_of(name, settings) for name in self._plans}

    def control_of(self, name: str, settings: dict) -> Control:
        """Return what a control offers with these settings of the controls before it in `order`."""
        choose("name", name, self._plans)
        plan = self._plans[name]
        return plan(settings) if callable(plan) else plan

    @property
    def order(self) -> list[str]:
        """Names of the controls, those that depend on others last."""
        return sorted(self._plans, key=lambda name: callable(self._plans[name]))

    def states(self, most: int = MOST) -> dict:
        """Return what a page without a kernel needs; see `ranktrees_lab.explore.states`."""
        return states_of(self, most)

    def to_html(self, most: int = MOST, script: bool = True) -> str:
        """Return the explorer as HTML that works without a kernel; one `script` per page is enough.

        At most `states` combinations of its controls are drawn, about ten per second.
        """
        check_flag("script", script)
        return page_of(self.states(most), script)

    def _follow(self, settings: dict, changed: set) -> list[tuple[str, Control, bool]]:
        """Return (name, control, whether it begins again) of controls that depend on `settings`.

        Those that do get their new value in `settings`, for others that follow them.
        """
        dependent = []
        for name, plan in self._plans.items():
            if callable(plan):
                control = plan(settings)
                anew = name not in changed and not changed.isdisjoint(control.follows)
                if anew:
                    settings[name] = control.value
                    changed = {*changed, name}
                dependent.append((name, control, anew))
        return dependent

    def _changed(self, change):
        """Let other controls follow the one that was moved; only then is the picture drawn."""
        if self._filling:
            return
        moved = {n for n, control in self.controls.items() if control is change["owner"]}
        self._filling = True
        try:
            for name, control, anew in self._follow(self.settings, moved):
                if anew:
                    _fill(self.controls[name], control)
                self.controls[name].disabled = not control.enabled
        finally:
            self._filling = False
        self.redraw()

    def still(self) -> tuple[dict, dict]:
        """Return the picture with its alt text, for readers without a kernel."""
        data, metadata = self.picture._repr_mimebundle_()
        states = {STATES: self.for_pages.states(self)} if self.for_pages else {}
        return {**data, **states}, metadata

    def __repr__(self) -> str:
        return self.picture.alt


def least_height(picture: Picture) -> str | None:
    """Return in CSS how high a picture is at least, a little less than it was drawn for."""
    if LETTERS > 1:  # in a lecture it takes all the room that there is
        return None
    wide, high = picture.get_size_inches() * SHOWN
    return f"min({min(LEAST * high, TALL):.0f}px, 64vh, {LEAST * 100 * high / wide:.0f}cqw)"


def _widget(control):
    made = getattr(widgets, control.kind)(value=control.value, **control.traits)
    made.description = made.tooltip = control.label
    made.disabled = not control.enabled
    if control.kind == "SelectionSlider":  # as wide as its words
        made.layout.width, made.layout.min_width = "max-content", "300px"
    if made.has_trait("continuous_update"):
        made.continuous_update = False
    return made


def _fill(widget, control):
    """Set what a widget offers at once, so that no span is empty.

    Options come before the value, and once: set again, they would choose the first of them.
    """
    others = {name: value for name, value in control.traits.items() if name != "options"}
    with widget.hold_sync():
        if "options" in control.traits:
            widget.options = control.traits["options"]
        with widget.hold_trait_notifications():
            for name, value in {**others, "value": control.value}.items():
                setattr(widget, name, value)


def table_html(head: list[str], rows: list, forms="", bold: int | None = None) -> str:
    """Return a small HTML table, escaped; a number format or one per column; row `bold` bold."""
    forms = [forms] * len(head) if isinstance(forms, str) else forms
    lines = ["".join(_cell("th" if text else "td", text) for text in head)]
    for i, row in enumerate(rows):
        style = ";font-weight:bold" * (i == bold)
        texts = (x if isinstance(x, str) else format(x, f) for x, f in zip(row, forms, strict=True))
        lines.append("".join(_cell("td", text, style) for text in texts))
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _cell(kind, text, style=""):
    return f"<{kind} style='padding:0 .8em{style}'>{html.escape(text)}</{kind}>"
