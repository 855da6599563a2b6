"""Belief networks: a joint distribution from a graph and a conditional table for each node."""

from collections.abc import Iterable, Mapping
from itertools import product

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_dict
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.logarithms import log, normalised
from ranktrees_engine.bayes.cpt import as_frame, check_cells, counted, read_table
from ranktrees_engine.bayes.structure import ancestors, check_frame, nominal_codes, read_parents
from ranktrees_engine.bayes.tables import check_smoothing
from ranktrees_engine.reading.columns import read_columns


class BayesNet:
    """P(x1, ..., xn) = product of P(xi | parents(xi)) (Yang 2008, slides; Pearl 1988).

    Parameters
    ----------
    parents : {node: [its parents]}; a name that occurs only as a parent is a root.
    smoothing, m : "laplace", "none" or "m", as in `NaiveBayes`; roots are smoothed like other
        nodes.

    Attributes: `parents` with parents first, `states_` {node: its values}, `cpts_` {node: array
    P(value | parents) with the parents' axes first}. The tables come from data (`fit`) or are
    written by hand (`set_cpt`, `from_cpts`). Queries enumerate the joint table.

    >>> net = BayesNet({"Sick": [], "Positive": ["Sick"]})
    >>> net.set_cpt("Sick", {"yes": 0.01, "no": 0.99})
    >>> net.set_cpt("Positive", {"yes": {"+": 0.9, "-": 0.1}, "no": {"+": 0.1, "-": 0.9}})
    >>> round(float(net.query("Sick", {"Positive": "+"})["yes"]), 3)
    0.083
    """

    def __init__(
        self, parents: Mapping[str, Iterable[str]], smoothing: str = "laplace", m: float = 2.0
    ):
        check_smoothing(smoothing, m)
        self.parents, self.smoothing, self.m = read_parents(parents), smoothing, m
        self.states_, self.cpts_ = {}, {}

    def __repr__(self) -> str:
        factors = [f"{n} | {', '.join(p)}" if p else n for n, p in self.parents.items()]
        return f"BayesNet: {' '.join(f'P({factor})' for factor in factors)}"

    @classmethod
    def from_cpts(cls, parents: Mapping[str, Iterable[str]], cpts: Mapping) -> "BayesNet":
        """Return a network with all tables written by hand: {node: table}, as for `set_cpt`."""
        net = cls(parents)
        check_dict("cpts", cpts, "{node: table}")
        if unknown := [name for name in cpts if name not in net.parents]:
            raise ValueError(f"{unknown[0]!r} has a table but is not a node of the network")
        if lacking := [name for name in net.parents if name not in cpts]:
            raise ValueError(f"there is no table for {lacking[0]!r}: give every node one")
        for name in net.parents:
            net.set_cpt(name, cpts[name])
        return net

    def fit(self, frame: pd.DataFrame) -> "BayesNet":
        """Count the tables of nominal columns with the nodes' names; other columns are ignored.

        Structure known, all variables observable: the first of Yang's four cases. A case with a
        missing value does not count in the tables that need that value. A combination of parents
        that never occurs gets a uniform row, even without smoothing.
        """
        frame = check_frame(frame, self.parents)
        columns = read_columns(frame[list(self.parents)], type(self).__name__)
        codes, states = nominal_codes(columns)
        cpts = {}
        for name, above in self.parents.items():
            family = [*above, name]
            sizes = [len(states[node]) for node in family]
            values = [codes[node] for node in family]
            cpts[name] = counted(name, values, sizes, self.smoothing, self.m)
        self.states_, self.cpts_ = states, cpts
        return self

    def set_cpt(self, name: str, table: Mapping | pd.DataFrame) -> None:
        """Set one table by hand; those of its parents come first.

        It is a dict {parents' values: {value: P}}, {value: P} for a root, or a DataFrame with a row
        for each combination of the parents' values. Raises ValueError if a combination is missing
        or a row does not sum to one.
        """
        self._check_nodes(name)
        if lacking := [p for p in self.parents[name] if p not in self.states_]:
            raise ValueError(f"set the table of {lacking[0]!r}, a parent of {name!r}, first")
        values, P = read_table(name, table, self.parents[name], self.states_)
        below = [node for node in self.cpts_ if name in self.parents[node]]
        if below and values != self.states_[name]:
            raise ValueError(
                f"{name!r} has the values {self.states_[name]}, on which the table of "
                f"{below[0]!r} rests, not {values}"
            )
        self.states_[name], self.cpts_[name] = values, P

    def cpt(self, name: str) -> pd.DataFrame:
        """Return P(value | parents): a row per combination of parents, a column per value."""
        self._check_nodes(name)
        self._check_tables(name)
        return as_frame(name, self.cpts_[name], self.parents[name], self.states_)

    def joint(self, assignment: Mapping) -> float:
        """Return P of one value for every node: the product of one entry per table."""
        self._check_tables(*self.parents)
        codes = self._codes_of(assignment)
        if lacking := [name for name in self.parents if name not in codes]:
            raise ValueError(f"no value for {lacking[0]!r}: give all nodes one, or ask query()")
        return float(np.exp(self._log_joint(codes, self.parents)[0]))

    def joint_table(self) -> pd.Series:
        """Return P of all combinations of values, as a Series with a level for each node."""
        self._check_tables(*self.parents)
        nodes = list(self.parents)
        cells = self._all_codes(nodes)
        index = pd.MultiIndex.from_product([self.states_[node] for node in nodes], names=nodes)
        return pd.Series(np.exp(self._log_joint(cells, self.parents)), index, name="P")

    def query(self, target: str, evidence: Mapping | None = None) -> pd.Series:
        """Return P(target | evidence {node: value}): sum the joint over all other variables.

        Raises ValueError if the evidence has probability 0, or if too many combinations are left.
        """
        self._check_tables(*self.parents)
        self._check_nodes(target)
        evidence = {} if evidence is None else evidence
        codes = self._codes_of(evidence)
        fixed = codes.pop(target, None)
        joint = self._target_joint(target, codes)
        if fixed is not None:
            joint = np.where(np.arange(joint.shape[1]) == fixed, joint, -np.inf)
        if np.isneginf(joint).all():
            raise ValueError(
                f"the evidence {dict(evidence)} has probability 0, and nothing follows from it: "
                "leave some of it out, or smooth the tables"
            )
        p = normalised(joint, np.zeros(joint.shape[1]))[0]
        return pd.Series(p, pd.Index(self.states_[target], name=target), name="P")

    def predict_proba(self, frame: pd.DataFrame, target: str) -> np.ndarray:
        """Return P(target | all known in the row) (n, values), columns as in `states_[target]`.

        Missing values, values never seen and nodes without a column are summed over. If a row's
        evidence has probability 0, the answer is the target's distribution without evidence.
        """
        self._check_tables(*self.parents)
        self._check_nodes(target)
        frame = check_frame(frame)
        present = [node for node in self.parents if node in frame.columns and node != target]
        codes = {node: self._new_codes(frame, node)[0] for node in present}
        known = np.ones((len(frame), len(present) + 1), bool)  # one more: unique needs a column
        for j, node in enumerate(present):
            known[:, j] = codes[node] >= 0
        joint = np.empty((len(frame), len(self.states_[target])))
        patterns, group = np.unique(known, axis=0, return_inverse=True)
        for g, pattern in enumerate(patterns):
            rows = np.flatnonzero(group.ravel() == g)
            seen = [node for node, is_known in zip(present, pattern[:-1], strict=True) if is_known]
            joint[rows] = self._target_joint(target, {k: codes[k][rows] for k in seen}, len(rows))
        prior = np.zeros(joint.shape[1])
        if np.isneginf(joint).all(axis=1).any():
            prior = self.query(target).to_numpy()
        return normalised(joint, prior)

    def log_likelihood(self, frame: pd.DataFrame) -> float:
        """Sum ln P(row) over the rows, all nodes known; -inf if a row is impossible."""
        self._check_tables(*self.parents)
        frame = check_frame(frame, self.parents)
        codes = {}
        for node in self.parents:
            codes[node], column = self._new_codes(frame, node)
            if (gap := codes[node] < 0).any():
                row = gap.argmax()
                why = "missing" if column.missing[row] else "not a value of the network"
                raise ValueError(f"column {node!r} is {why} in row {row}: all must be known")
        return float(self._log_joint(codes, self.parents).sum())

    def _log_joint(self, codes, nodes):
        """Sum log P(node | parents) over `nodes`, broadcast over the codes' shapes."""
        total = 0.0
        for node in nodes:
            at = tuple(codes[name] for name in [*self.parents[node], node])
            total = total + log(self.cpts_[node])[at]
        return total

    def _target_joint(self, target, codes, n=1):
        """Return log P(target, evidence) (n, values) for codes (n,) of the evidence.

        Only the ancestors of target and evidence matter: any other table sums to one.
        """
        nodes = ancestors(self.parents, [target, *codes])
        cells = self._all_codes([target, *(k for k in nodes if k not in codes and k != target)])
        values, width = len(self.states_[target]), len(cells[target])
        joint = np.empty((n, values))
        for part in blocks(n, width):
            known = {node: code[part, None] for node, code in codes.items()}
            terms = self._log_joint(known | cells, nodes).reshape(-1, values, width // values)
            joint[part] = np.logaddexp.reduce(terms, axis=-1)
        return joint

    def _all_codes(self, nodes):
        """Return codes (cells,) of each node over all combinations of values, the last fastest."""
        sizes = [len(self.states_[node]) for node in nodes]
        advice = "give evidence for more variables, or values to fewer"
        check_cells(f"the joint table of {len(nodes)} variables", sizes, advice)
        return dict(zip(nodes, np.indices(sizes).reshape(len(nodes), -1), strict=True))

    def _new_codes(self, frame, node):
        """Return codes (n,), -1 for missing or never seen, and the column itself."""
        column = read_columns(frame[[node]], type(self).__name__)[0]
        return column.codes_in(pd.Index(self.states_[node])), column

    def _codes_of(self, values):
        """Return the code (1,) of each value in {node: value}."""
        if not isinstance(values, Mapping | pd.Series):
            raise TypeError(f"values of nodes are a dict {{node: value}}, not {values!r}")
        self._check_nodes(*values.keys())
        for name, value in values.items():
            if value not in self.states_[name]:
                raise ValueError(f"{value!r} is not a value of {name!r}: {self.states_[name]}")
        return {name: np.array([self.states_[name].index(v)]) for name, v in values.items()}

    def _check_nodes(self, *names):
        if unknown := [name for name in names if name not in list(self.parents)]:
            raise ValueError(f"{unknown[0]!r} is not a node of the network: {list(self.parents)}")

    def _check_tables(self, *names):
        if lacking := [name for name in names if name not in self.cpts_]:
            raise ValueError(f"{lacking[0]!r} has no table yet: use set_cpt, or fit on data")


def lung_cancer() -> BayesNet:
    """Return six yes/no variables around lung cancer, in the structure of Han & Kamber's figure.

    Only the table of LungCancer is printed on Yang's slide (2008). ALL OTHER NUMBERS ARE
    ILLUSTRATIVE, made up so that questions can be asked; they are not medical facts.
    """
    nodes = {  # parents, and P(yes) from where all of them are yes to where all are no
        "FamilyHistory": ([], [0.1]),
        "Smoker": ([], [0.3]),
        "LungCancer": (["FamilyHistory", "Smoker"], [0.8, 0.5, 0.7, 0.1]),
        "Emphysema": (["Smoker"], [0.2, 0.02]),
        "PositiveXRay": (["LungCancer"], [0.9, 0.05]),
        "Dyspnea": (["LungCancer", "Emphysema"], [0.9, 0.6, 0.7, 0.1]),
    }
    net = BayesNet({name: parents for name, (parents, _) in nodes.items()})
    for name, (parents, shares) in nodes.items():
        rows = [{"yes": p, "no": round(1 - p, 9)} for p in shares]
        answers = product(("yes", "no"), repeat=len(parents))
        net.set_cpt(name, dict(zip(answers, rows, strict=True)) if parents else rows[0])
    return net
