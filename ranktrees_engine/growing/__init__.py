"""Growing a tree: counts, cuts, the best split of each open node, and the finished tree."""
