"""One page to hand in: tree, one case explained, ROC curve, an honest sentence, and the code."""

from base64 import b64encode
from html import escape
from pathlib import Path

import numpy as np

from ranktrees_engine.basics.html import no_formula
from ranktrees_lab.playground.methods import in_scikit_learn
from ranktrees_lab.playground.views import draw, first, fold_aucs, safe, span
from ranktrees_lab.plot.inputs import interval
from ranktrees_lab.show import coloured

FOLD_CODE = """
# The AUC of each fold, and the 95 % interval of its mean
from ranktrees_lab.playground.views import fold_aucs, span

auc = fold_aucs(data.y, data.y == data.y.categories[{c}], scores[{name!r}])
print(f"AUC {{sum(auc) / len(auc):.3f}}, interval {{span(auc)}}")
"""


def look(name: str) -> str:
    """Return the style of all pages, followed by that of this one."""
    here = Path(__file__).parent
    return "".join(p.read_text("utf-8") for p in (here.parent / "style.css", here / name))


def hand_in(
    source, models: dict, positive: str, case: int, miss: float = 1.0, who: str = ""
) -> str:
    """Return the page as self-contained HTML; the first of `models` {name: model} is shown.

    It has the threshold for these costs, too, if a miss does not cost as much as a false alarm.
    Raises ValueError if a view cannot be drawn or no fold has an AUC.
    """
    model, data = next(iter(models)), source.data
    views = {"one case": f"Case {case} explained", "ROC": "The ROC curve"}
    if getattr(source.fitted(first(models)), "tree_", None) is not None:
        views = {"tree": "The tree", **views}
    if miss != 1:
        views["threshold"] = f"The threshold if a miss costs {miss:g}, a false alarm 1"
    parts, codes = [], {}
    for view, title in views.items():
        shown = draw(view, source, models, positive, case, miss)
        parts.append(f"<h2>{safe(title)}</h2>{_figure(shown, view != 'one case')}")
        codes[view] = shown.code
    code = codes.get("threshold", "") + codes["ROC"]
    c = list(map(str, data.y.categories)).index(positive)
    code += FOLD_CODE.format(c=c, name=model) + in_scikit_learn(first(models))
    counts = ", ".join(f"{n} {name}" for name, n in data.y.value_counts().items() if n)
    about = f"{data.name}: {len(data)} cases, {data.X.shape[1]} attributes; "
    about += f"class {data.target}: {counts}."
    title = f"{model} on {data.name}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{safe(title)}</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{look('handin.css')}</style></head><body>"
        f"<h1>{safe(title)}</h1><p>{safe(who)}</p><p>{safe(about)}</p>"
        f"<p><strong>{safe(honest(source, models, positive))}</strong></p>{''.join(parts)}"
        f"<h2>The code</h2>{_colours(code)}</body></html>"
    )


def _colours(code):
    """Return code in colours, as it is copied."""
    return f'<pre class="highlight">{no_formula(coloured(code))}\n</pre>'


def honest(source, models: dict, positive: str) -> str:
    """Say how well the first model ranks other cases, with an interval and its limits."""
    name, y = next(iter(models)), source.data.y
    hit = np.array([str(value) == positive for value in y])
    each = fold_aucs(y, hit, source.held_out(first(models), positive))
    said = (
        f"{name} ranks a case of class {positive} that it was not trained on above a case of "
        f"another class with probability {np.mean(each):.3f} (AUC, the mean of {len(each)} folds; "
        f"95 % interval {span(each)}). "
    )
    ends = interval(np.array([each]), "corrected")
    if ends and ends[0] <= 0.5 <= ends[1]:
        said += (
            "The interval contains 0.5: these data do not show that it does better than chance. "
        )
    tried = sum(key[0] == "folds" for key in source.known)
    if tried > 1:
        said += f"{tried} models were tried on these cases: the best of several looks too good."
    return said


def _figure(view, caption):
    """Return a picture with its words."""
    alt, source = view.picture.alt, address("image/png", view.picture.png())
    image = f'<img alt="{escape(alt)}" width="{view.picture.width}" src="{source}">'
    caption = f"<figcaption>{safe(alt)}</figcaption>" * caption
    return f"<figure>{image}{caption}</figure>{view.words}"


def address(kind: str, content: bytes) -> str:
    """Return a file as a data URL."""
    return f"data:{kind};base64,{b64encode(content).decode('ascii')}"


def link(text: str, file: str, address: str) -> str:
    """Return a link that saves a file under this name."""
    return f'<a download="{file}" href="{address}">{text}</a>'
