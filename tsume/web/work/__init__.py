"""Long jobs of the board, run by worker processes."""
