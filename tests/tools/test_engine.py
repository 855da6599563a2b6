"""The engine opens no file and no database while models fit, predict, explain and are evaluated."""

import subprocess
import sys

from fresh import ROOT

# What imports open is Python's own; the hook cannot be taken off, hence a process of its own.
CHILD = """
import sys, warnings
from contextlib import suppress
sys.path.insert(0, "tests")
warnings.simplefilter("ignore")
from model_cases import MODELS, table
import ranktrees as rt

X, y = table()


def imports(frame):
    while frame:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def refuse(event, arguments):
    if event in ("open", "sqlite3.connect") and not imports(sys._getframe(1)):
        raise PermissionError(f"{event}: {arguments[0]}")


sys.addaudithook(refuse)
for kind, model in MODELS.items():
    model.fit(X, y).predict(X)
    model.predict_proba(X)
    str(model), model._repr_html_(), model.unseen(X), model.score(X, y)
    str(model.explain(X.iloc[[0]])), rt.proba_frame(model, X), rt.cross_validate(model, X, y, k=2)
    with suppress(TypeError):  # not every prediction is a sum
        rt.explain_table(model, X.iloc[:3])
    with suppress(AttributeError, ValueError):  # not every model is a query
        model.to_sql("cases")
rt.bins.k_means(X["whole"], 3)
compared = rt.compare({"a": rt.C45(), "b": rt.C44()}, [rt.Dataset(X, y, "table")], k=3)
str(compared), compared._repr_html_(), compared.pairs(), compared.ranks()
rt.repeated({"a": rt.C45(), "b": rt.C44()}, rt.Dataset(X, y, "table"), n=3)
rt.bootstrap_632(rt.C45(), X, y, runs=3), rt.learning_curve(rt.C45(), X, y)
rt.BayesNet({"word": [], "kind": ["word"]}).fit(X.dropna())
tree = MODELS["C44"].tree_
rt.prune.cost_complexity(tree), rt.prune.pessimistic(tree)
tree.to_text(), tree.to_dot(), tree.to_json(), rt.to_sql(tree, "cases")
print("nothing was opened")
try:
    open("README.md")
except PermissionError as error:
    print(error)
"""


def test_models_fit_predict_explain_and_are_evaluated():
    child = [sys.executable, "-c", CHILD]
    done = subprocess.run(child, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["nothing was opened", "open: README.md"], done.stderr[
        -2000:
    ]
