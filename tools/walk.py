"""A tree and its plane, side by side, that grow question by question while a reader scrolls.

Of the site alone. Pictures stay in sight by style sheets; without them, in print and where motion
is not wanted, they stand above their words, one after the other.
"""

import base64
import html
import re

import ranktrees as rt
from ranktrees_lab.plot.picture import Picture

LESSON, SECTION = "02", "The-recursion"  # the lesson, and the heading that it stands above
MOST, NOBODY = 4, 1000  # leaves; cases that a node would need to be split
NAMES = {"petallength": "petal length (cm)", "petalwidth": "petal width (cm)"}
SIZE = 4.9, 3.7  # inches of the plane: room for its legend
TITLE = "A tree and its plane"
ABOUT = """150 iris flowers of three kinds, 50 of each, and two numbers of each flower. Each
question of the tree cuts one rectangle of the plane in two. Scroll down, and the tree asks one
question after the other."""


def put(number: str, body: str) -> str:
    """Return a lesson's page with the walk, if it is the one that has it.

    SystemExit if that lesson has no such section any more.
    """
    if number != LESSON:
        return body
    before, found, rest = body.partition(f'<h2 id="{SECTION}')
    if not found:
        raise SystemExit(f"lesson {LESSON} has no section {SECTION!r}: say in tools/walk.py where")
    return before + walk() + found + rest


def walk() -> str:
    """Return HTML of all steps: a tree and a plane, and what its last question does."""
    iris = rt.load("iris")
    kinds = [str(kind).removeprefix("Iris-") for kind in iris.y]
    data = rt.Dataset(iris.X[list(NAMES)].rename(columns=NAMES), kinds)
    models = [_grown(data, min_parent=NOBODY)]
    models += [_grown(data, max_leaf_nodes=leaves) for leaves in range(2, MOST + 1)]
    said = [_first(data), *map(_asked, models, models[1:])]
    steps = "".join(map(_step, range(1, MOST + 1), models, [data] * MOST, said))
    rows = f'style="grid-template-rows: repeat({MOST}, auto)"'
    head = f'<h2 id="tree-and-plane">{TITLE}</h2><p>{ABOUT}</p>'
    return f'{head}<div class="walk" {rows}>{steps}</div>'


def _grown(data, **stop):
    how = {"criterion": "gini", "split": "binary", "numeric": "thresholds"}
    return rt.DecisionTree(**how, **stop).fit(data.X, data.y)


def _step(number, model, data, said):
    plane = rt.plot.boundaries(model, data)
    plane.set_size_inches(*SIZE)
    pictures = _image(rt.plot.tree(model)) + _image(plane)
    at = f'style="--at: {number}"'
    return f'<figure {at}>{pictures}</figure><div class="step" {at}><p>{said}</p></div>'


def _image(picture: Picture):
    source = base64.b64encode(picture.png()).decode("ascii")
    alt, width = html.escape(picture.alt), picture.width
    source = f"data:image/png;base64,{source}"
    return f'<div class="wide"><img alt="{alt}" width="{width}" src="{source}"></div>'


def _first(data):
    return f"<b>No question.</b> One leaf holds all {len(data.y)} flowers, and one rectangle."


def _asked(before, after):
    """Say which question a tree has more than the one before, and what it does."""
    known = [_key(node) for node in _inner(before)]
    (node,) = (node for node in _inner(after) if _key(node) not in known)
    yes, no = node.children
    right = sum(int(n.counts.max()) for n in after.tree_.nodes() if n.is_leaf)
    asked = f"Is the {node.name} {re.sub('^<= ', 'at most ', str(yes.condition))}?"
    parts = f"yes for {_flowers(yes)}, no for {_flowers(no)}"
    return (
        f"<b>Question {len(known) + 1}.</b> {asked} In a rectangle of "
        f"{int(node.counts.sum())} flowers it is {parts}. Now {right} of "
        f"{int(after.tree_.counts[0].sum())} lie in a rectangle of their own kind."
    )


def _inner(model):
    return [node for node in model.tree_.nodes() if not node.is_leaf]


def _key(node):
    return node.depth, node.name, node.counts.tolist()


def _flowers(node):
    kinds = [f"{int(n)} {node.tree.class_name(c)}" for c, n in enumerate(node.counts) if n]
    return " and ".join(kinds)
