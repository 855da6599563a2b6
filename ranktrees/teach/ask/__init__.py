"""What a lesson asks its reader: quizzes, guesses before each result, and the glossary."""

from ranktrees.teach.ask.glossary import glossary
from ranktrees.teach.ask.guess import guess
from ranktrees.teach.ask.quiz import quiz

__all__ = ["glossary", "guess", "quiz"]
