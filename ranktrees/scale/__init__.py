"""Data larger than memory: the same trees from files, in bounded memory, and on a cluster.

`rt.scan` reads Parquet and CSV files in batches; a tree's `fit` learns their columns, writes their
codes to a file once, and grows level by level from count tables (`rows`). `grow` has RainForest's
algorithms, `lists` SLIQ and SPRINT; all give the tree that memory gives.
"""

from .agrawal import write_agrawal
from .fit import ALGORITHMS, Growth
from .fit import grow_with as grow
from .scan import Scan, scan

__all__ = ["ALGORITHMS", "Growth", "Scan", "grow", "scan", "write_agrawal"]
