#!/usr/bin/env bash
# skops 0.16.0 does not load a random forest of scikit-learn 1.9.1 as it saved it: the library's
# own class of trees is not among the types that it trusts; a logistic regression it loads.
#
# Guess: Estimators of scikit-learn load without a list of trusted types.
# Seen:  ['sklearn.tree._tree.Tree'] is untrusted; loads() raises UntrustedTypesFoundException.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  skops==0.16.0 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import skops.io
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from skops.io.exceptions import UntrustedTypesFoundException

X, y = load_iris(return_X_y=True)
forest = skops.io.dumps(RandomForestClassifier(3).fit(X, y))
skops.io.loads(skops.io.dumps(LogisticRegression(max_iter=500).fit(X, y)))
try:
    skops.io.loads(forest)
except UntrustedTypesFoundException:
    seen = skops.io.get_untrusted_types(data=forest)
    print(seen)
    raise SystemExit(seen != ["sklearn.tree._tree.Tree"]) from None
raise SystemExit(1)
PY
