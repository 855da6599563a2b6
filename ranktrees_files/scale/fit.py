"""Fitting models to scans: learn the columns, code the cases, grow; and what is refused."""

import tracemalloc
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_like, choose
from ranktrees_engine.basics.kinds import Budget, Scan
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.estimates import ESTIMATES
from ranktrees_engine.estimates.path_bayes import check_branches
from ranktrees_engine.estimates.path_ends import count_ends
from ranktrees_engine.estimator.classifier import BUDGET, Classifier, fits_whole
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.grow import grow
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.columns import SAMPLE
from ranktrees_engine.reading.weights import warn_of_little
from ranktrees_files.scale.codefile import BLOCK_BYTES, CodeFile, code, code_batches
from ranktrees_files.scale.folder import work_folder
from ranktrees_files.scale.learn import learn
from ranktrees_files.scale.lists import SliqRows, SprintRows
from ranktrees_files.scale.log import Log
from ranktrees_files.scale.rainforest import DIVISIONS, Division, Work, grow_part
from ranktrees_files.scale.weigh import weigher_of

LISTS = {"sliq": SliqRows, "sprint": SprintRows}
ALGORITHMS = (*DIVISIONS, *LISTS)
ENGINES = ("numpy", "dask")
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def as_bytes(budget) -> int:
    """Return a number of bytes from a whole number or a text: "64MB".

    >>> as_bytes("1.5GB")
    1500000000
    """
    text = str(budget).strip().upper()
    unit = next((unit for unit in ("KB", "MB", "GB", "TB", "B") if text.endswith(unit)), "")
    try:
        value = float(text.removesuffix(unit)) * UNITS[unit]
    except (KeyError, ValueError):
        value = 0
    if not 1 <= value < np.inf:
        raise ValueError(f'budget must be a number of bytes or such as "256MB", not {budget!r}')
    return int(value)


@contextmanager
def code_file(scan, encoder, budget: int, log: Log, class_weight=None):
    """Yield a scan's code file, classes (C,) and `Weigher`; its folder is deleted afterwards."""
    check_blocks(len(scan.names) + 1, budget)
    with closing(log), work_folder() as place:
        with unchanged(scan):
            weigh = weigher_of(scan, class_weight)
            classes, _ = learn(scan, encoder, budget, log, weigh)
            file = code(scan, encoder, classes, place, log, weigh)
        yield file, classes, weigh


def check_blocks(width: int, budget: int) -> None:
    """Raise ValueError if a block of cases, of `width` codes each, is larger than the budget."""
    if budget < BLOCK_BYTES * width:
        raise ValueError(
            f"budget: a block of cases takes {BLOCK_BYTES * width:,} bytes, and {budget:,} are "
            "given"
        )


@contextmanager
def unchanged(scan):
    """Raise ValueError, naming the file, if a file changes within this context."""

    def check():
        for before, now in zip(stamp, scan.stamp(), strict=True):
            if before != now:
                raise ValueError(f"{now[0]} has changed while it was read: fit again")

    stamp = scan.stamp()
    try:
        yield
    except ValueError:
        check()
        raise
    check()


@fits_whole
def fit_tree(
    model, scan, budget=BUDGET, engine=None, progress=False, algorithm="rf-hybrid", log=None
):
    """Fit a `DecisionTree`, `C45`, `C44` or `PathBayes` to a scan, as to cases in memory.

    `budget`, in bytes or as "256MB", bounds the tables of a scan, those of path Bayes while they
    are counted, and the cases that are grown in memory. Raising takes a scan per level, path Bayes
    one more of the files for each group of attributes whose tables fit, and learning weights at
    most ten. `engine` "dask" counts on the workers of a running `distributed.Client`, or of a local
    cluster. Raises ValueError or TypeError for models that need the cases in memory.
    """
    check_from_tables(model)
    choose("algorithm", algorithm, ALGORITHMS)
    choose("engine", engine or "numpy", ENGINES)
    budget = as_bytes(budget)
    rules, log = model.make_rules(), log or Log(progress=progress)
    model.encoder_ = rules.encoder
    by_path = ESTIMATES[model.estimate].needs == "tables"
    how = budget, log, model.class_weight
    with (
        unchanged(scan) if by_path else nullcontext(),
        code_file(scan, model.encoder_, *how) as (file, classes, weigh),
    ):
        model._remember(scan.names, classes)
        if file.weight is not None:
            warn_of_little(file.counts.sum(), rules.stop.min_parent, rules.stop.set_by)
        tree = grown(rules, file, classes, budget, engine, algorithm)
        tree = rules.prune(tree, file)
        if not by_path:
            return model._set_tree(tree)

        def passes(what="weighing"):
            return code_batches(log.watch(scan.batches(weigh), what), model.encoder_, classes)

        check_branches(tree)
        model.ended_ = count_ends(tree, lambda: passes("counting"), budget)
        return model._set_tree(tree, passes)


def grown(rules, file: CodeFile, classes: np.ndarray, budget: int, engine, algorithm: str) -> Tree:
    """Grow the tree of all cases in a file, by rules whose encoder has learnt the columns."""
    stop, C = rules.stop, len(classes)
    sets = sets_of(file, schema := rules.encoder.schema_)
    both = rules.propose(sets, C, wide=int(sets.sizes.max())), rules.propose(sets, C)
    plan, folder = DIVISIONS.get(algorithm, Division()), file.path.parent
    work = Work(*both, classes.tolist(), stop, schema, budget, folder, file.log, plan)
    work.check_budget()
    with counting(engine, work):
        if algorithm in LISTS:
            forest = grow(LISTS[algorithm](file, work), work.propose, work.classes, stop)
        else:
            forest = grow_part(file, work)
    return rules.trim(replace(forest, schema=schema), sets)


@fits_whole
def fit_bayes(model, scan, budget=BUDGET):
    """Fit a `NaiveBayes` or `AODE` to a scan: one reading for the columns, one for the counts."""
    if model.numeric == "gaussian":
        raise ValueError(f'NaiveBayes: numeric="gaussian" needs the cases: use "bins", or {SAMPLE}')
    model.encoder_ = encoder = model._encoder()
    with unchanged(scan):
        weigh = weigher_of(scan, model.class_weight)
        with WarnOnce(without=("it is never split on",)):  # that concerns trees alone
            classes, model.class_count_ = learn(scan, encoder, as_bytes(budget), Log(), weigh)
        model._remember(scan.names, classes)
        model._set_schema(model._known_values(encoder))
        model.fill_ = np.zeros(0)
        model.means_ = model.deviations_ = np.zeros((0, len(classes)))
        model._start_counts()
        for codes, y, weight in code_batches(scan.batches(weigh), encoder, classes):
            model._add_counts(codes.values, y, weight)
    return model._set_tables()


def sets_of(file: CodeFile, schema: tuple) -> SimpleNamespace:
    """Return the training set of a code file in the form that growing needs (`TrainingSets`)."""
    return SimpleNamespace(
        each=[SimpleNamespace(schema=schema)],
        sizes=np.array([[info.size for info in schema]]),
        n_cases=file.counts.sum(axis=1),
    )


def check_from_tables(model) -> None:
    """Raise ValueError for a tree that needs its cases, which a scan does not keep."""
    name = type(model).__name__
    rules = model.make_rules() if isinstance(model, GrownTree) else None
    if rules is None or not rules.from_tables:
        raise TypeError(f"{name} needs its training cases in memory: {SAMPLE}")
    if ESTIMATES[model.estimate].needs == "cases":
        raise ValueError(
            f"{name}: the estimate {model.estimate!r} asks for the training cases: take one per "
            f"node, such as 'laplace', or 'path-bayes', whose counts are tables, or {SAMPLE}"
        )
    if rules.encoder.numeric == "thresholds" and rules.encoder.max_codes is None:
        raise ValueError(
            f"{name}: cuts between all values of a number need the cases: give max_codes=255, or "
            f"{SAMPLE}"
        )


@contextmanager
def counting(engine, work: Work):
    """Set the function that counts tables: here, or on the workers of a cluster."""
    if engine in (None, "numpy"):
        yield
        return
    from ranktrees_files.scale.cluster import Cluster

    with Cluster() as cluster:
        work.count = cluster.count
        yield


class Growth(NamedTuple):
    """The result of `grow`: the fitted model, and a `table` of each level's reads and writes."""

    model: object
    table: pd.DataFrame


def grow_with(
    model: Classifier, scan: Scan, algorithm: str = "rf-hybrid", budget: Budget = BUDGET
) -> Growth:
    """Fit a model to a scan by one of the `ALGORITHMS`, and count what it reads and writes.

    All give the same tree. The table has a row per level: scans (rows read divided by all rows),
    rows and bytes read and written, the bytes of the largest tables, and the peak of memory. It
    does not count reading and coding the files and raising branches; making SLIQ's and SPRINT's
    lists counts at level 0. These two sort and split a list in memory, whatever the budget: about
    20 bytes per case.
    """
    check_like("a model that grows one tree, such as C44()", model, "fit", "make_rules")
    check_like("a scan, as rt.scan(files, target) makes", scan, "names", "frames", "stamp")
    log = Log(memory=True)
    was_tracing = tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        fit_tree(model, scan, budget, algorithm=algorithm, log=log)
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return Growth(model, log.table())
