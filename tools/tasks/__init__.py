"""Tasks for marks, a module for each lesson: content, as the lessons are.

A module has a TITLE, a TEXT and PARTS, in whose texts numbers stand as {{ name }}. Its `draw`, with
a `random.Random`, returns two dicts: these numbers, and the answers {part: (right, slip)}. It
returns None where the numbers that it drew do not fit.
"""

from typing import NamedTuple


class Part(NamedTuple):
    """One answer to give: a number, a word, or a function.

    A function has a `stub` and three tests: an `example`, which students see, a `hidden` one on
    small cases, and a `large` one for the last point, which a right but slow function fails. For a
    number or a word `slip` describes the expected mistake. The `solution` is worked out as on
    paper.
    """

    name: str
    points: int
    ask: str
    solution: str
    slip: str = ""
    stub: str = ""
    example: str = ""
    hidden: str = ""
    large: str = ""
