"""Path Bayes with learnt stops: where to look for the class, by expectation and maximisation.

path_bayes(root, train, X, known, stop=learnt_stops(root, train))
"""

import numpy as np

from ranktrees.plain.path_bayes import Stops, Training, path_weights
from ranktrees.plain.tree import Node


def learnt_stops(root: Node, train: Training, steps: int = 10) -> Stops:
    """Stop probabilities that make the training classes likely, by EM steps from 1/2.

    Each case is left out of its counts: a node gives its class n_c/(N + C - 1). Where of n cases
    that could go on r are expected to stop, the probability is (r + 1)/(n + 2).
    """
    stop = {node: 1.0 if node.is_leaf else 0.5 for node in root.nodes()}
    for _ in range(steps):
        r, n = dict.fromkeys(stop, 0.0), dict.fromkeys(stop, 0.0)
        for x, c, w in zip(train.X, train.y, train.weight, strict=True):
            path = root.path(x)
            likely = [node.counts[c] / (node.counts.sum() + train.C - 1) for node in path]
            share = np.multiply(path_weights(path, stop), likely)
            for k, node in enumerate(path[:-1]):
                r[node] += w * share[k] / share.sum()
                n[node] += w * share[k:].sum() / share.sum()
        stop = {s: 1.0 if s.is_leaf else (r[s] + 1) / (n[s] + 2) for s in stop}
    return stop
