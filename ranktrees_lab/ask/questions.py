"""The questions of quizzes and guesses, read from one TOML file per lesson and checked."""

import tomllib
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "questions"
PARTS = {"start": 3, "end": 5}  # how many questions open and close a lesson
CHOICES = (3, 4)
MOST = 300  # characters of a question, a choice or a sentence
GUESS = {"text", "answer"}  # what a table [guess.NAME] needs, and what else it may have
GUESS_MORE = {"says", "unit", "digits", "choices", "order"}
TEXTS = {"text", "says", "unit"}


class Choice(NamedTuple):
    """A choice, whether it is right, and the sentence that answers it."""

    text: str
    right: bool
    why: str

    @property
    def head(self) -> str:
        """The first words of its answer."""
        return "Right." if self.right else "Not this one."


class Question(NamedTuple):
    """A question and its choices, in the order of the file."""

    text: str
    choices: list[Choice]


def read_questions(lesson: str, part: str = "end", folder: Path = FOLDER) -> list[Question]:
    """Read the questions of a lesson, "00" and so on, at its "start" or its "end".

    Raises ValueError, which names file and question, for a missing or invalid file.
    """
    if not (isinstance(part, str) and part in PARTS):
        raise ValueError(f"a quiz has the parts {' and '.join(map(repr, PARTS))}, not {part!r}")
    if not isinstance(lesson, str):
        raise TypeError(f'a lesson is named by text of two digits, such as "05", not {lesson!r}')
    path, tables = read_tables(lesson, folder)
    if not isinstance(found := tables.get(part), list):
        raise ValueError(f"{path.name}: there is no question [[{part}]]")
    where = f"{path.name}, [[{part}]] question"
    return [_question(table, f"{where} {i}") for i, table in enumerate(found, start=1)]


def read_guess(key: str, folder: Path = FOLDER) -> dict:
    """Read the table of a guess, such as "03.neck": text, answer, and the other fields of its file.

    Raises ValueError for an unknown key, listing those of the lesson, and for an invalid table,
    naming file and guess.
    """
    lesson, dot, name = key.partition(".")
    if not dot:
        raise ValueError(f'key names a lesson and its guess, as in "03.neck", not {key!r}')
    path, tables = read_tables(lesson, folder)
    known = tables.get("guess", {})
    if name not in known:
        names = ", ".join(f"{lesson}.{other}" for other in known) or "none"
        raise ValueError(f"no guess {key!r}: lesson {lesson} has {names}")
    table, where = known[name], f"{path.name}, [guess.{name}]"
    if not isinstance(table, dict) or not GUESS <= table.keys() <= GUESS | GUESS_MORE:
        raise ValueError(f"{where}: needs text and answer; {', '.join(sorted(GUESS_MORE))} may be")
    texts = {field: _text(table[field], f"{where}: {field}") for field in table.keys() & TEXTS}
    return {**table, **texts}


def read_tables(lesson: str, folder: Path = FOLDER) -> tuple[Path, dict]:
    """Return the path of a lesson's file, and its tables by name."""
    path = Path(folder) / f"{lesson}.toml"
    if lesson not in (known := sorted(other.stem for other in path.parent.glob("*.toml"))):
        names = ", ".join(known) or "none"
        raise ValueError(f"no questions of lesson {lesson!r}: there are those of {names}")
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name}: not readable as TOML: {error}") from error
    if unknown := sorted(tables.keys() - PARTS.keys() - {"guess"}):
        kinds = "[[start]] nor [[end]] nor [guess.NAME]"
        raise ValueError(f"{path.name}: [[{unknown[0]}]] is neither {kinds}")
    return path, tables


def _question(table, where):
    """Read a question from {text, choices}; a choice has `right` or `wrong`, and `why`."""
    if not isinstance(table, dict) or table.keys() != {"text", "choices"}:
        raise ValueError(f"{where}: needs text and choices, and nothing else")
    text, rows = _text(table["text"], f"{where}: text"), table["choices"]
    if not isinstance(rows, list) or len(rows) not in CHOICES:
        raise ValueError(f"{where}: needs a list of {CHOICES[0]} or {CHOICES[1]} choices")
    choices = [_choice(row, f"{where}, choice {i}") for i, row in enumerate(rows, start=1)]
    if (count := sum(choice.right for choice in choices)) != 1:
        raise ValueError(f"{where}: {count} choices are right, not exactly one")
    if len({choice.text for choice in choices}) < len(choices):
        raise ValueError(f"{where}: two choices have the same text")
    return Question(text, choices)


def _choice(row, where):
    keys = set(row) if isinstance(row, dict) else set()
    if keys not in ({"right", "why"}, {"wrong", "why"}):
        raise ValueError(f"{where}: needs right or wrong, and why")
    kind = "right" if "right" in keys else "wrong"
    why = _text(row["why"], f"{where}: why")
    return Choice(_text(row[kind], f"{where}: {kind}"), kind == "right", why)


def _text(value, where):
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{where} must be text in quotes, not {value!r}")
    if len(value) > MOST:
        raise ValueError(f"{where} has {len(value)} characters, more than {MOST}: shorten it")
    return value.strip()
