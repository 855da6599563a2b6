"""Reading a tree in its plain form, JSON that a program or a person writes: see `Tree.to_json`."""

import json
import math
from collections.abc import Mapping
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from ranktrees_engine.basics.arguments import as_path
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_engine.basics.typos import brief
from ranktrees_engine.growing.text import VERSION
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.schema import AttributeInfo
from ranktrees_files.stored_checks import check_of
from ranktrees_files.stored_rules import is_scalar
from ranktrees_files.stored_values import refuse_constant

WHOLE = {"version", "classes", "attributes", "nodes"}
ATTRIBUTE = {"name", "kind", "values", "cuts", "missing"}
NODE = {"id", "parent", "condition", "test", "attribute", "cut", "above", "up_to", "values"}
NODE |= {"missing", "counts"}
KINDS = "numeric", "ordinal", "nominal"


def read_tree(source: AnyPath | Mapping) -> Tree:
    """Read a tree from a JSON file, or from a dict of the same form.

    The form is that of `Tree.to_json`; the page on plain trees says what may be left out. Raises
    ValueError, which names the node and what to do, for whatever cannot be a tree.

    >>> import ranktrees as rt
    >>> nodes = [{"id": 1, "test": "age", "counts": [5, 5]}]
    >>> nodes += [{"id": 2, "parent": 1, "up_to": 40, "counts": [5, 1]}]
    >>> nodes += [{"id": 3, "parent": 1, "above": 40, "counts": [0, 4]}]
    >>> print(rt.read_tree({"version": 1, "classes": ["no", "yes"], "nodes": nodes}))
    age <= 40: no (6/1)
    age > 40: yes (4)
    """
    if isinstance(source, Mapping):
        return _Reader(source).tree()
    path = as_path("source", source)
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        return _Reader(json.loads(text, parse_constant=refuse_constant)).tree()
    except ValueError as error:  # of json, too
        raise ValueError(f"{path}: {error}") from error


def wrong(where: str, what: str) -> ValueError:
    """Return the error that something is wrong at a place; a long name or value is cut."""
    return ValueError(f"{brief(where)}: {brief(what)}")


class _Reader:
    """The nodes of one tree, by their ids, and what their tests say about attributes."""

    def __init__(self, said: Any):
        _check_keys("source", said, WHOLE)
        if said.get("version") != VERSION:
            raise wrong("version", f"it must be {VERSION}, not {said.get('version')!r}")
        self.classes = said.get("classes")
        if not isinstance(self.classes, list) or not self.classes:
            raise wrong("classes", "give a list of their names")
        if not all(map(is_scalar, self.classes)) or len({*self.classes}) < len(self.classes):
            raise wrong("classes", "they must be different texts or numbers")
        self.nodes = self._by_id(said.get("nodes"))
        self.order = self._breadth_first()
        self.infos = self._attributes(said.get("attributes"))
        self.place = {info.name: j for j, info in enumerate(self.infos)}

    def _by_id(self, nodes):
        if not isinstance(nodes, list) or not nodes:
            raise wrong("nodes", "give a list of at least one node")
        found = {}
        for node in nodes:
            _check_keys("a node", node, NODE)
            where = f"node {node.get('id')!r}"
            if type(node.get("id")) is not int or node["id"] in found:
                raise wrong(where, "its id must be a whole number that no other node has")
            found[node["id"]] = dict(node)  # which gets the name of its test
        return found

    def _breadth_first(self):
        """Return ids level by level, and set the children of each; ValueError if not one tree."""
        self.below = {i: [] for i in self.nodes}
        roots = [i for i, node in self.nodes.items() if node.get("parent") is None]
        for i, node in self.nodes.items():
            if i not in roots:
                if node["parent"] not in self.nodes:
                    raise wrong(f"node {i}", f"there is no node {node['parent']!r}, its parent")
                self.below[node["parent"]].append(i)
        if len(roots) != 1:
            raise wrong("nodes", f"one has no parent, the root, but here {len(roots)} have none")
        order = list(roots)
        for i in order:
            order += self.below[i]
        if len(order) < len(self.nodes):
            lost = next(i for i in self.nodes if i not in {*order})
            raise wrong(f"node {lost}", "its parents do not lead to the root")
        return order

    def _attributes(self, given):
        """Return the attributes that are declared, or else those that occur in tests."""
        if given is not None and not isinstance(given, list):
            raise wrong("attributes", "give a list, or leave it out")
        declared = {}
        for said in given or []:
            _check_keys("an attribute", said, ATTRIBUTE)
            if not isinstance(said.get("name"), str) or said["name"] in declared:
                raise wrong("attributes", f"{said.get('name')!r} must be a name, and given once")
            declared[said["name"]] = said
        self.names = list(declared)
        for i in self.order:
            if self.below[i]:
                name = self._name(i, declared if given is not None else None)
                declared.setdefault(name, {"name": name})
        tests = {name: [] for name in declared}
        for i in self.order:
            if self.below[i]:
                tests[self.nodes[i]["test"]] += [(c, self.nodes[c]) for c in self.below[i]]
        return tuple(_info(said, tests[name]) for name, said in declared.items())

    def _name(self, i, known):
        """Return the attribute that node i tests, by name or position, and note its name."""
        node = self.nodes[i]
        name, j = node.get("test"), node.get("attribute")
        if j is not None and (type(j) is not int or not 0 <= j < len(self.names)):
            raise wrong(f"node {i}", f"attribute {j!r} is not the position of a declared one")
        of_place = None if j is None else self.names[j]
        if name is None and of_place is None:
            raise wrong(f"node {i}", "it has children, so give its test, an attribute's name")
        if None not in (name, of_place) and name != of_place:
            raise wrong(f"node {i}", f"its test is {name!r}, but attribute {j} is {of_place!r}")
        node["test"] = name = name or of_place
        if known is not None and name not in known:
            raise wrong(f"node {i}", f"its test {name!r} is not among the attributes")
        return name

    def tree(self) -> Tree:
        """Return the tree; ValueError for branches or counts that do not fit."""
        number = {i: t for t, i in enumerate(self.order)}
        parent = [-1, *(number[self.nodes[i]["parent"]] for i in self.order[1:])]
        attribute, cut, child, offset = [], [], [], [0]
        for i in self.order:
            j, at, branches = self._test(i, number)
            attribute.append(j)
            cut.append(at)
            child += branches
            offset.append(len(child))
        arrays = [np.array(x, np.intp) for x in (parent, attribute, cut, child, offset)]
        tree = Tree(*arrays, self._counts(), self.infos, tuple(self.classes))
        check = check_of(Tree)
        check.of_fields("tree", {name: getattr(tree, name) for name in check.fields})
        check.of_whole("tree", tree)
        return tree

    def _test(self, i, number):
        """Return attribute, cut and children by outcome of node i."""
        if not self.below[i]:
            if self.nodes[i].get("test") is not None or self.nodes[i].get("cut") is not None:
                raise wrong(f"node {i}", "it has a test, but no node has it as parent")
            return -1, -1, []
        j = self.place[self.nodes[i]["test"]]
        info, branches = self.infos[j], np.full(self.infos[j].size, -1)
        for c in self.below[i]:
            codes = _codes(f"node {c}", self.nodes[c], info)
            if (branches[codes] >= 0).any():
                raise wrong(f"node {c}", "values that lead here lead to another node, too")
            branches[codes] = number[c]
        at = self._cut(i, info, branches)
        return j, at, [*branches.tolist()] if at < 0 else [branches[0], branches[-1]]

    def _cut(self, i, info, branches):
        """Return the last code of the first of two branches in order, else -1."""
        ends = np.flatnonzero(np.diff(branches))
        is_cut = info.ordered and len(ends) == 1
        at, given = int(ends[0]) if is_cut else -1, self.nodes[i].get("cut")
        bounds = [self.nodes[c].get("up_to") for c in self.below[i]]
        if given is not None and not (info.kind == "numeric" and given in bounds):
            raise wrong(f"node {i}", f"its cut is {given!r}, but no branch goes up to it")
        return at

    def _counts(self):
        """Return the counts (T, C); a node without them has the sum of its children's."""
        total, C = {}, len(self.classes)
        for i in reversed(self.order):
            given = self.nodes[i].get("counts")
            if given is None and self.below[i]:
                total[i] = np.sum([total[c] for c in self.below[i]], axis=0)
                continue
            right = isinstance(given, list) and len(given) == C
            if not right or not all(_is_number(n) and n >= 0 for n in given) or not any(given):
                raise wrong(f"node {i}", f"its counts must be {C} numbers of 0 or more, not all 0")
            total[i] = np.array(given)
        counts = np.stack([total[i] for i in self.order])
        whole = (counts == np.floor(counts)).all() and counts.max() < 2**53
        return counts.astype(np.int64 if whole else float)


def _check_keys(what, said, known):
    if not isinstance(said, Mapping):
        raise wrong(what, f"it must be an object, not {said!r:.60}")
    if unknown := [key for key in said if key not in known]:
        raise wrong(what, f"it has {unknown[0]!r:.40}; it may have {', '.join(sorted(known))}")


def _is_number(x):
    return isinstance(x, Real) and not isinstance(x, bool) and math.isfinite(x)


def _info(said, tests):
    """Return an attribute as it is declared, or as the branches (id, node) of its tests say."""
    name, where = said["name"], f"attribute {said['name']!r}"
    bounds = [node[key] for _, node in tests for key in ("above", "up_to") if key in node]
    kind = said.get("kind", "numeric" if bounds else "nominal")
    if kind not in KINDS:
        raise wrong(where, f"its kind must be one of {', '.join(KINDS)}, not {kind!r}")
    gap = said.get("missing", any(node.get("missing") for _, node in tests))
    if not isinstance(gap, bool):
        raise wrong(where, "missing must be true or false")
    if kind == "numeric":
        cuts = said.get("cuts", sorted({b for b in bounds if b is not None}))
        if not all(map(_is_number, cuts)) or any(a >= b for a, b in pairwise(cuts)):
            raise wrong(where, "its cuts must be ascending numbers")
        return AttributeInfo(name, kind, (), tuple(map(float, cuts)), gap)
    found = [value for _, node in tests for value in node.get("values", [])]
    values = tuple(said.get("values", dict.fromkeys(found)))
    if not all(map(is_scalar, values)) or len({*values}) < len(values):
        raise wrong(where, "its values must be different texts or numbers")
    info = AttributeInfo(name, kind, values, (), gap)
    _ = info.spellings
    return info


def _codes(where, node, info):
    """Return the codes of the values that lead to a node; ValueError if there are none."""
    gap = [info.size - 1] if node.get("missing") else []
    if gap and not info.missing:
        raise wrong(where, f"{info.name!r} is declared without missing values")
    if info.kind != "numeric":
        if {"above", "up_to"} & node.keys():
            raise wrong(where, f"{info.name!r} is {info.kind}: give values, not above and up_to")
        given, known = node.get("values", []), {v: c for c, v in enumerate(info.values)}
        if unknown := [value for value in given if value not in known]:
            raise wrong(where, f"{info.name!r} has no value {unknown[0]!r}")
        codes = sorted(known[value] for value in given)
    elif "values" in node:
        raise wrong(where, f"{info.name!r} is numeric: give above and up_to, not values")
    else:
        codes = _between(where, node, info) if {"above", "up_to"} & node.keys() else []
    if not codes and not gap:
        raise wrong(where, f"no value of {info.name!r} leads here: give values, above or up_to")
    return [*codes, *gap]


def _between(where, node, info):
    """Return the codes of numbers above one bound and up to another, which are cuts or null."""
    low, high = node.get("above"), node.get("up_to")
    for bound in (low, high):
        if bound is not None and bound not in info.cuts:
            raise wrong(where, f"{bound!r} is not one of the cuts of {info.name!r}")
    first = 0 if low is None else info.cuts.index(low) + 1
    last = len(info.cuts) if high is None else info.cuts.index(high)
    return list(range(first, last + 1))
