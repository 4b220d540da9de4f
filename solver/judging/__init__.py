"""Whether a position is a correct problem, and what shows that it is not."""
