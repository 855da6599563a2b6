"""Record pROC's intervals and tests of AUC, as JSON for the tests.

    python tests/golden/record_auc.py

Needs R, Debian's `r-cran-proc` and an installed ranktrees; the tests need no R. Each set is ranked
by two of its own attributes (`tests/ranked_sets.py`), so that no score has to be stored.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from ranked_sets import SETS, rankings  # noqa: E402

SCRIPT = """
suppressMessages(library(pROC))
read <- function(file) read.csv(file, header = TRUE)
for (file in commandArgs(trailingOnly = TRUE)) {
  d <- read(file)
  a <- roc(d$hit, d$a, levels = c(0, 1), direction = "<", quiet = TRUE)
  b <- roc(d$hit, d$b, levels = c(0, 1), direction = "<", quiet = TRUE)
  t <- roc.test(a, b, method = "delong", paired = TRUE)
  values <- c(ci.auc(a, method = "delong"), var(a, method = "delong"),
              ci.auc(b, conf.level = 0.8, method = "delong"), cov(a, b, method = "delong"),
              t$statistic, t$p.value, t$conf.int)
  cat(formatC(values, digits = 17, format = "g"), "\\n")
}
cat(as.character(packageVersion("pROC")), R.version.string, "\\n")
"""
NAMES = ["a_low", "a_auc", "a_high", "a_variance", "b_low80", "b_auc", "b_high80", "covariance"]
NAMES += ["z", "p", "low", "high"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{name}.csv") for name in SETS]
        for name, file in zip(SETS, files, strict=True):
            hit, scores = rankings(name)
            table = np.column_stack([hit, *scores.values()])
            np.savetxt(file, table, "%.17g", ",", header="hit,a,b", comments="")
        script = Path(folder, "auc.R")
        script.write_text(SCRIPT)
        command = ["Rscript", "--vanilla", script, *files]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    *lines, version = out.splitlines()
    lines = [dict(zip(NAMES, map(float, line.split()), strict=True)) for line in lines]
    made = {"pROC": version.strip(), "sets": dict(zip(SETS, lines, strict=True))}
    (HERE / "auc.json").write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
