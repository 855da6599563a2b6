"""The papers that can be repeated: `PAPERS`, name -> declaration."""

from ranktrees.papers.martinez2010 import MARTINEZ2010
from ranktrees.papers.su2004 import SU2004
from ranktrees.papers.wang2006 import WANG2006

PAPERS = {paper.name: paper for paper in (SU2004, WANG2006, MARTINEZ2010)}

__all__ = ["MARTINEZ2010", "PAPERS", "SU2004", "WANG2006"]
