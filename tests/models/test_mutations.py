"""Files changed by chance: read, or refused with the documented error, and soon."""

import time
import warnings

import numpy as np
import pytest
from messy import WEATHER

import ranktrees as rt

SECONDS = 2  # what reading one of these small files may take at most
LENGTH = 1000  # characters of a message

ARFF = [
    WEATHER.encode() + b"sunny,-3,no\n",
    b"""@relation sparse
@attribute n real
@attribute a {p, 'q r'}
@attribute s string
@attribute c {x,y}
@data
{}
{1 'q r', 3 y}
{0 2.5, 1 ?, 2 'a, b'}
0,p,'',x
""",
    b"""@relation plain
@attribute n integer
@attribute c {a,b}
@data
1,a
2,b

3,?
4,b
""",
]
CSV = [
    b"refund,income,married,cheat\nyes, 125,True,no\nNone,?,False,yes\n,70,True,no\n",
    b"class;alcohol;ash\n3;1,5;2\n1;2;4,25\n2;7;1\n",
    b'a,b\n"x, y",1\n"x ""z""",2\nw,1\n',
    b"x\ty\n" + b"".join(b"%d\t%d\n" % (i, i % 2) for i in range(12)) + b"n/a\t1\n",
]
TOKENS = [bytes([sign]) for sign in b"'\"{}[],;:%?@\\\n\r\t |\x00\xff\x85\xa0.-+eE0"]
TOKENS += [
    b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"1e999", b"-inf", b"nan", b"9" * 5000, b"1,5", b"n/a",
    b"@data\n", b"@attribute z numeric\n", b"@relation", b"{1 2}", b"\r\n", b"'?'", b"x" * 999,
    b"null", b"true", b"1E400", b"\xff\xfe", b"0x1", b"\xd9\xa1",
]  # fmt: skip


def changed(raw: bytes, rng) -> bytes:
    """The file after one to three changes by chance."""
    for _ in range(rng.integers(1, 4)):
        one, two = sorted(rng.integers(0, len(raw) + 1, 2).tolist())
        near = min(two, one + int(rng.integers(1, 9)))
        token = TOKENS[rng.integers(len(TOKENS))]
        lines = raw.split(b"\n")
        i, j = rng.integers(len(lines), size=2)
        swapped = [*lines]
        swapped[i], swapped[j] = lines[j], lines[i]
        ways = [
            raw[:one] + raw[near:],
            raw[:one] + token + raw[one:],
            raw[:one] + token + raw[near:],
            raw[:two] + raw[one:],
            raw[:one] + bytes([rng.integers(256)]) + raw[one + 1 :],
            b"\n".join(swapped),
            b"\n".join([*lines[:i], *lines[i + 1 :]]),
            raw[:two],
        ]
        raw = ways[rng.choice(8, p=[0.2, 0.2, 0.2, 0.05, 0.15, 0.08, 0.08, 0.04])]
    return raw


def wrong_with(path, read) -> str:
    """What reading a file does that it should not; nothing where it is as it must be."""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            read(path)
        except ValueError as error:
            if path.name not in str(error) or len(str(error)) > LENGTH:
                return f"message {str(error)[:LENGTH]!r}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    for message in (str(warning.message) for warning in given):
        if path.name not in message or len(message) > LENGTH:
            return f"warning {message!r}"
    took = time.perf_counter() - start
    return f"{took:.1f} seconds" if took > SECONDS else ""


def read_table(read, path, **options):
    data = read(path, **options)
    assert len(data) == len(data.X) > 0
    assert np.isfinite(data.X.select_dtypes("float64").fillna(0)).all(axis=None)


def trials(kind, n, seed):
    """Changed files of a kind, and the options with which each is read."""
    rng, samples = np.random.default_rng([seed, n]), ARFF if kind == "arff" else CSV
    for _ in range(n):
        options = {"missing_class": ["error", "drop"][rng.integers(2)]}
        which = rng.integers(len(samples))
        if kind == "csv" and rng.integers(4):  # else as if no separator were given
            options |= [{}, {"sep": ";", "decimal": ","}, {}, {"sep": "\t"}][which]
        yield changed(samples[which], rng), options


LONG = [("arff", seed) for seed in range(1, 11)] + [("csv", seed) for seed in range(1, 6)]


@pytest.mark.parametrize(
    ("kind", "n", "seed"),
    [
        ("arff", 600, 0),
        ("csv", 70, 0),
        *(pytest.param(kind, 10_000, seed, marks=pytest.mark.long) for kind, seed in LONG),
    ],
)
def test_a_changed_file_is_read_or_refused_in_words_and_in_time(tmp_path, kind, n, seed):
    wrong, path = {}, tmp_path / f"some.{kind}"
    read = {"arff": rt.read_arff, "csv": rt.read_csv}[kind]
    for raw, options in trials(kind, n, seed):
        path.write_bytes(raw)
        if problem := wrong_with(path, lambda path, o=options: read_table(read, path, **o)):
            wrong[raw] = problem
    assert not wrong, f"{len(wrong)}, among them {list(wrong.items())[:5]}"
