"""Attributes of scikit-learn's `tree_`, and where a `Tree` has what they hold."""

_TESTS = "to_frame() has all tests in words"
_BRANCHES = "branches_of(t) has the child of each code at node t, parent (T,) the node above each"
_CASES = "counts (T, C) has the training cases of each class, by weight if they have one"
_ASK_THE_MODEL = "a tree has counts alone, and its model the estimates"
ELSEWHERE = {
    "feature": f"attribute (T,) has the place of each test in schema, -1 at a leaf; {_TESTS}",
    "threshold": "cut (T,) is the last code on the lower side, whose number is schema[a].cuts[cut] "
    f"where a is the node's attribute, and -1 where each value has its branch; {_TESTS}",
    "children_left": _BRANCHES,
    "children_right": _BRANCHES,
    "missing_go_to_left": "where schema[a].missing is True, the last code is a missing value",
    "value": f"{_CASES}; model.node_proba_ (T, C) has the estimates",
    "n_node_samples": f"{_CASES}: counts.sum(axis=1)",
    "weighted_n_node_samples": f"{_CASES}: counts.sum(axis=1)",
    "impurity": f"{_CASES}: rt.criteria.gini(counts) or rt.criteria.entropy(counts)",
    "node_count": "it is the length, len(tree)",
    "capacity": "it is the length, len(tree)",
    "max_depth": "it is called depth",
    "compute_node_depths": "it is called depths (T,)",
    "n_features": "it is len(schema)",
    "n_classes": "it is len(classes)",
    "max_n_classes": "it is len(classes)",
    "n_outputs": "a tree has one target",
    "predict": f"{_ASK_THE_MODEL}: model.predict_proba(X)",
    "decision_path": f"{_ASK_THE_MODEL}: model.decision_path(X)",
    "compute_feature_importances": f"{_ASK_THE_MODEL}: model.feature_importances_",
    "compute_partial_dependence": "sklearn.inspection.partial_dependence takes the model",
}
