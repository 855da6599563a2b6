"""What all estimators share: parameters, checks, and folds that grow together."""
