"""The version of all packages, which are published as one."""

__version__ = "0.4.0"
