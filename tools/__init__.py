"""What the checkout needs and an installed package does not: lessons, lines, processors."""
