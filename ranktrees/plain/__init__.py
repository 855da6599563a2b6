"""Every method whole, as the papers write it: recursion and loops, to be read and changed.

README.md in this folder says in which order to read, how to call, and which part of the package
computes the same fast.
"""
