"""Measurements that anyone can repeat, one a module; `scripts/measure.py` gathers them."""
