"""From a frame to codes: columns, classes, weights, bins, the encoder and folds."""
