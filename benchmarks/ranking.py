"""AUC and Hand and Till's M on letter against scikit-learn: 20,000 cases, 26 classes."""

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import best_ms
from ranktrees_lab.data import FetchError


def ranking_table(name: str = "letter", seconds: float = 1.0) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds of each measure on C4.4's probabilities; list what was missing."""
    try:
        data = rt.load(name)
        from sklearn.metrics import roc_auc_score
    except (FetchError, ModuleNotFoundError) as error:
        return pd.DataFrame({"ranktrees": []}).rename_axis("measure"), [str(error)]
    models = {"C4.4": rt.C44(), "naive Bayes": rt.NaiveBayes()}
    rows = []
    for label, model in models.items():
        proba, y = model.fit(data.X, data.y).predict_proba(data.X), np.asarray(data.y)
        first = y == model.classes_[0]
        pairs = {
            f"AUC of one class, {label}": (
                lambda hits=first, p=proba: rt.auc(hits, p[:, 0]),
                lambda hits=first, p=proba: roc_auc_score(hits, p[:, 0]),
            ),
            f"Hand and Till, {label}": (
                lambda p=proba: rt.hand_till(data.y, p),
                lambda p=proba, y=y: roc_auc_score(y, p, multi_class="ovo"),
            ),
        }
        for measure, (ours, theirs) in pairs.items():
            times = best_ms(ours, seconds), best_ms(theirs, seconds, least=2)
            rows.append([measure, *times, times[0] / times[1]])
    columns = ["measure", "ranktrees", "scikit-learn", "ratio"]
    return pd.DataFrame(rows, columns=columns).set_index("measure"), []
