"""Names of scikit-learn's parameters and attributes, and what they are called here."""

_DRAWN = "Bagging draws as many cases as there are, with repetition; PathForest draws attributes"
_SMALL = "max_depth, min_parent and min_child of DecisionTree keep trees small, prune that of C45"
_SMOOTHED = "smoothing and m of NaiveBayes, and the estimate of a tree, say how counts are smoothed"
_SIGNS = "DecisionTree has it; the tests and factors of other models together keep no sign"
_SIGNED = 'in DecisionTree, a dict such as {"income": -1}'
ELSEWHERE = {  # what its users may ask for; a model that has the name itself takes it
    "random_state": "it is called seed, a whole number, 1 where none is given",
    "class_weight": "DecisionTree, C45, C44, PathBayes, PathForest, NaiveBayes, AODE and Bagging "
    "have it",
    "min_samples_leaf": "it is called min_child, in DecisionTree, C45, C44 and PathBayes",
    "min_samples_split": "it is called min_parent, in DecisionTree, NBTree and NewtonTree",
    "min_impurity_decrease": "it is called min_gain, in DecisionTree",
    "min_weight_fraction_leaf": f"min_child counts cases; {_SMALL}",
    "max_leaf_nodes": "DecisionTree, C45, C44 have it",
    "max_depth": "DecisionTree, CITree, NBTree and NewtonTree have it; C45 prunes instead",
    "ccp_alpha": "DecisionTree has it; C45 prunes by its confidence",
    "n_estimators": "it is called n_models, in PathForest and Bagging",
    "estimator": "it is called model, in Bagging",
    "base_estimator": "it is called model, in Bagging",
    "max_features": "PathForest gives each of its trees half of the attributes",
    "max_samples": _DRAWN,
    "bootstrap": _DRAWN,
    "oob_score": "rt.cross_validate measures on cases that were held out",
    "n_jobs": "Bagging and PathForest have it; a single tree needs one process",
    "warm_start": "a fit begins anew",
    "verbose": "fit(X, y, progress=True) shows what a tree does",
    "splitter": 'a tree tries all splits, as "best" does',
    "monotonic": _SIGNS,
    "monotonic_cst": f"it is called monotonic, {_SIGNED}",
    "monotone_constraints": f"it is called monotonic, {_SIGNED}",
    "alpha": _SMOOTHED,
    "var_smoothing": _SMOOTHED,
    "fit_prior": "the prior is learnt; sample_weight and class_weight change it",
    "priors": "the prior is learnt; sample_weight and class_weight change it",
    "class_prior": "the prior is learnt; sample_weight and class_weight change it",
}
ATTRIBUTES = {  # and methods; a model that has the name itself answers
    "cost_complexity_pruning_path": "rt.prune.path(model) has the ccp_alpha and the risk of each "
    "pruning of a fitted tree",
    "get_depth": "a fitted model of one tree has tree_.depth",
    "get_n_leaves": "a fitted model of one tree has tree_.n_leaves",
    "estimators_": "Bagging has models_, PathForest has trees_",
    "n_classes_": "it is len(model.classes_)",
    "n_outputs_": "a model has one target",
    "max_features_": "PathForest gives each of its trees half of the attributes",
}
