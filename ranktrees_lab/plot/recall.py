"""Precision by recall: what a ranking is worth where positive cases are rare."""

from ranktrees_engine.basics.kinds import ArrayLike, Scores
from ranktrees_lab.plot.given import Given, Size
from ranktrees_lab.plot.inputs import scored
from ranktrees_lab.plot.picture import Picture
from ranktrees_lab.plot.rankings import CHANCE, plane_key, rate_plane, with_looks
from ranktrees_lab.plot.style import cut


def pr(
    y: ArrayLike,
    scores: Scores,
    positive: object = None,
    figure: Picture | None = None,
    *,
    ax: Given | None = None,
    figsize: Size = None,
) -> Picture | Given:
    """Draw precision by recall, threshold by threshold: tied cases are a single step.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last). The area
    under the steps is the average precision. A random ranking has the share of positive cases as
    its precision everywhere. Between two points nothing can be reached on a straight line (Davis &
    Goadrich 2006), hence steps. `ax` and `figsize` as in `roc`.
    """
    hits, scores, positive = scored(y, scores, positive)
    words = "recall: positive cases found (%)", "precision (%)"
    fig, plane = rate_plane(figure, *words, 100, ax, figsize)
    entries, parts, share = [], [], hits.mean()
    for name, blocks, look in with_looks(hits, scores):
        precision, recall = (100 * rate for rate in blocks.precision_recall())
        plane.step([0, *recall], [precision[0], *precision], where="pre", zorder=3, **look)
        value = blocks.average_precision
        entries.append((f"{cut(name, 1.2)}, average {value:.3f}", look))
        parts.append(f"{name} {value:.3f}")
    plane.plot([0, 100], [100 * share] * 2, **CHANCE)
    entries.append((f"by chance, average {share:.3f}", CHANCE))
    alt = (
        f"Precision by recall of class {positive} ({hits.sum()} of {len(hits)} cases); average "
        f"precision: {', '.join(parts)}; by chance {share:.3f}."
    )
    return plane_key(fig, entries, alt, ax, figsize)
