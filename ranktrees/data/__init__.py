"""Data sets: shipped, stated by code, fetched, or read from files."""

from ranktrees.data import generate, structured

from .arff import ArffError, read_arff
from .catalog import datasets, load
from .dataset import Dataset, read_csv
from .files import FetchError
from .generate import agrawal

__all__ = [
    "ArffError",
    "Dataset",
    "FetchError",
    "agrawal",
    "datasets",
    "generate",
    "load",
    "read_arff",
    "read_csv",
    "structured",
]
