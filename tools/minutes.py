"""The minutes that a lesson takes, estimated from its words, code, pictures and tasks."""

from ranktrees_lab.show import shown_texts
from ranktrees_lab.student import tags
from tools import texts

# Minutes: words and lines of code in one, and what a picture, guess, exercise and submission take.
WORDS, CODE, PICTURE, GUESS, EXERCISE, SUBMISSION, BOTH_QUIZZES = 130, 10, 1, 1.5, 5, 2, 6
ASIDE = {"answer", "check", "solution", "verify", "setup"}  # cells whose code nobody need read


def lasts(notebook):
    """Return a lesson's minutes, estimated from its content, without the optional block."""
    cells = [cell for cell in notebook.cells if "more" not in tags(cell)]
    code = [cell for cell in cells if cell.cell_type == "code"]
    shown = [cell for cell in code if not tags(cell) & ASIDE]
    asked = [cell for cell in shown if "rt.guess(" in cell.source]
    words = sum(texts.words(cell.source) for cell in cells if cell not in code)
    printed = [text for cell in shown for text in shown_texts(cell.outputs)]
    lines = sum(map(count_lines, [*(cell.source for cell in shown), *printed]))
    watched = sum(map(_is_picture, shown))  # what a guess reveals is looked at, too
    done = sum("answer" in tags(cell) for cell in cells)
    sent = sum("sealed.submit(" in cell.source for cell in shown)
    reading = words / WORDS + lines / CODE + PICTURE * watched + GUESS * len(asked)
    return reading + EXERCISE * done + SUBMISSION * sent + BOTH_QUIZZES


def _is_picture(cell):
    found = [output.get("data", {}) for output in cell.outputs]
    pictures = any("image/png" in data or "<img" in data.get("text/html", "") for data in found)
    return pictures or "rt.explore." in cell.source


def count_lines(text: str) -> int:
    """Count the lines of code or text that are not blank."""
    return sum(bool(line.strip()) for line in text.splitlines())
