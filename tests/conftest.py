"""Settings of all tests: no example of hypothesis fails because the machine is busy.

jsonschema, of which nbformat uses a part, would import a grammar of web addresses: two seconds for
formats that no notebook has.
"""

import gc
import sys

from hypothesis import settings

sys.modules.setdefault("rfc3987_syntax", None)
settings.register_profile("ranktrees", parent=settings.default, deadline=None)
settings.load_profile("ranktrees")


def pytest_collection_finish():
    """What all tests share stays until the end: the collector need not look at it again."""
    gc.freeze()
