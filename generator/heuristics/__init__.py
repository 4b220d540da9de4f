# SPDX-License-Identifier: GPL-3.0-or-later
"""Heuristics: what a line shows by its moves alone, for quality and likeness (docs/themes.md)."""
