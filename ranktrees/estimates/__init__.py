"""What a tree says: of each node, and of each case along its path."""
