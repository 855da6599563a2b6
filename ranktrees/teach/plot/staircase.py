"""The ROC curve of a tree: as many corners as it has distinct scores, each one marked."""

from ranktrees.evaluate import Blocks
from ranktrees.teach.plot.inputs import scored
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, DASHES, MODELS, SMALL, shorten

FEW = 9  # distinct scores that are written beside their corners
SQUARE = 4.0  # inches
MODELS_SHOWN = 4


def staircase(y, scores, positive=None, figure=None) -> Picture:
    """ROC curves with a dot at each corner: cases of equal score are one straight piece.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last), at most
    four models. Where a model has at most nine distinct scores, each is written at its corner:
    the curve up to there calls positive all cases from this score on.
    """
    hits, scores, positive = scored(y, scores, positive)
    if len(scores) > MODELS_SHOWN:
        raise ValueError(f"{len(scores)} curves with dots hide each other: give at most four")
    fig = picture(figure, (7.6, SQUARE + 0.75))
    ax = axes(fig, 0.75, 0.6, 0.75 + SQUARE, 0.6 + SQUARE)
    ax.set(xlim=(-2, 102), ylim=(-2, 102))
    ax.set(xlabel="false positive rate (%)", ylabel=f"{shorten(positive, 1.5)}: found (%)")
    ax.grid(color="#E5E5E5", lw=0.6)
    ax.plot([0, 100], [0, 100], color=COLOURS["random"], lw=1)
    told = []
    for k, (name, score) in enumerate(scores.items()):
        blocks = Blocks.of(hits, score)
        _curve(ax, blocks, k)
        words = f"{len(blocks.score)} score{'s' if len(blocks.score) > 1 else ''}"
        _name(fig, k, [shorten(name, 2.0), f"{words}, AUC {blocks.auc:.3f}"])
        told.append(f"{name} has {words} and AUC {blocks.auc:.3f}")
    fig.alt = (
        f"ROC curves of class {positive} ({hits.sum()} of {len(hits)} cases), a dot for every "
        f"distinct score: {'; '.join(told)}."
    )
    return fig


def _curve(ax, blocks, k):
    fpr, tpr = (100 * rate for rate in blocks.roc())
    colour, few = MODELS[k % len(MODELS)], len(blocks.score) <= FEW
    style = {"color": colour, "ls": DASHES[k % len(DASHES)], "zorder": 3}
    ax.plot(fpr, tpr, "o", ms=6 if few else 3, lw=1.8, **style)
    for x, y, score in zip(fpr[1:-1], tpr[1:-1], blocks.score[:-1], strict=True) if few else ():
        ax.annotate(
            f"{score:.2f}",
            (x, y),
            (5, -12),
            textcoords="offset points",
            fontsize=SMALL,
            color=colour,
        )


def _name(fig, k, lines):
    wide, tall = fig.get_size_inches()
    y = 0.6 + SQUARE - 0.2 - 0.55 * k
    style = {"color": MODELS[k % len(MODELS)], "fontsize": SMALL}
    for i, text in enumerate(lines):
        weight = "bold" if i == 0 else "normal"
        place = ((0.75 + SQUARE + 0.3) / wide, (y - 0.2 * i) / tall)
        fig.text(*place, text, fontweight=weight, **style)
