"""What a problem looks like, in numbers: whether composed problems look like published ones."""
