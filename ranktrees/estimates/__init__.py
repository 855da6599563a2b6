"""Estimates of class probabilities: at each node of a tree, and for each case along its path."""
