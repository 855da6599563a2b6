"""AODE: naive Bayes once for each attribute, on which all others depend besides the class.

P(c, x) is the mean, over the attributes i whose value is frequent enough, of P(c, x_i) times the
product over all others of P(x_j | c, x_i) (Webb, Boughton & Wang 2005, Machine Learning 58).
"""

import numpy as np

from ranktrees.plain.bayes import learn, posterior
from ranktrees.plain.tree import Array, Cases, Vector


def aode(train: Cases, X: Array, min_count: int = 1) -> Array:
    """Return P(c | x) (m, C) for codes X (m, A); a code of -1 is left out.

    The paper asks a parent's value to have `min_count` 30 cases; the default, as in Weka, is 1.
    If no value has that many, naive Bayes predicts.
    """
    naive_bayes, proba = learn(*train), np.zeros((len(X), train.C))
    for k, x in enumerate(X):
        known = [j for j, v in enumerate(x) if v >= 0]
        parents = [i for i in known if (train.X[:, i] == x[i]).sum() >= min_count]
        total = np.sum([joint(train, x, i, known) for i in parents], axis=0)
        proba[k] = total / total.sum() if parents else posterior(naive_bayes, x)
    return proba


def joint(train: Cases, x: Vector, i: int, known: list[int]) -> Array:
    """Return P(c, x) (C,), attribute i the parent: P(c, x_i) prod_j P(x_j | c, x_i), by Laplace."""
    P = np.zeros(train.C)
    for c in range(train.C):
        family = train.X[(train.y == c) & (train.X[:, i] == x[i])]  # of class c, with x_i
        N = (train.X[:, i] >= 0).sum()
        P[c] = (len(family) + 1) / (N + train.C * train.sizes[i])
        for j in known:
            if j != i:
                n = (family[:, j] >= 0).sum()
                P[c] *= ((family[:, j] == x[j]).sum() + 1) / (n + train.sizes[j])
    return P


if __name__ == "__main__":
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    train = Cases(X, y, [2, 2], 2)  # exclusive or: naive Bayes gives 1/2
    print("naive Bayes", posterior(learn(*train), X[0]))
    print("AODE", aode(train, X[:1])[0].round(2))
    # naive Bayes [0.5 0.5]
    # AODE [0.67 0.33]
