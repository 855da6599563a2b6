"""The reference of the site: the public names of the package, from their docstrings."""

import html
import inspect
import re
from types import ModuleType

import ranktrees
from ranktrees_lab.ask.card import marked

DOCTEST = re.compile(r"^>>> ", re.MULTILINE)


def page() -> str:
    """The names of `ranktrees`, then those of each room that are not among them, as HTML."""
    found = {name: getattr(ranktrees, name) for name in ranktrees.__all__}
    rooms = {name: thing for name, thing in found.items() if isinstance(thing, ModuleType)}
    names = {name: thing for name, thing in found.items() if name not in rooms}
    parts = ["<h1>Reference</h1>", "<p>Every public name, after <code>import ranktrees as rt"]
    parts += ["</code>. Rooms such as <code>rt.plot</code> are modules.</p>"]
    parts += [_section("rt", names)]
    shown = {id(thing) for thing in names.values()}
    for module, called in _once(rooms).items():
        inside = {n: t for n, t in public(module).items() if id(t) not in shown}
        if inside:
            parts.append(_section(" or ".join(f"rt.{name}" for name in called), inside, module))
        shown |= {id(thing) for thing in inside.values()}
    return "\n".join(parts)


def _once(rooms):
    """The public names of each module, which may have several."""
    names = {}
    for name, module in rooms.items():
        names.setdefault(module, []).append(name)
    return names


def public(module: ModuleType) -> dict:
    """What a module names in `__all__`, or else the functions and classes that it defines."""
    named = getattr(module, "__all__", None)
    if named is not None:
        every = {name: getattr(module, name) for name in named}
    else:
        every = {n: t for n, t in vars(module).items() if _own(t, module) and n[0] != "_"}
    return {name: thing for name, thing in every.items() if not isinstance(thing, ModuleType)}


def _own(thing, module):
    return callable(thing) and getattr(thing, "__module__", None) == module.__name__


def _section(called, things, module=None):
    """A heading, the module's first sentence, and what it holds."""
    about = f"<p>{marked(summary(module))}</p>" if module else ""
    entries = "\n".join(_entry(called.split(" or ")[0], *pair) for pair in sorted(things.items()))
    head = f'<h2 id="{called.replace(" ", "-")}">{called}</h2>'
    return f'{head}{about}<dl class="reference">{entries}</dl>'


def _entry(room, name, thing):
    """A name, its signature and docstring; a class has its methods in a line each."""
    methods = "".join(_method(*pair) for pair in _methods(thing)) if inspect.isclass(thing) else ""
    listed = f"<ul>{methods}</ul>" if methods else ""
    head = f"{room}.{name}{signature(thing)}"
    return f'<dt id="{room}.{name}">{html.escape(head)}</dt><dd>{described(thing)}{listed}</dd>'


def _methods(kind):
    """(name, method) of what a class of ours has, inherited from ours or its own."""
    for name, found in inspect.getmembers_static(kind, inspect.isroutine):
        thing = getattr(found, "__func__", found)  # of a class method
        if not name.startswith("_") and getattr(thing, "__module__", "").startswith("ranktrees"):
            yield name, thing


def _method(name, thing):
    head = html.escape(f"{name}{signature(thing)}")
    return f"<li><code>{head}</code> {marked(summary(thing))}</li>"


def signature(thing) -> str:
    """The parameters in brackets; nothing where there are none to be had, as of a dict."""
    try:
        shown = re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(thing)))
        return re.sub(r"^\((self|cls)(, )?", "(", shown)
    except (TypeError, ValueError):
        return ""


def summary(thing) -> str:
    """The first paragraph of a docstring."""
    return (inspect.getdoc(thing) or "").split("\n\n")[0]


def described(thing) -> str:
    """A docstring: paragraphs, what is indented or an example as it stands; a dict's names."""
    if not callable(thing):
        known = ", ".join(map(str, thing)) if isinstance(thing, dict | tuple) else str(thing)
        return f"<p>{marked(known)}</p>"
    parts = (inspect.getdoc(thing) or "").split("\n\n")
    return "".join(_preformatted(p) if _stands(p) else f"<p>{marked(p)}</p>" for p in parts if p)


def _stands(part):
    return DOCTEST.search(part) or "\n    " in part or "\n---" in part


def _preformatted(part):
    return f"<pre>{html.escape(part)}</pre>"
