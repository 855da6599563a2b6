"""Data sets: shipped, stated by code, fetched, or read from files."""

from ranktrees.reading.arff import ArffError, read_arff
from ranktrees.reading.dataset import Dataset, read_csv
from ranktrees_lab.data import generate, structured
from ranktrees_lab.data.catalog import datasets, load
from ranktrees_lab.data.files import FetchError
from ranktrees_lab.data.generate import agrawal, write_agrawal

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
    "write_agrawal",
]
