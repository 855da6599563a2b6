"""NumPy on 32 bits, as in a browser, for tests without one: the project's code, rewritten.

Pyodide's `np.intp`, and with it the default integer, is int32. While modules of the project are
imported, `int` and `np.intp` become int32 where they are a dtype; what NumPy would have returned as
an intp is made int32, so that products, shifts and sums wrap around as they would there; and take,
bincount, repeat, choose, put and reduceat refuse the indices that they refuse there. What other
packages compute between themselves stays as on 64 bits. The rules are those of rules32.py.
"""

import ast
import operator
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder, SourceFileLoader

import numpy as np
import pandas as pd

PACKAGES = "ranktrees", "ranktrees_engine", "ranktrees_files", "ranktrees_lab"
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.MatMult: operator.matmul,
}
# Their results are intp, whatever the arguments are.
PLACES = """
    argmax argmin argpartition argsort argwhere bincount count_nonzero digitize factorize
    flatnonzero get_indexer lexsort nonzero ravel_multi_index searchsorted tril_indices triu_indices
    unravel_index
"""
PLACES = frozenset(PLACES.split())
SUMS = "sum prod cumsum cumprod dot matmul inner outer reduce reduceat accumulate"
WRAP = frozenset(SUMS.split())
LEAST, MOST = -(2**31), 2**31 - 1
TABLES = pd.Series, pd.DataFrame, pd.Index
NUMBERS = np.ndarray, np.ufunc, np.generic, np.random.RandomState, np.random.Generator
REFUSE = {  # function: the argument, counted without the array, that must be an intp without loss
    **dict.fromkeys(["take", "repeat", "put", "reduceat"], 0),
    **dict.fromkeys(["bincount", "choose"], -1),
}
WRAP = {
    "sum",
    "prod",
    "cumsum",
    "cumprod",
    "dot",
    "matmul",
    "inner",
    "outer",
    "reduce",
    "reduceat",
    "accumulate",
}
WIDE = np.dtype(np.int64)


class Rewriter(ast.NodeTransformer):
    """Replaces operators, calls of methods and `np.intp` by calls of this module."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if type(node.op) not in OPERATORS:
            return node
        name = ast.Constant(type(node.op).__name__)
        return _call(node, "operate", [name, node.left, node.right])

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if (
            isinstance(node.value, ast.Name)
            and node.value.id == "np"
            and node.attr in ("intp", "int_")
        ):
            return ast.copy_location(ast.Attribute(node.value, "int32", node.ctx), node)
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return node
        name = ast.Constant(node.func.attr)
        return _call(node, "call", [node.func.value, name, *node.args], node.keywords)


def _call(node, name, arguments, keywords=()):
    function = ast.Attribute(ast.Name("_bits32", ast.Load()), name, ast.Load())
    new = ast.Call(function, arguments, list(keywords))
    return ast.fix_missing_locations(ast.copy_location(new, node))


def operate(name, left, right):
    """Compute `left` op `right` as on 32 bits."""
    return narrow(OPERATORS[getattr(ast, name)](left, right), (left, right), wrap=True)


def call(owner, name, *arguments, **keywords):
    """Call a method, or a function of a module, as on 32 bits."""
    function = getattr(owner, name)
    if not _is_of_numbers(owner):
        return function(*arguments, **keywords)
    arguments = [np.int32 if each is int else each for each in arguments]
    keywords = {key: np.int32 if each is int else each for key, each in keywords.items()}
    method = isinstance(owner, np.ndarray)
    if name in REFUSE and not isinstance(owner, (*TABLES, pd.Categorical)):
        _refuse(name, [owner, *arguments] if method else arguments, keywords)
    found = function(*arguments, **keywords)
    given = [*([owner] if method else []), *arguments, *keywords.values()]
    if name in PLACES and not (name == "bincount" and _is_weighed(arguments, keywords)):
        return _each(found, lambda part: _as_int32(part, wrap=False))
    if name == "unique" and isinstance(found, tuple):
        return narrow(found[0], given), *(_as_int32(part, wrap=False) for part in found[1:])
    drawn = isinstance(owner, np.random.Generator) and name != "permutation"
    if drawn or isinstance(function, type):  # such as np.int64
        return found
    return narrow(found, given, wrap=name in WRAP)


def _is_of_numbers(owner):
    return owner in (np, pd) if isinstance(owner, type(np)) else isinstance(owner, _KINDS)


_KINDS = (*NUMBERS, *TABLES, pd.Categorical)


def _is_weighed(arguments, keywords):
    weights = keywords.get("weights", arguments[1] if len(arguments) > 1 else None)
    return weights is not None


def _refuse(name, given, keywords):
    place = REFUSE[name] + 1
    index = given[place] if len(given) > place else keywords.get("indices", keywords.get("repeats"))
    kind = getattr(index, "dtype", None)
    if isinstance(index, np.ndarray) and not np.can_cast(kind, np.int32):
        raise TypeError(f"on 32 bits, {name} takes no indices of {kind}: make them np.intp")


def narrow(found, given, wrap=False):
    """Return a result as int32 if it is int64 only because NumPy's default integer is, here."""
    if not _is_wide(found) or any(map(_holds_wide, given)):
        return found
    return _as_int32(found, wrap)


def _is_wide(value):
    return isinstance(value, np.ndarray | np.generic) and value.dtype == WIDE


def _holds_wide(value):
    if isinstance(value, list | tuple):
        return any(map(_holds_wide, value))
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "iu" and not np.can_cast(value.dtype, np.int32)
    if isinstance(value, str):
        return value in ("int64", "uint64", "uint32")
    if isinstance(value, type | np.dtype):
        return value in (np.int64, WIDE, np.uint32, np.uint64)
    return isinstance(value, TABLES)  # their integers have 64 bits there, too


def _as_int32(value, wrap):
    if not _is_wide(value) or isinstance(value, pd.Series):
        return value
    if not wrap and np.size(value) and not (np.min(value) >= LEAST and np.max(value) <= MOST):
        return value  # a list with such a number makes an array of int64 there, too
    return value.astype(np.int32)


def _each(found, change):
    return tuple(map(change, found)) if isinstance(found, tuple) else change(found)


class Loader(SourceFileLoader):
    """Compiles a module's rewritten source, and stores nothing."""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        tree = Rewriter().visit(ast.parse(self.get_data(path), path))
        return compile(tree, path, "exec", dont_inherit=True)

    def exec_module(self, module):
        module._bits32 = sys.modules[__name__]
        super().exec_module(module)


class Finder(MetaPathFinder):
    """Finds the project's modules as others do, but with our loader."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] not in PACKAGES:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = Loader(fullname, spec.loader.path)
        return spec


def install():
    """Rewrite what is imported of the project from now on; RuntimeError if some of it is."""
    if loaded := [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
        raise RuntimeError(f"already imported: {', '.join(loaded[:3])}")
    sys.meta_path.insert(0, Finder())
