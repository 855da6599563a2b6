"""The button that opens the seal: Run All shows it, and only a click opens."""

from collections.abc import Callable

from ranktrees_lab.ask.card import Card, marked, reply, said
from ranktrees_lab.live import widgets
from ranktrees_lab.sealed.results import Results

ONCE = (
    "Opening the seal shows the AUC of your {count} on the 300 sealed clients. You can do so once: "
    "what you submit afterwards is marked."
)
PRESS = "Open the seal"
WITHOUT = "To open it without a button, call `rt.sealed.open(now=True)`."


class Seal(Card):
    """A closed seal, and a button that opens it and shows the results below itself.

    `open_now` opens the seal and `peek` computes the same results without opening, for pages.
    """

    def __init__(self, count: int, open_now: Callable[[], Results], peek: Callable[[], Results]):
        text, self._open, self._peek = said_of(count), open_now, peek
        self.button = widgets.Button(description=PRESS, tooltip=text)
        self.button.layout.width = "auto"
        self.button.on_click(self.press)
        self.reply, self.results = reply(), widgets.HTML()
        page = f"<p><b>The seal is closed.</b> {marked(text)}</p>"
        super().__init__([widgets.HTML(page), self.button, self.reply, self.results], page, text)

    def press(self, button=None) -> None:
        """Open the seal, once, and show the results; or say why it cannot be opened."""
        if self.button.disabled:
            return
        try:
            opened = self._open()
        except (ValueError, OSError) as error:
            self.reply.value = said(str(error))
            return
        self.button.disabled = True
        self.reply.value = said("", "The seal is open.")
        self.results.value = page_of(opened)

    def answers(self) -> list[dict]:
        """Return what a page folds away: the results that a click would show."""
        return [{"question": self._page, "answer": page_of(self._peek()), "shown": [], "ask": {}}]


def said_of(count: int) -> str:
    """Return the sentences on what opening does to so many submissions."""
    return ONCE.format(count=f"{count} submission{'s' * (count > 1)}")


def has_buttons() -> bool:
    """Return whether ipywidgets is installed."""
    return hasattr(widgets, "Button")


def page_of(results: Results) -> str:
    """Return results as HTML."""
    return results._repr_mimebundle_()[0]["text/html"]
