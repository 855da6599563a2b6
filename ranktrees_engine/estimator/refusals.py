"""Arguments that a model refuses by name, since they do not apply to it."""

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
