"""Damage stored models at their places, and see that a file is refused or its model is sound.

`python tests/damage.py 600` tries 600 damages of each kind of model and prints what came of them.
"""

import copy
import itertools
import json
import resource
import signal
import sys
import warnings
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

import ranktrees as rt
from ranktrees_lab.papers.weka_bagging import WekaBagging

GENTLE = "refused", "sound"  # what may come of a damaged file
SECONDS, MEMORY = 20, 4 << 30  # what reading and using one file may take at most
FIRST, LAST = 2, 1  # places of a long list that are damaged, and one in the middle
STRANGE = [None, True, -1, 1.5, 10**30, 1e308, float("nan"), float("inf"), "x", "<U400000000"]
STRANGE += [[], {}, ["x"], {"type": "x"}, {"tuple": []}, json.loads("[" * 99 + "]" * 99)]


KINDS = {
    "tree": rt.DecisionTree(estimate="m", estimate_params={"m": 3}),
    "binary": rt.DecisionTree("gini", "binary", missing="value", estimate="shrinking"),
    "thresholds": rt.DecisionTree(numeric="thresholds", max_depth=3, estimate="m-branch"),
    "missing values": rt.DecisionTree(max_depth=2),
    "codes": rt.DecisionTree(estimate="curtailment"),
    "C45": rt.C45(min_child=1),
    "C44": rt.C44(rules="wang2006", numeric="thresholds"),
    "ling-yan": rt.C44(estimate="ling-yan"),
    "shrinkage": rt.C44(estimate="shrinkage+wpe", estimate_params={"iterations": 2}),
    "CITree": rt.CITree(min_cases=2),
    "NBTree": rt.NBTree(min_parent=4, min_cases=2),
    "NaiveBayes": rt.NaiveBayes(),
    "gaussian": rt.NaiveBayes(numeric="gaussian", missing="impute", smoothing="none"),
    "AODE": rt.AODE(min_count=2),
    "AODE of codes": rt.AODE(missing="error"),
    "path Bayes": rt.PathBayes(estimate="path-bayes-em"),
    "path forest": rt.PathForest(n_models=2),
    "Bayes of codes": rt.NaiveBayes(smoothing="m"),
    "bagging": rt.Bagging(rt.C45(min_child=1), n_models=2),
    "Weka's bagging": WekaBagging(rt.C44(), n_models=2),
    "Newton, impute": rt.NewtonTree(missing="impute", exponent=3.0),
    "Newton, talk": rt.NewtonTree(reading="talk", stochastic=5, criterion="auc"),
    "DistanceTree": rt.DistanceTree(),
    "CentreSplitting": rt.CentreSplitting(),
    "BayesNet": rt.BayesNet({"a": [], "b": ["a"]}),
}


def fitted(kind: str):
    """A model of each kind, and cases for it."""
    model = copy.deepcopy(KINDS[kind])
    if kind == "BayesNet":
        cases = pd.DataFrame({"a": list("xxyyxy"), "b": list("pqpqqr")})
        return model.fit(cases), cases
    if hasattr(model, "distances"):
        X, y, distances = structured()
        return model.set_params(distances=distances).fit(X, y), X
    data = rt.load("labor" if kind == "missing values" else "weather.numeric")
    X = rt.Encoder().fit_transform(data.X) if "codes" in kind else data.X
    return model.fit(X, data.y), X


def structured():
    """Cases with an attribute of each type, their classes and the distances of the attributes."""
    rng, n = np.random.default_rng(1), 24
    X = pd.DataFrame(
        {
            "number": rng.normal(size=n).round(2),
            "hour": rng.integers(0, 24, n).astype(float),
            "word": [["ab", "abc", "b", "acb"][i] for i in rng.integers(0, 4, n)],
            "basket": [frozenset("abcd"[: rng.integers(1, 5)]) for _ in range(n)],
            "way": [tuple("abcd"[: rng.integers(1, 5)]) for _ in range(n)],
            "size": pd.Categorical(
                [["s", "m", "l"][i] for i in rng.integers(0, 3, n)], list("sml"), ordered=True
            ),
            "place": [["x", "y", "z"][i] for i in rng.integers(0, 3, n)],
        }
    )
    y = (X["number"] > 0).to_numpy().astype(int) + (X["word"] == "ab").to_numpy()
    X.loc[3, "number"] = X.loc[5, "hour"] = np.nan
    X.loc[7, "word"] = None
    matrix = np.array([[0, 1, 4], [1, 0, 2], [4, 2, 0.0]])
    distances = {
        "hour": ("cyclic", 24),
        "word": "levenshtein",
        "place": rt.Attribute(["x", "y", "z"], matrix),
    }
    return X, y, distances


def places(part, path=()):
    """The path of every place of a JSON record; of long lists of plain values some."""
    yield path
    keys = part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    if isinstance(part, list) and len(part) > 4 and not isinstance(part[0], dict | list):
        keys = [*range(FIRST), len(part) // 2, *range(len(part) - LAST, len(part))]
    for key in keys:
        yield from places(part[key], (*path, key))


def damages(record) -> list:
    """All damages of a record: pairs of a path and the number of what is done there."""
    return [(p, k) for p in places(record) if p for k in range(2 + len(STRANGE) + len(CHANGES))]


CHANGES = (
    lambda v, others: v + 1,
    lambda v, others: v - 1,
    lambda v, others: -v,
    lambda v, others: v * 1000,
    lambda v, others: v + 0.5,
    lambda v, others: v[::-1],
    lambda v, others: v + v[-1:],
    lambda v, others: v[:-1],
    lambda v, others: v[:1] * 3,
    lambda v, others: "type",
    lambda v, others: others[0],
    lambda v, others: others[1],
)


def damaged(record, path, kind, rng) -> str | None:
    """The text of a record after one damage; None where there is nothing to do it to."""
    record = copy.deepcopy(record)
    part = record
    for key in path[:-1]:
        part = part[key]
    key, value = path[-1], part[path[-1]]
    if kind == 0:
        del part[key]
    elif kind == 1 and isinstance(part, list):
        part.insert(key, value)
    elif kind == 1:
        part[key] = "@twice"
        one = json.dumps({key: value})[1:-1]
        return json.dumps(record).replace(f'{json.dumps(key)}: "@twice"', f"{one}, {one}")
    elif kind < 2 + len(STRANGE):
        part[key] = STRANGE[kind - 2]
    else:
        same = [p for p in _parts(record) if type(p) is type(value)]
        others = [copy.deepcopy(same[i]) for i in rng.integers(0, len(same), 2)]
        try:
            part[key] = CHANGES[kind - 2 - len(STRANGE)](value, others)
        except (TypeError, KeyError):  # a slice is a key from Python 3.12 on
            return None
    return json.dumps(record)


def _parts(part):
    yield part
    for inner in (
        part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    ):
        yield from _parts(inner)


def outcome(path: Path, X) -> tuple[str, str]:
    """What comes of a file: "refused", "sound", or what went wrong, and a word on it."""
    try:
        model = rt.load_model(path)
    except ValueError as error:
        return ("refused" if path.name in str(error) else "unnamed"), str(error)
    except Exception as error:
        return "error on loading", f"{type(error).__name__}: {error}"
    try:
        return ("sound", "") if _sound(model, X) else ("not a number", repr(model))
    except ValueError as error:
        return "refuses its cases", str(error)
    except Exception as error:
        return "error in use", f"{type(error).__name__}: {error}"


def _sound(model, X) -> bool:
    if isinstance(model, rt.BayesNet):
        whole = model.joint_table().to_numpy()
        return bool(abs(whole.sum() - 1) < 1e-6 and np.isfinite(model.query("a")).all())
    if not hasattr(model, "classes_"):
        return True
    proba = model.predict_proba(X)
    model.predict(X), repr(model), model.explain(X.take([0]) if hasattr(X, "schema") else X[:1])
    if hasattr(model, "tree_"):
        model.tree_.to_text(), model.tree_.rules(), model.apply(X)
    return bool(proba.shape == (len(X), len(model.classes_)) and ((proba >= 0) & (proba < 2)).all())


def trials(model, n: int, seed: int = 1):
    """Texts of `n` damaged files of a model, drawn by chance, and where each is damaged."""
    with TemporaryDirectory() as folder:
        rt.save(model, Path(folder) / "model.json")
        record = json.loads((Path(folder) / "model.json").read_text())
    rng = np.random.default_rng(seed)
    every = damages(record)
    for i in itertools.islice(rng.permutation(len(every)), n):
        path, kind = every[i]
        if (text := damaged(record, path, kind, rng)) is not None:
            yield (path, kind), text


def main(n: int) -> int:
    """Print what came of `n` damages of each kind of model; the number of those that should not."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_slow)
    warnings.simplefilter("ignore")
    total, shown = Counter(), Counter()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.json"
        for name in KINDS:
            (model, X), came = fitted(name), Counter()
            for where, text in trials(model, n):
                file.write_text(text)
                signal.alarm(SECONDS)
                what, words = outcome(file, X)
                signal.alarm(0)
                came[what] += 1
                shown[what] += 1
                if what not in GENTLE and shown[what] <= 40:
                    print(f"{name}: {where}: {what}: {words[:200]}")
            print(name, dict(came))
            total += came
    print(sum(total.values()), dict(total))
    return sum(k for what, k in total.items() if what not in GENTLE)


def _too_slow(signum, frame):
    raise TimeoutError(f"no answer in {SECONDS} seconds")


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]))))
