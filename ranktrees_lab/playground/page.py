"""The playground: controls at the left, at the right the picture, its words, code and downloads."""

import pathlib
import re
import warnings
from base64 import b64encode

from ranktrees.models.storage import as_text
from ranktrees_lab.data import datasets, load
from ranktrees_lab.explore.base import Explorer, widgets
from ranktrees_lab.explore.controls import Control, choice
from ranktrees_lab.playground.methods import DEPTHS, METHODS, NONE, models_of
from ranktrees_lab.playground.upload import Upload
from ranktrees_lab.playground.views import VIEWS, Source, draw, first, safe
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.picture import SHOWN

HEIGHT, READABLE = 560, 0.7  # pixels that a picture may have; of its size, or it cannot be read
LOOK = pathlib.Path(__file__).parents[1] / "style.css"  # what pages, slides and this share
# No picture has both its sides set, so that none is distorted: one too large for its box scrolls.
STYLE = """<style>
.rt-box {max-height: var(--most); overflow: auto; border: solid #DDDDDD; border-width: 1px 0}
.rt-box img {display: block; background: white; max-width: min(100%, var(--full));
  min-width: var(--least)}
.rt-whole img {min-width: 0; max-height: var(--most)}
.rt-play .widget-html-content {min-width: 0}
.rt-play pre {white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.3}
.rt-play p, .rt-play li {line-height: 1.4; margin: 3px 0}
.rt-play a {color: var(--link); text-decoration: underline; margin-right: 1.5em}
.rt-play button {border: 1px solid #767676}
.rt-play .widget-html-content {overflow-x: auto; max-width: 100%}
.rt-play .widget-toggle-buttons, .rt-play .widget-toggle-buttons > div {flex-wrap: wrap;
  height: auto}
.rt-play button.mod-active {background: var(--button); color: white}
.rt-play :focus-visible {outline: 2px solid var(--link); outline-offset: 1px}
.rt-play {color-scheme: light; --jp-ui-font-family: var(--words)}
[data-jp-theme-light=false] .rt-play {color-scheme: dark}
@media (prefers-color-scheme: dark) {
  :root:has(> [data-voila]) {color-scheme: dark; --jp-layout-color0: var(--paper);
    --jp-layout-color1: var(--paper); --jp-layout-color2: var(--soft);
    --jp-border-color1: var(--faint); --jp-ui-font-color0: var(--text);
    --jp-ui-font-color1: var(--text); --jp-content-font-color1: var(--text)}
  [data-voila] .rt-play, [data-voila] {color-scheme: dark; background: var(--paper);
    color: var(--text)}
}
</style>"""
MOST_NOTES = 3  # warnings that are shown
LABEL = {"description_width": "7.5em"}


class Playground(Explorer):
    """An explorer of a data set that is chosen or uploaded, and of a method with its settings.

    `view` is what is shown: picture, words and code. An upload lies in this object alone, in
    memory. What cannot be done is said in a sentence, and nothing is raised.
    """

    for_pages = None  # without a kernel: what is chosen here is too much for stored pictures

    def __init__(self, data: str, method: str):
        self.uploads, self.source, self.view, self._key = {}, None, None, None
        self.status, self.figure, self.links, self.model_link = (widgets.HTML() for _ in range(4))
        known = datasets()
        self.known = known.loc[known["source"] != "uci", "name"].drop_duplicates().tolist()
        check_known("data set", data, self.known)
        check_known("method", method, METHODS)
        self.whole = widgets.Checkbox(description="whole picture", indent=False)
        self.whole.observe(lambda _: self.view and self._show(self.picture.png()), "value")
        super().__init__(self._draw, None, **self._controls(data, method))
        self.upload = widgets.FileUpload(accept=".csv,.arff,.txt", description="Upload, up to 5 MB")
        self.upload.observe(self._uploaded, names="value")
        self.store = widgets.Button(description="Prepare the model's file")
        self.store.on_click(self._store)
        self._arrange()

    def _controls(self, data, method):
        """All controls; those that are functions follow others that stand before them."""
        several = {"options": list(METHODS), "rows": 4}
        m = {"min": 0.0, "max": 100.0, "step": 0.5}
        start = "tree" if hasattr(METHODS[method].kind, "with_estimate") else "one case"
        return {
            "data": choice("data", self.known, data),
            "target": self._target,
            "without": self._without,
            "method": choice("method", list(METHODS), method),
            "criterion": lambda now: _setting("criterion", now),
            "estimate": lambda now: _setting("estimate", now),
            "m": lambda now: Control("BoundedFloatText", "m", 2.0, m, now["estimate"] == "m"),
            "prune": lambda now: Control(
                "Checkbox", "prune", True, {}, METHODS[now["method"]].unpruned != (), ("method",)
            ),
            "depth": lambda now: choice("depth at most", DEPTHS, 0, ("method",))._replace(
                enabled=METHODS[now["method"]].depth
            ),
            "against": Control("SelectMultiple", "compare with", (), several),
            "positive": self._positive,
            "case": self._case,
            "view": Control("ToggleButtons", "view", start, {"options": list(VIEWS)}),
        }

    def _target(self, now):
        upload = self.uploads.get(now["data"])
        if upload is None:
            name = self._source_of(now["data"]).data.target
            return choice("class", [name], name, ("data",))._replace(enabled=False)
        return choice("class", upload.columns, upload.target, ("data",))

    def _positive(self, now):
        try:
            names = self._source_of(now["data"], now["target"]).occurring
        except ValueError:  # is said where it is drawn
            names = [NONE]
        return choice("positive class", names, names[-1], ("data", "target"))

    def _case(self, now):
        try:
            last = len(self._source_of(now["data"], now["target"]).data) - 1
        except ValueError:
            last = 0
        traits = {"min": 0, "max": last}
        return Control("BoundedIntText", "case", 0, traits, follows=("data", "target"))

    def _without(self, now):
        try:
            source = self._source_of(now["data"], now["target"])
        except ValueError:
            return Control("SelectMultiple", "leave out", (), {}, False, ("data", "target"))
        some = {"options": list(source.data.X), "rows": 4}
        start = tuple(source.identifiers)
        return Control("SelectMultiple", "leave out", start, some, True, ("data", "target"))

    def _source_of(self, name, target=None):
        """The data set, with what was learnt from it, until another is asked for."""
        upload = self.uploads.get(name)
        key = (upload, target) if upload else name
        if key != self._key:
            with warnings.catch_warnings(record=True) as notes:
                warnings.simplefilter("always")
                parts = (upload.dataset(target), upload.code(target)) if upload else shipped(name)
            self.source, self._key = Source(*parts, notes), key
        return self.source

    def _view(self, data, target, without, method, against, positive, case, view, **settings):
        source = self._source_of(data, target).without(without)
        return draw(view, source, models_of(method, against, **settings), positive, case)

    def _draw(self, **settings):
        view = self._view(**settings)
        return view.picture, view.words

    def redraw(self) -> None:
        """Draw anew; what goes wrong, and what was warned of, is said in the page."""
        self.status.value, self.model_link.value = _said("Computing …"), ""
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            warnings.filterwarnings("error", "growing may take")
            try:
                self.view = self._view(**self.settings)
                self.picture, png = self.view.picture, self.view.picture.png()
            except Exception as error:  # a page has no other place for it
                self.status.value, self.view = _said(error, "This cannot be shown: "), None
                self.figure.value = self.words.value = self.links.value = ""
                return
        words = [*dict.fromkeys(str(note.message) for note in [*self.source.notes, *notes])]
        if names := [n for n in self.source.identifiers if n in self.settings["without"]]:
            words.insert(0, f"Left out, as each case has a value of its own: {', '.join(names)}.")
        done = f"Done: {self.controls['view'].value}."
        self.status.value = _said(" ".join([done, *words[:MOST_NOTES]]))
        self._show(png)

    def _show(self, png):
        view, alt = self.view, safe(self.picture.alt)
        source = _address("image/png", png)
        plain = re.sub("<span>(.)</span>", lambda sign: f"&#{ord(sign[1])};", alt)
        plain = re.sub("</?bdi>", "", plain)
        self.figure.value = self._box(f'<img alt="{plain}" src="{source}"')
        code = f"<pre><code>{safe(view.code)}</code></pre>"
        self.words.value = f"<p>{alt}</p>{view.words}<p><b>The code that does it</b></p>{code}"
        self.links.value = _link("Picture (PNG)", "ranktrees.png", source) + _link(
            "Code (Python)", "my_comparison.py", _address("text/x-python", view.code.encode())
        )

    def _box(self, image):
        """Around the picture: of a large one what is read first is seen, or all of it, smaller."""
        width, height = self.picture.get_size_inches() * SHOWN
        fit = HEIGHT / height
        full = width * fit if READABLE <= fit < 1 else width
        sizes = f"--full: {full:.0f}px; --least: {READABLE * width:.0f}px"
        return (
            f'<div class="rt-box{" rt-whole" * self.whole.value}" tabindex="0" role="group" '
            f'aria-label="Picture" style="{sizes}; --most: max({HEIGHT}px, 100vh - 240px)">'
            f'{image} onload="const box = this.parentElement; box.scrollTop = '
            f'{self.picture.begins:.3f} * this.offsetHeight - box.clientHeight / 2"></div>'
        )

    def _uploaded(self, change):
        if not change["new"]:
            return
        file = change["new"][0]
        self.upload.value = ()  # the widget need not keep it, too
        self.status.value = _said("Reading …")
        try:
            upload = Upload(file["name"], bytes(file["content"]))
        except Exception as error:
            self.status.value = _said(error, "This file cannot be used: ")
            return
        name = f"upload: {upload.name}"
        self.uploads, box = {name: upload}, self.controls["data"]
        self._filling = True
        try:
            box.options = [*self.known, name]
            box.value = name
        finally:
            self._filling = False
        self._changed({"owner": box})

    def _store(self, _):
        self.status.value, now = _said("Computing …"), self.settings
        names = ("method", "criterion", "estimate", "m", "prune", "depth")
        model = first(models_of(against=(), **{name: now[name] for name in names}))
        try:
            source = self._source_of(now["data"], now["target"])
            fitted = source.without(now["without"]).fitted(model)
            text = as_text(fitted).encode()
        except Exception as error:
            self.status.value = _said(error, "This model cannot be stored: ")
            return
        where = _address("application/json", text)
        self.model_link.value = _link("Model (JSON)", "ranktrees-model.json", where)
        self.status.value = _said("Done. rt.load_model reads the file.")

    def _arrange(self):
        """Controls in a column, beside them the views, the picture, its words and the downloads."""
        *settings, view = self.controls.values()
        for control in settings:
            control.style, control.layout.width = LABEL, "300px"
        view.style = {"button_width": "auto", "description_width": "initial"}
        for control in (view, self.upload, self.store, self.whole):
            control.layout.width = "auto"
        left, right = (
            widgets.Layout(flex="0 0 310px"),
            widgets.Layout(flex="1 1 20rem", min_width="0"),
        )
        upload = widgets.HBox([self.upload], layout=widgets.Layout(margin="0 0 0 8em"))
        files = widgets.HBox(
            [self.whole, self.links, self.store, self.model_link],
            layout=widgets.Layout(flex_flow="row wrap"),
        )
        page = [view, self.status, self.figure, files, self.words]
        style = widgets.HTML(f"<style>{LOOK.read_text(encoding='utf-8')}</style>{STYLE}")
        boxes = [
            widgets.VBox([upload, *settings, style], layout=left),
            widgets.VBox(page, layout=right),
        ]
        wrap = widgets.Layout(flex_flow="row wrap")  # on a phone one below the other
        self.children = [self.children[0], widgets.HBox(boxes, layout=wrap)]
        self.add_class("rt-play")


def playground(data: str = "breast-cancer", method: str = "C4.5") -> Playground:
    """A page to play on: data, a method, its tree and curves, single cases, code, downloads.

    `data` and `method` are what it starts with. Raises ValueError for names that it does not know.
    """
    return Playground(data, method)


def shipped(name: str) -> tuple:
    """A data set of the package, and the code that loads it."""
    return load(name), f"rt.load({name!r})"


def _setting(field, now):
    """A choice of what the method has of this kind."""
    names = getattr(METHODS[now["method"]], field)[1]
    return choice(field, names, names[0], ("method",))._replace(enabled=len(names) > 1)


def _said(text, head="") -> str:
    """A line that a screen reader says; `head` before what went wrong."""
    role = "alert" if head else "status"
    text = safe(text) or type(text).__name__  # as of an error of too little memory
    return f'<p role="{role}"><b>{head}</b>{text}</p>'


def _address(kind, content) -> str:
    return f"data:{kind};base64,{b64encode(content).decode('ascii')}"


def _link(text, file, address) -> str:
    return f'<a download="{file}" href="{address}">{text}</a>'
