"""The playground: controls at the left, at the right picture, text, code and downloads."""

import re
import warnings
from contextlib import suppress

from ranktrees_engine.basics.html import no_formula
from ranktrees_files.paths import InMemory
from ranktrees_files.storage import as_text
from ranktrees_lab.data import datasets, load
from ranktrees_lab.explore.base import Explorer, widgets
from ranktrees_lab.explore.controls import Control, choice
from ranktrees_lab.playground.handin import address, hand_in, link, look
from ranktrees_lab.playground.methods import (
    DEPTHS,
    METHODS,
    NONE,
    in_scikit_learn,
    models_of,
)
from ranktrees_lab.playground.notices import Notices, offers, plain, remedies_of, said, sentence
from ranktrees_lab.playground.upload import Upload, header_of
from ranktrees_lab.playground.views import OF_VIEWS, VIEWS, Source, draw, first, safe
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.picture import SHOWN
from ranktrees_lab.show import coloured

HEIGHT, READABLE = 560, 0.7  # pixels that a picture may have; of its size, or it cannot be read
LABEL = {"description_width": "7.5em"}
AGAINST = ("C4.4", "path Bayes")  # what is compared with, until others are chosen
FIELDS = ("data", "target", "method")  # what is seen until more is asked for
MANY = 20_000  # cases, for which a model takes minutes where a column names each of them


class Playground(Explorer):
    """An explorer of a data set that is chosen or uploaded, and of a method with its settings.

    `view` is what is shown: picture, text and code. An upload is only in this object, in memory. A
    sentence says what cannot be done; nothing is raised.
    """

    for_pages = None  # without a kernel: what is chosen here is too much for stored pictures

    def __init__(self, data: str, method: str):
        self.uploads, self.source, self.view, self._key = {}, None, None, None
        self.status, self.figure, self.links, self.made = (widgets.HTML() for _ in range(4))
        self.notices, self.who = (
            Notices(self._read),
            widgets.Text(placeholder="your name", layout={"width": "11em"}),
        )
        known = datasets()
        self.known = known.loc[known["source"] != "uci", "name"].drop_duplicates().tolist()
        check_known("data set", data, self.known)
        check_known("method", method, METHODS)
        self.whole = widgets.Checkbox(description="whole picture", indent=False)
        self.more = widgets.ToggleButton(description="more", tooltip="All settings")
        self.whole.observe(lambda _: self.view and self._show(self.picture.png()), "value")
        super().__init__(self._draw, None, **self._controls(data, method))
        self.upload = widgets.FileUpload(
            accept=".csv,.tsv,.txt,.data,.dat,.arff", description="Upload, up to 20 MB"
        )
        self.upload.observe(self._uploaded, names="value")
        self.store = widgets.Button(description="Prepare the model's file")
        self.store.on_click(lambda _: self._offer(self._stored))
        self.finish = widgets.Button(description="Finish: a page to hand in")
        self.finish.on_click(lambda _: self._offer(self._finished))
        self._arrange()
        for control in (self.more, self.controls["view"]):
            control.observe(lambda _: self._fold(), "value")
        self._fold()

    def _fold(self):
        """Show three fields and those of the view, or all if more is asked for."""
        view, more = self.controls["view"].value, self.more.value
        seen = {*FIELDS, "view", *OF_VIEWS.get(view, ()), *(self.controls if more else ())}
        for name, control in self.controls.items():
            control.layout.display = None if name in seen else "none"
        self.more.description = "less" if more else "more"

    def _controls(self, data, method):
        """All controls; those that are functions follow others that stand before them."""
        others = tuple(name for name in AGAINST if name != method)
        several = {"options": list(METHODS), "rows": 6}  # all that are chosen are seen
        m = {"min": 0.0, "max": 100.0, "step": 0.5}
        start = "tree" if hasattr(METHODS[method].kind, "with_estimate") else "one case"
        return {
            "data": choice("data", self.known, data),
            "target": self._target,
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
            "against": Control("SelectMultiple", "compare with", others, several),
            "positive": self._positive,
            "case": self._case,
            "miss": Control("BoundedFloatText", "a miss costs", 1.0, {"min": 0.1, "step": 0.5}),
            "view": Control("ToggleButtons", "view", start, {"options": list(VIEWS)}),
        }

    def _target(self, now):
        upload = self.uploads.get(now["data"])
        if upload is None:
            name = self._source_of(now["data"]).data.target
            return choice("class", [name], name, ("data",))._replace(enabled=False)
        return choice("class", upload.columns, upload.target, ("data",))

    def _positive(self, now):
        names = source.occurring if (source := self._readable(now)) else [NONE]
        return choice("positive class", names, names[0], ("data", "target"))

    def _case(self, now):
        last = len(source.data) - 1 if (source := self._readable(now)) else 0
        traits = {"min": 0, "max": last}
        return Control("BoundedIntText", "case", 0, traits, follows=("data", "target"))

    def _readable(self, now):
        with suppress(ValueError):  # is said where it is drawn
            return self._source_of(now["data"], now["target"])

    def _source_of(self, name, target=None):
        """The data set, with what was learnt from it, until another is asked for."""
        upload = self.uploads.get(name)
        key = (upload, target) if upload else name
        if key != self._key:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the notices say it
                parts = (upload.dataset(target), upload.code(target)) if upload else shipped(name)
            self.source, self._key = Source(*parts), key
        return self.source

    def _parts(self, data, target, method, against, positive, case, miss, view, **settings):
        """The data set, the models {name: model}, positive class, case, and a miss's cost."""
        models = models_of(method, against, **settings)
        return self._source_of(data, target), models, positive, case, miss

    def _draw(self, **settings):
        view = draw(settings["view"], *self._parts(**settings))
        return view.picture, view.words

    def redraw(self) -> None:
        """Draw again; the page says what goes wrong, and gives warnings."""
        self.status.value, self.made.value, self.view = said("Computing …"), "", None
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            warnings.filterwarnings("error", "growing may take")
            try:
                parts = self._parts(**self.settings)
                view = draw(self.settings["view"], *parts)
                view = view._replace(code=view.code + in_scikit_learn(first(parts[1])))
                self.picture, png = view.picture, view.picture.png()
            except Exception as error:  # a page has no other place for it
                self.status.value = said(plain(error), "This cannot be shown: ")
                self.figure.value = self.words.value = self.links.value = ""
                self._notify(error=error)
                return
        self.view = view
        self.status.value = said(f"Done: {self.controls['view'].value}.")
        self._notify(dict.fromkeys(plain(note.message) for note in notes))
        self._show(png)

    def _notify(self, words=(), error=None):
        """List the doubts about an upload with the buttons of their remedies, and other words."""
        upload, target = self.uploads.get(self.settings["data"]), self.settings["target"]
        if upload is None:
            self.notices.show(None, (), [], words)
            return
        found = []
        with suppress(ValueError):  # the error is said
            found = upload.doubts(target, None if error else self.source.data.doubts)
        told = [(sentence(doubt), remedies_of(doubt, upload.options)) for doubt in found]
        told += [("", [{"target": target, **remedy}]) for remedy in offers(error)]
        self.notices.show(upload.file, upload.remedies, told, words)

    def _show(self, png):
        view, alt = self.view, safe(self.picture.alt)
        source = address("image/png", png)
        plain = re.sub("<span>(.)</span>", lambda sign: f"&#{ord(sign[1])};", alt)
        plain = re.sub("</?bdi>", "", plain)
        self.figure.value = self._box(f'<img alt="{plain}" src="{source}"')
        code = f'<pre class="highlight"><code>{no_formula(coloured(view.code))}</code></pre>'
        self.words.value = f"<p>{alt}</p>{view.words}<p><b>The code that does it</b></p>{code}"
        self.links.value = link("Picture (PNG)", "ranktrees.png", source) + link(
            "Code (Python)", "my_comparison.py", address("text/x-python", view.code.encode())
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
        self._read(InMemory(file["name"], bytes(file["content"])))

    def _read(self, file, remedies=None):
        """Read a file with these remedies and show it; where that fails, what is shown stays."""
        self.notices.show(None, (), [], ["Reading …"])
        shown = self.uploads.get(self.settings["data"])
        target = self.settings["target"] if shown and shown.file is file else ""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what a remedy leaves out is said
                upload = Upload(file, remedies or (), target)
            if remedies is None and len(upload.frame) > MANY:
                names = [d for d in upload.doubts(upload.target) if d.kind == "identifier"]
                upload = Upload(file, tuple(d.remedy for d in names)) if names else upload
        except Exception as error:
            offered = offers(error, header_of(file.content) if remedies is None else {})
            self.notices.show(file, remedies or (), [(plain(error), offered)], refused=True)
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

    def _offer(self, make):
        """Make a file, and offer it."""
        self.status.value = said("Computing …")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the views say it
                text, name, kind, content = make(*self._parts(**self.settings))
        except Exception as error:
            self.status.value = said(plain(error), "This cannot be made: ")
            return
        self.made.value = link(text, name, address(kind, content.encode()))
        self.status.value = said(f"Done: {text}.")

    def _stored(self, source, models, *_):
        text = as_text(source.fitted(first(models)))
        return "Model (JSON)", "ranktrees-model.json", "application/json", text

    def _finished(self, *parts):
        text = hand_in(*parts, self.who.value)
        return "Page to hand in (HTML)", "hand-in.html", "text/html", text

    def _arrange(self):
        """Controls in a column, beside them the views, the picture, its words and the downloads."""
        *settings, view = self.controls.values()
        for control in settings:
            control.style, control.layout.width = LABEL, "300px"
        view.style = {"button_width": "auto", "description_width": "initial"}
        for control in (view, self.upload, self.store, self.whole, self.finish, self.more):
            control.layout.width = "auto"
        left, right = (
            widgets.Layout(flex="0 0 310px"),
            widgets.Layout(flex="1 1 20rem", min_width="0"),
        )
        style = widgets.HTML(f"<style>{look('page.css')}</style>")
        wrap = widgets.Layout(flex_flow="row wrap")  # on a phone one below the other
        files = [self.whole, self.links, self.store, self.who, self.finish, self.made]
        page = [view, self.status, self.figure, widgets.HBox(files, layout=wrap), self.words]
        fields = widgets.VBox([*settings, self.more, style], layout=left)
        result = widgets.VBox(page, layout=right).add_class("rt-result")
        self.upload.layout.align_self = "flex-start"
        file = [self.upload, self.notices]
        self.children = [self.children[0], *file, widgets.HBox([fields, result], layout=wrap)]
        self.add_class("rt-play")


def playground(data: str = "breast-cancer", method: str = "C4.5") -> Playground:
    """Open a page to play on: data, a method, its tree and curves, single cases, code, downloads.

    It starts with `data` and `method`. Raises ValueError for unknown names.
    """
    return Playground(data, method)


def shipped(name: str) -> tuple:
    """Load a data set of the package, and return the code that loads it."""
    return load(name), f"rt.load({name!r})"


def _setting(field, now):
    """A choice of what the method has of this kind."""
    names = getattr(METHODS[now["method"]], field)[1]
    return choice(field, names, names[0], ("method",))._replace(enabled=len(names) > 1)
