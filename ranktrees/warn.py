"""Warnings of work that is done many times, as for every fold, given once."""

import warnings


class WarnOnce:
    """Within it warnings are kept; at its end each different one is given once.

    It is given to the caller of the function that holds the `with`, as `about: message`.
    """

    def __init__(self, about: str = ""):
        self.about = about

    def __enter__(self):
        self.catch = warnings.catch_warnings(record=True)
        self.kept = self.catch.__enter__()
        warnings.simplefilter("always")
        return self

    def __exit__(self, *error):
        self.catch.__exit__(*error)
        head = f"{self.about}: " if self.about else ""
        for category, text in dict.fromkeys((w.category, str(w.message)) for w in self.kept):
            warnings.warn(head + text, category, stacklevel=3)
