"""Repairs of a problem that is not correct: the changes nearest to it that make it so."""
