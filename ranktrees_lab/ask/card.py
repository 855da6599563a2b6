"""What a quiz and a guess share: controls for the keyboard, and the question as text."""

import html
import re

from ranktrees_engine.basics.optional import optional
from ranktrees_lab.live import CARD, Live, run, widgets

STYLE = """<style>
.rt-ask p {margin: 4px 0; line-height: 1.4; max-width: 44em}
.rt-ask button {border: 1px solid #767676; align-self: flex-start}
.rt-ask .widget-toggle-buttons button {display: block; width: auto; height: auto; margin: 3px 0;
  padding: 4px 10px; white-space: normal; text-align: left; line-height: 1.4}
.rt-ask .widget-toggle-buttons button.mod-active {background: #0072B2; color: white}
.rt-ask :is(button, input, select) {font-size: var(--jp-content-font-size1, 14px)}
.rt-ask .dataframe {border: 0; border-collapse: collapse}
.rt-ask .dataframe :is(td, th) {border: 0; padding: 2px 10px; text-align: right}
.rt-ask summary {max-width: 44em; white-space: nowrap; overflow: hidden; cursor: pointer;
  text-overflow: ellipsis}
.rt-ask [open] summary {white-space: normal}
.rt-ask :is(button, summary):focus-visible {outline: 2px solid #0072B2; outline-offset: 1px}
</style>"""

# Markdown of a lesson in lines of at most 90 letters, and pictures by night, wherever one scrolls.
PAGE = f""".jp-MarkdownCell .jp-RenderedMarkdown > :not(table, pre) {{max-width: 44em}} {CARD}"""
# What ipywidgets says by colour alone or not at all: which choice is pressed, and that something
# was said: an element that is there before its words is read aloud when they come.
HEARD = f"""const root = this.closest('.rt-ask');
this.tries = (this.tries ?? 0) + 1;
if (!root && this.tries < 100) setTimeout(() => this.onload(), 50);
const tell = () => {{
  for (const button of root.querySelectorAll('.widget-toggle-buttons button'))
    button.ariaPressed = button.classList.contains('mod-active');
  for (const reply of root.querySelectorAll('.rt-said > .widget-html-content'))
    reply.role = 'status';
}};
if (root) {{
  new MutationObserver(tell).observe(root, {{subtree: true, childList: true, attributes: true,
    attributeFilter: ['class']}});
  tell();
}}
const style = document.getElementById('rt-page') ?? document.createElement('style');
style.id = 'rt-page';
style.textContent = `{PAGE}`;
document.head.append(style);"""
# Whoever pressed a button that is gone goes on from what stands in its place.
FOCUS = """const summary = this.closest('.rt-ask')?.querySelector('summary');
if (document.activeElement === document.body) summary?.focus({preventScroll: true});"""

ANSWERS = "application/vnd.ranktrees.answers+json"


class Card(Live):
    """Controls, with HTML and text for a notebook that is read without a kernel.

    A notebook stores the question and never its answer; only if `for_pages` is set do outputs also
    have the answers, which a page folds away.
    """

    for_pages = False

    def __init__(self, children: list, page: str, text: str):
        self._page, self._text = page, text
        super().__init__([widgets.HTML(STYLE + run(HEARD), layout={"display": "none"}), *children])
        self.add_class("rt-ask")

    def still(self) -> tuple[dict, dict]:
        """Return the question as a page and as text."""
        answers = {ANSWERS: {"items": self.answers()}} if self.for_pages else {}
        return {"text/html": self._page, "text/plain": repr(self), **answers}, {}

    def answers(self) -> list[dict]:
        """Return questions and answers, {"question": HTML, "answer": HTML, "ask": for ask.js}."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._text


def need_widgets() -> None:
    """Raise ImportError, saying how to install widgets, if there are none."""
    optional("ipywidgets", "questions", "lab")


def buttons(question: str, choices: list[str]):
    """Return a button per choice, none pressed: unlike radio buttons, the Tab key does not answer.

    The question is each button's description for a screen reader.
    """
    options = [(without_marks(text), text) for text in choices]
    style = {"button_width": "auto"}
    tips = [without_marks(question)] * len(options)
    return widgets.ToggleButtons(options=options, value=None, tooltips=tips, style=style)


def reply():
    """Return a widget whose words a screen reader reads when they change."""
    return widgets.HTML().add_class("rt-said")


def folded(question: str, more: str):
    """Return a widget that is one line of an answered question, in HTML, until it is opened."""
    line = f"<summary><b>The question.</b> {question}</summary>"
    return widgets.HTML(f"<details>{line}{more}</details>{run(FOCUS)}")


def said(text: str, head: str = "") -> str:
    """Return a paragraph for a `reply`; `head` is emphasised."""
    bold = f"<b>{html.escape(head)}</b> " if head else ""
    return f"<p>{bold}{marked(text)}</p>"


def marked(text: str) -> str:
    """Return text as HTML, `code` in backticks marked as such."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))


def without_marks(text: str) -> str:
    """Return text without its backticks, for a button."""
    return text.replace("`", "")
