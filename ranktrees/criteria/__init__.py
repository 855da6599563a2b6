"""What a split is worth: criteria of count tables, and the tables of every split."""
