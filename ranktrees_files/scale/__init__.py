"""Data larger than memory: the same trees from files, in bounded memory, and on a cluster.

`rt.scan` reads Parquet and CSV files in batches (`files`). `fit` learns their columns (`learn`),
writes their codes to a file once (`codefile`), and grows from count tables (`rows`) by RainForest's
algorithms (`rainforest`), SLIQ or SPRINT (`lists`). All give the same tree as cases in memory.
"""

from ranktrees_files.scale.files import Scan, scan
from ranktrees_files.scale.fit import ALGORITHMS, Growth
from ranktrees_files.scale.fit import grow_with as grow

__all__ = ["ALGORITHMS", "Growth", "Scan", "grow", "scan"]
