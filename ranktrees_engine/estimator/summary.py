"""What a fitted model knows about itself, for notebooks and for reading a single case."""

from typing import NamedTuple

from ranktrees_engine.reading.encoder import Encoder


class Summary(NamedTuple):
    """What a model was fitted on and what it learnt, as far as it stores this.

    `attributes` (A,) each have a `name`; `named` says whether cases have names, as in a DataFrame.
    A model `reads` "columns", "codes" if it was fitted on `Codes`, or "values" of any type.
    `n_cases` is the total weight of the training cases, `learnt` has a line for each part.
    """

    n_attributes: int
    names: list[str] | None
    classes: list
    reads: str
    encoder: Encoder | None = None
    attributes: tuple = ()
    n_cases: float | None = None
    learnt: tuple[str, ...] = ()
