"""Explore a mailing: how many letters, written to whom by which model's ranking."""

import html

import ipywidgets as widgets
import numpy as np

from ranktrees import plot
from ranktrees.evaluate import expected_hits
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.picture import Picture


def mailing(y, scores: dict, positive):
    """An explorer of the direct-mailing problem: a slider for the number of letters.

    `y` (n,) classes, `scores` {model: (n,) scores of the class `positive`}. It shows whom each
    ranking reaches; cases of equal score share the letters that are left for them.
    """
    return MailingExplorer(y, scores, positive)


class MailingExplorer(Explorer):
    """The widget behind `rt.explore.mailing`."""

    def __init__(self, y, scores, positive):
        self.y, self.scores, self.positive = np.asarray(y), dict(scores), positive
        if positive not in self.y:
            raise ValueError(f"no case has the class {positive!r}: name one that occurs in y")
        self.hits, self.figure = self.y == positive, Picture()
        n = len(self.hits)
        letters = widgets.IntSlider(
            min=0, max=n, step=max(1, n // 50), value=n // 5, description="letters"
        )
        super().__init__({"letters": letters})

    def reached(self, letters: int) -> dict[str, float]:
        """Expected number of responders among the first `letters` cases of each ranking."""
        return {
            name: expected_hits(self.hits, score, letters) for name, score in self.scores.items()
        }

    def draw(self, letters):
        """The gains curves with a line at the number of letters, and who is reached."""
        picture = plot.gains(
            self.y, self.scores, positive=self.positive, letters=letters, figure=self.figure
        )
        total, reached = int(self.hits.sum()), self.reached(letters)
        rows = [
            [name, f"{hits:.1f}", f"{hits / total:.0%}", f"{hits / max(letters, 1):.0%}"]
            for name, hits in {**reached, "by chance": letters * total / len(self.hits)}.items()
        ]
        head = [f"{letters} letters", "reached", f"of all {total}", "of the letters"]
        return picture, f"<p>{html.escape(picture.alt)}</p>" + table_html(head, rows)
