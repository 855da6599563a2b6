"""Settings of nbval, which compares the lessons' stored outputs with new ones."""

from pathlib import Path


def pytest_configure(config):
    """Point nbval to its replacements by an absolute path: a relative one fails from subfolders."""
    if config.getoption("nbval", False) or config.getoption("nbval_lax", False):
        config.option.nbval_sanitize_with = str(Path(__file__).parent / "tests" / "nbval.cfg")


def pytest_collectstart(collector):
    """Leave out the formats whose text differs by library version while the lesson is the same."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("text/html", "image/svg+xml")
