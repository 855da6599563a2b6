"""The engine: the methods of `ranktrees.plain`, and their measures, for tables of any size.

It opens no file. Each folder imports only from those listed before it in CONTRIBUTING.md.
"""
