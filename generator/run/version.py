# SPDX-License-Identifier: GPL-3.0-or-later
"""The generator version: it identifies how a seed becomes problems."""

from __future__ import annotations

GENERATOR_VERSION = 16
"""Raised with every change that makes some seed and options give other problems, scores or themes.

Each run and problem keeps the number it began with; a run is resumed only under the same number.
tests/generator/run/test_version.py fails when a few seeds give something else and the number is as before.
"""
