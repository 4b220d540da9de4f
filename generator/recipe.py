"""The number of the way that leads from a seed to problems."""

from __future__ import annotations

RECIPE = 1
"""Raised with every change after which some seed and options give other problems, scores or themes.

Each run and problem carries the number it began with; a run is resumed under the same number only.
tests/generator/test_recipe.py fails when what a few seeds give has changed and this has not.
"""
