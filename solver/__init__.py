"""Mate search: exact length, best line, verdict and difficulty."""
