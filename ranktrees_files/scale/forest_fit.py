"""Fitting a path forest to a scan: code files, trees, what ends at their nodes, and weights."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import groupby

import numpy as np

from ranktrees_engine.basics.arguments import choose
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.estimates.end_counts import Ended, check_ends, end_all
from ranktrees_engine.estimates.forest_passes import Parts, factor_sums, left_out, units_of
from ranktrees_engine.estimates.path_counts import value_sizes
from ranktrees_engine.estimates.path_forest import FACTORS, halves
from ranktrees_engine.estimates.path_weights import learn_weights
from ranktrees_engine.estimator.classifier import BUDGET, fits_whole
from ranktrees_engine.models.grids import new_encoders
from ranktrees_engine.models.path_forest import PathForest
from ranktrees_engine.reading.weights import warn_of_little
from ranktrees_files.scale.codefile import code
from ranktrees_files.scale.fit import ENGINES, as_bytes, check_blocks, counting, unchanged
from ranktrees_files.scale.folder import work_folder
from ranktrees_files.scale.forest_grow import Growing
from ranktrees_files.scale.gridfile import GridFile, Sides
from ranktrees_files.scale.learn import learn_together
from ranktrees_files.scale.log import Log
from ranktrees_files.scale.memory import array_bytes, give_back
from ranktrees_files.scale.parts_file import PartsFile
from ranktrees_files.scale.weigh import weigher_of


@fits_whole
def fit_forest(
    model: PathForest, scan, budget=BUDGET, engine=None, progress=False, log: Log | None = None
) -> None:
    """Fit a `PathForest` to a scan, as to cases in memory.

    `budget`, in bytes or as "256MB", bounds tables, and the cases that are grown or pruned in
    memory; the model itself, its trees and what ended there, comes on top. The files are read
    twice, and once more for each number. `engine` as in `fit_tree`: it counts while all trees grow
    together.
    """
    choose("engine", engine or "numpy", ENGINES)
    budget, log = as_bytes(budget), log or Log(progress=progress)
    with WarnOnce(), forest_files(model, scan, budget, log) as (sides, classes):
        model._remember(scan.names, classes)
        model.trees_ = grow_trees(model, sides.codes, budget, engine)
        model.ended_ = end_in_files(model, sides, budget)
        give_back()
        model._set_weights(lambda model: learn_in_files(model, sides, budget))
        vars(model).pop("members_", None)  # explanations make them again
        model._set_trees(model.trees_)


@contextmanager
def forest_files(model: PathForest, scan, budget: int, log: Log) -> Iterator[tuple]:
    """Yield the coded cases of a scan, as `Sides`, and its classes; the folder is deleted later."""
    check_blocks(4 * len(scan.names) + 1, budget)
    model.encoder_, model.grids_ = fine, grids = new_encoders()
    refused = model.missing == "error" and model._instead
    with closing(log), work_folder() as place:
        with unchanged(scan):
            weigh = weigher_of(scan, model.class_weight)
            encoders = [fine, *grids]
            classes, _ = learn_together(scan, encoders, budget, log, weigh, refused)
            beside = GridFile(grids, place, log)
            file = code(scan, fine, classes, place, log, weigh, beside)
        give_back()
        yield Sides(file, beside), classes


def grow_trees(model: PathForest, file, budget: int, engine) -> list:
    """Grow and prune all trees from a code file, on a cluster if the engine says so."""
    parts = halves(model.n_features_in_, model.n_models, model.seed)
    growing = Growing(file, model.encoder_.schema_, parts, model.classes_, budget)
    stop = growing.rules.stop
    if file.weight is not None:
        warn_of_little(file.counts.sum(), stop.min_parent, stop.set_by)
    with counting(engine, growing):
        return list(growing.trees())


def end_in_files(model: PathForest, sides: Sides, budget: int) -> list[Ended]:
    """Return what ends at the nodes of each tree, and leave in a file where each case ends."""
    n_ended, schemas = sides.write_ends(model.trees_), [grid.schema_ for grid in model.grids_]
    check_ends(n_ended, schemas, len(model.classes_), budget)
    give_back()
    batches = sides.read(range(model.n_features_in_), range(model.n_models))
    how = [value_sizes(schema) for schema in schemas], sides.codes.weight
    sides.codes.log.begin("counting the ends of paths")
    return end_all(model.trees_, n_ended, *how, batches)


def learn_in_files(model: PathForest, sides: Sides, budget: int) -> np.ndarray:
    """Learn the weights (1 + A,), see `ranktrees_engine.estimates.path_forest.learn`.

    What each factor adds to each case, which is left out, is summed up in files first.
    """
    codes, trees = sides.codes, model.trees_
    members, log, C = model.members_, codes.log, len(model.classes_)
    factors = [member.factors for member in members]
    in_parts = codes.weight is not None and codes.weight.kind == "f"
    lengths = [int(sizes.sum()) for sizes in codes.blocks]
    A, E, n_grids = len(model._names), range(len(trees)), len(model.grids_)
    store = PartsFile(codes.path.parent, lengths, A, C, log)
    of_model = sum(map(array_bytes, (*trees, *model.ended_)))
    parts = Parts(factors)
    for units in units_of(factors, max(budget - of_model, budget // 2)):
        attributes, some = ([*dict.fromkeys(getattr(u, f) for u in units)] for f in ("j", "e"))
        log.begin("leaving each case out")
        batches = sides.read(attributes, some)
        store.add(factor_sums(parts, units, batches, n_grids, in_parts))
        give_back()
    log_t = [member.log_t for member in members]

    def passes():
        log.begin("weighing")
        blocks = sides.read([], E)
        each = groupby(store.read(budget // 8), lambda part: part[0])
        for (_, ends, y, weight), (_, some) in zip(blocks, each, strict=True):
            for _, few, sums in some:
                w = None if weight is None else weight[few]
                own = [ends[e][few] for e in E]
                yield left_out(trees, log_t, own, sums, y[few], w)

    return learn_weights(passes, 1 + A, FACTORS)
