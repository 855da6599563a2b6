"""Adopted trees: a fitted tree or forest of scikit-learn, with the estimates of this package.

`adopt` reads them (`accepted` says which, `routes` how), `models` are what they become, `path` and
`temperature` are the estimates that only they have, `write_back` puts probabilities into a copy of
what was adopted, and `meta` has all of it as one estimator of scikit-learn.
"""
