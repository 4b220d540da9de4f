"""The solver as JavaScript."""
