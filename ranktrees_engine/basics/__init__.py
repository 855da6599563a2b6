"""What every room uses: checks of arguments, blocks, logarithms, ties, warnings, criteria."""
