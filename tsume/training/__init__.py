"""Training: which problem comes next, what a result changes, and who it belongs to."""
