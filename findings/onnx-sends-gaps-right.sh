#!/usr/bin/env bash
# skl2onnx 1.20.0 exports a tree of scikit-learn 1.9.1 without the side on which it learnt to
# put missing values: in the ONNX model they go right.
#
# Guess: The exported tree predicts a missing value as the tree does, or the export refuses it.
# Seen:  [1, 0] from the tree, [0, 1] from ONNX Runtime 1.32.0 for a missing value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env || exit 2
python3 -m pip --python env/bin/python install --quiet --no-compile --disable-pip-version-check \
  skl2onnx==1.20.0 onnxruntime==1.32.0 scikit-learn==1.9.1 || exit 2
env/bin/python -W ignore - <<'PY'
import numpy as np
import onnxruntime
import skl2onnx
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 1))
y = (X[:, 0] > 0).astype(int)
X[(y == 0) & (rng.uniform(size=300) < 0.5)] = np.nan
tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y)
gap = np.array([[np.nan]], dtype="float32")
model = skl2onnx.to_onnx(tree, X[:1].astype("float32"), options={"zipmap": False})
session = onnxruntime.InferenceSession(model.SerializeToString())
seen = tree.predict_proba(gap)[0].tolist(), session.run(None, {"X": gap})[1][0].tolist()
print(*seen)
raise SystemExit(seen != ([1.0, 0.0], [0.0, 1.0]))
PY
