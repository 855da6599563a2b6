"""The reference of the site, from pdoc: the public names, with types, docstrings and source."""

import html
import inspect
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import ranktrees
from ranktrees import plain
from ranktrees_lab.ask.card import marked
from tools import pages

OURS = re.compile(r"\branktrees(?:_engine|_files|_lab|_scale)?(?:\.\w+)+")
OTHERS = re.compile(r"\b(?:collections\.abc|typing|(?<=pandas\.)core(?:\.\w+)*)\.(?=\w)")
UNNAMED = re.compile(r"<function (\w+)>| at 0x[0-9a-f]+")
SELF = re.compile(r"^\((?:self|cls|tree: [\w.]+)\b(?:, ?)?")
LINES = re.compile(r"(?<=[(])\n +|\n(?=[)])|(?<=,)\n   ")
UNCOLOURED = re.compile(r'<span class="(?:n|o|p|w|nb|nn|ne|bp|kr|vm)">([^<]*)</span>')
BLOCK = re.compile(r"^>>> |\n    |\n---", re.MULTILINE)


def written() -> list[dict]:
    """Return the pages: `rt` itself, each room with public names, each file of `rt.plain`.

    Each is a dict of its file, its title and its body in HTML.
    """
    found = rooms()
    places = {
        full_name(doc): (_file(name), f"{name}.{doc.name}")
        for name, room in found.items()
        for doc in room.members.values()
    }
    return [
        {
            "file": _file(name),
            "title": "Reference" if name == "rt" else name,
            "body": _body(name, found, places),
            "room": name != "rt",
        }
        for name in found
    ]


def _body(name, found, places):
    """Return a page's HTML; what several classes inherit is shown whole at the first of them."""
    shown = set()

    def first(doc):
        known = full_name(doc) in shown
        shown.add(full_name(doc))
        return not known

    return pages.template("reference.html.j2").render(
        name=name,
        rooms=found,
        file=_file,
        first=first,
        typed=lambda doc: typed(call(doc), places),
        code=coloured,
        described=described,
        members=members,
        where=where,
    )


def _file(room):
    return "reference.html" if room == "rt" else f"{room}.html"


def rooms() -> dict:
    """Return pdoc's view of `rt`, its rooms and the files of `rt.plain`; each thing is in one."""
    found = {name: getattr(ranktrees, name) for name in ranktrees.__all__}
    modules = {f"rt.{name}": thing for name, thing in found.items() if inspect.ismodule(thing)}
    for file in iter_modules(plain.__path__):
        modules[f"rt.plain.{file.name}"] = import_module(f"{plain.__name__}.{file.name}")
    names = {name: thing for name, thing in found.items() if not inspect.ismodule(thing)}
    made, shown = {"rt": documented("rt", names, ranktrees)}, {id(t) for t in names.values()}
    for name, module in modules.items():
        inside = {n: thing for n, thing in public(module).items() if id(thing) not in shown}
        if inside:
            made[name] = documented(name, inside, module)
        shown |= {id(thing) for thing in inside.values()}
    return made


def documented(name, things, module):
    """Return pdoc's view of these things, as if a module of this name defined them."""
    from pdoc.doc import Module

    shown = ModuleType(name, module.__doc__)
    shown.__dict__.update(things, __all__=sorted(things))
    return Module(shown)


def public(module: ModuleType) -> dict:
    """Return a module's `__all__`, or else the functions and classes that it defines."""
    named = getattr(module, "__all__", None)
    if named is not None:
        every = {name: getattr(module, name) for name in named}
    else:
        every = {n: t for n, t in vars(module).items() if _own(t, module) and n[0] != "_"}
    return {name: thing for name, thing in every.items() if not inspect.ismodule(thing)}


def _own(thing, module):
    return callable(thing) and getattr(thing, "__module__", None) == module.__name__


def full_name(doc) -> str:
    """Return where a thing is defined, as annotations name it."""
    return ".".join(filter(None, doc.taken_from))


def members(doc) -> list:
    """Return a class's public methods and properties that our code defines, also inherited."""
    if doc.kind != "class":
        return []
    ours = (m for m in doc.members.values() if m.taken_from[0].startswith("ranktrees"))
    shown = [m for m in ours if m.name[0] != "_"]
    return [m for m in shown if (_ours(m) if m.kind == "function" else m.docstring)]


def _ours(doc):
    """Return whether a function is written here: matplotlib puts its own `set` into each class."""
    return (getattr(doc.obj, "__module__", None) or "").startswith("ranktrees") and where(doc)


def call(doc) -> str:
    """Return the parameters in brackets with their types, a type alone, or nothing if unknown."""
    if doc.kind == "variable":
        return doc.annotation_str
    try:
        if doc.kind == "class":
            return str(inspect.signature(doc.obj)).removesuffix(" -> None")
        shown = str(doc.signature)
        return SELF.sub("(", "".join(LINES.split(shown))) if "." in doc.qualname else shown
    except (TypeError, ValueError):
        return ""


def typed(text: str, places: dict) -> str:
    """Return escaped text in which our classes are links to where they are shown."""

    def link(found):
        name = found[0].rpartition(".")[2]
        file, place = places.get(found[0], ("", ""))
        return f'<a href="{file}#{place}">{name}</a>' if file else name

    short = OTHERS.sub("", UNNAMED.sub(r"\1", text))
    return OURS.sub(link, html.escape(short, quote=False))


def described(doc) -> str:
    """Return a docstring as HTML: paragraphs, blocks unchanged; for a dict or tuple its names."""
    if doc.kind == "variable" and isinstance(doc.default_value, dict | tuple):
        return f"<p>{marked(', '.join(map(str, doc.default_value)))}</p>"
    return "".join(
        f"<pre>{html.escape(part)}</pre>" if BLOCK.search(part) else f"<p>{marked(part)}</p>"
        for part in filter(None, doc.docstring.split("\n\n"))
    )


def coloured(source: str) -> str:
    """Return Python as HTML, with spans only for colours of the site, since lines are many."""
    return UNCOLOURED.sub(r"\1", pages.code_html(source))


def where(doc) -> str:
    """Return the file of our code that defines a thing, and its first line, or nothing."""
    path = Path(doc.source_file or "").resolve()
    if not doc.source or not path.is_relative_to(pages.ROOT):
        return ""
    return f"{path.relative_to(pages.ROOT).as_posix()}, line {doc.source_lines[0]}"
