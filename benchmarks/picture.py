"""`python -m benchmarks.picture` writes the README's picture: one tree, two rankings."""

from pathlib import Path

import numpy as np

import ranktrees as rt

PICTURE = Path(__file__).resolve().parents[1] / "notebooks" / "ranking.png"


def main() -> None:
    """Draw the ranking strips of lesson 00, from the same halves of credit-g."""
    data = rt.load("credit-g")
    train, test = np.split(np.random.default_rng(seed=1).permutation(len(data)), 2)
    tree = rt.DecisionTree(criterion="gini", split="binary")
    tree.fit(data.X.iloc[train], data.y[train])
    scores = {
        name: tree.with_estimate(name).predict_proba(data.X.iloc[test])[:, 1]
        for name in ("frequency", "laplace")
    }
    picture = rt.plot.ranking(data.y[test], scores, positive="bad")
    PICTURE.write_bytes(picture.png())
    print(picture.alt)


if __name__ == "__main__":
    main()
