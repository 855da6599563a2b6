"""C4.5's pruning for cases in files, part by part: most of a tree's nodes have few cases.

Trees of parts that grow in memory are collapsed and pruned there at once (`PRUNING`). Then the
subtrees of all nodes whose cases fit in memory are pruned, many nodes at a time, from files with
the cases of these nodes alone; what is pruned stays so. The few nodes above them are pruned by
scans (`in_batches`). What becomes of a node depends on its own cases and subtree, so that the tree
is the same.
"""

import numpy as np

from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.prune.errors import collapsing, training_errors
from ranktrees_engine.prune.surgery import below, cut_back
from ranktrees_engine.prune.upper_limit import TOLERANCE, RaisingInMemory, c45_forest
from ranktrees_files.scale.codefile import CodeFile
from ranktrees_files.scale.in_batches import RaisingInBatches
from ranktrees_files.scale.memory import give_back
from ranktrees_files.scale.rainforest import Division, Pruning, Work, all_cases, divide

BYTES = 700  # that growing and pruning need for a case in memory, besides its codes
IN_PARTS = Division(by_budget=True, case_bytes=BYTES)


def prune_part(trees: Tree, sets: TrainingSets) -> tuple[Tree, np.ndarray]:
    """Collapse and prune trees that grew in memory; return their training errors (R,) before."""
    leaf, errors = collapsing(trees, training_errors(trees))
    return c45_forest(cut_back(trees, leaf), sets), errors[trees.levels[0]]


def collapse_top(top: Tree, nodes: np.ndarray, errors: np.ndarray) -> tuple:
    """Collapse a top, below whose open nodes (S,) trees made these errors before they were pruned.

    Return the top, the nodes' ids in it, -1 if they are cut off, and the errors (R,) before.
    """
    leaf_errors = training_errors(top).astype(float)
    leaf_errors[nodes] = errors
    leaf, total = collapsing(top, leaf_errors)
    kept = ~below(top, leaf)
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    return cut_back(top, leaf), number[nodes], total[top.levels[0]]


PRUNING = Pruning(prune_part, collapse_top)


def c45_in_parts(
    tree: Tree, file: CodeFile, work: Work, confidence: float = 0.25, slack: float = 0.1
) -> Tree:
    """Prune as `rt.prune.c45` does a tree of the file's cases, within the budget of the work."""
    raising = RaisingInBatches(tree, file.cases, confidence, slack + TOLERANCE)
    n_cases = tree.counts.sum(axis=1) * (len(file) / file.counts.sum())
    fits = IN_PARTS.fits(n_cases, file.row_bytes, work.budget)
    top = np.flatnonzero(fits & ~below(tree, fits) & ~tree.is_leaf)
    done = np.pad(fits, (0, len(raising.counts) - len(tree)), constant_values=True)
    if fits[0]:
        _prune_here(raising, file, top)
    else:
        for part, nodes in _parts(tree, file, work, top, fits):
            _prune_here(raising, part, nodes)
            part.remove()
    raising.prune(np.zeros(1, np.intp), done)
    return raising.finished(tree)


def _parts(tree, file, work, nodes, fits):
    """Yield files of the cases of nodes (S,), and the nodes that are the roots of each."""
    if not len(nodes):
        return
    kept = np.searchsorted(np.flatnonzero(~below(tree, fits)), nodes)
    work.log.begin("pruning divides its file")
    for part, some in divide(file, cut_back(tree, fits), kept, work, IN_PARTS):
        yield part, nodes[some]


def _prune_here(raising, file, nodes):
    """Prune the subtrees of nodes (S,), the roots of a file, with all its cases in memory."""
    if len(nodes):
        codes, y, root, weight = all_cases(file)
        memory = RaisingInMemory.part_of(raising, codes, y, weight)
        memory.prune(np.arange(len(y)), nodes[root])
        del memory, codes, y, root, weight
        give_back()
