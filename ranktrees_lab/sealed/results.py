"""Results of submissions: a table, their curve, and words for both."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ranktrees_engine.evaluate import Blocks
from ranktrees_lab.explore.base import table_html
from ranktrees_lab.plot.parts import end_names, label, write
from ranktrees_lab.plot.picture import Picture, axes, title
from ranktrees_lab.plot.style import BLACK, COLOURS, DASHES
from ranktrees_lab.sealed.bank import BOARD, RANKED, SEALED, draw
from ranktrees_lab.sealed.kept import Kept

MOST_TICKS = 10
PARTS = {
    "board": (slice(BOARD), COLOURS["board"], "o"),
    "sealed": (slice(BOARD, None), COLOURS["sealed"], "s"),
}


def results(kept: Kept, opened: bool = False) -> "Results":
    """Return the visible results: AUC on the board and, once opened, on the sealed clients.

    The generator gives the truth each time; it is not stored.
    """
    _, outcome, chance = (each[-RANKED:] for each in draw(kept.seed))
    number = pd.RangeIndex(1, len(kept.names) + 1, name="submission")
    table, best = pd.DataFrame({"name": kept.names}, index=number), {}
    for part, (clients, *_) in list(PARTS.items())[: 1 + opened]:
        table[part] = [
            Blocks.of(outcome[clients], np.array(row)[clients]).auc for row in kept.places
        ]
        best[part] = Blocks.of(outcome[clients], chance[clients]).auc
    if opened:
        table["after opening"] = number > (len(number) if kept.opened is None else kept.opened)
    return Results(table, best)


@dataclass(frozen=True)
class Results:
    """All submissions so far, in a `table` with a row for each, and the `best` possible AUC.

    `best` is that of the true probabilities, {"board": AUC}, and "sealed" once the seal is open.
    """

    table: pd.DataFrame
    best: dict[str, float]

    @cached_property
    def picture(self) -> Picture:
        """Curve of all submissions, with a dashed line at the best possible AUC."""
        fig = Picture((7.0, 3.6))
        ax = axes(fig, 0.7, 0.6, -1.95, -0.35)
        number, values = self.table.index.to_numpy(), self.table[list(self.best)].to_numpy()
        edge = len(number) + 0.5
        lowest, highest = min(values.min(), 0.6), max(values.max(), *self.best.values())
        ax.set(xlim=(0.5, edge), ylim=(lowest - 0.02, highest + 0.03))
        ax.set_xticks(number[:: -(-len(number) // MOST_TICKS)])
        ax.set_axisbelow(True)
        ax.vlines(number, values.min(1), values.max(1), color="#C8C8C8", lw=2, zorder=1)
        ends = {}
        for (part, best), column in zip(self.best.items(), values.T, strict=True):
            _, colour, marker = PARTS[part]
            ax.plot(number, column, color=colour, marker=marker, ms=5, lw=1.2, zorder=3)
            ax.axhline(best, color=colour, ls=DASHES[1], lw=1)
            ends[f"{part}, last {column[-1]:.3f}"] = column[-1], colour
            ends[f"{part}, best possible {best:.3f}"] = best, colour
        self._mark_opening(ax)
        end_names(ax, ends, 1.8)
        label(ax, "submission", "AUC", grid="y")
        title(ax, f"{self._count} ({self._sizes})")
        fig.alt = self._words
        return fig

    def _mark_opening(self, ax):
        """Draw a dotted line before the submissions that followed the opening."""
        if (after := self._after).any():
            x = self.table.index[after][0] - 0.5
            ax.axvline(x, color=BLACK, lw=0.8, ls=":")
            write(ax, x, ax.get_ylim()[0] + 0.012, "opened ", ha="right")

    @property
    def _after(self):
        none = np.zeros(len(self.table), bool)
        return self.table["after opening"].to_numpy() if "after opening" in self.table else none

    @property
    def _count(self):
        n = len(self.table)
        return f"{n} submission{'s' * (n > 1)}"

    @property
    def _sizes(self):
        sizes = {"board": BOARD, "sealed": SEALED}
        return ", ".join(f"{part}: {sizes[part]} clients" for part in self.best)

    @property
    def _words(self):
        """Sentences that say what the picture shows."""
        table, parts = self.table, []
        for part, best in self.best.items():
            top = table[part].idxmax()
            parts.append(
                f"AUC on the {part} clients: last, {table['name'].iloc[-1]}, "
                f"{table[part].iloc[-1]:.3f}; highest, {table['name'][top]} (number {top}), "
                f"{table[part][top]:.3f}; best possible {best:.3f}."
            )
        if "sealed" in self.best:
            top = table.loc[table.board.idxmax()]
            parts.append(f"The highest of the board has {top.sealed:.3f} on the sealed clients.")
        if n := int(self._after.sum()):
            parts.append(f"{n} submitted after the opening.")
        return " ".join([f"{self._count}.", *parts])

    def __repr__(self):
        return f"{self._words}\n\n{self.table.round(3).to_string()}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return the picture and the table as HTML, and both in words."""
        data, metadata = self.picture._repr_mimebundle_()
        rows = [[str(row[0]), *map(_cell, row[1:])] for row in self.table.itertuples()]
        html = data["text/html"] + table_html(["submission", *self.table], rows, "s")
        return {**data, "text/html": html, "text/plain": repr(self)}, metadata


def _cell(value):
    if isinstance(value, str):
        return value
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:.3f}"
