"""Tables as people have them: the files of the tests, and one in which much is to be done."""

from pathlib import Path

FILES = Path(__file__).parent / "files"
WEATHER = """% a comment
@relation 'two words'
@attribute outlook {sunny, 'light rain', "it's fog"}
@attribute temperature numeric
@attribute play {yes, no}
@data
sunny, 20.5, no
'light rain',?,yes   % after the values
"it's fog",1e1,yes
"""


def messy(n=120):
    """A table as a spreadsheet saves it, in which much is to be done."""
    head = "# from the bank\nno;name;day;income;debt;bank;paid"
    rows = (
        f"{i + 1};k{i};{1 + i % 28}.{1 + i % 12}.2024;"
        f"{'k.A.' if i % 9 == 0 else f'{1 + i % 3}.{100 + i * 7},50 EUR'};"
        f"{i * 37 % 97},5;North;{('yes', 'no')[i % 3 == 0 or i % 7 == 0]}"
        for i in range(n)
    )
    return "\n".join([head, *rows]).encode()
