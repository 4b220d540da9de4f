# SPDX-License-Identifier: GPL-3.0-or-later
"""The replay of a main line: its moves, boards and pieces, from which themes and heuristics are read."""
