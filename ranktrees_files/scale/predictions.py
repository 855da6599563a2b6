"""Predictions of a fitted model for cases in files, batch by batch."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.optional import optional
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.models.forest_members import cells_of_tables
from ranktrees_engine.models.path_forest import PathForest
from ranktrees_engine.models.tuned import TunedThreshold
from ranktrees_files.paths import replacing
from ranktrees_files.scale.sources import naming_file

MOST = 1 << 23  # cells of a batch, which take about 32 bytes each


def predict_batches(scan, model: Classifier) -> Iterator[np.ndarray]:
    """Yield class probabilities (m, C), batch by batch, file after file."""
    check_fitted(model, "classes_")
    said = set()  # no batch says again what another one has said
    for where, frame in scan.frames(scan.names, rows_at_once(model, len(scan.names))):
        with naming_file(where), WarnOnce(said=said):
            proba = model.predict_proba(frame)
        yield proba


def rows_at_once(model: Classifier, n_columns: int) -> int:
    """Return how many rows a model is asked for at least, if not the fewest that a scan reads.

    A large forest makes its tables again for each batch: then its rows should take as long.
    """
    model = model.model_ if isinstance(model, TunedThreshold) else model
    if not isinstance(model, PathForest):
        return 0
    return min(cells_of_tables(model) // len(model.trees_), MOST) // n_columns


def share_right(scan, model: Classifier) -> float:
    """Return the share of cases that a model predicts right, or of their weight."""
    check_fitted(model, "classes_")
    right, total, classes = 0.0, 0.0, set(model.classes_.tolist())
    labels, said = set(), set()
    for where, frame in scan.frames(size=rows_at_once(model, len(scan.names))):
        with naming_file(where), WarnOnce(said=said):
            codes, names = scan.labels(frame)
            weight = scan.weights(frame)
            right += weight[model.predict(frame[scan.names]) == names[codes]].sum()
        total += weight.sum()
        labels.update(names.tolist())
    if not total or not labels & classes:
        what = f"the classes {', '.join(map(repr, sorted(classes)))}" if total else "weight"
        raise ValueError(f"the files of {scan!r} hold no case of {what}")
    return float(right / total)


def write_batches(scan, model: Classifier, path: Path) -> None:
    """Write class probabilities to a Parquet file, which appears once it is complete."""
    pa, parquet = optional("pyarrow"), optional("pyarrow.parquet")
    check_fitted(model, "classes_")
    for file in scan.files:
        if path.exists() and path.samefile(file):
            raise ValueError(f"{path} is one of the scan's own files: name another file")
    schema = pa.schema([(str(label), pa.float64()) for label in model.classes_])
    with replacing(path) as part, parquet.ParquetWriter(part, schema) as writer:
        for proba in predict_batches(scan, model):
            writer.write_table(pa.table(list(proba.T), schema=schema))
