"""What models refuse by name: other libraries' parameters, and weights where none apply."""

ELSEWHERE = {  # what scikit-learn's users may ask for
    "random_state": "it is called seed, a whole number, 1 where none is given",
    "class_weight": "DecisionTree, C45, C44, PathBayes, PathForest, NaiveBayes, AODE and Bagging "
    "have it",
}
IN_FILES = 'a scan names the column of its weights: rt.scan(files, target, weight="w")'


def refuse_weights(model, why: str, **given) -> None:
    """Raise TypeError, saying why, if `fit` was given weights besides X and y."""
    for name, value in given.items():
        if name not in ("sample_weight", "class_weight"):
            raise TypeError(f"fit of {type(model).__name__} has no argument {name!r}")
        if value is not None:
            raise TypeError(f"{type(model).__name__} takes no {name}, since {why}")


def refuse_of_scans(model, **given) -> None:
    """Raise TypeError for arguments of `fit` that do not apply to cases in memory."""
    for name, value in given.items():
        if value is not None:
            raise TypeError(
                f"{name} is for cases in files, fit(rt.scan(files, target), {name}=...): "
                f"{type(model).__name__} has these in memory, leave it out"
            )
