"""Files of another kind than a reader takes: what they are, told by their first bytes."""

import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from ranktrees_files.paths import InMemory

HEAD = 4096  # bytes that show what a file is


class Kind(NamedTuple):
    """What a file is, in words, and what reads it, where {} stands for its name."""

    what: str
    advice: str


def _by_pandas(what, reader):
    advice = f'rt.Dataset(pandas.{reader}("{{}}"), "the class") takes it'
    return Kind(what, f"{advice}, or save it as CSV")


UNPACK = "unpack it first"
EXCEL = _by_pandas("an Excel workbook", "read_excel")
ZIP = Kind("a zip archive", UNPACK)
PARQUET = Kind(
    "a Parquet file",
    'rt.scan("{}", "the class") reads it in batches, '
    'rt.Dataset(pandas.read_parquet("{}"), "the class") as a whole',
)
ARFF = Kind("an ARFF file", 'rt.read_arff("{}") reads it')
JSON = _by_pandas("JSON", "read_json")
PAGE = Kind("a web page, not the file that it shows", "download the file itself, in its raw form")
UTF16 = Kind("written in UTF-16", 'give encoding="utf-16"')
OURS = Kind("a model that rt.save wrote", 'rt.load_model("{}") reads it')
SIGNED = {  # the first bytes of files that are not text
    b"PAR1": PARQUET,
    b"\xd0\xcf\x11\xe0": EXCEL,
    b"ARROW1": _by_pandas("an Arrow file", "read_feather"),
    b"FEA1": _by_pandas("an Arrow file", "read_feather"),
    b"\x1f\x8b": Kind("packed by gzip", "rename it so that it ends with .gz, or unpack it"),
    b"\x28\xb5\x2f\xfd": Kind("packed by zstd", "rename it so that it ends with .zst"),
    b"BZh": Kind("packed by bzip2", UNPACK),
    b"\xfd7zXZ": Kind("packed by xz", UNPACK),
    b"7z\xbc\xaf": Kind("a 7z archive", UNPACK),
    b"Rar!": Kind("a rar archive", UNPACK),
    b"SQLite format 3": Kind("a SQLite database", "read one of its tables by pandas.read_sql"),
    b"\x89HDF": Kind("an HDF5 file", "save its table as CSV"),
    b"MATLAB 5": Kind("a MATLAB file", "save its table as CSV"),
    b"\x93NUMPY": Kind("an array of NumPy", 'numpy.load("{}") reads it'),
    b"$FL": _by_pandas("a file of SPSS", "read_spss"),
    b"<stata_dta>": _by_pandas("a file of Stata", "read_stata"),
    b"%PDF": Kind("a PDF", "save its table as CSV"),
    b"\xff\xfe": UTF16,
    b"\xfe\xff": UTF16,
}
WRITTEN = [  # how files of text begin, and what they are
    (re.compile(rb"(\s|%.*\n)*@(relation|attribute|data)\b", re.IGNORECASE), ARFF),
    (re.compile(rb"\s*<(!doctype html|html|head|body)\b", re.IGNORECASE), PAGE),
    (re.compile(rb"\s*<\?xml\b"), Kind("XML", "save its table as CSV")),
    (re.compile(rb'\s*\{\s*"format": "ranktrees model"'), OURS),
    (re.compile(rb'\s*(\{\s*"[^"]*"\s*:|\[\s*[\[{])'), JSON),
]
PACKED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}


def kind_of(path: Path | InMemory) -> Kind | None:
    """Return what a file is; None if it may be a table of text, or cannot be opened."""
    with suppress(OSError), _opened(path) as file:
        head = file.read(HEAD)
        if head.startswith(b"PK\x03\x04"):
            return _in_zip(file)
        for sign, kind in SIGNED.items():
            if head.startswith(sign):
                return None if PACKED.get(Path(path.name).suffix) == sign else kind
        text = head.removeprefix(b"\xef\xbb\xbf")
        return next((kind for begin, kind in WRITTEN if begin.match(text)), None)
    return None


@contextmanager
def _opened(path) -> Iterator:
    if isinstance(path, InMemory):
        yield io.BytesIO(path.content)
    else:
        with path.open("rb") as file:
            yield file


def _in_zip(file):
    """What a zip archive is: a workbook is one, too."""
    with suppress(zipfile.BadZipFile), zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        if any(name.startswith("xl/") for name in names):
            return EXCEL
        if "content.xml" in names:
            return _by_pandas("an OpenDocument table", "read_excel")
    return ZIP


def refuse_foreign(path: Path | InMemory, *but: Kind) -> None:
    """Raise ValueError, saying what reads it, for a file of another kind than text or `but`."""
    kind = kind_of(path)
    if kind is not None and kind not in but:
        raise ValueError(f"{path.name} is {kind.what}: {kind.advice.replace('{}', path.name)}")
    if path.name.endswith(".names"):
        raise ValueError(
            f"{path.name} is a .names file, which describes a table: the cases are in the .data "
            f'file beside it, and rt.read_c45("{path.stem}") reads both if they are C4.5\'s'
        )
