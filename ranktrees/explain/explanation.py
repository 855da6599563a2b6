"""What an explanation is: readable as text and in a notebook."""

import html
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ranktrees.ties import first_best


@dataclass(eq=False)
class Explanation:
    """Why one case gets its probabilities: the answer, steps in words, a table, P of each class."""

    title: str
    lines: list[str]
    table: pd.DataFrame
    proba: dict

    @classmethod
    def of(cls, classes: np.ndarray, proba: np.ndarray, lines: list[str], table) -> "Explanation":
        """The explanation of probabilities (C,) of these classes (C,), titled by the largest."""
        best = int(first_best(proba))
        title = f"{classes[best]} with probability {proba[best]:.3f}"
        shares = dict(zip(classes.tolist(), proba.tolist(), strict=True))
        return cls(title, lines, table, shares)

    def __str__(self) -> str:
        lines = [f"{i}. {line}" for i, line in enumerate(self.lines, 1)]
        table = self.table.to_string(line_width=100, float_format="{:.3f}".format)
        return "\n".join([self.title, *lines, "", table])

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(line)}</li>" for line in self.lines)
        table = self.table.to_html(float_format="{:.3f}".format, border=0)
        return (
            f"<p><strong>{html.escape(self.title)}</strong></p><ol>{items}</ol>"
            f'<div style="overflow-x: auto">{table}</div>'
        )
