"""Widgets that leave a still picture in a saved notebook, which cannot keep a widget."""

import html
from types import SimpleNamespace

try:
    import ipywidgets as widgets
except ImportError:  # so that help and dir find what is here
    widgets = SimpleNamespace(VBox=object)
from ranktrees_lab.plot.style import LETTERS

VIEW = "application/vnd.jupyter.widget-view+json"
# In JupyterLab a picture by night lies on a soft card: white shines.
CARD = """
[data-jp-theme-light=false] .jp-OutputArea-output :is(img[src^="data:image/png"], .widget-image) {
  filter: brightness(.86) sepia(.05); border-radius: 6px}
"""
# While the widget lives, what stays is hidden; once it does not, JupyterLab's line that says so: of
# all outputs only that of a widget has no data-mime-type.
LIVE = f"""<style>{CARD}
.jp-OutputArea:has(.rt-live) > .jp-OutputArea-child:has(.rt-still) {{display: none}}
.rt-live .widget-html-content {{font-size: var(--jp-content-font-size1, 14px)}}
</style>"""
DEAD = ":not(:has(.rt-live)):has(> .jp-OutputArea-output:not([data-mime-type]))"
STILL = f"""<style>{CARD}
.jp-OutputArea-child{DEAD}:has(+ .jp-OutputArea-child .rt-still) {{display: none}}
</style>"""

# Nothing is higher than JupyterLab's pane between its bars: a picture shrinks a little, then it
# and its words scroll under the controls. Words stand beside the tables, or beside the picture
# where there is room. After 0.3 s of work, of its own or of a cell, it pales and says so.
FITTING = """<style>
.rt-live:has(> .rt-view) {container-type: inline-size}
.rt-view.rt-view {max-height: calc(100vh - 130px); overflow: hidden auto}
.rt-view > * {flex: none}
.rt-view > .widget-hbox {position: sticky; top: 0; z-index: 2;
  background: var(--jp-layout-color0, white)}
.rt-view .widget-inline-hbox > .widget-label {width: auto; min-width: 72px}
.rt-view .widget-slider > .widget-readout {flex: none; max-width: none; white-space: nowrap}
.rt-view .widget-slider > .slider-container {min-width: 80px}
.rt-view > .widget-image {flex: 0 1 auto; max-height: calc(100vh - 240px); object-fit: contain;
  object-position: left top; background: white}
.rt-view .widget-html-content {display: flex; flex-wrap: wrap; align-content: flex-start;
  gap: 2px 20px; line-height: 1.35; min-width: 0; overflow-x: auto}
.rt-view .widget-html-content p {flex: 1 1 min(300px, 100%); max-width: 44em; margin: 2px}
.rt-ask > .rt-live:has(> .rt-view) {min-height: 300px; flex: 0 1 auto}
.rt-ask > :not(.rt-said) + .rt-live:has(> .rt-view) {min-height: calc(100vh - 140px)}
.rt-ask:has(> .rt-live > .rt-view) {max-height: calc(100vh - 124px)}
.rt-ask > .rt-live > .rt-view {flex: 0 1 auto; min-height: 0}
@container (min-width: 1150px) {
  .rt-view.rt-view {display: grid; grid-template: auto 1fr / auto 1fr; column-gap: 24px}
  .rt-view > .widget-hbox {grid-column: 1 / 3}
}
.rt-view > .widget-hbox::after {content: "working …"; position: absolute; right: 0; bottom: 0;
  padding: 2px 8px; background: #FFF3C4; color: black; visibility: hidden}
@keyframes rt-pale {to {opacity: .4}}
@keyframes rt-say {to {visibility: visible}}
:is(.rt-busy, .jp-NotebookPanel:has(.jp-Notebook-ExecutionIndicator[data-status="busy"])) .rt-view {
  > .widget-hbox::after {animation: rt-say 0s .3s forwards}
  > .widget-image {animation: rt-pale 0s .3s forwards}
}
</style>"""
if LETTERS > 1:  # in a lecture a picture takes all the room, and sliders are long enough to aim at
    FITTING += """<style>
.rt-view.rt-view.rt-view {max-height: calc(100vh - 100px); display: flex}
.rt-ask:has(> .rt-live > .rt-view) {max-height: none}
.rt-view > .widget-image {width: 100%; flex: none; height: calc(100vh - 168px); max-height: none}
.rt-view:has(> .widget-hbox > :nth-child(5)) > .widget-image {height: calc(100vh - 202px)}
.rt-view .widget-inline-hbox {width: auto}
.rt-view .widget-slider > .slider-container {min-width: 300px}
</style>"""
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAAAAAAALAAAAAABAAEAAAICTAEAOw=="
NAMED = """const root = this.closest('.rt-view');
this.tries = (this.tries ?? 0) + 1;
if (!root && this.tries < 100) setTimeout(() => this.onload(), 50);
root?.querySelector('.widget-image')?.setAttribute('alt', this.alt);
for (const slider of root?.querySelectorAll('.widget-slider') ?? []) {
  const handle = slider.querySelector('.noUi-handle'), label = slider.querySelector('label');
  handle.setAttribute('aria-label', label.textContent);
  handle.tabIndex = slider.querySelector('.slider').hasAttribute('disabled') ? -1 : 0;
}"""


def named(alt: str) -> str:
    """Return HTML whose script sets, in its `.rt-view`, what ipywidgets cannot set.

    The live picture gets its alt text and each slider a name; the Tab key skips disabled ones.
    """
    return run(NAMED, alt)


def run(script: str, alt: str = "") -> str:
    """Return HTML that runs a script when it is shown: of `this`, a picture that is not seen."""
    return f'<img hidden alt="{html.escape(alt)}" src="{PIXEL}" onload="{html.escape(script)}">'


class Live(widgets.VBox):
    """A widget in one output and its still form in a second one, only one of which is visible.

    JupyterLab shows the first format of an output that it knows and does not fall back on another:
    without its kernel a widget would be an error line instead of a picture. A class defines
    `still()`, the bundle of formats (data, metadata) that stays.
    """

    def __init__(self, children: list):
        super().__init__([widgets.HTML(LIVE, layout={"display": "none"}), *children])
        self.add_class("rt-live")

    def _ipython_display_(self):
        from IPython.display import display

        live = super()._repr_mimebundle_()
        display({VIEW: live[VIEW]}, raw=True)
        data, metadata = self.still()
        page = f'<div class="rt-still">{STILL}{data["text/html"]}</div>'
        display({**data, "text/html": page}, raw=True, metadata=metadata)

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return the live widget and what stays of it in one output, for those who want one."""
        live = super()._repr_mimebundle_(include=include, exclude=exclude)
        data, metadata = self.still()
        return {**live, **data}, metadata
