"""Widgets that leave something to look at in a saved notebook, which keeps no widget."""

from types import SimpleNamespace

try:
    import ipywidgets as widgets
except ImportError:  # so that help and dir find what is here
    widgets = SimpleNamespace(VBox=object)

VIEW = "application/vnd.jupyter.widget-view+json"
# While the widget lives, what stays is hidden; once it does not, JupyterLab's line that says so: of
# all outputs only that of a widget has no data-mime-type.
LIVE = """<style>
.jp-OutputArea:has(.rt-live) > .jp-OutputArea-child:has(.rt-still) {display: none}
</style>"""
DEAD = ":not(:has(.rt-live)):has(> .jp-OutputArea-output:not([data-mime-type]))"
STILL = f"""<style>
.jp-OutputArea-child{DEAD}:has(+ .jp-OutputArea-child .rt-still) {{display: none}}
</style>"""


class Live(widgets.VBox):
    """A widget in one output and what stays of it in a second one, of which one is seen.

    JupyterLab shows the first format that it knows of an output and has none to fall back on: a
    widget without its kernel would be a line of error where a picture could be. A class has
    `still()`, the bundle of formats (data, metadata) of what stays.
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
        """The live widget and what stays of it in one output, for those who want one."""
        live = super()._repr_mimebundle_(include=include, exclude=exclude)
        data, metadata = self.still()
        return {**live, **data}, metadata
