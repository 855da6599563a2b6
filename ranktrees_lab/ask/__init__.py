"""What a lesson asks its reader: quizzes, guesses before each result, and the glossary."""

from ranktrees_lab.ask.glossary import glossary
from ranktrees_lab.ask.guess import guess
from ranktrees_lab.ask.quiz import quiz

__all__ = ["glossary", "guess", "quiz"]
