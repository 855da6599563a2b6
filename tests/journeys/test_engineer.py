"""The engineer: files larger than the memory that is given; a fit killed and begun again."""

import os
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

ROWS, ROOM = 200_000, 600_000_000  # bytes over what the libraries map into memory
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
]
FIT = f"""
import resource
import duckdb, pandas, pyarrow.parquet
import ranktrees as rt
model = rt.DecisionTree(max_depth=6)
with open("/proc/self/statm") as pages:
    mapped = int(pages.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (mapped + {ROOM},) * 2)
loans = rt.scan("loans/*.parquet", target="group")
model.fit(loans, budget="16MB")
print("fitted", flush=True)
loans.write_proba(model, "proba.parquet")
"""


def python(folder, *arguments):
    """A process in the folder whose temporary files lie in a folder of their own there."""
    environment = os.environ | {"TMPDIR": str(folder / "temporary")}
    return subprocess.Popen([sys.executable, *arguments], cwd=folder, env=environment)


def test_killed_in_mid_scan_and_begun_again(tmp_path):
    (tmp_path / "temporary").mkdir()
    make = "-m ranktrees generate agrawal --out loans --function 5 --rows"
    assert python(tmp_path, *make.split(), str(ROWS)).wait() == 0

    fit = python(tmp_path, "-c", FIT)
    while fit.poll() is None and not any((tmp_path / "temporary").iterdir()):
        time.sleep(0.01)
    fit.kill()
    assert fit.wait() != 0
    assert not (tmp_path / "proba.parquet").exists()
    left = list((tmp_path / "temporary").iterdir())
    assert left, "a process that is killed cannot tidy up"
    for folder in left:  # as if it had lain there since the day before yesterday
        os.utime(folder, (time.time() - 2 * 86_400,) * 2)

    assert python(tmp_path, "-c", FIT).wait() == 0
    assert list((tmp_path / "temporary").iterdir()) == []
    frame = pd.concat(map(pd.read_parquet, sorted((tmp_path / "loans").glob("*.parquet"))))
    memory = rt.DecisionTree(max_depth=6).fit(frame.drop(columns="group"), frame["group"])
    written = pd.read_parquet(tmp_path / "proba.parquet").to_numpy()
    assert np.array_equal(written, memory.predict_proba(frame.drop(columns="group")))
