"""Settings of all tests: no example of hypothesis fails because the machine is busy."""

from hypothesis import settings

settings.register_profile("ranktrees", parent=settings.default, deadline=None)
settings.load_profile("ranktrees")
